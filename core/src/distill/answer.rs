//! What a model's answer is taken for: nothing in it is trusted to be short, clean or sensible.

use std::collections::HashSet;

use coffer_domain::hidden;
use serde::Deserialize;

use crate::secrets::Custom;

/// So many insights a session has at most.
const MOST: usize = 10;
/// The longest name, description and body, in characters.
const NAME: usize = 120;
const DESCRIPTION: usize = 300;
const BODY: usize = 8_192;

/// Something that a session taught.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Insight {
    /// A short title, one line.
    pub name: String,
    /// One line that says it in short.
    pub description: String,
    /// Markdown; may be empty.
    pub body: String,
}

/// The same as a model writes it.
#[derive(Debug, Deserialize)]
pub(super) struct Named {
    name: String,
    // Models write `null` for what they have no words for.
    description: Option<String>,
    body: Option<String>,
}

/// The insights of an answer, and how many of what it names are none.
pub(super) fn taken(named: Vec<Named>, secrets: &Custom) -> (Vec<Insight>, u64) {
    let total = named.len();
    let mut seen = HashSet::new();
    let insights = named.into_iter().filter_map(|named| insight(named, secrets));
    let insights: Vec<Insight> = insights
        .filter(|it| seen.insert((it.description.clone(), it.body.clone())))
        .take(MOST)
        .collect();
    let left_out = total - insights.len();
    (insights, left_out as u64)
}

/// Without secrets first, cut then: half of a secret is not known for one.
fn insight(Named { name, description, body }: Named, secrets: &Custom) -> Option<Insight> {
    let scrubbed = |text: &str| {
        let scrubbed = secrets.scrub(text).ok()?.text;
        Some(hidden::strip(&scrubbed.replace("\r\n", "\n").replace('\r', "\n")).into_owned())
    };
    let name = one_line(&scrubbed(&name)?, NAME);
    let description = one_line(&scrubbed(&description.unwrap_or_default())?, DESCRIPTION);
    let body = scrubbed(&body.unwrap_or_default())?.trim().to_owned();
    if body.chars().count() > BODY {
        return None;
    }
    let or = |text: String, other: &str, most| {
        if text.is_empty() { one_line(other, most) } else { text }
    };
    let description = or(or(description, &body, DESCRIPTION), &name, DESCRIPTION);
    let name = or(name, &description, NAME);
    (!name.is_empty()).then_some(Insight { name, description, body })
}

fn one_line(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut: String = line.chars().take(most).collect();
    cut.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str, description: &str, body: &str) -> Named {
        Named { name: name.into(), description: Some(description.into()), body: Some(body.into()) }
    }

    fn one(name: &str, description: &str, body: &str) -> Option<[String; 3]> {
        let insight = insight(named(name, description, body), &Custom::default())?;
        Some([insight.name, insight.description, insight.body])
    }

    #[test]
    fn an_insight_is_made_of_what_there_is() {
        let is = |it: [&str; 3]| Some(it.map(str::to_owned));
        assert_eq!(one("a", "b", "c"), is(["a", "b", "c"]));
        assert_eq!(one(" a\n b ", "x\ty", "\nc\n\n"), is(["a b", "x y", "c"]));
        assert_eq!(one("a", "", "c\nd"), is(["a", "c d", "c\nd"]));
        assert_eq!(one("a", "", ""), is(["a", "a", ""]));
        assert_eq!(one("", "b", ""), is(["b", "b", ""]));
        assert_eq!(one("", " ", "\n"), None);
        assert_eq!(one("../../etc/passwd", "b", ""), is(["../../etc/passwd", "b", ""]));
        assert_eq!(one("a\u{7}\u{0}b", "b\u{202e}", ""), is(["ab", "b", ""]));
        assert_eq!(one("a", "b", "c\u{1b}[1m\rd\u{200b}\u{0}"), is(["a", "b", "c[1m\nd"]));
        assert_eq!(one("a", "b", &"x".repeat(BODY + 1)), None);
        let [name, description, _] = one(&"ä".repeat(500), &"b".repeat(500), "").unwrap();
        assert_eq!((name.chars().count(), description.len()), (NAME, DESCRIPTION));
    }

    #[test]
    fn there_are_few_and_none_twice() {
        let all = (0..50).map(|n| named(&format!("{n}"), "d", &format!("body {n}")));
        let (insights, left_out) = taken(all.collect(), &Custom::default());
        assert_eq!((insights.len(), left_out), (MOST, 40));
        let same = vec![named("a", "d", "b"), named("other", "d", "b"), named("", "", "")];
        assert_eq!(taken(same, &Custom::default()).1, 2);
    }

    #[test]
    fn no_secret_is_taken_over() {
        let key = format!("ghp_{}", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5");
        let long = format!("{} {key}", "word ".repeat(20));
        let [name, description, body] = one(&long, &key, &key).unwrap();
        for text in [&name, &description, &body] {
            assert!(!text.contains("ghp_") && text.contains("[redacted"), "{text}");
        }
    }
}
