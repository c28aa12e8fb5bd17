//! The runs of a paragraph, and what the name of its style says of it.

use undoc::{Paragraph, TextRun};

use crate::convert::engines::markup::{Inline, List};

/// What a style makes of a paragraph.
#[derive(Debug, Clone, Copy)]
pub(super) enum Style {
    Text,
    Title,
    Quote,
    Code,
    Item(usize, List),
}

/// Lists, code and the like that only the name of a style tells; the built-in names are English in every
/// language of the program.
pub(super) fn style(name: &str) -> Style {
    let name = name.to_lowercase().replace([' ', '_', '-'], "");
    let depth = || {
        let digits = name.trim_start_matches(|char: char| !char.is_ascii_digit());
        digits.parse::<usize>().unwrap_or(1).saturating_sub(1)
    };
    let is_code =
        ["sourcecode", "preformattedtext", "htmlpreformatted", "code", "macrotext", "plaintext"];
    match () {
        () if name == "title" => Style::Title,
        () if name.starts_with("listbullet") => Style::Item(depth(), List::Bullets),
        () if name.starts_with("listnumber") => Style::Item(depth(), List::Numbers(1)),
        () if is_code.contains(&name.as_str()) => Style::Code,
        () if ["quote", "intensequote", "blocktext", "quotations"].contains(&name.as_str()) => {
            Style::Quote
        }
        () => Style::Text,
    }
}

/// A paragraph without its marks.
pub(super) fn plain(paragraph: &Paragraph) -> String {
    let runs = paragraph.runs.iter().filter(|run| is_there(run));
    runs.map(|run| if run.line_break { format!("{}\n", run.text) } else { run.text.clone() })
        .collect()
}

/// A paragraph with its marks and links. Runs of one look are one.
pub(super) fn inline(paragraph: &Paragraph) -> Inline {
    let is_heading = paragraph.heading.is_heading();
    let mut inline = Inline::default();
    let mut waiting: Option<(Look, Inline)> = None;
    for run in paragraph.runs.iter().filter(|run| is_there(run)) {
        let look = Look::of(run, is_heading);
        if waiting.as_ref().is_none_or(|(before, _)| *before != look) {
            flush(&mut inline, waiting.take());
        }
        let (_, text) = waiting.get_or_insert_with(|| (look, Inline::default()));
        text.text(&run.text);
        if let Some(note) = &run.note {
            text.note(note);
        }
        if run.line_break {
            text.line_break();
        }
    }
    flush(&mut inline, waiting);
    inline
}

fn is_there(run: &TextRun) -> bool {
    run.revision != undoc::model::RevisionType::Deleted
}

/// How a run looks.
#[derive(PartialEq, Eq)]
struct Look {
    bold: bool,
    italic: bool,
    code: bool,
    link: Option<String>,
}

impl Look {
    fn of(run: &TextRun, is_heading: bool) -> Self {
        // Spaces look like what stands before them.
        let style = &run.style;
        Self {
            bold: style.bold && !is_heading,
            italic: style.italic && !is_heading,
            code: style.code,
            link: run.hyperlink.clone().filter(|link| !link.starts_with('#')),
        }
    }
}

fn flush(inline: &mut Inline, run: Option<(Look, Inline)>) {
    let Some((look, mut text)) = run else { return };
    for (is_so, tag) in [(look.code, "code"), (look.italic, "em"), (look.bold, "strong")] {
        if is_so && !text.is_empty() {
            let mut marked = Inline::default();
            marked.marked(tag, &text);
            text = marked;
        }
    }
    match look.link {
        Some(link) => inline.link(&link, &text),
        None => inline.append(&text),
    }
}
