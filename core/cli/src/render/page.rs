//! Laying out text for people: headings, fields, tables, blocks.

use std::fmt::Write as _;

use comfy_table::{ColumnConstraint, ContentArrangement, Table, presets};

use super::Look;
use super::neutral;

const BOLD: &str = "\u{1b}[1m";
const DIM: &str = "\u{1b}[2m";
const RESET: &str = "\u{1b}[0m";
/// Between two columns.
const GAP: u16 = 2;
/// A column narrower than this cannot be read.
const WORD: u16 = 16;

/// A page being laid out. All that is given to it is text, never style.
pub(crate) struct Page {
    text: String,
    look: Look,
}

impl Page {
    pub(super) fn new(look: Look) -> Self {
        Self { text: String::new(), look }
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }

    /// A line, or several.
    pub(crate) fn line(&mut self, text: impl AsRef<str>) {
        self.text += &neutral(text.as_ref());
        self.text.push('\n');
    }

    /// A line that stands out.
    pub(crate) fn heading(&mut self, text: impl AsRef<str>) {
        self.styled(BOLD, text.as_ref());
    }

    /// A line in the background.
    pub(crate) fn aside(&mut self, text: impl AsRef<str>) {
        self.styled(DIM, text.as_ref());
    }

    /// An empty line, unless nothing stands above it.
    pub(crate) fn gap(&mut self) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
    }

    /// A text of many lines, indented.
    pub(crate) fn block(&mut self, text: &str) {
        for line in text.trim_end().lines() {
            self.line(format!("   {line}").trim_end());
        }
    }

    /// Names and values, one below the other; empty values are left out.
    pub(crate) fn fields(&mut self, fields: &[(&str, String)]) {
        let width = fields.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
        for (name, value) in fields.iter().filter(|(_, value)| !value.is_empty()) {
            let (on, off) = if self.look.color { (DIM, RESET) } else { ("", "") };
            let _ = writeln!(self.text, "{on}{name:width$}{off}  {}", neutral(value));
        }
    }

    /// A table; `nothing` is said when it has no rows.
    pub(crate) fn table<const N: usize>(
        &mut self,
        headers: [&str; N],
        rows: impl IntoIterator<Item = [String; N]>,
        nothing: &str,
    ) {
        let mut table = Table::new();
        table.load_style(presets::NOTHING).force_no_tty();
        table.set_header(headers.map(str::to_uppercase));
        for row in rows {
            // A cell of several lines would look like several rows.
            table.add_row(row.map(|cell| neutral(&cell.replace('\n', " ")).into_owned()));
        }
        if table.is_empty() {
            return self.aside(nothing);
        }
        for column in table.column_iter_mut() {
            column.set_padding((0, GAP));
        }
        if let Some(width) = self.look.width {
            fit(&mut table, width);
        }
        for line in table.lines() {
            self.text += line.trim_end();
            self.text.push('\n');
        }
    }

    fn styled(&mut self, style: &str, text: &str) {
        let (on, off) = if self.look.color { (style, RESET) } else { ("", "") };
        let _ = writeln!(self.text, "{on}{}{off}", neutral(text));
    }
}

/// Breaks cells so that the table keeps to the terminal, but only where a cell has words to break
/// between: an id in two pieces cannot be copied. A table that does not fit even so stays as it
/// is.
fn fit(table: &mut Table, width: u16) {
    let breakable: Vec<bool> = (0..table.column_count()).map(|at| has_words(table, at)).collect();
    let widths = table.column_max_content_widths();
    let least = |(own, breakable): (&u16, &bool)| if *breakable { *own.min(&WORD) } else { *own };
    let needed: u16 = widths.iter().zip(&breakable).map(|pair| least(pair) + GAP).sum();
    if needed > width {
        return;
    }
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    for (at, _) in breakable.iter().enumerate().filter(|(_, breakable)| !**breakable) {
        if let Some(column) = table.column_mut(at) {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
}

fn has_words(table: &Table, column: usize) -> bool {
    table.column_cells_iter(column).flatten().any(|cell| cell.content().contains(' '))
}

/// The columns of the terminal that stdout is.
pub(super) fn terminal_width() -> Option<u16> {
    let mut table = Table::new();
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.width()
}

/// `2026-11-29 22:03` of an RFC 3339 time, which is in UTC.
pub(crate) fn moment(time: &str) -> String {
    let (date, clock) = time.split_once('T').unwrap_or((time, ""));
    match clock.get(..5) {
        Some(clock) => format!("{date} {clock}"),
        None => date.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(look: Look, lay_out: impl FnOnce(&mut Page)) -> String {
        let mut page = Page::new(look);
        lay_out(&mut page);
        page.into_text()
    }

    #[test]
    fn tables_line_up_whatever_the_script() {
        let rows = [["漢字".to_owned(), "1".to_owned()], ["ab\nc".to_owned(), "22".to_owned()]];
        let text = page(Look::default(), |page| page.table(["title", "n"], rows, "none"));
        assert_eq!(text, "TITLE  N\n漢字   1\nab c   22\n");
        let text = page(Look::default(), |page| page.table::<1>(["x"], [], "No facts."));
        assert_eq!(text, "No facts.\n");
    }

    #[test]
    fn tables_keep_to_the_terminal_and_ids_stay_whole() {
        let id = "01JXYZ01JXYZ01JXYZ01JXYZ01";
        let lay_out = |width| {
            let rows = [[id.to_owned(), "word ".repeat(20)]];
            let look = Look { color: false, width: Some(width) };
            page(look, |page| page.table(["id", "text"], rows, ""))
        };
        let text = lay_out(60);
        assert!(text.contains(id) && text.lines().count() > 2, "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 60), "{text}");
        // Too narrow for any table: the terminal breaks the lines.
        assert_eq!(lay_out(20).lines().count(), 2, "{}", lay_out(20));
    }

    #[test]
    fn style_comes_from_here_and_only_here() {
        let evil = "\u{1b}[31mred";
        let color = Look { color: true, width: None };
        let text = page(color, |page| {
            page.heading(evil);
            page.fields(&[("name", evil.to_owned()), ("empty", String::new())]);
        });
        assert_eq!(
            text,
            "\u{1b}[1m⟨U+001B⟩[31mred\u{1b}[0m\n\u{1b}[2mname \u{1b}[0m  ⟨U+001B⟩[31mred\n"
        );
        let plain = page(Look::default(), |page| {
            page.heading(evil);
            page.line(evil);
            page.block(evil);
            page.table(["x"], [[evil.to_owned()]], "");
        });
        assert!(!plain.contains('\u{1b}'), "{plain}");
    }

    #[test]
    fn moments_are_short() {
        assert_eq!(moment("2026-11-29T22:03:11.123Z"), "2026-11-29 22:03");
        assert_eq!(moment("2026-11-29"), "2026-11-29");
    }
}
