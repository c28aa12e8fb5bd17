//! Cuts Markdown into pieces for the index without tearing apart what belongs together.
//!
//! A section, list, table or code block that fits into one piece is never cut; only a block bigger
//! than a piece is, at lines, else at ends of sentences, else between characters. Linear in the
//! size of the text, whatever it holds. Deliberately absent: frontmatter, which is cut off before.

mod blocks;
mod pack;
mod tokens;
mod units;

use std::ops::Range;
pub use tokens::approximate_tokens;

/// Names the way texts are cut; another one than an index was made with makes that index stale.
pub const CHUNK_VERSION: u32 = 1;

/// How big chunks are, in approximate tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkSize {
    /// The most tokens of one chunk; a chunk that keeps a heading with its block may have a
    /// quarter more.
    pub tokens: usize,
    /// How many tokens neighboring pieces of one oversize block share, at most half of `tokens`.
    pub overlap: usize,
}

/// One piece of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// Byte offsets in the text that was cut, without blank ends.
    pub range: Range<usize>,
    /// First line, from 1.
    pub line_start: u32,
    /// Last line, from 1, inclusive.
    pub line_end: u32,
    /// The headings all of the chunk is under, `A > B`, its own first heading included; empty
    /// when there is none.
    pub heading_path: String,
}

/// Cuts a text into chunks in its order; together they hold all that is not blank.
///
/// A text that fits is one chunk, a blank one none.
pub fn chunks(text: &str, size: ChunkSize) -> Vec<Chunk> {
    let blocks = blocks::blocks(text);
    let pieces = pack::pack(text, &blocks, size);
    let (mut line, mut at) = (1, 0);
    let mut chunks = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let range = trimmed(text, piece.range);
        if range.is_empty() {
            continue;
        }
        line += newlines(&text[at..range.start]);
        at = range.start;
        let line_end = line + newlines(&text[range.clone()]);
        let heading_path = blocks::path(&blocks, &piece.headings);
        chunks.push(Chunk { range, line_start: line, line_end, heading_path });
    }
    chunks
}

/// The range without blank lines at its start and white space at its end; indentation stays.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let piece = text[range.clone()].trim_end();
    let blank = piece.len() - piece.trim_start().len();
    let start = piece[..blank].rfind('\n').map_or(0, |newline| newline + 1);
    range.start + start..range.start + piece.len()
}

fn newlines(text: &str) -> u32 {
    let count = text.bytes().filter(|&byte| byte == b'\n').count();
    u32::try_from(count).unwrap_or(u32::MAX)
}
