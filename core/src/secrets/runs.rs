//! Secrets without a keyword: long runs of letters and digits that look drawn by chance, and texts
//! that were encoded to base64.
//!
//! Deliberately absent: a verdict on every long run. Hashes, ids and images are runs too, so that only
//! the shape of a cloud's secret key, a bot's token and the value of a variable count.

use std::ops::Range;

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::chance::{
    digit_groups, entropy, has_scattered_case, is_hex, is_placeholder, is_random, is_ulid, is_uuid,
    letters_in_words,
};
use super::reference::is_path;
use super::rule::Candidate;
use super::scan::ranks;
use super::wording::Assigned;
use super::{Hit, look_into};

/// Shorter runs are not looked at.
const LEAST: usize = 20;
/// The length of the secret keys of AWS, and of the tokens of Cloudflare.
const KEY: usize = 40;
/// A key in the middle of a longer run is looked for in runs up to this: longer ones are files.
const NAME: usize = 160;

/// What stands in runs.
pub(super) fn scan(text: &[u8], depth: usize, hits: &mut Vec<Hit>) {
    let is_run = |byte: &u8| IS_RUN[usize::from(*byte)];
    let mut start = 0;
    // A run has a byte in every stretch as long as the shortest run: most bytes need no look.
    while let Some(probe) = text.get(start + LEAST - 1) {
        if !is_run(probe) {
            start += LEAST;
            continue;
        }
        let before =
            text[start..start + LEAST].iter().rev().take_while(|byte| is_run(byte)).count();
        let first = start + LEAST - before;
        let run = first..first + text[first..].iter().take_while(|byte| is_run(byte)).count();
        start = run.end + 1;
        if run.len() >= LEAST {
            judge(text, run, depth, hits);
        }
    }
}

const IS_RUN: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let it = byte as u8;
        table[byte] = it.is_ascii_alphanumeric() || matches!(it, b'+' | b'/' | b'_' | b'-');
        byte += 1;
    }
    table
};

fn judge(text: &[u8], run: Range<usize>, depth: usize, hits: &mut Vec<Hit>) {
    let rank = ranks();
    let mut add = |kind, range: Range<usize>| {
        hits.push(Hit { rank, kind, whole: range.clone(), range });
    };
    if let Some(range) = bot_token(text, &run) {
        add("discord-bot-token", range);
    } else if let Some(range) = numbered_token(text, &run) {
        add("telegram-bot-token", range);
    } else if let Some(range) = key(text, &run) {
        add("secret-key", range);
    } else if let Some((whole, range)) = variable(text, &run) {
        hits.push(Hit { rank, kind: "variable", whole, range });
    }
    if depth > 0
        && let Some(hit) = encoded(text, &run, depth)
    {
        hits.push(hit);
    }
}

/// Discord's: a number in base64, a time, and a signature, with dots between.
fn bot_token(text: &[u8], run: &Range<usize>) -> Option<Range<usize>> {
    let is_separator = |byte: &u8| b"/+_-".contains(byte);
    let bytes = &text[run.clone()];
    let start = run.start + bytes.iter().rposition(is_separator).map_or(0, |at| at + 1);
    let number = &text[start..run.end];
    if !(23..=28).contains(&number.len()) || text.get(run.end) != Some(&b'.') {
        return None;
    }
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
    let time = text[run.end + 1..].iter().take_while(is_part).count();
    let signature = text.get(run.end + 1 + time + 1..)?.iter().take(45).take_while(is_part).count();
    let dots = text[run.end + 1 + time] == b'.';
    let digits = BASE64.decode(number).ok()?;
    let fits = (5..=7).contains(&time) && dots && (27..=44).contains(&signature);
    (fits && digits.iter().all(u8::is_ascii_digit)).then(|| start..run.end + 2 + time + signature)
}

/// Telegram's: the number of the bot, a colon, and 35 characters.
fn numbered_token(text: &[u8], run: &Range<usize>) -> Option<Range<usize>> {
    const LENGTH: usize = 35;
    let number = text[..run.start].strip_suffix(b":")?;
    let n_digits = number.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let token = text[run.clone()].get(..LENGTH)?;
    let is_end = run.len() == LENGTH || b"_-".contains(&text[run.start + LENGTH]);
    let fits = (8..=10).contains(&n_digits) && is_end && is_random(token) && !is_hex(token);
    fits.then(|| number.len() - n_digits..run.start + LENGTH)
}

/// Forty random characters: a whole run, or set off by separators from words, as in a file's name.
fn key(text: &[u8], run: &Range<usize>) -> Option<Range<usize>> {
    let bytes = &text[run.clone()];
    if bytes.len() < KEY || bytes.len() > NAME || text.get(run.end) == Some(&b'=') {
        return None;
    }
    // A plus at the begin is the sign of a diff.
    let is_border = |at: usize| b"/_-".contains(&bytes[at]) || (at == 0 && bytes[0] == b'+');
    let fits = |start: &usize| {
        let (start, end) = (*start, *start + KEY);
        (start == 0 || (is_border(start - 1) && is_wordy(&bytes[..start])))
            && (end == bytes.len() || (is_border(end) && is_wordy(&bytes[end..])))
            && (bytes.len() == KEY || !begins_with_word(&bytes[start..end]))
            && is_key(&bytes[start..end])
    };
    // Of several, the one that has the fewest words in it.
    let starts = (0..=bytes.len() - KEY).filter(fits);
    let start = starts.min_by_key(|start| letters_in_words(&bytes[*start..*start + KEY]))?;
    let start = run.start + start;
    let is_key = !is_digest(text, run) && !is_in_block(text, run) && !is_encoded(bytes);
    is_key.then_some(start..start + KEY)
}

/// Base64 of a text from the first byte to the last; what it says is looked into elsewhere.
fn is_encoded(bytes: &[u8]) -> bool {
    decoded(bytes).is_some_and(|text| is_readable(&text))
}

/// The line before is full of the same letters: a certificate, or another file in base64.
fn is_in_block(text: &[u8], run: &Range<usize>) -> bool {
    const LINE: usize = 60;
    let before = text[..run.start].strip_suffix(b"\n").unwrap_or_default();
    let line = &before[before.len().saturating_sub(LINE)..];
    line.len() == LINE && line.iter().all(|byte| IS_RUN[usize::from(*byte)])
}

/// A hash that says so, or a name of a compiled program.
fn is_digest(text: &[u8], run: &Range<usize>) -> bool {
    let before = &text[run.start.saturating_sub(8)..run.start + 5];
    let is_hash = memchr::memmem::find(&before.to_ascii_lowercase(), b"sha").is_some();
    is_hash || memchr::memmem::find(&text[run.clone()], b"_ZN").is_some()
}

/// `dump-`, which is still the name of a file.
fn begins_with_word(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"/").unwrap_or(bytes);
    let word = bytes.iter().take_while(|byte| byte.is_ascii_lowercase()).count();
    word >= 3 && bytes.get(word).is_some_and(|byte| b"-_".contains(byte))
}

fn is_key(bytes: &[u8]) -> bool {
    let is_word = |part: &&[u8]| part.len() >= 4 && letters_in_words(part) == part.len();
    let n_words = bytes.split(|byte| b"/_-+".contains(byte)).filter(is_word).count();
    let is_drawn = has_scattered_case(bytes)
        || (digit_groups(bytes) >= 3 && letters_in_words(bytes) * 4 < bytes.len() * 3);
    let sorts: [fn(&u8) -> bool; 3] =
        [u8::is_ascii_lowercase, u8::is_ascii_uppercase, u8::is_ascii_digit];
    let is_alike = digit_groups(bytes) < 2 && letters_in_words(bytes) * 2 >= bytes.len();
    sorts.iter().all(|is_of| bytes.iter().any(is_of))
        && !is_alike
        && !bytes.starts_with(b"//")
        && n_words < 2
        && entropy(bytes) >= 4.0
        && is_drawn
        && !is_placeholder(bytes)
}

/// Words, dates and numbers, as in the names of files and folders.
fn is_wordy(bytes: &[u8]) -> bool {
    let is_number = |part: &[u8]| part.len() <= 8 && part.iter().all(u8::is_ascii_digit);
    let is_word = |part: &[u8]| {
        let rest =
            part.iter().skip(1).all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        part.len() <= 8 && part.first().is_none_or(u8::is_ascii_alphabetic) && rest
    };
    let is_part = |part: &[u8]| {
        is_number(part) || is_word(part) || letters_in_words(part) * 2 >= part.len().max(1)
    };
    bytes.split(|byte| b"/_-+".contains(byte)).all(is_part)
}

/// `NAME=value`, whatever the name, with a random value that is no hash.
fn variable(text: &[u8], run: &Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
    let before = &text[..run.start];
    let unquoted = before.strip_suffix(b"\"").or(before.strip_suffix(b"'")).unwrap_or(before);
    let named = unquoted.strip_suffix(b"=")?;
    let is_upper =
        |byte: &&u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || **byte == b'_';
    let name = named.iter().rev().take(64).take_while(is_upper).count();
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`;,&".contains(byte);
    let end = text[run.end..].iter().position(ends).map_or(text.len(), |at| run.end + at);
    let value = &text[run.start..end];
    let (before, name) = named.split_at(named.len() - name);
    // The padding of base64 assigns nothing.
    let is_inside = before.last().is_some_and(u8::is_ascii_alphanumeric) && !name.starts_with(b"_");
    let fits = name.len() >= 3
        && !is_inside
        && is_random(value)
        && (value.len() >= 32 || !is_hex(value))
        && !names_digest(name)
        && !is_ulid(value)
        && !is_uuid(value)
        && !is_placeholder(value)
        && !is_path(value)
        && value.len() <= 256;
    let candidate = Candidate { text, whole: before.len()..end, secret: run.start..end };
    let is_secret = fits && Assigned::of(&candidate).is_secret();
    is_secret.then_some((candidate.whole, candidate.secret))
}

/// The name of a hash, or of what is named by one.
fn names_digest(name: &[u8]) -> bool {
    const WORDS: &str = "SHA HASH COMMIT REV DIGEST CHECKSUM MD5 SUM ETAG VERSION TREE REF TAG TRACE \
        SPAN HEAD BUILD INTEGRITY ID UUID GUID IMAGE BASE PARENT OBJECT";
    name.split(|byte| *byte == b'_')
        .any(|part| WORDS.split(' ').any(|word| word.as_bytes() == part))
}

/// Either alphabet, after `-_` became `+/`; the last letters of a cut text may hang over.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// A run that decodes to a text with a secret in it. It may begin behind a separator.
fn encoded(text: &[u8], run: &Range<usize>, depth: usize) -> Option<Hit> {
    let bytes = &text[run.clone()];
    let is_separator = |at: &usize| b"/_-+".contains(&bytes[*at - 1]);
    let starts = std::iter::once(0).chain((1..bytes.len().min(96)).filter(is_separator)).take(4);
    let text = starts.filter_map(|start| decoded(&bytes[start..]));
    let mut found = Vec::new();
    text.take(1).for_each(|text| look_into(&text, depth - 1, &mut found));
    let hit = found.into_iter().min_by_key(|hit| hit.rank)?;
    Some(Hit { range: run.clone(), whole: run.clone(), ..hit })
}

/// The text behind base64, if its beginning reads as one.
fn decoded(run: &[u8]) -> Option<Vec<u8>> {
    let standard = |bytes: &[u8]| {
        let swap = |byte: &u8| match byte {
            b'-' => b'+',
            b'_' => b'/',
            byte => *byte,
        };
        bytes.iter().map(swap).collect::<Vec<_>>()
    };
    let begin = BASE64.decode(standard(&run[..run.len().min(24) / 4 * 4])).ok()?;
    if begin.len() < 12 || !is_readable(&begin) {
        return None;
    }
    let whole = if run.len() % 4 == 1 { &run[..run.len() - 1] } else { run };
    BASE64.decode(standard(whole)).ok()
}

/// UTF-8 that may be cut off, without control characters.
fn is_readable(bytes: &[u8]) -> bool {
    let is_text = std::str::from_utf8(bytes).err().is_none_or(|error| error.error_len().is_none());
    is_text && !bytes.iter().any(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace())
}
