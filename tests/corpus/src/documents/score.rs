//! How much of a document its Markdown keeps.

use std::collections::HashMap;

use super::outline::words;
use super::{Content, Outline};

/// Shares from 0 to 1; nothing where a document has none of a kind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// Headings that are headings of the right depth; half of one at another depth.
    pub headings: Option<f64>,
    /// Items that are items of the right depth; half of one at another depth.
    pub items: Option<f64>,
    /// Cells that stand in their row.
    pub cells: Option<f64>,
    /// Words that are there, however often.
    pub words: Option<f64>,
}

impl Score {
    /// The score of a Markdown.
    pub fn of(content: &Content, markdown: &str) -> Self {
        let outline = Outline::of(markdown);
        let headings: Vec<_> = content.headings.iter().map(|line| split(line, '#', 1)).collect();
        let items: Vec<_> = content.items.iter().map(|line| split(line, ' ', 2)).collect();
        Self {
            headings: share(headings.iter().map(|wanted| placed(wanted, &outline.headings))),
            items: share(items.iter().map(|wanted| placed(wanted, &outline.items))),
            cells: cells(&content.rows, &outline.rows),
            words: kept_words(content, &outline.words),
        }
    }

    /// Each share with its name.
    pub fn shares(self) -> [(&'static str, Option<f64>); 4] {
        let Self { headings, items, cells, words } = self;
        [("headings", headings), ("items", items), ("cells", cells), ("words", words)]
    }
}

/// How many marks stand before a text, each of so many characters, and the text.
fn split(line: &str, mark: char, each: usize) -> (usize, String) {
    let text = line.trim_start_matches(mark);
    ((line.len() - text.len()) / each, text.trim().to_owned())
}

/// 1 for the same text at the same depth, a half for the same text.
fn placed((depth, text): &(usize, String), found: &[(usize, String)]) -> f64 {
    let same: Vec<_> = found.iter().filter(|(_, found)| same_text(found, text)).collect();
    match () {
        () if same.iter().any(|(found, _)| found == depth) => 1.0,
        () if !same.is_empty() => 0.5,
        () => 0.0,
    }
}

fn same_text(a: &str, b: &str) -> bool {
    a == b || words(a) == words(b)
}

fn share(parts: impl ExactSizeIterator<Item = f64>) -> Option<f64> {
    let count = parts.len();
    #[expect(clippy::cast_precision_loss, reason = "documents of tests are small")]
    let share = |sum: f64| sum / count as f64;
    (count > 0).then(|| share(parts.sum()))
}

/// For each row, the cells that the row most like it has in the same order.
fn cells(wanted: &[Vec<String>], found: &[Vec<String>]) -> Option<f64> {
    let filled = |row: &[String]| -> Vec<String> {
        row.iter().filter(|cell| !cell.is_empty()).cloned().collect()
    };
    let found: Vec<_> = found.iter().map(|row| filled(row)).collect();
    let mut parts = Vec::new();
    for row in wanted.iter().map(|row| filled(row)) {
        let best = found.iter().map(|other| in_order(&row, other)).max().unwrap_or(0);
        parts.extend((0..row.len()).map(|at| if at < best { 1.0 } else { 0.0 }));
    }
    share(parts.into_iter())
}

/// The cells of one row that follow each other in another.
fn in_order(row: &[String], other: &[String]) -> usize {
    let (mut count, mut from) = (0, 0);
    for cell in row {
        if let Some(at) = other[from..].iter().position(|other| other == cell) {
            count += 1;
            from += at + 1;
        }
    }
    count
}

fn kept_words(content: &Content, found: &[String]) -> Option<f64> {
    let mut left: HashMap<&str, usize> = HashMap::new();
    for word in found {
        *left.entry(word).or_default() += 1;
    }
    let lines = content.headings.iter().chain(&content.items).chain(content.rows.iter().flatten());
    let wanted: Vec<_> = lines.chain(&content.text).flat_map(|line| words(line)).collect();
    let take = |word: &String| match left.get_mut(word.as_str()).filter(|count| **count > 0) {
        Some(count) => {
            *count -= 1;
            1.0
        }
        None => 0.0,
    };
    share(wanted.iter().map(take))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_lost_lowers_the_score() {
        let lines = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect();
        let content = Content {
            headings: lines(&["# A", "## B"]),
            items: lines(&["one", "  two"]),
            rows: vec![lines(&["x", "y"]), lines(&["z", "", "w"])],
            text: lines(&["gone text"]),
        };
        let whole = "# A\n\n## B\n\n- one\n  - two\n\n| x | y | |\n|---|---|---|\n| z |  | w |\n\ngone text";
        let all = Score::of(&content, whole);
        assert!(all.shares().iter().all(|(_, share)| *share == Some(1.0)), "{all:?}");
        let some = Score::of(&content, "# A\n\n# B\n\n- one\n- two\n\nx y z w\n\ntext");
        assert_eq!((some.headings, some.items, some.cells), (Some(0.75), Some(0.75), Some(0.0)));
        assert_eq!(some.words, Some(9.0 / 10.0));
        assert_eq!(Score::of(&Content::default(), "x").cells, None);
    }
}
