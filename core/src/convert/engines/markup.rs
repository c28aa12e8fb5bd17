//! HTML as engines write it, for `html` to make Markdown of: every text escaped, lists nested by their depth.

/// A document under way.
#[derive(Default)]
pub(super) struct Markup {
    html: String,
    /// The lists that are open, outermost first.
    lists: Vec<List>,
    /// Lines of code that wait for more of them.
    code: Vec<String>,
}

/// How the items of a list are marked.
#[derive(Debug, Clone, Copy)]
pub(super) enum List {
    Bullets,
    /// The number of this item.
    Numbers(u32),
}

impl List {
    fn tag(self) -> &'static str {
        match self {
            Self::Bullets => "ul",
            Self::Numbers(_) => "ol",
        }
    }

    fn opening(self) -> String {
        match self {
            Self::Bullets => "<ul><li>".to_owned(),
            Self::Numbers(from) => format!("<ol start=\"{from}\"><li>"),
        }
    }
}

impl Markup {
    /// A heading; `level` from 1.
    pub(super) fn heading(&mut self, level: usize, inline: &Inline) {
        let level = level.clamp(1, 6);
        self.block(&format!("h{level}"), inline);
    }

    pub(super) fn paragraph(&mut self, inline: &Inline) {
        self.block("p", inline);
    }

    pub(super) fn quote(&mut self, inline: &Inline) {
        self.close();
        self.element("blockquote", inline.trimmed());
    }

    /// A footnote, as `Inline::note` refers to it.
    pub(super) fn note(&mut self, label: &str, inline: &Inline) {
        if !inline.is_empty() {
            self.close();
            let label = attribute(label);
            self.html.extend(["<aside data-note=\"", &label, "\">", &inline.0, "</aside>"]);
        }
    }

    /// A line of code; lines that follow each other make one block.
    pub(super) fn code(&mut self, text: &str) {
        self.close_lists();
        self.code.push(text.to_owned());
    }

    /// An item of a list; `depth` from 0.
    pub(super) fn item(&mut self, depth: usize, list: List, inline: &Inline) {
        if inline.is_empty() {
            return;
        }
        self.close_code();
        let depth = depth.min(MOST_DEPTH) + 1;
        while self.lists.len() > depth
            || (self.lists.len() == depth
                && self.lists.last().map(|list| list.tag()) != Some(list.tag()))
        {
            self.close_list();
        }
        if self.lists.len() == depth {
            self.html.push_str("</li><li>");
        }
        while self.lists.len() < depth {
            self.html.push_str(&list.opening());
            self.lists.push(list);
        }
        self.html.push_str(inline.trimmed());
    }

    /// A table of cells.
    pub(super) fn table(&mut self, rows: &[Vec<Cell>]) {
        self.close();
        self.html.push_str("<table>");
        for row in rows {
            self.html.push_str("<tr>");
            for cell in row {
                let Cell { inline, columns, rows } = cell;
                let opening = format!("<td colspan={columns} rowspan={rows}>");
                self.html.extend([&opening, &inline.0, "</td>"]);
            }
            self.html.push_str("</tr>");
        }
        self.html.push_str("</table>");
    }

    /// All of it.
    pub(super) fn finish(mut self) -> String {
        self.close();
        self.html
    }

    fn block(&mut self, tag: &str, inline: &Inline) {
        if !inline.is_empty() {
            self.close();
            self.element(tag, inline.trimmed());
        }
    }

    fn element(&mut self, tag: &str, html: &str) {
        self.html.extend(["<", tag, ">", html, "</", tag, ">"]);
    }

    fn close(&mut self) {
        self.close_code();
        self.close_lists();
    }

    fn close_code(&mut self) {
        if !self.code.is_empty() {
            let code = escaped(&std::mem::take(&mut self.code).join("\n"));
            self.element("pre", &code);
        }
    }

    fn close_lists(&mut self) {
        while !self.lists.is_empty() {
            self.close_list();
        }
    }

    fn close_list(&mut self) {
        if let Some(list) = self.lists.pop() {
            self.html.extend(["</li></", list.tag(), ">"]);
        }
    }
}

/// No list is nested deeper.
const MOST_DEPTH: usize = 16;

/// A cell, and how many columns and rows it covers.
pub(super) struct Cell {
    pub(super) inline: Inline,
    pub(super) columns: usize,
    pub(super) rows: usize,
}

impl Cell {
    pub(super) fn new(inline: Inline) -> Self {
        Self { inline, columns: 1, rows: 1 }
    }
}

/// What stands in a line: text, marks, links.
#[derive(Default, Clone)]
pub(super) struct Inline(String);

impl Inline {
    pub(super) fn of(text: &str) -> Self {
        let mut inline = Self::default();
        inline.text(text);
        inline
    }

    pub(super) fn text(&mut self, text: &str) {
        self.0.push_str(&escaped(text));
    }

    pub(super) fn line_break(&mut self) {
        self.0.push_str("<br>");
    }

    /// What stands between two marks, such as `b`.
    pub(super) fn marked(&mut self, tag: &str, inner: &Self) {
        self.0.extend(["<", tag, ">", &inner.0, "</", tag, ">"]);
    }

    pub(super) fn link(&mut self, target: &str, inner: &Self) {
        self.0.extend(["<a href=\"", &attribute(target), "\">", &inner.0, "</a>"]);
    }

    /// Refers to a footnote.
    pub(super) fn note(&mut self, label: &str) {
        self.0.extend(["<sup data-note=\"", &attribute(label), "\"></sup>"]);
    }

    pub(super) fn append(&mut self, other: &Self) {
        self.0.push_str(&other.0);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.trimmed().is_empty()
    }

    /// Without the breaks by which writers move text about.
    fn trimmed(&self) -> &str {
        let mut html = self.0.trim();
        while let Some(rest) = html.strip_prefix("<br>").or_else(|| html.strip_suffix("<br>")) {
            html = rest.trim();
        }
        html
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn attribute(text: &str) -> String {
    escaped(text).replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::engines::html;

    #[test]
    fn what_is_written_becomes_markdown() {
        let mut markup = Markup::default();
        markup.heading(2, &Inline::of("A < B"));
        let mut line = Inline::of("see ");
        line.link("https://a.b/?x=\"1\"&y", &Inline::of("here"));
        line.text(" *now*");
        line.note("1");
        markup.paragraph(&line);
        markup.paragraph(&Inline::of("  "));
        for (depth, list, text) in [
            (0, List::Bullets, "one"),
            (1, List::Bullets, "two"),
            (2, List::Numbers(3), "three"),
            (0, List::Bullets, "four"),
            (0, List::Numbers(3), "five"),
            (2, List::Bullets, "six"),
        ] {
            markup.item(depth, list, &Inline::of(text));
        }
        markup.code("if a < b {");
        markup.code("    *c");
        markup.table(&[
            vec![Cell::new(Inline::of("x|y")), Cell::new(Inline::of("<z>"))],
            vec![Cell { columns: 2, ..Cell::new(Inline::of("w")) }],
        ]);
        markup.quote(&Inline::of("said"));
        markup.note("1", &Inline::of("below"));
        insta::assert_snapshot!(html::page(&markup.finish()).unwrap().markdown, @r#"
        ## A < B

        see [here](https://a.b/?x="1"&y) \*now\*[^1]

        - one
          - two
            3. three
        - four

        3. five
           - - six

        ```
        if a < b {
            *c
        ```

        | x\|y | \<z> |
        | --- | --- |
        | w |  |


        > said

        [^1]: below
        "#);
    }
}
