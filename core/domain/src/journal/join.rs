//! Two files of one day become one, entry-whole.

use std::collections::HashSet;

use super::begins_entry;

/// What becomes of a day that takes another one in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Joined {
    /// It has all entries of the other one.
    Same,
    /// It with the entries that it lacked, in their order, at its end.
    Longer(String),
    /// The other one holds text outside of entries that this one lacks: they stay two files.
    Apart,
}

/// Takes the entries of another day in. An entry is known by its moment and its text; who wrote it
/// down, and under which title, makes no difference.
pub fn joined(day: &str, other: &str) -> Joined {
    let loose = |text: &str| entries(text).next().filter(|it| !begins_entry(it)).map(key);
    let is_blank = |(_, text): &(String, String)| text.is_empty();
    if loose(other).is_some_and(|it| !is_blank(&it) && Some(it) != loose(day)) {
        return Joined::Apart;
    }
    let mut seen: HashSet<(String, String)> = entries(day).map(key).collect();
    let lacking: Vec<&str> = entries(other)
        .filter(|entry| begins_entry(entry) && seen.insert(key(entry)))
        .map(str::trim_end)
        .collect();
    if lacking.is_empty() {
        return Joined::Same;
    }
    let gap = match day {
        day if day.is_empty() || day.ends_with("\n\n") => "",
        day if day.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    Joined::Longer(format!("{day}{gap}{}\n", lacking.join("\n\n")))
}

/// The text before the first entry, then each entry from its heading on.
pub(super) fn entries(text: &str) -> impl Iterator<Item = &str> {
    let mut starts: Vec<usize> = Vec::from([0]);
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if at > 0 && begins_entry(line) {
            starts.push(at);
        }
        at += line.len();
    }
    starts.push(text.len());
    (1..starts.len()).map(move |end| &text[starts[end - 1]..starts[end]])
}

/// The moment in the heading, and the text below without its provenance.
fn key(entry: &str) -> (String, String) {
    let (head, rest) = entry.split_once('\n').unwrap_or((entry, ""));
    let Some((moment, _)) = head.strip_prefix("## ").and_then(|head| head.split_once(" · "))
    else {
        return (String::new(), plain(entry.lines()));
    };
    let moment = moment.trim().to_owned();
    (moment, plain(rest.lines().filter(|line| !line.trim_start().starts_with("<!--"))))
}

fn plain<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    lines.map(str::trim_end).collect::<Vec<_>>().join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "## 2026-06-09T10:00:00+00:00 · one\n<!-- agent: a -->\nfirst\n\nbody\n";
    const TWO: &str = "## 2026-06-09T11:00:00+00:00 · two\n<!-- agent: b -->\nsecond\n";

    #[test]
    fn a_day_takes_what_it_lacks_whole_and_once() {
        for (day, other, joint) in [
            (ONE.to_owned(), TWO.to_owned(), Joined::Longer(format!("{ONE}\n{TWO}"))),
            (ONE.to_owned(), format!("{ONE}\n{TWO}"), Joined::Longer(format!("{ONE}\n{TWO}"))),
            (format!("{ONE}\n{TWO}"), ONE.to_owned(), Joined::Same),
            (ONE.to_owned(), ONE.replace("agent: a", "x").replace('\n', "\r\n"), Joined::Same),
            (String::new(), TWO.to_owned(), Joined::Longer(TWO.to_owned())),
            (ONE.trim_end().to_owned(), TWO.to_owned(), Joined::Longer(format!("{ONE}\n{TWO}"))),
            (ONE.to_owned(), format!("{TWO}\n{TWO}"), Joined::Longer(format!("{ONE}\n{TWO}"))),
            (ONE.to_owned(), "\n\n".to_owned(), Joined::Same),
            (ONE.to_owned(), "by hand\n".to_owned(), Joined::Apart),
            (ONE.to_owned(), format!("# Day\n\n{TWO}"), Joined::Apart),
            (
                format!("# Day\n\n{ONE}"),
                format!("# Day\n{TWO}"),
                Joined::Longer(format!("# Day\n\n{ONE}\n{TWO}")),
            ),
        ] {
            assert_eq!(joined(&day, &other), joint, "{day:?} + {other:?}");
            if let Joined::Longer(joint) = joint {
                assert_eq!(joined(&joint, &other), Joined::Same, "again: {joint:?}");
            }
        }
    }

    #[test]
    fn one_moment_with_two_texts_is_two_entries() {
        let other = ONE.replace("body", "another body");
        assert_eq!(joined(ONE, &other), Joined::Longer(format!("{ONE}\n{other}")));
    }

    mod properties {
        use super::Joined;
        use super::joined;
        use proptest::prelude::*;

        proptest! {
            #[test]
            fn nothing_is_lost_and_nothing_doubled(
                day in "(## 2026-06-0[1-9] · t\n|[a-c ]{0,3}\n){0,6}",
                other in "(## 2026-06-0[1-9] · t\n|[a-c ]{0,3}\n){0,6}",
            ) {
                if let Joined::Longer(joint) = joined(&day, &other) {
                    prop_assert!(joint.starts_with(&day));
                    prop_assert_eq!(joined(&joint, &other), Joined::Same);
                    prop_assert_eq!(joined(&joint, &day), Joined::Same);
                }
            }
        }
    }
}
