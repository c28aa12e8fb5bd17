//! Lines from the agent, bounded: one that is longer than the server would take is skipped.

use std::io::{BufRead as _, BufReader, Read};

/// Longer than any body that the server takes (4 MiB).
const LIMIT: usize = 8 * 1024 * 1024;

/// One line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Without its end; never blank.
    Text(String),
    /// More than the limit; skipped to its end.
    TooLong,
    /// Not UTF-8.
    NotText,
}

/// The lines of a stream. A stream that breaks has ended.
pub(super) struct Lines<R> {
    input: BufReader<R>,
    limit: usize,
}

impl<R: Read> Lines<R> {
    pub(super) fn of(input: R) -> Self {
        Self { input: BufReader::new(input), limit: LIMIT }
    }

    /// The next line's bytes with whether they are all of it; `None` at the end.
    fn bytes(&mut self) -> Option<(Vec<u8>, bool)> {
        let mut line = Vec::new();
        let limit = u64::try_from(self.limit).unwrap_or(u64::MAX);
        let count = self.input.by_ref().take(limit).read_until(b'\n', &mut line).ok()?;
        if count == 0 {
            return None;
        }
        let whole = line.ends_with(b"\n") || count < self.limit;
        if !whole {
            self.skip();
        }
        Some((line, whole))
    }

    fn skip(&mut self) {
        while let Ok(buffer) = self.input.fill_buf() {
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let count = end.map_or(buffer.len(), |end| end + 1);
            self.input.consume(count);
            if end.is_some() || count == 0 {
                return;
            }
        }
    }
}

impl<R: Read> Iterator for Lines<R> {
    type Item = Line;

    fn next(&mut self) -> Option<Line> {
        loop {
            let (bytes, whole) = self.bytes()?;
            if !whole {
                return Some(Line::TooLong);
            }
            match String::from_utf8(bytes) {
                Err(_) => return Some(Line::NotText),
                Ok(text) if text.trim().is_empty() => {}
                Ok(text) => return Some(Line::Text(text.trim().to_owned())),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_whole_and_bounded() {
        let input: &[u8] = b"one\r\n\n  \n0123456789abcdef\ntwo\n\xff\xfe\nend";
        let lines: Vec<Line> = Lines { input: BufReader::new(input), limit: 10 }.collect();
        let text = |text: &str| Line::Text(text.to_owned());
        assert_eq!(lines, [text("one"), Line::TooLong, text("two"), Line::NotText, text("end")]);
    }

    #[test]
    fn a_line_of_exactly_the_limit_is_whole() {
        let lines: Vec<Line> =
            Lines { input: BufReader::new(&b"12345678\nx\n"[..]), limit: 9 }.collect();
        assert_eq!(lines, [Line::Text("12345678".to_owned()), Line::Text("x".to_owned())]);
    }
}
