//! A unified diff, taken apart file by file.
//!
//! What a line is follows from the counts at the head of its hunk, not from how it looks: a line
//! that is taken out may itself begin with `--`.

/// Where a file's text comes from or goes to when there is none.
const NONE: &str = "/dev/null";

/// What becomes of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileDiff {
    pub(crate) path: String,
    pub(crate) fate: Fate,
    pub(crate) lines: Vec<Line>,
}

/// What becomes of it as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    Made,
    Changed,
    Removed,
}

/// A line of a diff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) kind: Kind,
    /// Without its sign.
    pub(crate) text: String,
}

/// What becomes of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Kept,
    Added,
    Removed,
    /// Where the lines below it stand, or a remark.
    Place,
}

/// The files of a diff, in its order.
pub(crate) fn files(diff: &str) -> Vec<FileDiff> {
    let mut files: Vec<FileDiff> = Vec::new();
    // Lines that the hunk still takes from the old text and from the new one.
    let (mut old, mut new) = (0_u64, 0_u64);
    let mut lines = diff.lines().peekable();
    while let Some(line) = lines.next() {
        if old == 0 && new == 0 {
            if let (Some(before), Some(after)) =
                (line.strip_prefix("--- "), lines.peek().and_then(|next| next.strip_prefix("+++ ")))
            {
                files.push(file(before, after));
                lines.next();
                continue;
            }
            if let Some(counts) = counts(line) {
                (old, new) = counts;
            }
        }
        let Some(file) = files.last_mut() else { continue };
        let line = read(line);
        match line.kind {
            Kind::Kept => (old, new) = (old.saturating_sub(1), new.saturating_sub(1)),
            Kind::Removed => old = old.saturating_sub(1),
            Kind::Added => new = new.saturating_sub(1),
            Kind::Place => {}
        }
        file.lines.push(line);
    }
    files
}

fn file(before: &str, after: &str) -> FileDiff {
    let (path, fate) = match (before, after) {
        (NONE, path) => (path, Fate::Made),
        (path, NONE) => (path, Fate::Removed),
        (_, path) => (path, Fate::Changed),
    };
    FileDiff { path: path.to_owned(), fate, lines: Vec::new() }
}

/// How many lines `@@ -3,7 +3,9 @@` takes from the old and the new text.
fn counts(line: &str) -> Option<(u64, u64)> {
    let mut ranges = line.strip_prefix("@@ ")?.split(' ');
    let mut count = |sign: char| -> Option<u64> {
        let range = ranges.next()?.strip_prefix(sign)?;
        range.split_once(',').map_or(Some(1), |(_, count)| count.parse().ok())
    };
    Some((count('-')?, count('+')?))
}

fn read(line: &str) -> Line {
    let kind = match line.chars().next() {
        Some('+') => Kind::Added,
        Some('-') => Kind::Removed,
        Some('@' | '\\') => Kind::Place,
        // An empty line may have lost its blank.
        Some(_) | None => Kind::Kept,
    };
    let text = match kind {
        Kind::Place => line,
        Kind::Kept | Kind::Added | Kind::Removed => line.get(1..).unwrap_or_default(),
    };
    Line { kind, text: text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_lines_are_told_apart() {
        let diff = "--- /dev/null\n+++ /a/new.json\n@@ -0,0 +1,2 @@\n+{\n+}\n\
            --- /a/config.toml\n+++ /a/config.toml\n@@ -1,3 +1,3 @@\n one\n--- gone\n+++ here\n \n\
            \\ No newline at end of file\n--- /a/old.js\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n";
        let files = files(diff);
        let told: Vec<_> = files.iter().map(|file| (&*file.path, file.fate)).collect();
        assert_eq!(
            told,
            [
                ("/a/new.json", Fate::Made),
                ("/a/config.toml", Fate::Changed),
                ("/a/old.js", Fate::Removed)
            ]
        );
        let changed: Vec<_> = files[1].lines.iter().map(|line| (line.kind, &*line.text)).collect();
        assert_eq!(
            changed,
            [
                (Kind::Place, "@@ -1,3 +1,3 @@"),
                (Kind::Kept, "one"),
                (Kind::Removed, "-- gone"),
                (Kind::Added, "++ here"),
                (Kind::Kept, ""),
                (Kind::Place, "\\ No newline at end of file"),
            ]
        );
        assert_eq!(files[2].lines.len(), 2);
    }

    #[test]
    fn nothing_is_no_file() {
        assert_eq!(super::files(""), []);
        assert_eq!(super::files("words\n"), []);
    }
}
