//! A text as it reads after decoding or joining, with the way back to the text it came from.

use std::borrow::Cow;
use std::ops::Range;

/// A decoded text. Bytes, because a decoded byte need not be a character.
pub(super) struct View<'a> {
    pub(super) bytes: Cow<'a, [u8]>,
    /// In order; each reaches to where the next begins. A piece is a copy, or one decoded byte.
    pieces: Vec<Piece>,
}

struct Piece {
    at: usize,
    source: Range<usize>,
}

impl<'a> View<'a> {
    /// The text as it is.
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        let pieces = vec![Piece { at: 0, source: 0..bytes.len() }];
        Self { bytes: Cow::Borrowed(bytes), pieces }
    }

    /// Begins a text that is put together.
    pub(super) fn empty() -> Self {
        Self { bytes: Cow::Owned(Vec::new()), pieces: Vec::new() }
    }

    /// Appends a part of the source.
    pub(super) fn copy(&mut self, source: &[u8], range: Range<usize>) {
        if !range.is_empty() {
            self.pieces.push(Piece { at: self.bytes.len(), source: range.clone() });
            self.bytes.to_mut().extend_from_slice(&source[range]);
        }
    }

    /// Appends a byte that a longer part of the source stands for.
    pub(super) fn decoded(&mut self, byte: u8, range: Range<usize>) {
        self.pieces.push(Piece { at: self.bytes.len(), source: range });
        self.bytes.to_mut().push(byte);
    }

    /// It is not the source itself.
    pub(super) fn is_changed(&self) -> bool {
        matches!(self.bytes, Cow::Owned(_))
    }

    /// Where a part of this text, not empty, is in the source.
    pub(super) fn source(&self, range: &Range<usize>) -> Range<usize> {
        let (first, start) = self.locate(range.start);
        let (last, end) = self.locate(range.end - 1);
        let start = if first.1 { first.0.start + start } else { first.0.start };
        start..if last.1 { last.0.start + end + 1 } else { last.0.end }
    }

    /// The source of the piece at a position and whether it is a copy, and the place in it.
    fn locate(&self, at: usize) -> ((Range<usize>, bool), usize) {
        let next = self.pieces.partition_point(|piece| piece.at <= at);
        let piece = &self.pieces[next - 1];
        let end = self.pieces.get(next).map_or(self.bytes.len(), |piece| piece.at);
        let is_copy = piece.source.len() == end - piece.at;
        ((piece.source.clone(), is_copy), at - piece.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_lead_back() {
        let source = b"ab%43d--ef";
        let mut view = View::empty();
        view.copy(source, 0..2);
        view.decoded(b'C', 2..5);
        view.copy(source, 5..6);
        view.copy(source, 8..10);
        assert_eq!(&*view.bytes, b"abCdef");
        for (part, origin) in [(0..2, 0..2), (1..3, 1..5), (2..3, 2..5), (3..4, 5..6), (3..5, 5..9)]
        {
            assert_eq!(view.source(&part), origin, "{part:?}");
        }
        assert_eq!(View::of(source).source(&(3..7)), 3..7);
    }
}
