//! The one walk over a text that index and query share: words, unspaced runs, symbols.

use super::script::{is_symbol, is_unspaced};

/// What a text is made of, in its order; blanks and punctuation are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// Letters and digits of a script that parts its words.
    Word(&'a str),
    /// Letters of a script that does not.
    Run(&'a str),
    /// A sign that stands for itself.
    Symbol(char),
    /// `++` or `#` right behind a word: the name of a language such as `C++` or `F#`.
    Suffixed(&'a str, &'static str),
}

/// The pieces of a text that went through [`super::normal()`], each with its byte offset.
pub(crate) fn pieces(text: &str) -> impl Iterator<Item = (usize, Piece<'_>)> {
    Pieces { text, at: 0, word: "" }
}

impl<'a> Piece<'a> {
    /// The words the tokenizer is given for this piece, in their order.
    ///
    /// A run of one character is that character; a longer one its overlapping bigrams and, so that
    /// every character begins some word, its last character.
    pub(crate) fn words(self, mut take: impl FnMut(&str)) {
        match self {
            Self::Word(word) => take(word),
            Self::Run(run) => {
                bigrams(run).for_each(&mut take);
                take(last(run));
            }
            Self::Symbol(_) | Self::Suffixed(..) => take(&self.made_up()),
        }
    }

    /// The made-up word of a symbol or of the name of a language.
    pub(crate) fn made_up(self) -> String {
        match self {
            Self::Symbol(c) => format!("u{:x}", u32::from(c)),
            Self::Suffixed(word, suffix) => word.to_lowercase() + suffix,
            Self::Word(text) | Self::Run(text) => text.to_owned(),
        }
    }
}

/// The overlapping pairs of characters of a run.
pub(crate) fn bigrams(run: &str) -> impl Iterator<Item = &str> {
    let ends = run.char_indices().skip(2).map(|(at, _)| at).chain([run.len()]);
    let starts = run.char_indices().map(|(at, _)| at);
    starts
        .zip(ends)
        .take(run.chars().count().saturating_sub(1))
        .map(|(start, end)| &run[start..end])
}

fn last(run: &str) -> &str {
    run.char_indices().next_back().map_or(run, |(at, _)| &run[at..])
}

struct Pieces<'a> {
    text: &'a str,
    at: usize,
    /// The word that ends at `at`, if one does.
    word: &'a str,
}

impl<'a> Iterator for Pieces<'a> {
    type Item = (usize, Piece<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = &self.text[self.at..];
        let word = std::mem::take(&mut self.word);
        if let Some(suffix) = suffix(word, rest) {
            return Some((self.at, Piece::Suffixed(word, suffix)));
        }
        let skipped = rest.find(|c: char| c.is_alphanumeric() || is_symbol(c))?;
        let (start, rest) = (self.at + skipped, &rest[skipped..]);
        let first = rest.chars().next()?;
        let piece = if is_symbol(first) {
            self.at = start + first.len_utf8();
            Piece::Symbol(first)
        } else {
            let unspaced = is_unspaced(first);
            let goes_on =
                |c: char| c.is_alphanumeric() && is_unspaced(c) == unspaced && !is_symbol(c);
            let end = rest.find(|c| !goes_on(c)).unwrap_or(rest.len());
            self.at = start + end;
            if unspaced {
                Piece::Run(&rest[..end])
            } else {
                self.word = &rest[..end];
                Piece::Word(&rest[..end])
            }
        };
        Some((start, piece))
    }
}

/// What the sign behind a word is called, if it makes the word a name.
fn suffix(word: &str, rest: &str) -> Option<&'static str> {
    /// No language has a longer name; without a limit every `counter++` would count.
    const LONGEST: usize = 10;
    if word.is_empty() || word.len() > LONGEST {
        return None;
    }
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || "+#".contains(c));
    match rest.strip_prefix("++") {
        Some(rest) => ends(rest).then_some("plusplus"),
        None => rest.strip_prefix('#').filter(|rest| ends(rest)).map(|_| "sharp"),
    }
}
