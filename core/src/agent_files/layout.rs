//! How a text is laid out: line ends, indentation, and lists between brackets.
//!
//! An item goes in at the end of its list and comes out again; commas and white space are all that
//! moves with it, and comments stay where they are.

use std::ops::Range;

/// What begins a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comments {
    /// `//` and `/* */`.
    Slashes,
    /// `#`.
    Hash,
}

/// How an item is to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shape {
    /// Over lines, of which the first begins like this.
    Lines {
        /// White space before it.
        indent: String,
        /// What each level adds.
        unit: String,
        /// The end of a line.
        newline: &'static str,
    },
    /// On one line.
    Spaced,
    /// On one line without spaces.
    Tight,
}

/// The end of a line in a text.
pub(super) fn newline(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// The white space that the line around a place begins with.
pub(super) fn indent(text: &str, at: usize) -> &str {
    let line = &text[text[..at].rfind('\n').map_or(0, |newline| newline + 1)..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// What one level of the text is indented by.
fn unit(text: &str) -> String {
    let mut indents = text.lines().map(|line| (line, line.trim_start_matches([' ', '\t'])));
    let first = indents.find(|(line, rest)| {
        line.len() > rest.len() && !rest.is_empty() && !rest.starts_with(['*', '/'])
    });
    first.map_or("  ".to_owned(), |(line, rest)| line[..line.len() - rest.len()].to_owned())
}

/// A list between brackets, and where its items are.
pub(super) struct Bracketed<'t> {
    pub(super) text: &'t str,
    /// With its brackets.
    pub(super) span: Range<usize>,
    pub(super) items: Vec<Range<usize>>,
    pub(super) comments: Comments,
}

impl Bracketed<'_> {
    /// The text with one more item.
    pub(super) fn with_last(&self, item: impl FnOnce(&Shape) -> String) -> String {
        let shape = self.shape();
        let item = item(&shape);
        match self.items.last() {
            Some(last) => self.after(last, &shape, &item),
            None => self.alone(&shape, &item),
        }
    }

    fn after(&self, last: &Range<usize>, shape: &Shape, item: &str) -> String {
        let end = self.skip(last.end, false);
        let has_comma = self.text[end..].starts_with(',');
        let (item, place) = match shape {
            Shape::Lines { indent, newline, .. } => {
                let from = if has_comma { end + 1 } else { last.end };
                (format!("{newline}{indent}{item}"), self.comments_end(from))
            }
            Shape::Spaced => (format!(" {item}"), if has_comma { end + 1 } else { last.end }),
            Shape::Tight => (item.to_owned(), if has_comma { end + 1 } else { last.end }),
        };
        let (before, between, after) =
            (&self.text[..last.end], &self.text[last.end..place], &self.text[place..]);
        if has_comma {
            format!("{before}{between}{item},{after}")
        } else {
            format!("{before},{between}{item}{after}")
        }
    }

    fn alone(&self, shape: &Shape, item: &str) -> String {
        let inside = self.span.start + 1..self.span.end - 1;
        let inner = &self.text[inside.clone()];
        let place = inside.start + inner.trim_end().len();
        let tail = &self.text[place..inside.end];
        let item = match shape {
            Shape::Lines { indent: inner, newline, .. } => {
                let closing = indent(self.text, self.span.start);
                let closing = match tail.contains('\n') {
                    true => String::new(),
                    false => format!("{newline}{closing}"),
                };
                format!("{newline}{inner}{item}{closing}")
            }
            Shape::Spaced if tail.is_empty() => format!(" {item} "),
            Shape::Spaced => format!(" {item}"),
            Shape::Tight => item.to_owned(),
        };
        format!("{}{item}{}", &self.text[..place], &self.text[place..])
    }

    /// The text without an item.
    pub(super) fn without(&self, index: usize) -> String {
        let item = self.items[index].clone();
        let after = self.skip(item.end, false);
        let has_comma = self.text[after..].starts_with(',');
        let end = if has_comma { after + 1 } else { item.end };
        let open = self.span.start + 1;
        let mut start = open + self.text[open..item.start].trim_end().len();
        // Nothing may come to stand behind a comment on the line above.
        let goes_on = !self.text[end..].trim_start_matches([' ', '\t', '\r']).starts_with('\n');
        if goes_on && self.text[start..item.start].contains('\n') && self.items.len() > 1 {
            start = item.start;
        }
        let comma = match index.checked_sub(1) {
            Some(before) if !has_comma => Some(self.skip(self.items[before].end, false)),
            _ => None,
        };
        let mut left = self.text[..start].to_owned();
        if let Some(comma) = comma.filter(|comma| self.text[*comma..].starts_with(',')) {
            left.remove(comma);
        }
        let right = &self.text[end..];
        let is_empty = self.items.len() == 1 && left[open..].trim().is_empty();
        if is_empty && self.text[end..self.span.end - 1].trim().is_empty() {
            return format!("{}{}", &left[..open], &self.text[self.span.end - 1..]);
        }
        format!("{left}{right}")
    }

    fn shape(&self) -> Shape {
        let text = self.text.trim();
        let begins_line = |at: usize| {
            let line = self.text[..at].trim_end_matches([' ', '\t']);
            line.ends_with('\n')
        };
        let newline = newline(self.text);
        match self.items.last() {
            Some(last) if begins_line(last.start) => {
                let indent = indent(self.text, last.start).to_owned();
                Shape::Lines { indent, unit: unit(self.text), newline }
            }
            Some(_) => self.on_one_line(),
            None if self.comments == Comments::Hash => Shape::Spaced,
            None if text.contains('\n') || text.len() <= 2 => {
                let unit = unit(self.text);
                let indent = format!("{}{unit}", indent(self.text, self.span.start));
                Shape::Lines { indent, unit, newline }
            }
            None => self.on_one_line(),
        }
    }

    fn on_one_line(&self) -> Shape {
        let is_spaced = self.comments == Comments::Hash
            || ["\": ", "\", "].iter().any(|part| self.text.contains(part));
        if is_spaced { Shape::Spaced } else { Shape::Tight }
    }

    /// The end of comments that begin on the line of a place.
    fn comments_end(&self, at: usize) -> usize {
        let end = self.skip(at, true);
        at + self.text[at..end].trim_end().len()
    }

    /// The end of white space and comments.
    pub(super) fn skip(&self, mut at: usize, on_line: bool) -> usize {
        loop {
            let rest = &self.text[at..];
            let length = match rest.chars().next() {
                Some('\n' | '\r') if on_line => return at,
                Some(white) if white.is_whitespace() => white.len_utf8(),
                Some('#') if self.comments == Comments::Hash => line_length(rest),
                Some('/') if self.comments == Comments::Slashes && rest.starts_with("//") => {
                    line_length(rest)
                }
                Some('/') if self.comments == Comments::Slashes && rest.starts_with("/*") => {
                    rest.find("*/").map_or(rest.len(), |end| end + 2)
                }
                _ => return at,
            };
            at += length;
        }
    }
}

fn line_length(text: &str) -> usize {
    text.find(['\n', '\r']).unwrap_or(text.len())
}
