//! Rules that the organizer adds, and files of too many of them.

use std::collections::BTreeSet;

use coffer_domain::bundle::{bullets_of, rules_of, without_origin};
use coffer_domain::slug;
use coffer_domain::store::{Lane, StoreName};
use coffer_domain::time::Timestamp;

use super::{Applied, Item};
use crate::error::{Error, Result};
use crate::memory::Memory;
use crate::vault::{Expect, on_fresh_text};

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
    /// Whether there is nothing else in it but headings.
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
                let rules = bullets_of(text);
                let is_list = rules_of(text).len() == rules.len();
                let (category, bytes) = (category.to_owned(), file.bytes);
                files.push(RulesFile { category, rules, is_list, bytes });
            }
        }
        Ok(files)
    }

    /// Adds a rule that an item became to the file of a category, unless it stands somewhere in the
    /// lane, and retires the item.
    pub(crate) fn put_rule(
        &self,
        store: &StoreName,
        category: &str,
        rule: &str,
        item: &Item,
        now: Timestamp,
    ) -> Result<Applied> {
        let at = self.store_ref(store);
        let category = self.category(store, category)?;
        let told: BTreeSet<String> = self
            .rules_files(store)?
            .iter()
            .flat_map(|file| &file.rules)
            .map(|rule| plain(rule))
            .collect();
        let is_new = !told.contains(&plain(&as_bullet(rule)));
        let is_done = on_fresh_text(|| {
            self.knowledge().exclusively(&at, || {
                if !self.is_still(store, &item.path, Some(&item.bytes))? {
                    return Ok(false);
                }
                if is_new {
                    self.append_bullets(store, &category, &[as_bullet(rule)])?;
                }
                self.retire_item(&at, &item.path, now)?;
                Ok(true)
            })
        })?;
        if !is_done {
            return Ok(Applied::Moved);
        }
        if !is_new {
            self.note(store, &format!("knew the rule of `{}`", item.path), now)?;
            return Ok(Applied::Same);
        }
        let path = rules_path(&category);
        self.note(store, &format!("added a rule to `{path}` from `{}`", item.path), now)?;
        Ok(Applied::Done(path))
    }

    /// The file that a category means: one that is there, whatever its case, else a new one.
    fn category(&self, store: &StoreName, wanted: &str) -> Result<String> {
        let wanted = wanted.strip_suffix(".md").unwrap_or(wanted).trim();
        let files = self.rules_files(store)?;
        let known = files.iter().find(|file| file.category.eq_ignore_ascii_case(wanted));
        let made = || match wanted {
            "" => DEFAULT.to_owned(),
            wanted => slug::slug(wanted, SLUG_BYTES),
        };
        Ok(known.map_or_else(made, |file| file.category.clone()))
    }

    /// Appends bullets that do not stand there yet. For callers that hold the store.
    fn append_bullets(&self, store: &StoreName, category: &str, bullets: &[String]) -> Result<()> {
        let path = rules_path(category);
        let (dir, name) = self.store_ref(store).place(&path)?;
        let before = dir.read(name)?;
        let bytes = before.as_ref().map(|file| file.bytes.clone()).unwrap_or_default();
        let text = String::from_utf8(bytes).map_err(|_| Error::NotEditable {
            path: self.absolute(store, &path),
            reason: "its text is not UTF-8".to_owned(),
        })?;
        let known: BTreeSet<String> = bullets_of(&text).iter().map(|rule| plain(rule)).collect();
        let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let mut whole = text;
        for bullet in bullets.iter().filter(|bullet| !known.contains(&plain(bullet))) {
            if !whole.is_empty() && !whole.ends_with('\n') {
                whole.push_str(end);
            }
            whole.extend([&bullet.replace('\n', end), end]);
        }
        let unchanged = before.as_ref().is_some_and(|file| file.bytes == whole.as_bytes());
        if unchanged {
            return Ok(());
        }
        dir.write(name, whole.as_bytes(), Expect::as_read(before.as_ref())).map(drop)
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
        let mut named: Vec<(String, Vec<String>)> = Vec::with_capacity(categories.len());
        for (name, numbers) in categories {
            let name = slug::slug(name, SLUG_BYTES);
            let rules = numbers.iter().filter_map(|number| file.rules.get(*number)).cloned();
            // Two names may mean one file, and each rule must be in it.
            match named.iter_mut().find(|(known, _)| *known == name) {
                Some((_, known)) => known.extend(rules),
                None => named.push((name, rules.collect())),
            }
        }
        if named.iter().all(|(name, _)| *name == file.category) {
            return Ok(Applied::Same);
        }
        let at = self.store_ref(store);
        let is_done = self.knowledge().exclusively(&at, || {
            if !self.is_still(store, &path, Some(&file.bytes))? {
                return Ok(false);
            }
            let (dir, name) = at.place(&path)?;
            let present = dir.read(name)?;
            let present = present.ok_or_else(|| Error::Internal("rules are gone".to_owned()))?;
            self.archive(store, &path, &present, now)?;
            for (category, rules) in named.iter().filter(|(name, _)| *name != file.category) {
                self.append_bullets(store, category, rules)?;
            }
            let kept = named.iter().find(|(name, _)| *name == file.category);
            match kept {
                Some((_, rules)) => {
                    let text = format!("{}\n", rules.join("\n"));
                    dir.write(name, text.as_bytes(), Expect::Version(&present.bytes)).map(drop)?;
                }
                None => dir.remove(name.as_ref())?,
            }
            Ok(true)
        })?;
        if !is_done {
            return Ok(Applied::Moved);
        }
        let names: Vec<String> =
            named.iter().map(|(name, _)| format!("`{}`", rules_path(name))).collect();
        self.note(store, &format!("split `{path}` into {}", names.join(", ")), now)?;
        Ok(Applied::Done(path))
    }
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
