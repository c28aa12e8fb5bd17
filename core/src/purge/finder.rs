//! What is to be taken out, made ready to be found: once a purge, for files, names and the database.

use std::ops::Range;

use aho_corasick::{AhoCorasick, MatchKind};
use regex::bytes::{Regex, RegexBuilder};

use super::forms::{forms, in_name};
use crate::error::{Error, Result};
use crate::index::schema_words;
use crate::secrets::{self, Custom};

/// What stands where a text stood.
pub(super) const MARK: &str = "[purged]";
/// The same where a bracket would mean something: in a header.
pub(super) const PLAIN_MARK: &str = "(purged)";
/// The same in a file's name.
pub(super) const NAME_MARK: &str = "purged";

/// Shorter texts stand in too many others.
const LEAST: usize = 4;
/// The longest text, in bytes.
const MOST: usize = 64 << 10;
/// The most memory that a compiled pattern may take.
const PATTERN_BYTES: usize = 4 << 20;
/// Characters that end a path in a text.
const ENDS: &[u8] = b" \t\r\n\"'`()[]<>|,;";
/// How far a path reaches at most.
const PATH: usize = 512;

/// Words that Coffer's own files are made of, beside those of its database.
const OWN_WORDS: &str = "memory global projects project- knowledge inbox rules journal handoff \
    superseded INDEX.md store.yaml consolidation-log.md kind: id: title: description: metadata: \
    actor: agent: user agent origin_session_id: created_at: updated_at: branch: head: label: \
    project_id: project_roots: remote: root_commit: merged_identities: config: true false null \
    [purged] (purged) [redacted: memory_added memory_deleted --- 2026-01-01T00:00:00+00:00";

/// What is to be taken out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// This text, letter by letter.
    Text(String),
    /// Whatever matches a regular expression.
    Pattern(String),
    /// Whatever `secrets` finds.
    Secrets,
}

/// Finds it.
pub(super) struct Finder {
    what: What,
    /// What names of files are made of, where it is another text.
    names: Names,
}

enum What {
    Text(AhoCorasick, Vec<String>),
    Pattern(Regex),
    Secrets(Custom),
}

struct Names(Option<AhoCorasick>);

/// A place in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Span {
    pub range: Range<usize>,
    /// It is part of the path of a Markdown file.
    pub in_path: bool,
}

impl Finder {
    /// Makes it ready; `names` are further parts of names, lower-case, `custom` the person's own
    /// patterns for secrets.
    ///
    /// # Errors
    ///
    /// `Refused` for what would destroy more than it should; `BadPattern`.
    pub(super) fn new(wanted: &Wanted, names: &[String], custom: &Custom) -> Result<Self> {
        let (what, own_name) = match wanted {
            Wanted::Text(text) => (What::text(text)?, in_name(text)),
            Wanted::Pattern(pattern) => (What::pattern(pattern)?, None),
            Wanted::Secrets => (What::Secrets(custom.clone()), None),
        };
        let words: Vec<String> = names.iter().cloned().chain(own_name).collect();
        let finder = Self { what, names: Names::new(&words) };
        let own = || schema_words().chain([OWN_WORDS]);
        if !matches!(wanted, Wanted::Secrets) && own().any(|text| finder.is_in(text.as_bytes())) {
            return Err(refused("it is part of what all of Coffer's own files consist of"));
        }
        Ok(finder)
    }

    /// Where it is, in order, without overlaps.
    pub(super) fn spans(&self, bytes: &[u8]) -> Vec<Span> {
        let mut ranges = self.what.ranges(bytes);
        ranges.extend(self.names.ranges(bytes).filter(|range| is_in_path(bytes, range)));
        disjoint(ranges)
            .into_iter()
            .map(|range| Span { in_path: is_in_path(bytes, &range), range })
            .collect()
    }

    /// How often it is there.
    pub(super) fn count(&self, bytes: &[u8]) -> usize {
        self.spans(bytes).len()
    }

    /// Whether it is there.
    pub(super) fn is_in(&self, bytes: &[u8]) -> bool {
        self.count(bytes) > 0
    }

    /// Where it is in a name.
    pub(super) fn in_name(&self, name: &str) -> Vec<Range<usize>> {
        let mut ranges = self.what.ranges(name.as_bytes());
        ranges.extend(self.names.ranges(name.as_bytes()));
        disjoint(ranges)
    }

    /// What names are made of the texts that are found; none for a text that is known.
    pub(super) fn names_of(&self, bytes: &[u8]) -> Vec<String> {
        match &self.what {
            What::Text(..) => Vec::new(),
            What::Pattern(_) | What::Secrets(_) => {
                let found = self.what.ranges(bytes).into_iter();
                found.filter_map(|at| in_name(&String::from_utf8_lossy(&bytes[at]))).collect()
            }
        }
    }

    /// How often it stands in the bytes of a database, where that can be told: not of a short text,
    /// since two words of an index stand side by side there, nor of a pattern.
    pub(super) fn count_raw(&self, bytes: &[u8]) -> usize {
        match &self.what {
            What::Text(_, forms) => {
                let long = forms.iter().filter(|form| is_told_raw(form));
                long.map(|form| memchr::memmem::find_iter(bytes, form.as_bytes()).count()).sum()
            }
            What::Pattern(_) | What::Secrets(_) => 0,
        }
    }

    /// Whether `count_raw` can show that it is nowhere in the bytes of a database.
    pub(super) fn is_told_raw(&self) -> bool {
        match &self.what {
            What::Text(_, forms) => forms.iter().all(|form| is_told_raw(form)),
            What::Pattern(_) | What::Secrets(_) => false,
        }
    }

    /// The longest form, for those who look at a text part by part.
    pub(super) fn reach(&self) -> usize {
        match &self.what {
            What::Text(_, forms) => forms.iter().map(String::len).max().unwrap_or(0) + PATH,
            What::Pattern(_) | What::Secrets(_) => MOST,
        }
    }

    /// Whether it looks for secrets, of which Coffer has some of its own.
    pub(super) fn is_of_secrets(&self) -> bool {
        matches!(self.what, What::Secrets(_))
    }
}

impl What {
    fn text(text: &str) -> Result<Self> {
        if text.trim().chars().count() < LEAST {
            return Err(refused("it is shorter than four characters and stands in other words"));
        }
        if text.len() > MOST {
            return Err(refused("it is longer than 64 KiB; name a part of it"));
        }
        let forms = forms(text);
        let built = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&forms);
        let found = built.map_err(|error| Error::Internal(error.to_string()))?;
        Ok(Self::Text(found, forms))
    }

    fn pattern(pattern: &str) -> Result<Self> {
        let bad = |error: &dyn std::fmt::Display| Error::BadPattern(error.to_string());
        let read = regex_syntax::parse(pattern).map_err(|error| bad(&error))?;
        if read.properties().minimum_len().is_none_or(|least| least < LEAST) {
            return Err(refused("it matches texts shorter than four characters"));
        }
        let built = RegexBuilder::new(pattern).size_limit(PATTERN_BYTES).build();
        built.map(Self::Pattern).map_err(|error| bad(&error))
    }

    fn ranges(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        match self {
            Self::Text(found, _) => found.find_iter(bytes).map(|found| found.range()).collect(),
            Self::Pattern(regex) => regex.find_iter(bytes).map(|found| found.range()).collect(),
            Self::Secrets(custom) => {
                let mut at = 0;
                let mut ranges = Vec::new();
                for part in bytes.utf8_chunks() {
                    let found = secrets::find(part.valid()).into_iter().map(|found| found.range);
                    let found = found.chain(custom.find(part.valid()));
                    ranges.extend(found.map(|range| at + range.start..at + range.end));
                    at += part.valid().len() + part.invalid().len();
                }
                ranges
            }
        }
    }
}

impl Names {
    fn new(words: &[String]) -> Self {
        let built = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(words);
        Self(built.ok().filter(|_| !words.is_empty()))
    }

    /// Whole words only.
    fn ranges<'a>(&'a self, bytes: &'a [u8]) -> impl Iterator<Item = Range<usize>> + 'a {
        let is_word = |at: Option<&u8>| at.is_some_and(u8::is_ascii_alphanumeric);
        let found = self.0.iter().flat_map(move |found| found.find_iter(bytes));
        found.map(|found| found.range()).filter(move |range| {
            let before = range.start.checked_sub(1).and_then(|at| bytes.get(at));
            !is_word(before) && !is_word(bytes.get(range.end))
        })
    }
}

fn is_told_raw(form: &str) -> bool {
    form.len() >= 2 * LEAST
}

fn disjoint(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.retain(|range| !range.is_empty());
    ranges.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    let mut apart: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match apart.last_mut().filter(|last| range.start < last.end) {
            Some(last) => last.end = last.end.max(range.end),
            None => apart.push(range),
        }
    }
    apart
}

/// Whether a range is part of a word that names a Markdown file.
fn is_in_path(bytes: &[u8], range: &Range<usize>) -> bool {
    let ends = |byte: &u8| ENDS.contains(byte);
    let before = &bytes[range.start.saturating_sub(PATH)..range.start];
    let behind = &bytes[range.end..bytes.len().min(range.end + PATH)];
    let start = range.start - before.iter().rev().take_while(|byte| !ends(byte)).count();
    let end = range.end + behind.iter().take_while(|byte| !ends(byte)).count();
    memchr::memmem::find(&bytes[start..end], b".md").is_some()
}

fn refused(reason: &str) -> Error {
    Error::Refused { what: "the text to purge", reason: reason.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Result<Finder> {
        Finder::new(&Wanted::Text(text.to_owned()), &[], &Custom::default())
    }

    #[test]
    fn what_would_destroy_is_refused() {
        for bad in [
            "",
            "abc",
            "  a  ",
            "部署流",
            "know",
            "knowledge",
            "title:",
            "purged",
            "memory_added",
            "documents_fts",
            "2026",
        ] {
            assert!(matches!(text(bad), Err(Error::Refused { .. })), "{bad:?}");
        }
        for bad in [".*", "a|bcde", r"\w+", r".{4,}", r"[a-z]{4}", "(know)ledge", "^"] {
            let finder = Finder::new(&Wanted::Pattern(bad.to_owned()), &[], &Custom::default());
            assert!(matches!(finder, Err(Error::Refused { .. })), "{bad:?}");
        }
        let open = Finder::new(&Wanted::Pattern("(walnut".to_owned()), &[], &Custom::default());
        assert!(matches!(open, Err(Error::BadPattern(_))));
        for fine in ["walnut", "部署流程", "a b c", "Hunter2!"] {
            text(fine).unwrap();
        }
        Finder::new(&Wanted::Pattern(r"walnut-\d+".to_owned()), &[], &Custom::default()).unwrap();
        Finder::new(&Wanted::Secrets, &[], &Custom::default()).unwrap();
    }

    #[test]
    fn names_count_in_paths_only() {
        let finder = text("My Hunter2!").unwrap();
        let count = |text: &str| finder.count(text.as_bytes());
        assert_eq!(count("my-hunter2 is no path"), 0);
        assert_eq!(count("- deleted `knowledge/inbox/my-hunter2-ab12cd.md`"), 1);
        assert_eq!(count("`knowledge/inbox/my-hunter22-ab12cd.md`"), 0);
        assert_eq!(count("My Hunter2! my hunter2!"), 1);
        assert_eq!(finder.in_name("my-hunter2-ab12cd.md").first(), Some(&(0..10)));
        let secrets =
            Finder::new(&Wanted::Secrets, &["ghp-x1".to_owned()], &Custom::default()).unwrap();
        assert_eq!(secrets.in_name("a-ghp-x1-b.md").first(), Some(&(2..8)));
    }

    #[test]
    fn a_pattern_says_what_names_come_of_it() {
        let finder =
            Finder::new(&Wanted::Pattern(r"Walnut \d+".to_owned()), &[], &Custom::default())
                .unwrap();
        assert_eq!(finder.names_of(b"a Walnut 12, a Walnut 3"), ["walnut-12", "walnut-3"]);
    }
}
