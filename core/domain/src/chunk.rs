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
    let (mut line, mut at, mut end) = (1, 0, 0);
    let mut chunks = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let range = trimmed(text, piece.range);
        // Blank, or an overlap with nothing but blank lines behind it.
        if range.is_empty() || range.end <= end {
            continue;
        }
        line += newlines(&text[at..range.start]);
        (at, end) = (range.start, range.end);
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SMALL: ChunkSize = ChunkSize { tokens: 16, overlap: 4 };

    #[track_caller]
    fn check(text: &str, size: ChunkSize, expected: &[(&str, u32, u32, &str)]) {
        let found = chunks(text, size);
        let found: Vec<_> = found
            .iter()
            .map(|c| (&text[c.range.clone()], c.line_start, c.line_end, c.heading_path.as_str()))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn what_fits_is_one_chunk() {
        let large = ChunkSize { tokens: 512, overlap: 64 };
        check("", large, &[]);
        check(" \n\t\n", large, &[]);
        check("\n\n  fact\n\n", large, &[("  fact", 3, 3, "")]);
        check(
            "# A\n\ntext\n\n## B\n\nmore\n",
            large,
            &[("# A\n\ntext\n\n## B\n\nmore", 1, 7, "A")],
        );
        check("intro\n\n# A\n\ntext", large, &[("intro\n\n# A\n\ntext", 1, 5, "")]);
        check("# A\n# B\n", large, &[("# A\n# B", 1, 2, "")]);
        check("[a]: http://x\r\n", large, &[("[a]: http://x", 1, 1, "")]);
    }

    #[test]
    fn sections_are_kept_together() {
        let text = "# Deploy `x`\n\nintro of a few words\n\n## Build\n\nmake all the things now\n\n\
                    ## Ship\n\nmake release, then wait for it\n\nTail\n====\nlast words of the text\n";
        check(
            text,
            SMALL,
            &[
                ("# Deploy `x`\n\nintro of a few words", 1, 3, "Deploy x"),
                ("## Build\n\nmake all the things now", 5, 7, "Deploy x > Build"),
                ("## Ship\n\nmake release, then wait for it", 9, 11, "Deploy x > Ship"),
                ("Tail\n====\nlast words of the text", 13, 15, "Tail"),
            ],
        );
    }

    #[test]
    fn blocks_that_fit_are_not_cut() {
        let text = "some words to begin with, enough\n\n- one item of it\n- two items of it\n\n  more\n\n\
                    ```sh\n# not a heading\n\nmake release\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n";
        check(
            text,
            SMALL,
            &[
                ("some words to begin with, enough", 1, 1, ""),
                ("- one item of it\n- two items of it\n\n  more", 3, 6, ""),
                ("```sh\n# not a heading\n\nmake release\n```", 8, 12, ""),
                ("| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |", 14, 17, ""),
            ],
        );
    }

    #[test]
    fn an_oversize_block_is_cut_with_overlap() {
        let text =
            "# A\n\none line of this text\ntwo lines of this text\nthree lines of text\nand four";
        check(
            text,
            SMALL,
            &[
                ("# A\n\none line of this text\ntwo lines of this text", 1, 4, "A"),
                ("three lines of text\nand four", 5, 6, "A"),
            ],
        );
        let text = "第一句话在这里。第二句。第三句话也在这里。第四句话也在这里。";
        check(
            text,
            SMALL,
            &[
                ("第一句话在这里。第二句。", 1, 1, ""),
                ("第二句。第三句话也在这里。", 1, 1, ""),
                ("第四句话也在这里。", 1, 1, ""),
            ],
        );
    }

    #[test]
    fn another_section_is_not_added_to_the_rest_of_one() {
        check(
            "# A\n\none line of this text\ntwo lines of this text\nthree lines of text\n\n# B\n\nmore\n",
            SMALL,
            &[
                ("# A\n\none line of this text\ntwo lines of this text", 1, 4, "A"),
                ("three lines of text", 5, 5, "A"),
                ("# B\n\nmore", 7, 9, "B"),
            ],
        );
    }

    #[test]
    fn hostile_texts_take_linear_time() {
        const BYTES: usize = 400_000;
        let many = |text: &str| text.repeat(BYTES / text.len());
        let ladder: String = (1..900).map(|n| "`".repeat(n) + "a").collect();
        let texts = [
            many("# h\n\n"),
            many("x"),
            many("word "),
            many("。"),
            many("[a]("),
            many("- "),
            many(">"),
            format!("{}a\n{}", "> ".repeat(5_000), many("> b\n")),
            many("a\n"),
            many("\n"),
            ladder,
            many("<!-- "),
            many("*a _b"),
            many("|a|b|\n"),
            many("部署流程"),
            format!("# {}", many("a")),
        ];
        for text in texts {
            let start = std::time::Instant::now();
            let found = chunks(&text, ChunkSize { tokens: 512, overlap: 64 });
            let took = start.elapsed();
            assert!(found.len() < text.len() / 200 + 2, "{} chunks", found.len());
            assert!(took < std::time::Duration::from_secs(3), "{took:?} for {:?}", &text[..9]);
        }
    }

    proptest! {
        #[test]
        fn chunks_cover_the_text(
            text in prop_oneof![
                "\\PC{0,300}",
                "(# a\n|## b\n\n|- c\n|> d\n|```\n|word |部署。|\n|\n\n|    e\n|\\|f\\|g\\|\n\
                  |Sentence one\\. |  |é|😀){0,80}",
            ],
            tokens in 0_usize..60, overlap in 0_usize..80,
        ) {
            let found = chunks(&text, ChunkSize { tokens, overlap });
            let mut end = 0;
            for (place, chunk) in found.iter().enumerate() {
                let piece = &text[chunk.range.clone()];
                prop_assert!(!piece.trim().is_empty());
                prop_assert_eq!(piece.trim_end(), piece);
                prop_assert!(chunk.range.end > end, "chunk {} adds nothing", place);
                let gap = &text[end.min(chunk.range.start)..chunk.range.start];
                prop_assert!(gap.trim().is_empty(), "{:?} is in no chunk", gap);
                end = chunk.range.end;
                let lines = |to: usize| text[..to].matches('\n').count() as u32 + 1;
                prop_assert_eq!(chunk.line_start, lines(chunk.range.start));
                prop_assert_eq!(chunk.line_end, lines(end));
                let (has, most) = (approximate_tokens(piece), tokens.max(8));
                prop_assert!(has <= most + most / 4 + 1, "{} of {}", has, most);
            }
            prop_assert!(text[end..].trim().is_empty());
            if approximate_tokens(&text) <= tokens {
                prop_assert!(found.len() <= 1);
            }
        }
    }
}
