//! What a Markdown holds: its headings, items, rows and words.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// What a Markdown holds, without its marks.
#[derive(Debug, Default)]
pub struct Outline {
    /// Depth and text.
    pub headings: Vec<(usize, String)>,
    /// Lists around it, from 0, and text.
    pub items: Vec<(usize, String)>,
    /// Cells.
    pub rows: Vec<Vec<String>>,
    /// Words, and single characters of scripts without spaces.
    pub words: Vec<String>,
}

impl Outline {
    /// Reads a Markdown.
    pub fn of(markdown: &str) -> Self {
        let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES;
        let mut outline = Self::default();
        let mut state = State::default();
        for event in Parser::new_ext(markdown, options) {
            outline.take(event, &mut state);
        }
        outline.words = words(&state.all);
        outline
    }

    fn take(&mut self, event: Event<'_>, state: &mut State) {
        match event {
            Event::Start(Tag::Heading { .. } | Tag::TableCell) => {
                state.all.push(' ');
                state.text.clear();
            }
            Event::End(TagEnd::Heading(level)) => {
                self.headings.push((level as usize, flat(&state.text)));
            }
            Event::Start(Tag::List(_)) => state.end_item(self),
            Event::End(TagEnd::List(_)) => state.end_item(self),
            Event::Start(Tag::Item) => {
                state.depth += 1;
                state.is_in_item = true;
                state.text.clear();
            }
            Event::End(TagEnd::Item) => {
                state.end_item(self);
                state.depth -= 1;
            }
            Event::Start(Tag::TableHead | Tag::TableRow) => self.rows.push(Vec::new()),
            Event::End(TagEnd::TableCell) => {
                self.rows.last_mut().into_iter().for_each(|row| row.push(flat(&state.text)));
            }
            Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => {
                state.push(&text);
            }
            Event::SoftBreak | Event::HardBreak | Event::Start(_) => state.push(" "),
            Event::End(end) if is_block(end) => state.push(" "),
            _ => {}
        }
    }
}

/// What is read at the moment.
#[derive(Default)]
struct State {
    text: String,
    all: String,
    depth: usize,
    is_in_item: bool,
}

impl State {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.all.push_str(text);
    }

    /// The text of an item ends where it ends, or where a list in it begins.
    fn end_item(&mut self, outline: &mut Outline) {
        self.all.push(' ');
        if std::mem::take(&mut self.is_in_item) {
            outline.items.push((self.depth - 1, flat(&self.text)));
        }
    }
}

fn is_block(end: TagEnd) -> bool {
    !matches!(end, TagEnd::Emphasis | TagEnd::Strong | TagEnd::Link | TagEnd::Strikethrough)
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The words of a text, in lower case; each character of Chinese or Japanese is one.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    for char in text.chars() {
        let is_wide = matches!(char, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}');
        if char.is_alphanumeric() && !is_wide {
            word.extend(char.to_lowercase());
            continue;
        }
        if !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if is_wide {
            words.push(char.to_string());
        }
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_parts_are_found() {
        let outline = Outline::of(
            "# A *b*\n\n- one\n  - two\n    more\n- three\n\n1. [x](y)\n\n| a | b\\|c |\n|---|---|\n| 港口 |  |\n",
        );
        assert_eq!(outline.headings, [(1, "A b".to_owned())]);
        let items = [(0, "one"), (1, "two more"), (0, "three"), (0, "x")];
        assert_eq!(outline.items, items.map(|(depth, text)| (depth, text.to_owned())));
        assert_eq!(outline.rows, [["a", "b|c"], ["港口", ""]]);
        let words = "a b one two more three x a b c 港 口";
        assert_eq!(outline.words.join(" "), words);
    }
}
