//! The ripgrep engine over texts in memory: linear time, bounded patterns, cut lines.

use std::cell::Cell;
use std::fs::File;
use std::io::Read;

use coffer_domain::query::GrepQuery;
use grep_matcher::Matcher as _;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::sinks::Lossy;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};

use crate::error::{Error, Result};

/// A compiled pattern may take so many bytes.
const PATTERN_BYTES: usize = 10 << 20;
/// A shown line has at most so many characters, the match in their middle.
const LINE_CHARS: usize = 400;

/// A pattern, ready to be looked for.
#[derive(Clone)]
pub(crate) struct Grep {
    matcher: RegexMatcher,
    searcher: Searcher,
}

/// One line that matched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    /// From 1.
    pub number: u64,
    /// The line, cut around the match when it is long.
    pub text: String,
}

/// Which letters match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    /// Those of either case, unless the pattern has an upper-case one.
    Smart,
    /// Those of the same case.
    Exact,
    /// Those of either case.
    Any,
}

impl Grep {
    /// Compiles a pattern; letters match in either case unless the query has an upper-case one.
    ///
    /// # Errors
    ///
    /// A regular expression that does not parse or is too large; the message says where.
    pub(crate) fn new(query: &GrepQuery) -> Result<Self> {
        match query {
            GrepQuery::Literal(text) => Self::build(text, true, Case::Smart),
            GrepQuery::Regex(pattern) => Self::of_pattern(pattern, Case::Smart),
        }
    }

    /// Compiles a regular expression.
    ///
    /// # Errors
    ///
    /// One that does not parse or is too large; the message says where.
    pub(crate) fn of_pattern(pattern: &str, case: Case) -> Result<Self> {
        Self::build(pattern, false, case)
    }

    fn build(pattern: &str, is_literal: bool, case: Case) -> Result<Self> {
        let mut builder = RegexMatcherBuilder::new();
        builder
            .case_smart(case == Case::Smart)
            .case_insensitive(case == Case::Any)
            .fixed_strings(is_literal)
            .size_limit(PATTERN_BYTES)
            .dfa_size_limit(PATTERN_BYTES)
            .nest_limit(100)
            .line_terminator(Some(b'\n'));
        let matcher =
            builder.build(pattern).map_err(|error| Error::BadPattern(error.to_string()))?;
        let searcher = SearcherBuilder::new()
            .line_number(true)
            .binary_detection(BinaryDetection::quit(0))
            .build();
        Ok(Self { matcher, searcher })
    }

    /// The lines of a file that match, at most `limit`, and whether there may be more; `is_late` ends
    /// it. A file that holds NUL is binary, and one that breaks off ends there.
    pub(crate) fn lines_of(
        &mut self,
        file: &File,
        limit: usize,
        is_late: impl Fn() -> bool,
    ) -> (Vec<Line>, bool) {
        let mut lines = Vec::new();
        let mut is_cut = false;
        let matcher = &self.matcher;
        let sink = Lossy(|number, line| {
            is_cut = lines.len() == limit || is_late();
            if !is_cut {
                let line = line.trim_end_matches(['\r', '\n']);
                lines.push(Line { number, text: cut_around(matcher, line) });
            }
            Ok(!is_cut)
        });
        let late = Cell::new(false);
        let file = Timed { file, is_late: &is_late, late: &late };
        if let Err(error) = self.searcher.search_reader(matcher, file, sink) {
            tracing::debug!(%error, "a file was not searched to its end");
        }
        (lines, is_cut || late.get())
    }

    /// The lines of a text that match, at most `limit`.
    pub(crate) fn lines(&mut self, text: &[u8], limit: usize) -> Vec<Line> {
        let mut lines = Vec::new();
        let matcher = &self.matcher;
        let sink = Lossy(|number, line| {
            let line = line.trim_end_matches(['\r', '\n']);
            lines.push(Line { number, text: cut_around(matcher, line) });
            Ok(lines.len() < limit)
        });
        // Reading from memory cannot fail, and the sink never does.
        let _ = self.searcher.search_slice(matcher, text, sink);
        lines
    }
}

/// A file that ends where it gets too late: lines that do not match ask nobody.
struct Timed<'a> {
    file: &'a File,
    is_late: &'a dyn Fn() -> bool,
    late: &'a Cell<bool>,
}

impl Read for Timed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.file.read(buffer)?;
        if read > 0 && (self.is_late)() {
            self.late.set(true);
            return Ok(0);
        }
        Ok(read)
    }
}

fn cut_around(matcher: &RegexMatcher, line: &str) -> String {
    if line.len() <= LINE_CHARS {
        return line.to_owned();
    }
    let at = matcher.find(line.as_bytes()).ok().flatten().map_or(0, |found| found.start());
    let from = line.floor_char_boundary(at.saturating_sub(LINE_CHARS / 2));
    let shown: String = line[from..].chars().take(LINE_CHARS).collect();
    let before = if from > 0 { "…" } else { "" };
    let after = if from + shown.len() < line.len() { "…" } else { "" };
    format!("{before}{shown}{after}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(query: &GrepQuery, text: &str) -> Vec<(u64, String)> {
        let mut grep = Grep::new(query).unwrap();
        grep.lines(text.as_bytes(), 10).into_iter().map(|line| (line.number, line.text)).collect()
    }

    #[test]
    fn literals_and_patterns() {
        let text = "first a+b\nsecond Ab\r\nthird";
        let literal = |text: &str| GrepQuery::Literal(text.to_owned());
        assert_eq!(lines(&literal("a+b"), text), [(1, "first a+b".to_owned())]);
        assert_eq!(lines(&literal("ab"), text), [(2, "second Ab".to_owned())]);
        assert_eq!(lines(&literal("aB"), text), []);
        assert_eq!(lines(&GrepQuery::Regex("^t.*d$".to_owned()), text), [(3, "third".to_owned())]);
    }

    #[test]
    fn hostile_patterns_are_refused_or_linear() {
        for bad in ["(", "a{1000}{1000}", "(?1)", "(?<=a)b", r"(a)\1"] {
            let built = Grep::new(&GrepQuery::Regex(bad.to_owned()));
            assert!(matches!(built, Err(Error::BadPattern(_))), "{bad}");
        }
        let text = format!("{}b", "a".repeat(100_000));
        assert_eq!(lines(&GrepQuery::Regex("(a+)+$".to_owned()), &text), []);
    }

    #[test]
    fn long_lines_are_cut_around_the_match() {
        let text = format!("{}部署{}", "字".repeat(1000), "字".repeat(1000));
        let found = lines(&GrepQuery::Literal("部署".to_owned()), &text);
        assert!(found[0].1.contains("部署"));
        assert!(found[0].1.chars().count() <= LINE_CHARS + 2);
    }

    #[test]
    fn a_file_without_a_match_is_left_when_it_is_late_too() {
        let mut file = tempfile::tempfile().unwrap();
        std::io::Write::write_all(&mut file, "a line\n".repeat(100_000).as_bytes()).unwrap();
        let mut grep = Grep::of_pattern("nothing", Case::Smart).unwrap();
        let mut lines = |is_late: &dyn Fn() -> bool| {
            std::io::Seek::rewind(&mut &file).unwrap();
            grep.lines_of(&file, 10, is_late)
        };
        assert_eq!(lines(&|| false), (vec![], false));
        let asked = Cell::new(0);
        let soon = || {
            asked.set(asked.get() + 1);
            asked.get() > 2
        };
        assert_eq!(lines(&soon), (vec![], true));
        assert!(asked.get() < 10, "{}", asked.get());
    }
}
