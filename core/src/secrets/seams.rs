//! Texts that a line's end cut in two: wrapped by an editor or a terminal, or divided over records of
//! JSON lines. Each is put together again from the words on both sides, as a text of its own.
//!
//! Deliberately absent: joining whole lines. Only words that touch the cut are joined, and only what
//! lies over it counts, so that neighbors do not become one.

use std::ops::Range;

use super::view::View;

/// So many bytes before the cut word are taken along: they may say what it is.
const CONTEXT: usize = 128;
/// A text that goes on over many lines is joined up to so many bytes.
const LONGEST: usize = 8 << 10;
/// Words of a sentence are not put together: the two must have so many bytes.
const LEAST: usize = 12;

/// Every text that is worth to be looked into again.
pub(super) fn joined(source: &[u8]) -> Vec<View<'static>> {
    let mut views = Vec::new();
    let mut at = 0;
    while let Some(line) = next_line(source, at) {
        at = line.end + 1;
        let Some(first) = first_part(source, &line) else { continue };
        let mut parts = vec![first];
        let mut below = line;
        while let Some((next, part)) = part_below(source, &below) {
            let is_rest =
                source[part.end..next.end].iter().any(|byte| byte.is_ascii_alphanumeric());
            let total: usize = parts.iter().map(Range::len).sum();
            below = next;
            parts.push(part);
            if is_rest || total > LONGEST {
                break;
            }
        }
        if parts.len() > 1 && is_worthwhile(source, &parts) {
            at = at.max(below.start);
            views.push(view(source, &parts));
        }
    }
    views
}

fn view(source: &[u8], parts: &[Range<usize>]) -> View<'static> {
    let mut view = View::empty();
    for part in parts {
        view.copy(source, part.clone());
    }
    view
}

/// The line at a position; none at the end.
fn next_line(source: &[u8], at: usize) -> Option<Range<usize>> {
    let rest = source.get(at..).filter(|rest| !rest.is_empty())?;
    Some(at..memchr::memchr(b'\n', rest).map_or(source.len(), |end| at + end))
}

/// The end of a line: its last word, and some bytes before.
fn first_part(source: &[u8], line: &Range<usize>) -> Option<Range<usize>> {
    let text = content(source, line);
    let end = text.end;
    let word = source[text.clone()].iter().rev().take_while(|byte| is_inside(**byte)).count();
    (word > 0).then(|| text.start.max(end.saturating_sub(word.max(CONTEXT)))..end)
}

/// The next line, and its first word.
fn part_below(source: &[u8], line: &Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
    let mut next = next_line(source, line.end + 1)?;
    // Texts that are put together have an empty line between.
    if source[next.clone()].iter().all(u8::is_ascii_whitespace) {
        next = next_line(source, next.end + 1)?;
    }
    let text = if is_record(source, line) && is_record(source, &next) {
        string(source, &next, false)?
    } else {
        next.start + margin(&source[line.clone()], &source[next.clone()])..next.end
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

/// A short word of a sentence.
fn is_plain(word: &[u8]) -> bool {
    word.len() <= 6
        && word.iter().skip(1).all(u8::is_ascii_lowercase)
        && word[0].is_ascii_alphabetic()
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
    // A literal that the next line carries on.
    let plus = text.strip_suffix(b"+").map(<[u8]>::trim_ascii_end);
    let text = plus.filter(|text| text.ends_with(b"\"") || text.ends_with(b"'")).unwrap_or(text);
    let text = text.strip_suffix(b"\"").or(text.strip_suffix(b"'")).unwrap_or(text);
    line.start..line.start + text.len()
}

/// How far a line is from the margin: blanks, a sign that the line before has too, a quote.
fn margin(line: &[u8], next: &[u8]) -> usize {
    let blanks = |text: &[u8]| text.len() - text.trim_ascii_start().len();
    let mut at = blanks(next);
    let sign = line.trim_ascii_start().first().copied();
    let is_sign = |byte: &u8| b"+->#*|/".contains(byte) && Some(*byte) == sign;
    if next.get(at).is_some_and(is_sign) {
        at += next[at..].iter().take_while(|byte| Some(**byte) == sign).count();
        at += blanks(&next[at..]);
    }
    let ends_quoted = line.trim_ascii_end().ends_with(b"\"") || line.ends_with(b"+");
    at + usize::from(ends_quoted && next.get(at) == Some(&b'"'))
}

fn is_inside(byte: u8) -> bool {
    byte.is_ascii_graphic() && !b"\"'`\\<>{}()[],;".contains(&byte)
}

fn is_record(source: &[u8], line: &Range<usize>) -> bool {
    let line = source[line.clone()].trim_ascii();
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
    let words = [parts[0].end - word..parts[0].end].into_iter().chain(parts[1..].iter().cloned());
    let mut total = 0;
    let mut is_odd = false;
    for word in words {
        total += word.len();
        is_odd |= word.len() >= 16 || source[word].iter().any(u8::is_ascii_digit);
    }
    total >= LEAST && is_odd
}
