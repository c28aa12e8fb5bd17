//! Lines of a file of any size: one at a time, none longer than 16 MiB in memory.

use std::io::{self, BufRead as _, BufReader, Read};

/// The longest line that is read; of a longer one nothing is kept.
pub(super) const LONGEST: usize = 16 << 20;
/// How much is read at once.
const PART: usize = 256 << 10;
/// A buffer that grew beyond this is given back after its line.
const KEPT: usize = 1 << 20;
const BOM: &[u8] = b"\xef\xbb\xbf";

/// One line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// Its bytes, without what only surrounds them: blanks, NULs, a byte order mark.
    Whole(&'a [u8]),
    /// The last one, which its writer has not ended: it may be half a record.
    Open(&'a [u8]),
    /// Longer than is read.
    TooLong,
}

/// The lines of a file, blank ones left out.
pub(super) struct Lines<R> {
    from: BufReader<R>,
    line: Vec<u8>,
    is_first: bool,
}

impl<R: Read> Lines<R> {
    pub(super) fn of(file: R) -> Self {
        Self { from: BufReader::with_capacity(PART, file), line: Vec::new(), is_first: true }
    }

    /// The next line; `None` at the end.
    pub(super) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        loop {
            if self.line.capacity() > KEPT {
                self.line = Vec::new();
            }
            self.line.clear();
            let Some(end) = self.fill()? else { return Ok(None) };
            let was_first = std::mem::take(&mut self.is_first);
            if was_first && self.line.starts_with(BOM) {
                self.line.drain(..BOM.len());
            }
            if end == End::TooLong {
                return Ok(Some(Line::TooLong));
            }
            if !self.line.trim_ascii().is_empty() {
                let line = trimmed(&self.line);
                return Ok(Some(if end == End::Break {
                    Line::Whole(line)
                } else {
                    Line::Open(line)
                }));
            }
        }
    }

    /// Reads on to the end of a line; `None` where nothing is left.
    fn fill(&mut self) -> io::Result<Option<End>> {
        let mut is_too_long = false;
        loop {
            let part = match self.from.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                part => part?,
            };
            if part.is_empty() {
                let is_end = self.line.is_empty() && !is_too_long;
                let end = if is_too_long { End::TooLong } else { End::File };
                return Ok((!is_end).then_some(end));
            }
            let found = memchr::memchr(b'\n', part);
            let taken = &part[..found.unwrap_or(part.len())];
            if is_too_long || self.line.len() + taken.len() > LONGEST {
                is_too_long = true;
                self.line.clear();
            } else {
                self.line.extend_from_slice(taken);
            }
            let used = found.map_or(part.len(), |at| at + 1);
            self.from.consume(used);
            if found.is_some() {
                return Ok(Some(if is_too_long { End::TooLong } else { End::Break }));
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Break,
    File,
    TooLong,
}

/// A crash leaves runs of NULs.
fn trimmed(line: &[u8]) -> &[u8] {
    let is_padding = |byte: &u8| *byte == 0 || byte.is_ascii_whitespace();
    let start = line.iter().position(|byte| !is_padding(byte)).unwrap_or(line.len());
    let end = line.iter().rposition(|byte| !is_padding(byte)).map_or(start, |at| at + 1);
    &line[start..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives a few bytes at a time.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let now = self.0.len().min(into.len()).min(3);
            into[..now].copy_from_slice(&self.0[..now]);
            self.0 = &self.0[now..];
            Ok(now)
        }
    }

    fn all(bytes: &[u8]) -> Vec<String> {
        let mut lines = Lines::of(Slow(bytes));
        let mut all = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            all.push(match line {
                Line::Whole(line) => String::from_utf8_lossy(line).into_owned(),
                Line::Open(line) => format!("{}…", String::from_utf8_lossy(line)),
                Line::TooLong => "too long".to_owned(),
            });
        }
        all
    }

    #[test]
    fn lines_are_found_whatever_surrounds_them() {
        for (bytes, lines) in [
            (&b""[..], &[][..]),
            (b"\n\r\n  \n", &[]),
            (b"\xef\xbb\xbf{}\r\n[1]\n", &["{}", "[1]"]),
            (b"one\n\0\0\0\0two\0\nthree", &["one", "two", "three…"]),
            (b"\0\0\0\n", &[""]),
            (b"\xff\xfe\n", &["\u{fffd}\u{fffd}"]),
        ] {
            assert_eq!(all(bytes), lines, "{bytes:?}");
        }
    }

    #[test]
    fn of_a_line_that_is_too_long_nothing_is_kept() {
        let mut bytes = b"before\n".to_vec();
        bytes.resize(bytes.len() + LONGEST + 1, b'x');
        bytes.extend_from_slice(b"\nafter\n");
        let mut lines = Lines::of(&bytes[..]);
        assert_eq!(lines.next().unwrap(), Some(Line::Whole(b"before")));
        assert_eq!(lines.next().unwrap(), Some(Line::TooLong));
        assert_eq!(lines.next().unwrap(), Some(Line::Whole(b"after")));
        assert!(lines.line.capacity() <= KEPT, "{}", lines.line.capacity());
        assert_eq!(lines.next().unwrap(), None);
        let exact = vec![b'x'; LONGEST];
        assert_eq!(Lines::of(&exact[..]).next().unwrap(), Some(Line::Open(&exact)));
    }
}
