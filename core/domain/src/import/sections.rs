//! Cutting a handbook at its headings.

use crate::fact::plain_line;

/// The sections of a text: cut at the headings of the highest level that occurs at least twice,
/// each with its heading, which is no part of its text. A text without such headings is one
/// section without a heading, and so is what stands before the first, if it says something.
pub(super) fn sections(text: &str) -> Vec<(Option<String>, &str)> {
    let headings = headings(text);
    let many =
        |level: &usize| headings.iter().filter(|heading| heading.level == *level).count() > 1;
    let Some(level) = (1..=6).find(many) else { return vec![(None, text)] };
    let cuts: Vec<&Heading> = headings.iter().filter(|heading| heading.level == level).collect();
    let mut sections = Vec::with_capacity(cuts.len() + 1);
    let before = &text[..cuts[0].start];
    if before.lines().any(|line| !line.starts_with('#') && !plain_line(line).is_empty()) {
        sections.push((None, before.trim()));
    }
    for (at, cut) in cuts.iter().enumerate() {
        let end = cuts.get(at + 1).map_or(text.len(), |next| next.start);
        sections.push((Some(cut.title.clone()), text[cut.end..end].trim()));
    }
    sections
}

struct Heading {
    level: usize,
    title: String,
    start: usize,
    end: usize,
}

/// The headings of a text, outside of fenced code.
fn headings(text: &str) -> Vec<Heading> {
    let (mut found, mut at, mut fenced) = (Vec::new(), 0, false);
    for line in text.split_inclusive('\n') {
        let (start, end) = (at, at + line.len());
        at = end;
        let trimmed = line.trim_start();
        fenced ^= trimmed.starts_with("```") || trimmed.starts_with("~~~");
        let level = line.bytes().take_while(|byte| *byte == b'#').count();
        let is_heading = (1..=6).contains(&level) && line[level..].starts_with([' ', '\t']);
        let title = plain_line(line.trim_end().trim_end_matches('#'));
        if !fenced && is_heading && !title.is_empty() {
            found.push(Heading { level, title, start, end });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_at_the_highest_level_that_repeats() {
        let cut = |text| -> Vec<(String, String)> {
            let parts = sections(text).into_iter();
            parts.map(|(title, text)| (title.unwrap_or_default(), text.to_owned())).collect()
        };
        let parts = |parts: &[(&str, &str)]| -> Vec<(String, String)> {
            parts.iter().map(|(title, text)| ((*title).to_owned(), (*text).to_owned())).collect()
        };
        assert_eq!(cut("plain"), parts(&[("", "plain")]));
        assert_eq!(cut("# one\ntext\n"), parts(&[("", "# one\ntext\n")]));
        let handbook = "# Top\n\nintro\n\n## A ##\na\n### deep\nb\n```\n## no\n```\n## B\n";
        let expected =
            [("", "# Top\n\nintro"), ("A", "a\n### deep\nb\n```\n## no\n```"), ("B", "")];
        assert_eq!(cut(handbook), parts(&expected));
        assert_eq!(cut("# Top\n## A\na\n## B\nb"), parts(&[("A", "a"), ("B", "b")]));
    }
}
