//! The top-level blocks of a Markdown text and the sections their headings make.

use super::tokens::weight;
use pulldown_cmark::{Event, Options, Parser, Tag};

/// What parts the headings of a path.
const PATH_SEPARATOR: &str = " > ";
/// Longest title in a path, in bytes.
const LONGEST_TITLE: usize = 200;
/// Deepest nesting of quotes and lists that is parsed; a person stays far below, and the parser
/// takes depth × lines steps.
const DEEPEST: usize = 64;

/// A paragraph, list, table, code block, heading; it reaches to the start of the next one.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) start: usize,
    pub(super) end: usize,
    /// In quarters of a token.
    pub(super) weight: usize,
    pub(super) heading: Option<Heading>,
}

#[derive(Debug)]
pub(super) struct Heading {
    /// 1 to 6.
    pub(super) level: u8,
    title: String,
    /// The weight of the heading and everything below it, in quarters of a token.
    pub(super) section: usize,
}

/// The blocks of a text in their order, without gaps; one that is nested too deep to parse is one
/// block.
pub(super) fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = if is_too_deep(text) { Vec::new() } else { parse(text) };
    if blocks.is_empty() {
        blocks.push(Block { start: 0, end: 0, weight: 0, heading: None });
    }
    blocks[0].start = 0;
    let mut end = text.len();
    for block in blocks.iter_mut().rev() {
        block.end = end;
        block.weight = weight(&text[block.start..end]);
        end = block.start;
    }
    weigh_sections(&mut blocks);
    blocks
}

/// The titles of the headings at these places, outermost first.
pub(super) fn path(blocks: &[Block], places: &[usize]) -> String {
    let titles = places.iter().filter_map(|&place| blocks[place].heading.as_ref());
    let titles: Vec<&str> = titles.map(|heading| heading.title.trim()).collect();
    titles.into_iter().filter(|title| !title.is_empty()).collect::<Vec<_>>().join(PATH_SEPARATOR)
}

fn parse(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut depth = 0_usize;
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES;
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        if depth == 0 {
            let start = text[..range.start].rfind('\n').map_or(0, |newline| newline + 1);
            blocks.push(Block { start, end: start, weight: 0, heading: heading(&event) });
        }
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            Event::Text(text) | Event::Code(text) => add_to_title(&mut blocks, &text),
            Event::SoftBreak | Event::HardBreak => add_to_title(&mut blocks, " "),
            _ => {}
        }
    }
    blocks
}

fn heading(event: &Event<'_>) -> Option<Heading> {
    match event {
        Event::Start(Tag::Heading { level, .. }) => {
            Some(Heading { level: *level as u8, title: String::new(), section: 0 })
        }
        _ => None,
    }
}

fn add_to_title(blocks: &mut [Block], text: &str) {
    let Some(heading) = blocks.last_mut().and_then(|block| block.heading.as_mut()) else {
        return;
    };
    let room = LONGEST_TITLE.saturating_sub(heading.title.len());
    heading.title.push_str(&text[..text.floor_char_boundary(room)]);
}

/// A section ends before the next heading of its own or a higher level.
fn weigh_sections(blocks: &mut [Block]) {
    let mut open: Vec<(u8, usize, usize)> = Vec::new();
    let mut before = 0;
    for place in 0..blocks.len() {
        if let Some(level) = blocks[place].heading.as_ref().map(|heading| heading.level) {
            close(blocks, &mut open, level, before);
            open.push((level, place, before));
        }
        before += blocks[place].weight;
    }
    close(blocks, &mut open, 0, before);
}

fn close(blocks: &mut [Block], open: &mut Vec<(u8, usize, usize)>, level: u8, before: usize) {
    while let Some((_, place, start)) = open.pop_if(|(above, ..)| *above >= level) {
        if let Some(heading) = &mut blocks[place].heading {
            heading.section = before - start;
        }
    }
}

fn is_too_deep(text: &str) -> bool {
    let is_rule = |line: &str| line.trim_matches(['-', '*', ' ', '\t', '\r']).is_empty();
    text.lines().any(|line| {
        let markers = std::iter::successors(marker(line), |rest| marker(rest));
        markers.take(DEEPEST).count() == DEEPEST && !is_rule(line)
    })
}

/// What follows the quote or list marker that a line begins with.
fn marker(line: &str) -> Option<&str> {
    let line = line.trim_start_matches([' ', '\t']);
    if let Some(rest) = line.strip_prefix('>') {
        return Some(rest);
    }
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = if number.len() < line.len() {
        number.strip_prefix(['.', ')'])
    } else {
        line.strip_prefix(['-', '+', '*'])
    };
    rest.filter(|rest| rest.starts_with([' ', '\t']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_and_numbers_are_not_depth() {
        let lines = ["- ".repeat(100), "*".repeat(100), "1.5 ".repeat(100), ".".repeat(100)];
        for line in lines {
            assert_eq!(blocks(&format!("{line}\n\n# A\n")).len(), 2, "{line}");
        }
        for line in ["> ".repeat(100), "- > ".repeat(50), "1. ".repeat(100)] {
            assert_eq!(blocks(&format!("{line}a\n\n# A\n")).len(), 1, "{line}");
        }
    }

    #[test]
    fn sections_and_titles() {
        let text = "intro\n\n# A *b* `c`\n\ntext\n\n### Deep\nx\n## B\ny\nTwo\nlines\n=====\n";
        let blocks = blocks(text);
        let found: Vec<_> = blocks
            .iter()
            .filter_map(|block| Some((block.heading.as_ref()?, &text[block.start..block.end])))
            .map(|(heading, text)| (heading.level, heading.title.as_str(), heading.section, text))
            .collect();
        let section = |from: &str, to: &str| text.find(to).unwrap() - text.find(from).unwrap();
        assert_eq!(
            found,
            [
                (1, "A b c", section("# A", "y\nTwo"), "# A *b* `c`\n\n"),
                (3, "Deep", section("### Deep", "## B"), "### Deep\n"),
                (2, "B", section("## B", "y\nTwo"), "## B\n"),
                (
                    1,
                    "y Two lines",
                    text.len() - text.find("y\nTwo").unwrap(),
                    "y\nTwo\nlines\n=====\n"
                ),
            ]
        );
        assert_eq!(path(&blocks, &[1, 3, 5]), "A b c > Deep > B");
    }
}
