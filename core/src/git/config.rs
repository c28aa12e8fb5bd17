//! As much of a repository's configuration as is asked for. Includes and the person's own
//! configuration are deliberately not read: they say nothing about which project this is.

use std::path::Path;

use super::read;

/// Larger than any configuration that a person keeps.
const MOST_BYTES: u64 = 1 << 20;

/// The entries of one file, in order: section and key in lower case, the subsection as written.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Config(Vec<Entry>);

#[derive(Debug, PartialEq, Eq)]
struct Entry {
    section: String,
    subsection: Option<String>,
    key: String,
    /// `None` where there is no `=`, which means true.
    value: Option<String>,
}

/// Reads `<common_dir>/config`; a missing or damaged file has the entries before the damage.
pub(super) fn read(common_dir: &Path) -> Config {
    parse(&read::text(&common_dir.join("config"), MOST_BYTES).unwrap_or_default())
}

impl Config {
    /// Whether the repository has no checkout of its own.
    pub(super) fn is_bare(&self) -> bool {
        self.last("core", None, "bare").is_some_and(|entry| match entry.value.as_deref() {
            None => true,
            Some(value) => {
                ["true", "yes", "on", "1"].iter().any(|word| value.eq_ignore_ascii_case(word))
            }
        })
    }

    /// Where the checkout is, relative to the repository's folder or absolute.
    pub(super) fn worktree(&self) -> Option<&str> {
        self.last("core", None, "worktree")?.value.as_deref()
    }

    /// Whether branches are kept in the binary `reftable` form.
    pub(super) fn has_reftable(&self) -> bool {
        let format = self.last("extensions", None, "refstorage");
        format.and_then(|entry| entry.value.as_deref()).is_some_and(|value| value == "reftable")
    }

    /// The first URL of a remote.
    pub(super) fn url(&self, remote: &str) -> Option<&str> {
        self.0.iter().find(|entry| entry.is("remote", Some(remote), "url"))?.value.as_deref()
    }

    fn last(&self, section: &str, subsection: Option<&str>, key: &str) -> Option<&Entry> {
        self.0.iter().rev().find(|entry| entry.is(section, subsection, key))
    }
}

impl Entry {
    fn is(&self, section: &str, subsection: Option<&str>, key: &str) -> bool {
        self.section == section && self.subsection.as_deref() == subsection && self.key == key
    }
}

/// Reads line by line; what follows a line that cannot be read is left out.
fn parse(text: &str) -> Config {
    let mut entries = Vec::new();
    let (mut section, mut subsection) = (String::new(), None);
    let mut rest = text.trim_start_matches('\u{feff}');
    while !rest.is_empty() {
        rest = rest.trim_start();
        if let Some(header) = rest.strip_prefix('[') {
            let Some((name, sub, after)) = read_header(header) else { break };
            (section, subsection, rest) = (name, sub, after);
        } else if rest.starts_with(['#', ';']) {
            rest = rest.split_once('\n').map_or("", |(_, after)| after);
        } else if !rest.is_empty() {
            let Some((key, value, after)) = read_entry(rest) else { break };
            let (section, subsection) = (section.clone(), subsection.clone());
            entries.push(Entry { section, subsection, key, value });
            rest = after;
        }
    }
    Config(entries)
}

/// `name]`, `name "sub"]` or the old `name.sub]`, and what follows.
fn read_header(text: &str) -> Option<(String, Option<String>, &str)> {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '.'))?;
    let (name, rest) = text.split_at(end);
    let (name, old_sub) = match name.split_once('.') {
        Some((name, sub)) => (name, Some(sub.to_ascii_lowercase())),
        None => (name, None),
    };
    let rest = rest.trim_start_matches([' ', '\t']);
    let Some(mut quoted) = rest.strip_prefix('"') else {
        return Some((name.to_ascii_lowercase(), old_sub, rest.strip_prefix(']')?));
    };
    let mut sub = String::new();
    loop {
        let mut chars = quoted.chars();
        match chars.next()? {
            '"' => {
                return Some((
                    name.to_ascii_lowercase(),
                    Some(sub),
                    chars.as_str().strip_prefix(']')?,
                ));
            }
            '\n' => return None,
            '\\' => sub.push(chars.next()?),
            plain => sub.push(plain),
        }
        quoted = chars.as_str();
    }
}

/// `key` or `key = value`, and what follows.
fn read_entry(text: &str) -> Option<(String, Option<String>, &str)> {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).unwrap_or(text.len());
    let (key, rest) = text.split_at(end);
    if key.is_empty() {
        return None;
    }
    let key = key.to_ascii_lowercase();
    let rest = rest.trim_start_matches([' ', '\t']);
    let Some(value) = rest.strip_prefix('=') else {
        let (comment, after) = rest.split_once('\n').unwrap_or((rest, ""));
        let plain = matches!(comment.trim_start().chars().next(), None | Some('#' | ';'));
        return plain.then_some((key, None, after));
    };
    let (value, after) = read_value(value.trim_start_matches([' ', '\t']))?;
    Some((key, Some(value), after))
}

/// A value with its quotes and escapes resolved; comments and blanks round it are no part of it.
fn read_value(text: &str) -> Option<(String, &str)> {
    let (mut value, mut kept, mut quoted) = (String::new(), 0, false);
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\n' if quoted => return None,
            '\n' => break,
            '#' | ';' if !quoted => {
                let rest = chars.as_str();
                chars = rest.split_once('\n').map_or("", |(_, after)| after).chars();
                break;
            }
            '"' => quoted = !quoted,
            '\\' => match chars.next()? {
                '\n' => continue,
                '\r' if chars.as_str().starts_with('\n') => {
                    chars.next();
                    continue;
                }
                'n' => value.push('\n'),
                't' => value.push('\t'),
                'b' => value.push('\u{8}'),
                plain @ ('"' | '\\') => value.push(plain),
                _ => return None,
            },
            '\r' if chars.as_str().is_empty() || chars.as_str().starts_with('\n') => continue,
            plain => value.push(plain),
        }
        if quoted || !c.is_whitespace() {
            kept = value.len();
        }
    }
    value.truncate(kept);
    (!quoted).then_some((value, chars.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn urls_as_git_reads_them() {
        for (text, url) in [
            ("[remote \"origin\"]\n\turl = https://h/a.git\n", Some("https://h/a.git")),
            ("[REMOTE \"origin\"] URL=h:a", Some("h:a")),
            ("[remote \"Origin\"]\nurl = x", None),
            ("[remote.origin]\nurl = x", Some("x")),
            ("[remote \"origin\"]\nurl = \"a b\" # c\n", Some("a b")),
            ("[remote \"origin\"]\nurl = a;c\r\nfetch = +x\r\n", Some("a")),
            ("[remote \"origin\"]\r\n\turl = a\r\n", Some("a")),
            ("[remote \"origin\"]\nurl = a\\\nb\n", Some("ab")),
            ("[remote \"origin\"]\nurl = a\\tb\\\"c\n", Some("a\tb\"c")),
            ("[remote \"origin\"]\npushurl = p\nurl = one\nurl = two", Some("one")),
            ("# url = no\n[core]\nbare\n[remote \"origin\"]\nurl=y", Some("y")),
            ("[remote \"or\\\"igin\"]\nurl = x", None),
            ("[remote \"origin\"]\nurl = \"open\n", None),
            ("[remote \"origin\nurl = x", None),
            ("", None),
        ] {
            assert_eq!(parse(text).url("origin"), url, "{text:?}");
        }
    }

    #[test]
    fn switches() {
        for (text, bare) in [
            ("[core]\nbare = true", true),
            ("[core]\nbare", true),
            ("[core] bare = Yes\n", true),
            ("[core]\nbare = true\nbare = false", false),
            ("[core]\nbare = false", false),
            ("[other]\nbare = true", false),
        ] {
            assert_eq!(parse(text).is_bare(), bare, "{text:?}");
        }
        let config = parse("[core]\nworktree = ../../../sub\n[extensions]\nrefStorage = reftable");
        assert_eq!(config.worktree(), Some("../../../sub"));
        assert!(config.has_reftable());
    }

    proptest! {
        #[test]
        fn anything_ends(text in "[\\[\\]\"\\\\a-c= \\n#;.]{0,200}") {
            parse(&text);
        }
    }
}
