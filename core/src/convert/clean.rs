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
    fn signs_alone_are_no_text() {
        assert!(is_empty(" \n--- | |\n") && !is_empty("# 標題"));
    }
}
