//! Fills pieces with blocks, and cuts the blocks that no piece can hold.

use super::ChunkSize;
use super::blocks::Block;
use super::tokens::QUARTERS;
use super::units::units;
use std::collections::VecDeque;
use std::ops::Range;

/// A piece no smaller than this makes sense, in tokens.
const SMALLEST: usize = 8;

/// A part of the text and the headings (places of blocks) all of it is under.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub(super) range: Range<usize>,
    pub(super) headings: Vec<usize>,
}

/// Packs the blocks into pieces in their order.
pub(super) fn pack(text: &str, blocks: &[Block], size: ChunkSize) -> Vec<Piece> {
    let limit = size.tokens.max(SMALLEST) * QUARTERS;
    let overlap = (size.overlap * QUARTERS).min(limit / 2);
    let mut packer = Packer { text, limit, overlap, open: None, pieces: Vec::new() };
    let mut headings: Vec<usize> = Vec::new();
    for (place, block) in blocks.iter().enumerate() {
        if let Some(heading) = &block.heading {
            let level = |&place: &usize| blocks[place].heading.as_ref().map(|above| above.level);
            while headings.pop_if(|place| level(place) >= Some(heading.level)).is_some() {}
            headings.push(place);
        }
        packer.add(block, &headings);
    }
    packer.flush();
    packer.pieces
}

/// The piece that is being filled.
struct Open {
    piece: Piece,
    weight: usize,
    /// Nothing but headings, which are not left without what they are the headings of.
    only_headings: bool,
    /// The rest of a section, which another section is not added to.
    is_rest: bool,
}

struct Packer<'a> {
    text: &'a str,
    /// In quarters of a token.
    limit: usize,
    overlap: usize,
    open: Option<Open>,
    pieces: Vec<Piece>,
}

impl Packer<'_> {
    fn add(&mut self, block: &Block, headings: &[usize]) {
        // A heading comes with its section if that fits as a whole.
        let needed = block.heading.as_ref().map_or(block.weight, |heading| heading.section);
        if self.open.as_ref().is_some_and(|open| {
            let leaves = open.is_rest && !headings.starts_with(&open.piece.headings);
            !open.only_headings && (leaves || open.weight + needed > self.limit)
        }) {
            self.flush();
        }
        let mut open = self.open.take().unwrap_or_else(|| Open {
            piece: Piece { range: block.start..block.start, headings: headings.to_vec() },
            weight: 0,
            only_headings: true,
            is_rest: block.heading.is_none(),
        });
        let fits = open.weight + block.weight <= self.limit;
        let nearly = block.weight <= self.limit && open.weight <= self.limit / 4;
        let headings_before = open.weight;
        open.take_in(block, headings);
        self.open = Some(open);
        if !fits && !nearly {
            self.cut(headings_before);
        }
    }

    fn flush(&mut self) {
        self.pieces.extend(self.open.take().map(|open| open.piece));
    }

    /// Cuts the open piece; the last part stays open.
    fn cut(&mut self, headings_weight: usize) {
        let Some(open) = self.open.take() else { return };
        let whole = open.piece;
        let mut window: VecDeque<(Range<usize>, usize)> = VecDeque::new();
        let mut weight = 0;
        // Headings heavier than half a piece are text like any other.
        let reserved = if headings_weight <= self.limit / 2 { headings_weight } else { 0 };
        for (unit, unit_weight) in units(self.text, whole.range, self.limit - reserved) {
            if weight + unit_weight > self.limit {
                self.pieces.extend(span(&window, &whole.headings));
                while weight > self.overlap || weight + unit_weight > self.limit {
                    let Some((_, dropped)) = window.pop_front() else { break };
                    weight -= dropped;
                }
            }
            window.push_back((unit, unit_weight));
            weight += unit_weight;
        }
        let rest = span(&window, &whole.headings);
        self.open = rest.map(|piece| Open { piece, weight, only_headings: false, is_rest: true });
    }
}

impl Open {
    fn take_in(&mut self, block: &Block, headings: &[usize]) {
        self.piece.range.end = block.end;
        self.weight += block.weight;
        self.only_headings &= block.heading.is_some();
        let shared = self.piece.headings.iter().zip(headings).take_while(|(a, b)| a == b).count();
        self.piece.headings.truncate(shared);
    }
}

fn span(window: &VecDeque<(Range<usize>, usize)>, headings: &[usize]) -> Option<Piece> {
    let (first, last) = (window.front()?, window.back()?);
    Some(Piece { range: first.0.start..last.0.end, headings: headings.to_vec() })
}
