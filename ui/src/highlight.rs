//! Which words of a passage answer a query, and which part of a long passage to show.
//!
//! The engine does not say what matched, so this repeats its idea in small: words by their stem,
//! runs of Chinese, Japanese or Korean whole or by pairs of characters.

use std::ops::Range;

/// Words that say nothing about what was looked for.
const STOP_WORDS: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "by", "can", "do", "does", "for", "from", "how",
    "i", "in", "is", "it", "of", "on", "or", "our", "the", "this", "to", "we", "what", "when",
    "where", "which", "who", "why", "with", "you",
];

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) text: String,
    pub(crate) marked: bool,
}

/// Cuts about `length` characters out of `text`, from shortly before the first word that answers
/// `query`, and marks those words.
pub(crate) fn excerpt(text: &str, query: &str, length: usize) -> Vec<Piece> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let first = matches(&text, query).first().map_or(0, |range| range.start);
    let before = text[..first].chars().count();
    let skipped = if before > length / 3 { word_start(&text, before - length / 4) } else { 0 };
    let tail = &text[skipped..];
    let end = tail.char_indices().nth(length).map_or(tail.len(), |(index, _)| index);
    let head = if skipped > 0 { "…" } else { "" };
    let foot = if end < tail.len() { "…" } else { "" };
    mark(&format!("{head}{}{foot}", &tail[..end]), query)
}

/// The byte where the word begins that holds the character at `index`; in scripts without spaces,
/// that character.
fn word_start(text: &str, index: usize) -> usize {
    let byte = text.char_indices().nth(index).map_or(text.len(), |(byte, _)| byte);
    let space = text[..byte].rfind(' ').map(|space| space + 1);
    space.filter(|start| byte - start < 24).unwrap_or(byte)
}

/// Splits `text` where the words that answer `query` begin and end.
pub(crate) fn mark(text: &str, query: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut end = 0;
    for range in matches(text, query) {
        push(&mut pieces, &text[end..range.start], false);
        push(&mut pieces, &text[range.clone()], true);
        end = range.end;
    }
    push(&mut pieces, &text[end..], false);
    pieces
}

fn push(pieces: &mut Vec<Piece>, text: &str, marked: bool) {
    if !text.is_empty() {
        pieces.push(Piece { text: text.to_owned(), marked });
    }
}

/// Byte ranges of the words that answer, in order, neither touching nor overlapping.
fn matches(text: &str, query: &str) -> Vec<Range<usize>> {
    let terms = terms(query);
    let mut found = Vec::new();
    for range in words(text) {
        let word = &text[range.clone()];
        if word.chars().any(is_unspaced) {
            found.extend(in_run(word, &terms, range.start));
        } else if terms.iter().any(|term| answers(&word.to_lowercase(), term)) {
            found.push(range);
        }
    }
    merge(found)
}

fn answers(word: &str, term: &str) -> bool {
    let stem = stem(term);
    word.starts_with(stem) && (word.len() <= stem.len() + 5 || stem.len() >= 4)
        || term.len() >= 4 && word.contains(term)
}

/// The part of an English word that its forms share.
fn stem(word: &str) -> &str {
    let endings = ["ing", "ies", "ed", "es", "s", "e", "y"];
    let cut = endings.iter().find_map(|ending| word.strip_suffix(ending));
    cut.filter(|stem| stem.len() >= 3 && stem.is_ascii()).unwrap_or(word)
}

/// Where the terms, or else pairs of their characters, occur in a run without spaces.
fn in_run(run: &str, terms: &[String], offset: usize) -> Vec<Range<usize>> {
    let at = |needle: &str| -> Vec<_> {
        let found = run.match_indices(needle);
        found.map(|(start, hit)| offset + start..offset + start + hit.len()).collect()
    };
    let mut found = Vec::new();
    for term in terms.iter().filter(|term| term.chars().any(is_unspaced)) {
        let whole = at(term);
        let chars: Vec<_> = term.chars().collect();
        if whole.is_empty() {
            found.extend(chars.windows(2).flat_map(|pair| at(&String::from_iter(pair))));
        }
        found.extend(whole);
    }
    found
}

fn merge(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| range.start);
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

/// The words of a query in lower case, without stop-words unless there is nothing else.
fn terms(query: &str) -> Vec<String> {
    let all: Vec<_> = words(query).into_iter().map(|range| query[range].to_lowercase()).collect();
    let telling: Vec<_> =
        all.iter().filter(|word| !STOP_WORDS.contains(&word.as_str())).cloned().collect();
    if telling.is_empty() { all } else { telling }
}

/// Byte ranges of the words; a run of a script without spaces is one word.
fn words(text: &str) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut last_unspaced = None;
    for (start, char) in text.char_indices() {
        if !(char.is_alphanumeric() || char == '_') {
            last_unspaced = None;
            continue;
        }
        let end = start + char.len_utf8();
        match words.last_mut() {
            Some(word) if last_unspaced == Some(is_unspaced(char)) => word.end = end,
            _ => words.push(start..end),
        }
        last_unspaced = Some(is_unspaced(char));
    }
    words
}

/// Han, kana and Hangul.
fn is_unspaced(char: char) -> bool {
    matches!(char,
        '\u{1100}'..='\u{11FF}' | '\u{2E80}'..='\u{2FDF}' | '\u{3005}'..='\u{3007}'
        | '\u{3040}'..='\u{30FF}' | '\u{3130}'..='\u{318F}' | '\u{31F0}'..='\u{31FF}'
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}'
        | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pieces of `text`, marked ones in brackets.
    fn bracketed(pieces: &[Piece]) -> String {
        pieces.iter().fold(String::new(), |text, piece| {
            if piece.marked { format!("{text}[{}]", piece.text) } else { text + &piece.text }
        })
    }

    #[track_caller]
    fn check(text: &str, query: &str, expected: &str) {
        assert_eq!(bracketed(&mark(text, query)), expected);
    }

    #[test]
    fn words_are_marked_by_stem_and_without_case() {
        check("Deploys run via make release", "deploy", "[Deploys] run via make release");
        check("We release on Friday", "releases", "We [release] on Friday");
        check("testing tests a test", "tests", "[testing] [tests] a [test]");
        check("concatenate cat", "cat", "concatenate [cat]");
        check("call getUserName()", "username", "call [getUserName]()");
        check("use snake_case", "snake_case", "use [snake_case]");
        check("nothing here", "deploy", "nothing here");
        check("any", "", "any");
    }

    #[test]
    fn stop_words_count_only_alone() {
        check("the tests of the app", "how do I run the tests", "the [tests] of the app");
        check("the app", "the", "[the] app");
    }

    #[test]
    fn unspaced_scripts_are_marked_whole_or_by_pairs() {
        check("部署流程在周五执行", "部署流程", "[部署流程]在周五执行");
        check("我们的部署很快", "部署流程", "我们的[部署]很快");
        check("デプロイはmakeで行う", "デプロイ make", "[デプロイ]は[make]で行う");
        check("배포는 금요일에", "배포", "[배포]는 금요일에");
    }

    #[test]
    fn markup_in_a_query_is_only_text() {
        check("a <b> c", "<b>", "a <[b]> c");
        check("x.*y", ".*", "x.*y");
    }

    #[test]
    fn an_excerpt_begins_near_the_first_match() {
        let text = format!("{}needle and more {}", "hay ".repeat(100), "straw ".repeat(100));
        let excerpt = bracketed(&excerpt(&text, "needle", 80));
        assert!(excerpt.starts_with("…hay") && excerpt.ends_with('…'), "{excerpt}");
        assert!(excerpt.contains("[needle]") && excerpt.chars().count() <= 84, "{excerpt}");
    }

    #[test]
    fn a_short_text_is_its_own_excerpt() {
        assert_eq!(bracketed(&excerpt("a\n\n b", "b", 80)), "a [b]");
        let cjk = excerpt(&"部".repeat(300), "署", 100);
        assert_eq!(cjk[0].text.chars().count(), 101);
    }
}
