//! Paragraphs, items and rows as they come out of rich text.

use std::collections::HashMap;

use crate::convert::engines::markup::{Cell, Inline, List, Markup};

/// Blocks so far, and the one under way.
#[derive(Default)]
pub(super) struct Blocks {
    markup: Markup,
    /// Names of styles, in lower case.
    styles: HashMap<i32, String>,
    line: Inline,
    /// The line without marks.
    plain: String,
    /// The last run, while more of its look may come.
    run: Option<Run>,
    marker: String,
    now: Paragraph,
    row: Vec<Cell>,
    /// For each cell of the row, whether it goes on from the one before.
    merged: Vec<bool>,
    rows: Vec<Vec<Cell>>,
    /// Indents of the items around.
    indents: Vec<i32>,
    notes: Vec<(String, String)>,
}

struct Run {
    bold: bool,
    italic: bool,
    link: Option<String>,
    text: Inline,
}

/// How a paragraph is set.
#[derive(Default, Clone, Copy)]
struct Paragraph {
    style: i32,
    outline: Option<i32>,
    depth: Option<i32>,
    indent: i32,
    is_in_table: bool,
}

impl Blocks {
    pub(super) fn style_is(&mut self, number: i32, name: &str) {
        self.styles.insert(number, name.trim().to_lowercase());
    }

    pub(super) fn style(&mut self, number: i32) {
        self.now.style = number;
    }

    pub(super) fn marker(&mut self, text: &str) {
        self.marker.push_str(text);
    }

    pub(super) fn text(&mut self, text: &str, bold: bool, italic: bool, link: Option<&str>) {
        self.plain.push_str(text);
        let is_same = self.run.as_ref().is_some_and(|run| {
            run.bold == bold && run.italic == italic && run.link.as_deref() == link
        });
        if !is_same {
            self.end_run();
            let link = link.map(str::to_owned);
            self.run = Some(Run { bold, italic, link, text: Inline::default() });
        }
        if let Some(run) = &mut self.run {
            run.text.text(text);
        }
    }

    /// A footnote at this place.
    pub(super) fn note(&mut self, label: &str, text: &str) {
        self.end_run();
        self.line.note(label);
        self.notes.push((label.to_owned(), text.trim().to_owned()));
    }

    /// A word that sets or ends a paragraph, a cell, a row.
    pub(super) fn word(&mut self, word: &str, number: Option<i32>) {
        match word {
            "par" | "sect" | "page" => self.end_paragraph(),
            "line" => {
                self.end_run();
                self.line.line_break();
                self.plain.push('\n');
            }
            "pard" => self.now = Paragraph::default(),
            "outlinelevel" => self.now.outline = number,
            "ilvl" => self.now.depth = number,
            "li" => self.now.indent = number.unwrap_or(0),
            "intbl" => self.now.is_in_table = true,
            "trowd" => self.merged.clear(),
            "clmrg" => self.merged.push(true),
            "cellx" => self.merged.push(false),
            "cell" | "nestcell" => {
                self.end_run();
                self.plain.clear();
                let inline = std::mem::take(&mut self.line);
                self.row.push(Cell::new(inline));
            }
            "row" => self.end_row(),
            _ => {}
        }
    }

    /// All blocks as markup.
    pub(super) fn finish(mut self) -> String {
        self.end_paragraph();
        self.end_row();
        self.end_table();
        for (label, text) in std::mem::take(&mut self.notes) {
            self.markup.note(&label, &Inline::of(&text));
        }
        self.markup.finish()
    }

    fn end_run(&mut self) {
        let Some(Run { bold, italic, link, mut text }) = self.run.take() else { return };
        let is_heading = self.heading().is_some();
        for (is_so, tag) in [(italic, "em"), (bold && !is_heading, "strong")] {
            if is_so && !text.is_empty() {
                let mut marked = Inline::default();
                marked.marked(tag, &text);
                text = marked;
            }
        }
        match link {
            Some(link) => self.line.link(&link, &text),
            None => self.line.append(&text),
        }
    }

    fn end_row(&mut self) {
        let cells = std::mem::take(&mut self.row);
        // `\clmrg` comes before the `\cellx` of its cell.
        let mut merged = Vec::new();
        let mut marks = self.merged.iter().peekable();
        while let Some(is_merged) = marks.next() {
            if *is_merged {
                marks.next();
            }
            merged.push(*is_merged);
        }
        let mut row: Vec<Cell> = Vec::new();
        for (at, cell) in cells.into_iter().enumerate() {
            match row.last_mut().filter(|_| merged.get(at) == Some(&true)) {
                Some(before) => before.columns += 1,
                None => row.push(cell),
            }
        }
        if !row.is_empty() {
            self.rows.push(row);
        }
    }

    fn end_table(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        if !rows.is_empty() {
            self.markup.table(&rows);
        }
    }

    fn end_paragraph(&mut self) {
        self.end_run();
        if self.now.is_in_table {
            self.line.line_break();
            return;
        }
        self.end_row();
        let line = std::mem::take(&mut self.line);
        let plain = std::mem::take(&mut self.plain);
        let marker = std::mem::take(&mut self.marker);
        if line.is_empty() {
            return;
        }
        self.end_table();
        let name = self.styles.get(&self.now.style).map_or("", String::as_str);
        if is_code(name) {
            return plain.lines().for_each(|line| self.markup.code(line));
        }
        if let Some(level) = self.heading() {
            return self.markup.heading(level, &line);
        }
        if name.contains("quot") || name == "block text" {
            return self.markup.quote(&line);
        }
        match item(&marker, &plain) {
            Some((list, text)) => {
                let depth = self.depth();
                let line = text.map_or(line, |text| Inline::of(&text));
                self.markup.item(depth, list, &line);
            }
            None => {
                self.indents.clear();
                self.markup.paragraph(&line);
            }
        }
    }

    fn heading(&self) -> Option<usize> {
        if let Some(outline) = self.now.outline.and_then(|outline| usize::try_from(outline).ok()) {
            return (outline < 6).then_some(outline + 1);
        }
        let name = self.styles.get(&self.now.style)?;
        if name == "title" {
            return Some(1);
        }
        name.strip_prefix("heading ")?.parse().ok().filter(|level| (1..=6).contains(level))
    }

    /// How deep an item is: as it says, else by how far it is indented.
    fn depth(&mut self) -> usize {
        if let Some(depth) = self.now.depth.and_then(|depth| usize::try_from(depth).ok()) {
            return depth;
        }
        let indent = self.now.indent;
        self.indents.retain(|around| *around < indent);
        self.indents.push(indent);
        self.indents.len() - 1
    }
}

fn is_code(style: &str) -> bool {
    ["preformatted text", "source code", "html preformatted", "plain text"].contains(&style)
}

/// Whether a line is an item: by its marker, or by a mark and a tab at its start, which then go.
fn item(marker: &str, plain: &str) -> Option<(List, Option<String>)> {
    if !marker.trim().is_empty() {
        return Some((list(marker.trim())?, None));
    }
    let (mark, text) = plain.split_once('\t')?;
    let list = list(mark.trim())?;
    Some((list, Some(text.trim().to_owned())))
}

fn list(mark: &str) -> Option<List> {
    let number: String = mark.chars().take_while(char::is_ascii_digit).collect();
    let rest = &mark[number.len()..];
    if let Ok(number) = number.parse()
        && matches!(rest, "." | ")" | "")
    {
        return Some(List::Numbers(number));
    }
    // Symbol fonts have their bullets anywhere.
    (mark.chars().count() == 1).then_some(List::Bullets)
}
