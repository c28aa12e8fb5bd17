//! Texts that a line's end cut in two: wrapped by an editor or a terminal, or divided over records of
//! JSON lines. Each is put together again from the words on both sides, as a text of its own.
//!
//! Deliberately absent: joining whole lines. Only words that touch the cut are joined, and only what
//! lies over it counts, so that neighbors do not become one.

use std::ops::Range;

use super::chance::letters_in_words;
use super::view::View;

/// So many bytes before the cut word are taken along: they may say what it is.
const CONTEXT: usize = 64;
/// A text that goes on over many lines is joined up to so many bytes.
const LONGEST: usize = 8 << 10;
/// Words of a sentence are not put together: the two must have so many bytes.
const LEAST: usize = 12;

/// What stands between two joined texts: no rule reaches over it.
const BETWEEN: &[u8] = b"\n\0\n";

/// All texts that are put together, one after the other.
pub(super) struct Joined {
    pub(super) view: View<'static>,
    /// Where the parts meet, in order.
    joints: Vec<usize>,
}

impl Joined {
    /// A part of the text goes over a cut.
    pub(super) fn is_over_joint(&self, range: &Range<usize>) -> bool {
        let next = self.joints.partition_point(|joint| *joint <= range.start);
        self.joints.get(next).is_some_and(|joint| *joint < range.end)
    }

    fn add(&mut self, source: &[u8], parts: &[Range<usize>]) {
        for (number, part) in parts.iter().enumerate() {
            if number > 0 {
                self.joints.push(self.view.bytes.len());
            }
            self.view.copy(source, part.clone());
        }
        let end = parts.last().map_or(0, |part| part.end);
        BETWEEN.iter().for_each(|byte| self.view.decoded(*byte, end..end));
    }
}

/// Every text that is worth to be looked into again.
pub(super) fn joined(source: &[u8]) -> Joined {
    let mut joined = Joined { view: View::empty(), joints: Vec::new() };
    let mut at = 0;
    while let Some(line) = next_line(source, at) {
        at = line.end + 1;
        let (parts, last) = parts(source, &line);
        if parts.len() > 1 && is_worthwhile(source, &parts) {
            at = at.max(last.start);
            joined.add(source, &parts);
        }
    }
    joined
}

/// The end of a line and what goes on with it, and the line where that ends.
fn parts(source: &[u8], line: &Range<usize>) -> (Vec<Range<usize>>, Range<usize>) {
    let mut last = line.clone();
    let mut parts = Vec::new();
    let text = content(source, line);
    let mut total = 0;
    // Few lines go on below: only then is their own end looked at.
    while ends_inside(source, &text) && total < LONGEST {
        let Some((next, part)) = part_below(source, &last) else { break };
        total += part.len();
        let is_rest = source[part.end..next.end].iter().any(u8::is_ascii_alphanumeric);
        if parts.is_empty() {
            parts.push(first_part(source, &text));
        }
        last = next;
        parts.push(part);
        if is_rest {
            break;
        }
    }
    (parts, last)
}

fn ends_inside(source: &[u8], text: &Range<usize>) -> bool {
    source[text.clone()].last().is_some_and(|byte| is_inside(*byte))
}

/// The line at a position; none at the end.
fn next_line(source: &[u8], at: usize) -> Option<Range<usize>> {
    let rest = source.get(at..).filter(|rest| !rest.is_empty())?;
    Some(at..memchr::memchr(b'\n', rest).map_or(source.len(), |end| at + end))
}

/// The end of a text: its last word, and some bytes before.
fn first_part(source: &[u8], text: &Range<usize>) -> Range<usize> {
    let word = source[text.clone()].iter().rev().take_while(|byte| is_inside(**byte)).count();
    text.start.max(text.end.saturating_sub(word.max(CONTEXT)))..text.end
}

/// The next line, and its first word.
fn part_below(source: &[u8], line: &Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
    let mut next = next_line(source, line.end + 1)?;
    // Texts that are put together have an empty line between, events of a stream their names too.
    for _ in 0..2 {
        let text = &source[next.clone()];
        if text.starts_with(b"event:") || text.iter().all(u8::is_ascii_whitespace) {
            next = next_line(source, next.end + 1)?;
        }
    }
    let text = if is_record(source, line) && is_record(source, &next) {
        string(source, &next, false)?
    } else {
        next.start + margin(&source[line.clone()], &source[next.clone()])?..next.end
    };
    let word = word(&source[text.clone()]);
    let is_joined = word > 0 && !is_plain(&source[text.start..text.start + word]);
    is_joined.then_some((next, text.start..text.start + word))
}

/// The length of the word at the begin of a text; JSON may escape a slash in it.
fn word(text: &[u8]) -> usize {
    let goes_on = |at: &usize| {
        is_inside(text[*at]) || (text[*at] == b'\\' && text.get(at + 1) == Some(&b'/'))
    };
    (0..text.len()).take_while(goes_on).count()
}

/// A word of a sentence, or signs only.
fn is_plain(word: &[u8]) -> bool {
    let end = word.iter().rposition(u8::is_ascii_alphanumeric).map_or(0, |at| at + 1);
    let rest = word[..end].get(1..).unwrap_or_default();
    let is_word = end <= 6 || letters_in_words(&word[..end]) == end;
    let begins = end == 0 || word[0].is_ascii_alphabetic();
    is_word && begins && rest.iter().all(u8::is_ascii_lowercase)
}

/// What a line says: the last text of a record, or the line without the signs that carry it on.
fn content(source: &[u8], line: &Range<usize>) -> Range<usize> {
    if is_record(source, line)
        && let Some(text) = string(source, line, true)
    {
        return text;
    }
    let text = source[line.clone()].trim_ascii_end();
    let text = text.strip_suffix(b"\\").unwrap_or(text).trim_ascii_end();
    let text = unquoted(text).map_or(text, |(text, _)| text);
    line.start..line.start + text.len()
}

/// How far a line is from the margin: blanks, a sign that the line before has too, a quote. None if
/// a literal of the line before has ended there.
fn margin(line: &[u8], next: &[u8]) -> Option<usize> {
    let blanks = |text: &[u8]| text.len() - text.trim_ascii_start().len();
    let mut at = blanks(next);
    let sign = line.trim_ascii_start().first().copied();
    let is_sign = |byte: &u8| b"+->#*|/".contains(byte) && Some(*byte) == sign;
    if next.get(at).is_some_and(is_sign) {
        at += next[at..].iter().take_while(|byte| Some(**byte) == sign).count();
        at += blanks(&next[at..]);
    }
    match unquoted(line) {
        Some((_, quote)) => (next.get(at) == Some(&quote)).then_some(at + 1),
        None => Some(at),
    }
}

/// The line up to the quote that ends it, and the quote; a sign that carries the literal on may follow.
fn unquoted(line: &[u8]) -> Option<(&[u8], u8)> {
    let text = line.trim_ascii_end();
    let text = text.strip_suffix(b"\\").unwrap_or(text).trim_ascii_end();
    let text = text.strip_suffix(b"+").map_or(text, <[u8]>::trim_ascii_end);
    let (quote, text) = text.split_last()?;
    b"\"'".contains(quote).then_some((text, *quote))
}

fn is_inside(byte: u8) -> bool {
    byte.is_ascii_graphic() && !b"\"'`\\<>{}()[],;".contains(&byte)
}

fn is_record(source: &[u8], line: &Range<usize>) -> bool {
    let line = source[line.clone()].trim_ascii();
    let line = line.strip_prefix(b"data: ").unwrap_or(line);
    line.starts_with(b"{") && line.ends_with(b"}")
}

/// The last or first string of a record that is a value of what agents call their texts.
fn string(source: &[u8], line: &Range<usize>, last: bool) -> Option<Range<usize>> {
    const KEYS: &[&[u8]] = &[
        b"text",
        b"content",
        b"delta",
        b"partial_json",
        b"thinking",
        b"output",
        b"data",
        b"chunk",
        b"body",
        b"message",
        b"arguments",
        b"stdout",
        b"value",
        b"part",
        b"input",
        b"reasoning",
    ];
    let mut found = None;
    let mut key: &[u8] = b"";
    let mut at = line.start;
    while let Some(text) = next_string(source, at, line.end) {
        let after = source[text.end + 1..line.end].trim_ascii_start();
        if after.starts_with(b":") {
            key = &source[text.clone()];
        } else if KEYS.contains(&key) {
            found = Some(text.clone());
            if !last {
                break;
            }
        }
        at = text.end + 1;
    }
    found
}

/// The inside of the next string in quotes.
fn next_string(source: &[u8], at: usize, end: usize) -> Option<Range<usize>> {
    let start = at + memchr::memchr(b'"', source.get(at..end)?)? + 1;
    let mut close = start;
    loop {
        close += memchr::memchr2(b'"', b'\\', source.get(close..end)?)?;
        if source[close] == b'"' {
            return Some(start..close);
        }
        close += 2;
    }
}

/// Words of a sentence are none, nor are two short ones.
fn is_worthwhile(source: &[u8], parts: &[Range<usize>]) -> bool {
    let last = &source[parts[0].clone()];
    let word = last.iter().rev().take_while(|byte| is_inside(**byte)).count();
    let first = std::iter::once(parts[0].end - word..parts[0].end);
    let words = first.chain(parts[1..].iter().cloned());
    let mut total = 0;
    let mut is_odd = false;
    for word in words {
        total += word.len();
        let word = &source[word];
        let is_shouted = word.len() >= 8 && word.iter().all(u8::is_ascii_uppercase);
        is_odd |= word.len() >= 12 || is_shouted || word.iter().any(u8::is_ascii_digit);
    }
    total >= LEAST && is_odd
}
