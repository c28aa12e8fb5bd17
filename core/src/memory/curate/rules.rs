//! Rules that the organizer adds, and files of too many of them.

use std::collections::BTreeSet;
use std::path::PathBuf;

use coffer_domain::bundle::{bullets_of, is_plain_list, origin, without_origin};
use coffer_domain::slug;
use coffer_domain::store::{Lane, StoreName};
use coffer_domain::time::Timestamp;

use super::{Applied, Item};
use crate::error::{Error, Result};
use crate::memory::Memory;
use crate::vault::{Dir, Expect, File, on_fresh_text, split};

/// The most rules of a file.
pub(crate) const RULES_OF_A_FILE: usize = 100;
/// Longest slug of a category, in bytes.
const SLUG_BYTES: usize = 60;
/// The file of rules that belong to no other.
const DEFAULT: &str = "rules";

/// A file of rules, as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RulesFile {
    /// The path below the lane, without `.md`.
    pub category: String,
    /// The rules, each whole, with where it comes from.
    pub rules: Vec<String>,
    /// Whether there is nothing else in it but a title.
    pub is_list: bool,
    bytes: Vec<u8>,
}

impl Memory {
    /// The files of the rules lane that are UTF-8, in name order.
    pub(crate) fn rules_files(&self, store: &StoreName) -> Result<Vec<RulesFile>> {
        let mut files = Vec::new();
        for (name, file) in self.lane(store, Lane::Rules, |path| path.ends_with(".md"))? {
            let Some(category) = name.strip_suffix(".md") else { continue };
            if let Ok(text) = std::str::from_utf8(&file.bytes) {
                let (rules, is_list) = (bullets_of(text), is_plain_list(text));
                let (category, bytes) = (category.to_owned(), file.bytes);
                files.push(RulesFile { category, rules, is_list, bytes });
            }
        }
        Ok(files)
    }

    /// Adds a rule that an item became to the file of a category, with where it comes from, unless it
    /// stands somewhere in the lane, and retires the item.
    pub(crate) fn put_rule(
        &self,
        store: &StoreName,
        category: &str,
        rule: &str,
        item: &Item,
        now: Timestamp,
    ) -> Result<Applied> {
        let at = self.store_ref(store);
        let bullet = as_bullet(&format!("{rule} {}", origin(&item.author, item.name())));
        let (applied, path) = on_fresh_text(|| {
            self.knowledge().exclusively(&at, || {
                let files = self.rules_files(store)?;
                let mut grown = self.grown(store, &category_of(&files, category))?;
                if !self.is_still(store, &item.path, Some(&item.bytes))? {
                    return Ok((Applied::Moved, grown.path));
                }
                let is_told = |told: &String| plain(told) == plain(&bullet);
                let is_new = !files.iter().flat_map(|file| &file.rules).any(is_told);
                if is_new {
                    grown.append(std::slice::from_ref(&bullet))?;
                }
                let write = || if is_new { grown.write() } else { Ok(()) };
                let before = grown.before.as_ref().map(|file| &file.bytes[..]);
                let change = (grown.path.as_str(), before, grown.text.as_str());
                self.place_item(&at, item, change, now, write)?;
                Ok((if is_new { Applied::Done } else { Applied::Same }, grown.path))
            })
        })?;
        match applied {
            Applied::Done => {
                self.note(store, &format!("added a rule to `{path}` from `{}`", item.path), now);
            }
            Applied::Same => self.note(store, &format!("knew the rule of `{}`", item.path), now),
            Applied::Moved => {}
        }
        Ok(applied)
    }

    /// Puts the rules of a file into the files of categories, and retires it: the same rules, none lost,
    /// none doubled. After a crash in between, the rules stand in both, and the next pass goes on.
    pub(crate) fn split_rules(
        &self,
        store: &StoreName,
        file: &RulesFile,
        categories: &[(String, Vec<usize>)],
        now: Timestamp,
    ) -> Result<Applied> {
        let path = rules_path(&file.category);
        let named = named(&self.rules_files(store)?, file, categories);
        if named.iter().all(|(name, _)| *name == file.category) {
            return Ok(Applied::Same);
        }
        let at = self.store_ref(store);
        let is_done = self.knowledge().exclusively(&at, || {
            let present = self.read_file(store, &path)?;
            let Some(present) = present.filter(|present| present.bytes == file.bytes) else {
                return Ok(false);
            };
            let (kept, moved): (Vec<_>, Vec<_>) =
                named.iter().partition(|(name, _)| *name == file.category);
            let mut grown = Vec::with_capacity(moved.len());
            // All of them before the first is written: one that cannot take its rules stops all.
            for (category, rules) in moved {
                let mut file = self.grown(store, category)?;
                file.append_unknown(rules)?;
                grown.push(file);
            }
            self.archive(store, &path, &present, now)?;
            grown.iter().try_for_each(Grown::write)?;
            let (dir, name) = at.place(&path)?;
            match kept.first() {
                Some((_, rules)) => {
                    let text = format!("{}\n", rules.join("\n"));
                    let expect = Expect::Version(&present.bytes);
                    dir.write(name, text.as_bytes(), expect).map(|_| true)
                }
                None => dir.withdraw(name, &present.bytes),
            }
        })?;
        if !is_done {
            return Ok(Applied::Moved);
        }
        let names: Vec<String> =
            named.iter().map(|(name, _)| format!("`{}`", rules_path(name))).collect();
        self.note(store, &format!("split `{path}` into {}", names.join(", ")), now);
        Ok(Applied::Done)
    }

    /// The file of a category, to which rules are to be appended. For callers that hold the store.
    fn grown(&self, store: &StoreName, category: &str) -> Result<Grown> {
        let path = rules_path(category);
        let (dir, name) = self.store_ref(store).place(&path)?;
        let before = dir.read(name)?;
        let bytes = before.as_ref().map(|file| file.bytes.clone()).unwrap_or_default();
        let at = self.absolute(store, &path);
        let not_editable =
            |reason: &str| Error::NotEditable { path: at.clone(), reason: reason.to_owned() };
        let text = String::from_utf8(bytes).map_err(|_| not_editable("its text is not UTF-8"))?;
        Ok(Grown { path, dir, before, text, at })
    }
}

/// A file of rules with more of them at its end.
struct Grown {
    /// Relative to the store.
    path: String,
    dir: Dir,
    before: Option<File>,
    text: String,
    at: PathBuf,
}

impl Grown {
    /// Appends rules, which must stand there as such. The file is read once for all of them.
    fn append(&mut self, rules: &[String]) -> Result<()> {
        let end = if self.text.contains("\r\n") { "\r\n" } else { "\n" };
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push_str(end);
        }
        for rule in rules {
            self.text.extend([&rule.replace('\n', end), end]);
        }
        if bullets_of(&self.text).ends_with(rules) {
            return Ok(());
        }
        let reason = "what is appended to it would be no rule: something in it has no end, such as a \
             block of code; mend it in an editor";
        Err(Error::NotEditable { path: self.at.clone(), reason: reason.to_owned() })
    }

    /// Appends rules but those that stand there already, from a split that a crash cut off.
    fn append_unknown(&mut self, rules: &[String]) -> Result<()> {
        let known: BTreeSet<String> = bullets_of(&self.text).into_iter().collect();
        let unknown = rules.iter().filter(|rule| !known.contains(*rule)).cloned();
        let unknown: Vec<String> = unknown.collect();
        if unknown.is_empty() { Ok(()) } else { self.append(&unknown) }
    }

    fn write(&self) -> Result<()> {
        let (_, name) = split(&self.path);
        if self.before.as_ref().is_some_and(|file| file.bytes == self.text.as_bytes()) {
            return Ok(());
        }
        self.dir.write(name, self.text.as_bytes(), Expect::as_read(self.before.as_ref())).map(drop)
    }
}

/// The file that a category means: one that is there, whatever its case, else a new one.
fn category_of(files: &[RulesFile], wanted: &str) -> String {
    let wanted = wanted.strip_suffix(".md").unwrap_or(wanted).trim();
    let made = match wanted {
        "" => DEFAULT.to_owned(),
        wanted => slug::slug(wanted, SLUG_BYTES),
    };
    let is_it = |category: &str| {
        category.eq_ignore_ascii_case(wanted) || category.eq_ignore_ascii_case(&made)
    };
    let known = files.iter().find(|file| is_it(&file.category));
    known.map_or(made, |file| file.category.clone())
}

/// The rules of a file by the files that they go into. Two names may mean one file, and each rule must be
/// in it.
fn named(
    files: &[RulesFile],
    file: &RulesFile,
    categories: &[(String, Vec<usize>)],
) -> Vec<(String, Vec<String>)> {
    let mut named: Vec<(String, Vec<String>)> = Vec::with_capacity(categories.len());
    for (name, numbers) in categories {
        let name = category_of(files, name);
        let rules = numbers.iter().filter_map(|number| file.rules.get(*number)).cloned();
        match named.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => known.extend(rules),
            None => named.push((name, rules.collect())),
        }
    }
    named
}

fn rules_path(category: &str) -> String {
    format!("rules/{category}.md")
}

/// A rule as a bullet; further lines belong to it.
fn as_bullet(rule: &str) -> String {
    let rule = rule.trim().strip_prefix("- ").unwrap_or(rule.trim());
    format!("- {}", rule.lines().map(str::trim_end).collect::<Vec<_>>().join("\n  "))
}

/// What makes two bullets one: their words, wherever they come from.
fn plain(bullet: &str) -> String {
    let text = without_origin(bullet);
    let text = text.trim_start_matches(['-', '*', '+', ' ']);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
