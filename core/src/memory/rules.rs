//! Rules: a person adds a bullet, and nothing of the file changes but its end; or takes one out.

use coffer_domain::bundle::without_bullet;
use coffer_domain::fact::{Author, checked_text};
use coffer_domain::store::{Lane, StoreName};
use coffer_domain::time::Timestamp;

use super::{LaneFile, Memory, audit_row};
use crate::error::{Error, Result};
use crate::vault::{Expect, File, on_fresh_text};

/// The file of rules that name none.
const DEFAULT: &str = "rules";
/// The most characters of a rule.
const RULE_CHARS: usize = 4_096;

impl Memory {
    /// Appends a bullet to a file of the rules lane, `rules.md` when none is named; the first makes
    /// file and store. A rule that stands there already is not doubled.
    ///
    /// # Errors
    ///
    /// A blank or too long text; a name that is no path below the lane; files that cannot be
    /// written.
    pub fn add_rule(
        &self,
        store: &StoreName,
        text: &str,
        file: Option<&str>,
        author: &Author,
        now: Timestamp,
    ) -> Result<LaneFile> {
        let bullet = bullet(&checked_text(text.trim(), RULE_CHARS)?);
        let store = &self.living(store)?;
        let name = self.rules_name(store, file.unwrap_or(DEFAULT))?;
        let path = format!("rules/{name}");
        self.provision(store, None, author, now)?;
        let (file, is_new) = on_fresh_text(|| self.append_rule(store, &path, &bullet))?;
        if is_new {
            self.audit(&audit_row("memory_added", author, store, &[&path], now));
            self.changed(store);
        }
        Ok(self.lane_file(store, Lane::Rules, name, &file))
    }

    /// Takes one bullet out of a file of the rules lane, word for word, and nothing else. The version
    /// before is retired; the file goes with its last line.
    ///
    /// # Errors
    ///
    /// No such file; a bullet that does not stand there; a file that is no UTF-8, or cannot be written.
    pub fn delete_rule(
        &self,
        store: &StoreName,
        file: &str,
        rule: &str,
        author: &Author,
        now: Timestamp,
    ) -> Result<()> {
        let name = self.rules_name(store, file)?;
        let path = format!("rules/{name}");
        on_fresh_text(|| self.take_rule_out(store, &path, rule, now))?;
        self.audit(&audit_row("memory_updated", author, store, &[&path], now));
        self.log(store, &format!("deleted a rule of `{path}`"), author, now)?;
        self.changed(store);
        Ok(())
    }

    fn take_rule_out(
        &self,
        store: &StoreName,
        path: &str,
        rule: &str,
        now: Timestamp,
    ) -> Result<()> {
        let missing = |name: &str| {
            let name = name.to_owned();
            Error::LaneFileNotFound { store: store.to_string(), name }
        };
        let at = self.store_ref(store);
        at.found()?.ok_or_else(|| missing(path))?;
        self.knowledge().exclusively(&at, || {
            let before = self.read_file(store, path)?.ok_or_else(|| missing(path))?;
            let text = std::str::from_utf8(&before.bytes).map_err(|_| Error::NotEditable {
                path: self.absolute(store, path),
                reason: "its text is not UTF-8".to_owned(),
            })?;
            let left = without_bullet(text, rule).ok_or_else(|| missing(rule))?;
            self.archive(store, path, &before, now)?;
            let (dir, name) = at.place(path)?;
            if left.trim().is_empty() {
                return dir.remove(name.as_ref());
            }
            dir.write(name, left.as_bytes(), Expect::Version(&before.bytes)).map(drop)
        })
    }

    /// The file with the bullet in it, and whether that is new.
    fn append_rule(&self, store: &StoreName, path: &str, bullet: &str) -> Result<(File, bool)> {
        let at = self.store_ref(store);
        self.knowledge().exclusively(&at, || {
            let (dir, name) = at.place(path)?;
            let before = dir.read(name)?;
            let Some(text) = with_bullet(before.as_ref().map(|file| &file.bytes[..]), bullet)
            else {
                let before =
                    before.ok_or_else(|| Error::Internal("a rule without a file".to_owned()));
                return Ok((before?, false));
            };
            let stat = dir.write(name, &text, Expect::as_read(before.as_ref()))?;
            Ok((File { bytes: text, stat }, true))
        })
    }

    /// The path below the lane that a person's name for a file means.
    fn rules_name(&self, store: &StoreName, file: &str) -> Result<String> {
        let stem = file.strip_suffix(".md").unwrap_or(file);
        let is_hidden = |part: &str| part.starts_with('.') || part.trim() != part;
        let name = format!("{stem}.md");
        let inside = self.paths(store).resolve(&format!("rules/{name}")).is_some();
        if stem.is_empty() || !inside || stem.split('/').any(is_hidden) {
            let reason = "must be a name such as `style` or `rust/style`".to_owned();
            return Err(Error::Invalid { field: "file", reason });
        }
        Ok(name)
    }
}

/// The rule as a bullet; further lines are indented, so that they belong to it.
fn bullet(text: &str) -> String {
    let text = text.strip_prefix("- ").unwrap_or(text);
    let lines: Vec<String> = text
        .lines()
        .enumerate()
        .map(|(at, line)| match (at, line.trim_end()) {
            (0, line) => format!("- {line}"),
            (_, "") => String::new(),
            (_, line) => format!("  {line}"),
        })
        .collect();
    lines.join("\n")
}

/// The text of a file with the bullet at its end, in the file's own line ends; `None` when it
/// stands there already.
fn with_bullet(before: Option<&[u8]>, bullet: &str) -> Option<Vec<u8>> {
    let Some(before) = before.filter(|bytes| !bytes.is_empty()) else {
        return Some(format!("{bullet}\n").into_bytes());
    };
    let text = String::from_utf8_lossy(before).replace("\r\n", "\n");
    if format!("\n{text}\n").contains(&format!("\n{bullet}\n")) {
        return None;
    }
    let line_end = if before.windows(2).any(|pair| pair == b"\r\n") { "\r\n" } else { "\n" };
    let mut whole = before.to_vec();
    if !whole.ends_with(b"\n") {
        whole.extend(line_end.bytes());
    }
    whole.extend(bullet.replace('\n', line_end).bytes());
    whole.extend(line_end.bytes());
    Some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bullet_goes_to_the_end_and_nothing_else_changes() {
        for (before, after) in [
            (None, "- new\n"),
            (Some(""), "- new\n"),
            (Some("- old\n"), "- old\n- new\n"),
            (Some("# Rules\r\n\r\n- old"), "# Rules\r\n\r\n- old\r\n- new\r\n"),
            (Some("---\nx: 1\n---\n"), "---\nx: 1\n---\n- new\n"),
        ] {
            let whole = with_bullet(before.map(str::as_bytes), "- new").unwrap();
            assert_eq!(String::from_utf8(whole).unwrap(), after);
        }
        for same in ["- new", "a\n- new\nb", "- new\r\n"] {
            assert_eq!(with_bullet(Some(same.as_bytes()), "- new"), None);
        }
        assert_eq!(with_bullet(Some(b"\xff\n"), "- new").unwrap(), b"\xff\n- new\n");
    }

    #[test]
    fn lines_of_one_rule_stay_together() {
        assert_eq!(bullet("one"), "- one");
        assert_eq!(bullet("- one"), "- one");
        assert_eq!(bullet("one\n\ntwo\r\n- x"), "- one\n\n  two\n  - x");
    }
}
