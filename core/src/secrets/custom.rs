//! Patterns of a person's own for secrets, beside the table: expressions that the settings name.
//!
//! They are held over the text as it is; escapes and encodings are the table's matter. The library
//! promises linear time for one search, not for all that a text needs: a search may read to the end of
//! the text for a match of one letter. So each reads a stretch of bounded length, and a match may be as
//! long as half of it. A large expression is refused.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use regex::{Regex, RegexBuilder};

use super::{MARKS, PASSES, Scrubbed, Unscrubbed, scrub};

/// So many patterns are taken.
const MOST: usize = 100;
/// The longest pattern, in bytes.
const LENGTH: usize = 4_096;
/// The most memory that a compiled pattern may take.
const COMPILED: usize = 1 << 20;
/// A search reads so many bytes at most; every match of half as many is found.
const STRETCH: usize = 8 << 10;
/// What a pattern without a name finds.
const NAMELESS: &str = "custom";

/// The patterns of a person.
#[derive(Debug, Clone, Default)]
pub struct Custom {
    rules: Vec<(String, Regex)>,
}

/// The same patterns are the same.
impl PartialEq for Custom {
    fn eq(&self, other: &Self) -> bool {
        let words = |custom: &Self| -> Vec<(String, String)> {
            custom.rules.iter().map(|(kind, it)| (kind.clone(), it.as_str().to_owned())).collect()
        };
        words(self) == words(other)
    }
}

impl Custom {
    /// Adds a pattern; `name` is what a mark says was there.
    ///
    /// # Errors
    ///
    /// What is wrong with it, as in "does not parse".
    pub fn add(&mut self, name: Option<&str>, pattern: &str) -> Result<(), String> {
        let is_name = |name: &str| {
            let is_of =
                |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
            (1..=40).contains(&name.len()) && name.bytes().all(is_of)
        };
        if name.is_some_and(|name| !is_name(name)) {
            return Err("must have a name of small letters, digits and hyphens".to_owned());
        }
        if self.rules.len() >= MOST {
            return Err(format!("is one of more than {MOST} patterns"));
        }
        if pattern.len() > LENGTH {
            return Err(format!("is longer than {LENGTH} bytes"));
        }
        let regex = RegexBuilder::new(pattern).size_limit(COMPILED).build();
        let regex = regex.map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => "is too big".to_owned(),
            _ => "does not parse".to_owned(),
        })?;
        if regex.is_match("") {
            return Err("matches an empty text".to_owned());
        }
        self.rules.push((name.unwrap_or(NAMELESS).to_owned(), regex));
        Ok(())
    }

    /// Takes every secret out of a text, those of the table and those of the person.
    ///
    /// # Errors
    ///
    /// The text could not be scrubbed: the caller drops it.
    pub fn scrub<'t>(&self, text: &'t str) -> Result<Scrubbed<'t>, Unscrubbed> {
        let mut scrubbed = scrub(text)?;
        for _ in 0..PASSES {
            let look = AssertUnwindSafe(|| self.marked(&scrubbed.text, &mut scrubbed.found));
            let Some(marked) = catch_unwind(look).map_err(|_| Unscrubbed::Failed)? else {
                return Ok(scrubbed);
            };
            let again = scrub(&marked)?;
            let text = Cow::Owned(again.text.into_owned());
            for (kind, times) in again.found {
                *scrubbed.found.entry(kind).or_default() += times;
            }
            scrubbed.text = text;
        }
        Err(Unscrubbed::Restless)
    }

    /// Where the person's secrets are, in the order of the patterns.
    pub fn find(&self, text: &str) -> Vec<Range<usize>> {
        let found = self.rules.iter().flat_map(|(_, regex)| apart(regex, text));
        found.collect()
    }

    /// The text with marks; `None` where there is nothing to mark.
    fn marked(&self, text: &str, found: &mut BTreeMap<Cow<'static, str>, usize>) -> Option<String> {
        let mut now = Cow::Borrowed(text);
        for (kind, regex) in &self.rules {
            let ranges = apart(regex, &now);
            if ranges.is_empty() {
                continue;
            }
            *found.entry(Cow::Owned(kind.clone())).or_default() += ranges.len();
            let mut marked = String::with_capacity(now.len());
            let mut at = 0;
            for range in ranges {
                marked.push_str(&now[at..range.start]);
                marked.extend(["[redacted: ", kind, "]"]);
                at = range.end;
            }
            marked.push_str(&now[at..]);
            now = Cow::Owned(marked);
        }
        matches!(now, Cow::Owned(_)).then(|| now.into_owned())
    }
}

/// The matches that touch no mark: scrubbing again changes nothing.
fn apart(regex: &Regex, text: &str) -> Vec<Range<usize>> {
    let marks = marks(text);
    let found = all(regex, text).into_iter();
    found
        .filter(|range| {
            let next = marks.partition_point(|mark| mark.end <= range.start);
            marks.get(next).is_none_or(|mark| range.end <= mark.start)
        })
        .collect()
}

/// All matches but empty ones, each looked for in a bounded stretch.
fn all(regex: &Regex, text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let end = text.floor_char_boundary(at + STRETCH);
        let is_cut = end < text.len();
        let Some(range) = regex.find_at(&text[..end], at).map(|found| found.range()) else {
            at = if is_cut { text.floor_char_boundary(end - STRETCH / 2) } else { end };
            continue;
        };
        let is_near_cut = range.start + STRETCH / 2 > end || range.end == end;
        if is_cut && is_near_cut && range.start > at {
            // What stands behind the cut may belong to it.
            at = range.start;
        } else if range.is_empty() {
            at = text.ceil_char_boundary(range.end + 1);
        } else {
            at = range.end;
            found.push(range);
        }
    }
    found
}

fn marks(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = MARKS
        .iter()
        .flat_map(|mark| {
            memchr::memmem::find_iter(text.as_bytes(), mark).map(|start| {
                let end = text[start..].find([']', ')']).map_or(text.len(), |end| start + end + 1);
                start..end
            })
        })
        .collect();
    found.sort_by_key(|range| range.start);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn custom(patterns: &[(Option<&str>, &str)]) -> Custom {
        let mut custom = Custom::default();
        for (name, pattern) in patterns {
            custom.add(*name, pattern).unwrap();
        }
        custom
    }

    #[test]
    fn a_persons_patterns_are_taken_out_beside_the_table() {
        let custom = custom(&[(Some("acme-key"), r"ACME-\d{4}"), (None, "部署密码")]);
        let key = format!("ghp_{}", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5");
        let text = format!("ACME-1234, ACME-9999, 部署密码 and {key}");
        let scrubbed = custom.scrub(&text).unwrap();
        assert_eq!(
            scrubbed.text,
            "[redacted: acme-key], [redacted: acme-key], [redacted: custom] and [redacted: github-token]"
        );
        let found: Vec<_> = scrubbed.found.iter().map(|(kind, times)| (&**kind, *times)).collect();
        assert_eq!(found, [("acme-key", 2), ("custom", 1), ("github-token", 1)]);
        let again = custom.scrub(&scrubbed.text).unwrap();
        assert!(again.text == scrubbed.text && again.found.is_empty());
        assert!(custom.find(&scrubbed.text).is_empty());
    }

    #[test]
    fn a_pattern_that_matches_marks_comes_to_rest() {
        let custom = custom(&[(Some("redacted"), "redacted|custom|[a-z]+")]);
        let scrubbed = custom.scrub("some words").unwrap();
        assert_eq!(scrubbed.text, "[redacted: redacted] [redacted: redacted]");
        assert_eq!(custom.scrub(&scrubbed.text).unwrap().text, scrubbed.text);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let mut custom = Custom::default();
        for (name, pattern, reason) in [
            (None, "(", "does not parse"),
            (None, "x*", "matches an empty text"),
            (None, r"\w{1000}{1000}", "is too big"),
            (Some("Bad Name"), "x", "must have a name"),
            (None, &"x".repeat(5000), "is longer than"),
        ] {
            assert!(custom.add(name, pattern).unwrap_err().starts_with(reason), "{pattern:.20}");
        }
        assert_eq!(custom, Custom::default());
    }

    #[test]
    fn a_match_is_found_across_stretches() {
        let custom = custom(&[(None, r"(?s)BEGIN.*?END"), (None, r"(?m)\bkey-\w+$")]);
        for before in [0, 10, STRETCH / 2 - 3, STRETCH / 2, STRETCH - 3, STRETCH, 3 * STRETCH - 5] {
            let before = "界".repeat(before / 3);
            let long = format!("BEGIN{}END", "x".repeat(STRETCH / 2 - 8));
            let text = format!("{before} {long}\n{before} key-one\nkey-two {before}");
            let start = before.len() + 1;
            let key = start + long.len() + 1 + before.len() + 1;
            let wanted = [start..start + long.len(), key..key + "key-one".len()];
            assert_eq!(custom.find(&text), wanted, "{}", before.len());
        }
    }

    /// The first pattern reads all that follows before it settles for a letter.
    #[test]
    fn time_stays_linear() {
        for (pattern, text) in [
            (".*[^A-Z]|[A-Z]", "A".repeat(128 << 10)),
            ("(a|aa)+$x", "aa ".repeat(200_000)),
            (r"(\w+\s?)+!", "aa ".repeat(200_000)),
        ] {
            let began = std::time::Instant::now();
            custom(&[(None, pattern)]).find(&text);
            assert!(began.elapsed().as_secs() < 20, "{pattern}: {:?}", began.elapsed());
        }
    }
}
