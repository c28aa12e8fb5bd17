//! The one place that tidies texts: ends of lines, characters that nobody wrote, blank lines.

/// A text as it was written, without byte order mark, control characters and foreign ends of lines.
pub(super) fn plain(text: &str) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut out = String::with_capacity(text.len() + 1);
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '\r' if chars.peek() == Some(&'\n') => {}
            '\r' | '\u{2028}' | '\u{2029}' | '\u{85}' => out.push('\n'),
            '\n' | '\t' => out.push(char),
            _ if is_noise(char) => {}
            _ => out.push(char),
        }
    }
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
    out
}

/// The Markdown of an engine: besides, no space at the ends of lines but in code, and one blank line at a
/// time.
pub(super) fn document(markdown: &str) -> String {
    let plain = plain(markdown);
    let mut out = String::with_capacity(plain.len());
    let (mut fence, mut blank) = (None, true);
    for line in plain.lines() {
        let mark = fence_mark(line);
        if fence.is_none() {
            let line = line.trim_end();
            if line.is_empty() {
                if !std::mem::replace(&mut blank, true) {
                    push(&mut out, "");
                }
                continue;
            }
            push(&mut out, line);
        } else {
            push(&mut out, line);
        }
        blank = false;
        fence = match (fence, mark) {
            (None, mark) => mark,
            (Some(open), Some(mark)) if closes(line, open, mark) => None,
            (open, _) => open,
        };
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// A title or the like: its words, one space between them.
pub(super) fn line(text: &str) -> String {
    plain(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn push(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

/// The backticks that begin or end a block of code, and how many.
fn fence_mark(line: &str) -> Option<usize> {
    let line = line.trim_start();
    let ticks = line.len() - line.trim_start_matches('`').len();
    (ticks >= 3 && !line[ticks..].contains('`')).then_some(ticks)
}

fn closes(line: &str, open: usize, mark: usize) -> bool {
    mark >= open && line.trim().trim_matches('`').is_empty()
}

/// Control characters, and what stands for "no character".
fn is_noise(char: char) -> bool {
    char.is_control() || matches!(char, '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// Whether there is nothing to read in it.
pub(super) fn is_empty(text: &str) -> bool {
    !text.chars().any(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_lines_and_noise_go_and_nothing_else() {
        for (text, wanted) in [
            ("a\r\nb\rc\n", "a\nb\nc\n"),
            ("\u{feff}a\0b\u{7}", "ab\n"),
            ("a  \n\n\n\n\nb", "a  \n\n\n\n\nb\n"),
            ("e\u{301}\tx", "e\u{301}\tx\n"),
            ("", ""),
        ] {
            assert_eq!(plain(text), wanted, "{text:?}");
        }
    }

    #[test]
    fn a_document_is_tidied_and_its_code_is_not() {
        for (text, wanted) in [
            ("\n\na  \n\n\n\n\nb\n\n", "a\n\nb\n"),
            ("```\nx  \n\n\n\ny\n```\n\n\nz", "```\nx  \n\n\n\ny\n```\n\nz\n"),
            ("````\n```\n\n\n````\n", "````\n```\n\n\n````\n"),
        ] {
            assert_eq!(document(text), wanted, "{text:?}");
        }
        assert_eq!(line(" a\n\tb\0 "), "a b");
    }

    #[test]
    fn signs_alone_are_no_text() {
        assert!(is_empty(" \n--- | |\n") && !is_empty("# 標題"));
    }
}
