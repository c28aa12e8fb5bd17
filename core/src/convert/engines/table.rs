//! Rows of cells as a table of Markdown, and how large one may be.

use super::Rejected;

/// Wider tables are data for a program, not text for a reader.
const MOST_COLUMNS: usize = 1_000;
/// So many cells are converted in one document.
pub(super) const MOST_CELLS: usize = 2_000_000;

/// A table; its first row is the head. Nothing for one without text.
pub(super) fn markdown(rows: &[Vec<String>]) -> String {
    let width = rows.iter().map(|row| used(row)).max().unwrap_or(0);
    if width == 0 {
        return String::new();
    }
    let mut out = String::new();
    for (at, row) in rows.iter().enumerate() {
        out.push('|');
        for column in 0..width {
            out.push(' ');
            out.push_str(&cell(row.get(column).map_or("", String::as_str)));
            out.push_str(" |");
        }
        out.push('\n');
        if at == 0 {
            out.extend(["|", &" --- |".repeat(width), "\n"]);
        }
    }
    out
}

/// Cells up to the last one with text.
fn used(row: &[String]) -> usize {
    row.iter().rposition(|cell| !cell.trim().is_empty()).map_or(0, |last| last + 1)
}

/// The text of a cell: on one line, its bars escaped.
fn cell(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    for char in text.trim().chars() {
        match char {
            '\n' | '\r' | '\t' => out.push(' '),
            '|' if before != '\\' => out.push_str("\\|"),
            _ => out.push(char),
        }
        before = char;
    }
    out
}

/// Counts the cells of a document, and says when there are too many.
#[derive(Default)]
pub(super) struct Count(usize);

impl Count {
    /// One more row of so many cells.
    pub(super) fn row(&mut self, cells: usize) -> Result<(), Rejected> {
        if cells > MOST_COLUMNS {
            let what = format!("a table of {cells} columns, of which {MOST_COLUMNS} are allowed");
            return Err(Rejected::TooLarge(what));
        }
        self.0 += cells;
        if self.0 > MOST_CELLS {
            let what = format!("more than {MOST_CELLS} cells");
            return Err(Rejected::TooLarge(what));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(rows: &[&[&str]]) -> Vec<Vec<String>> {
        rows.iter().map(|row| row.iter().map(|cell| (*cell).to_owned()).collect()).collect()
    }

    #[test]
    fn cells_are_escaped_and_ragged_rows_filled() {
        let table = markdown(&rows(&[&["a|b", "c\\|d", ""], &["two\nlines"], &["", " x ", ""]]));
        assert_eq!(table, "| a\\|b | c\\|d |\n| --- | --- |\n| two lines |  |\n|  | x |\n");
        assert_eq!(markdown(&rows(&[&["", " "]])), "");
    }

    #[test]
    fn too_many_cells_are_said() {
        let mut count = Count::default();
        assert!(count.row(MOST_COLUMNS).is_ok());
        assert_eq!(count.row(50_000).unwrap_err().code(), "too_large");
        let many = (0..).find_map(|_| count.row(MOST_COLUMNS).err());
        assert_eq!(many.unwrap().code(), "too_large");
    }
}
