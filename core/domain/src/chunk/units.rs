//! The smallest pieces an oversize block is cut into.

use super::tokens::{char_weight, weight};
use std::ops::Range;
use unicode_normalization::char::is_combining_mark;

/// The units of a range: lines; sentences of a line that is too heavy; of a sentence that is too
/// heavy what fits, up to a blank if there is one.
pub(super) fn units(
    text: &str,
    range: Range<usize>,
    limit: usize,
) -> impl Iterator<Item = (Range<usize>, usize)> {
    Units { text, at: range.start, end: range.end, long_until: range.start, limit }
}

struct Units<'a> {
    text: &'a str,
    at: usize,
    end: usize,
    /// Where the line ends that is cut into sentences.
    long_until: usize,
    limit: usize,
}

impl Iterator for Units<'_> {
    type Item = (Range<usize>, usize);

    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.end {
            return None;
        }
        let start = self.at;
        if start >= self.long_until {
            let rest = &self.text[start..self.end];
            let line = rest.find('\n').map_or(rest, |newline| &rest[..=newline]);
            let weight = weight(line);
            if weight <= self.limit {
                self.at += line.len();
                return Some((start..self.at, weight));
            }
            self.long_until = start + line.len();
        }
        let sentence = sentence(&self.text[start..self.long_until], self.limit);
        self.at += sentence.len();
        Some((start..self.at, weight(sentence)))
    }
}

/// What ends a sentence, and how.
enum Stop {
    /// Needs a blank behind it.
    Narrow,
    /// Needs nothing.
    Wide,
}

/// The first sentence of a line with the blank behind it, or what of it fits; never empty.
fn sentence(line: &str, limit: usize) -> &str {
    let (mut weight, mut stop) = (0, None);
    let (mut blank, mut gap) = (0, 0);
    for (at, c) in line.char_indices() {
        if matches!(stop, Some(Stop::Wide)) && !is_closing(c) && wide_or_narrow(c).is_none() {
            return &line[..at];
        }
        if !is_combining_mark(c) && c != '\u{200d}' {
            gap = at;
        }
        weight += char_weight(c);
        if weight > limit && at > 0 {
            let blank = if c.is_whitespace() { at } else { blank };
            let cut = [blank, gap].into_iter().find(|&cut| cut > 0);
            return &line[..cut.unwrap_or(at)];
        }
        if c.is_whitespace() {
            blank = at + c.len_utf8();
            if matches!(stop, Some(Stop::Narrow)) {
                return &line[..blank];
            }
        }
        stop = if is_closing(c) { stop } else { wide_or_narrow(c) };
    }
    line
}

fn wide_or_narrow(c: char) -> Option<Stop> {
    match c {
        '。' | '！' | '？' | '；' | '｡' => Some(Stop::Wide),
        '.' | '!' | '?' | '।' | '؟' => Some(Stop::Narrow),
        _ => None,
    }
}

/// Quotes and brackets that belong to the sentence they close.
fn is_closing(c: char) -> bool {
    matches!(c, '"' | '\'' | ')' | ']' | '”' | '’' | '」' | '』' | '）' | '】' | '》')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_then_sentences_then_blanks_then_characters() {
        let cases: [(&str, usize, &[&str]); 8] = [
            ("one\ntwo\n", 8, &["one\n", "two\n"]),
            ("One is. Two is! Three", 10, &["One is. ", "Two is! ", "Three"]),
            ("v1.2 is out. Next", 14, &["v1.2 is out. ", "Next"]),
            ("一句话。「两句！」三句", 24, &["一句话。", "「两句！」", "三句"]),
            ("word word word", 10, &["word word ", "word"]),
            ("abcdefgh", 3, &["abc", "def", "gh"]),
            ("部署流程", 8, &["部署", "流程"]),
            ("ae\u{301}b", 3, &["a", "e\u{301}", "b"]),
        ];
        for (text, limit, expected) in cases {
            let found: Vec<&str> =
                units(text, 0..text.len(), limit).map(|(range, _)| &text[range]).collect();
            assert_eq!(found, expected, "{text:?}");
        }
    }
}
