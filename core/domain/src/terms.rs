//! What goes into the term index: text cut so that SQLite's `porter unicode61` tokenizer finds the
//! words of every script.
//!
//! That tokenizer knows words only where blanks or punctuation part them, and drops symbols. So
//! runs of scripts written without spaces become overlapping bigrams, and symbols become made-up
//! words. Queries are cut by this very code (`query`), so index and query cannot drift apart.
//! Deliberately absent: lower-casing, stemming and the removal of diacritics, which the tokenizer
//! does on both sides.

mod normal;
mod parts;
mod pieces;
mod script;

pub(crate) use normal::normal;
pub(crate) use parts::parts;
pub(crate) use pieces::{Piece, bigrams, pieces};
pub use script::is_unspaced;

/// Names the way a text is cut; another one than an index was made with makes that index stale.
pub const CUT_VERSION: u32 = 1;

/// A text cut for the term index.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Terms {
    /// The words of the text in their order, parted by blanks.
    pub text: String,
    /// The parts of identifiers (`getUserName` gives `get User Name`), for a column of low weight.
    pub parts: String,
}

/// Cuts a text for the term index.
///
/// Compatibility forms are folded first (full-width Latin, ligatures, half-width kana), so that
/// they meet their ordinary forms; the caller's bytes are not touched.
pub fn cut(text: &str) -> Terms {
    let normal = normal(text);
    let mut terms = Terms::default();
    for (_, piece) in pieces(&normal) {
        piece.words(|word| push(&mut terms.text, word));
        if let Piece::Word(word) = piece {
            parts(word).for_each(|part| push(&mut terms.parts, part));
        }
    }
    terms
}

fn push(words: &mut String, word: &str) {
    if !words.is_empty() {
        words.push(' ');
    }
    words.push_str(word);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn text_and_parts() {
        let cases = [
            ("服务器的部署", "服务 务器 器的 的部 部署 署", ""),
            ("用 Rust語", "用 Rust 語", ""),
            ("データベースで検索", "デー ータ タベ ベー ース スで で検 検索 索", ""),
            ("배포는 매주", "배포 포는 는 매주 주", ""),
            ("call getUserName() now", "call getUserName now", "get User Name"),
            ("a_b::c, path/to/file", "a b c path to file", ""),
            ("C++ and F#, i++ x#1", "C cplusplus and F fsharp i iplusplus x 1", ""),
            ("done 😀👍🏽 → 5€", "done u1f600 u1f44d u2192 5 u20ac", ""),
            ("👩\u{200d}💻", "u1f469 u1f4bb", ""),
            ("Ｒｕｓｔ", "Rust", ""),
            ("𠮷野家", "𠮷野 野家 家", ""),
            ("ที่นี่", "ทน น", ""),
            ("│ ├── tree", "tree", ""),
            ("  \u{0} ", "", ""),
        ];
        for (text, words, parts) in cases {
            assert_eq!(cut(text), Terms { text: words.to_owned(), parts: parts.to_owned() });
        }
    }

    proptest! {
        #[test]
        fn every_letter_begins_a_word(text in "\\PC{0,40}") {
            let words = cut(&text).text;
            let normal = normal(&text);
            for c in normal.chars().filter(|&c| c.is_alphanumeric() && !script::is_symbol(c)) {
                prop_assert!(words.contains(c), "{c} of {normal} is not in {words}");
            }
            prop_assert_eq!(cut(&normal), cut(&text));
        }
    }
}
