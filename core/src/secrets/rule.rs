//! What a family of secrets looks like: the shape of a row of the tables in `families`.

use std::ops::Range;

use super::chance::{entropy, is_placeholder};

/// One family.
pub(super) struct Rule {
    /// What a mark says was there, as in `github-token`.
    pub(super) kind: &'static str,
    /// The family is looked for only around these; in either case of letters.
    pub(super) keywords: &'static [&'static str],
    /// The regular expression, over bytes. What its first group holds is the secret; without a group,
    /// all of it.
    pub(super) pattern: &'static str,
    /// What follows `pattern` in all families of a table.
    pub(super) tail: &'static str,
    /// So many bytes before the keyword may belong to the match; with 0 it begins at the keyword.
    pub(super) back: usize,
    /// So many bytes after the keyword's begin are looked at.
    pub(super) reach: usize,
    /// The least entropy of the secret, in bits a byte.
    pub(super) floor: f32,
    /// Letters and digits before the keyword rule the match out.
    pub(super) starts_word: bool,
    /// What the expression cannot say.
    pub(super) check: fn(&Candidate<'_>) -> bool,
}

impl Rule {
    /// A family whose secrets begin with a keyword and are known by their own shape.
    pub(super) const fn token(
        kind: &'static str,
        keywords: &'static [&'static str],
        pattern: &'static str,
    ) -> Self {
        Self {
            kind,
            keywords,
            pattern,
            tail: "",
            back: 0,
            reach: 512,
            floor: 2.5,
            starts_word: true,
            check: |candidate| !is_placeholder(candidate.secret()),
        }
    }

    /// A family known by what stands before the secret.
    pub(super) const fn named(
        kind: &'static str,
        keywords: &'static [&'static str],
        pattern: &'static str,
        tail: &'static str,
        check: fn(&Candidate<'_>) -> bool,
    ) -> Self {
        let token = Self::token(kind, keywords, pattern);
        Self { tail, check, floor: 0.0, starts_word: false, ..token }
    }

    /// The match may begin so many bytes before the keyword, in the middle of a word too.
    pub(super) const fn back(self, back: usize) -> Self {
        Self { back, starts_word: false, ..self }
    }

    /// The match may end so many bytes after the begin of the keyword.
    pub(super) const fn reach(self, reach: usize) -> Self {
        Self { reach, ..self }
    }

    /// Another least entropy.
    pub(super) const fn floor(self, floor: f32) -> Self {
        Self { floor, ..self }
    }

    /// Another check in place of the one for placeholders.
    pub(super) const fn check(self, check: fn(&Candidate<'_>) -> bool) -> Self {
        Self { check, ..self }
    }

    /// Holds the entropy and the check against a match.
    pub(super) fn accepts(&self, candidate: &Candidate<'_>) -> bool {
        let secret = candidate.secret();
        !secret.is_empty() && entropy(secret) >= self.floor && (self.check)(candidate)
    }
}

/// A match that is still to be judged.
pub(super) struct Candidate<'a> {
    pub(super) text: &'a [u8],
    /// All that matched.
    pub(super) whole: Range<usize>,
    /// The part that would be taken away.
    pub(super) secret: Range<usize>,
}

impl Candidate<'_> {
    /// The part that would be taken away.
    pub(super) fn secret(&self) -> &[u8] {
        &self.text[self.secret.clone()]
    }

    /// The bytes between the begin of the match and the secret.
    pub(super) fn lead(&self) -> &[u8] {
        &self.text[self.whole.start..self.secret.start]
    }

    /// What is before the match, nearest last.
    pub(super) fn before(&self) -> &[u8] {
        &self.text[..self.whole.start]
    }

    /// The byte after the secret.
    pub(super) fn next(&self) -> Option<u8> {
        self.text.get(self.secret.end).copied()
    }

    /// Neither a letter nor a digit follows.
    pub(super) fn ends_word(&self) -> bool {
        self.next().is_none_or(|byte| !byte.is_ascii_alphanumeric())
    }

    /// It is no piece of a longer text in base64, whose letters it has.
    pub(super) fn is_alone(&self) -> bool {
        let goes_on = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte);
        !self.next().is_some_and(goes_on) && !self.before().last().copied().is_some_and(goes_on)
    }
}
