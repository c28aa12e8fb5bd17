//! What of a query is looked for as a substring, in the trigram index.
//!
//! That index holds the text as it stands, so nothing is cut or normalized here.

use super::matches::Matches;
use super::stop_words::is_stop_word;
use crate::terms::{is_unspaced, parts};

/// The trigram index knows nothing shorter.
const SHORTEST: usize = 3;
/// Longest substring looked for, in characters.
const LONGEST: usize = 128;

/// The words with punctuation inside, and those written like identifiers.
pub(super) fn looking_like_code(query: &str) -> Matches {
    substrings(query, |word| {
        word.contains(|c: char| c.is_ascii_punctuation()) || parts(word).next().is_some()
    })
}

/// All words.
pub(super) fn words(query: &str) -> Matches {
    substrings(query, |_| true)
}

fn substrings(query: &str, wanted: impl Fn(&str) -> bool) -> Matches {
    let mut matches = Matches::default();
    for word in query.split(|c: char| c.is_whitespace() || is_unspaced(c)) {
        let word = bare(word);
        if word.chars().nth(SHORTEST - 1).is_some() && !is_weak(word) && wanted(word) {
            let end = word.char_indices().nth(LONGEST).map_or(word.len(), |(at, _)| at);
            matches.push(&word[..end], false);
        }
    }
    matches
}

/// A word without the quotes, brackets and stops of the sentence round it.
fn bare(word: &str) -> &str {
    word.trim_start_matches(['"', '\'', '`', '(', '[', '{', '<', ',', ';']).trim_end_matches([
        '"', '\'', '`', ')', ']', '}', '>', '(', '[', '{', '.', ',', ';', ':', '!', '?',
    ])
}

/// Stop-words and their contractions such as `what's`.
fn is_weak(word: &str) -> bool {
    is_stop_word(word.split(['\'', '’']).next().unwrap_or(word))
}
