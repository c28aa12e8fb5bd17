//! Taking a text out of files, each by the way of its place.

use coffer_domain::fact::FileText;
use coffer_domain::kb::KbName;
use coffer_domain::slug::slug;
use coffer_domain::store::StoreName;

use super::Purge;
use super::Unreachable;
use super::finder::{Finder, NAME_MARK};
use super::places::{PLACES, Way, place_of, split_base, split_store};
use super::survey::{has_name, parts_of};
use super::text::{Form, clean};
use crate::error::{Error, Result};
use crate::knowledge::StoreRef;
use crate::vault::{Dir, File, Walk, free_name, replace, split};

/// How often a file is tried that somebody else changes at the same time.
const TRIES: usize = 5;
/// The longest slug in a fact's name.
const TITLE_BYTES: usize = 60;

impl Purge {
    /// Takes it out of one file; what cannot be reached is noted.
    pub(super) fn treat(&self, root: &Dir, path: &str, finder: &Finder, left: &mut Unreachable) {
        let way = PLACES[place_of(path)].way;
        let done = match way {
            Way::Rewrite(form) => self.rewrite(root, path, form, finder, left),
            Way::Mask => mask(root, path, finder),
            Way::Delete => remove(root, path),
            Way::Database | Way::Key | Way::Leave | Way::Foreign(_) => Ok(()),
        };
        // What cannot be treated and holds nothing is no matter, where that can be told.
        if let Err(error) = done
            && (way == Way::Delete || has_name(path, finder) || holds(root, path, finder))
        {
            left.add(path, error.to_string());
        }
    }

    fn rewrite(
        &self,
        root: &Dir,
        path: &str,
        form: Form,
        finder: &Finder,
        left: &mut Unreachable,
    ) -> Result<()> {
        let Some(store) = self.store_of(path) else {
            return again(|| {
                rewritten(root, path, form, finder, left, |step| {
                    replace(root, (path, &step.to), &step.bytes, &step.before).map(drop)
                })
            });
        };
        let (at, below) = store;
        again(|| {
            self.knowledge.exclusively(&at, || {
                let Some(dir) = at.found()? else { return Ok(()) };
                rewritten(&dir, &below, form, finder, left, |step| {
                    let names = (below.as_str(), step.to.as_str());
                    self.knowledge.rewrite(&at, names, &step.bytes, &step.before)
                })
            })
        })
    }

    fn store_of(&self, path: &str) -> Option<(StoreRef, String)> {
        if let Some((name, below)) = split_base(path) {
            let opened = self.kb.open(&KbName::parse(name)?).ok()?;
            return Some((opened.at, below.to_owned()));
        }
        let (folder, below) = split_store(path)?;
        let name = folder.rsplit('/').next().unwrap_or_default();
        let is_global = name == "global";
        let word = if is_global { name.to_owned() } else { format!("project-{name}") };
        Some((self.memory.store_ref(&StoreName::parse(&word)?), below.to_owned()))
    }
}

/// Gives folders other names, the deepest first.
pub(super) fn rename_folders(root: &Dir, found: &Walk, finder: &Finder, left: &mut Unreachable) {
    let mut folders: Vec<&String> =
        found.folders.iter().filter(|path| has_name(path, finder)).collect();
    folders.sort_by_key(|path| std::cmp::Reverse(path.matches('/').count()));
    for path in folders {
        let (above, name) = split(path);
        let renamed = root.at(above).and_then(|dir| {
            let new_name = free_name(&dir, &marked_name(name, finder))?;
            dir.rename(name, &dir, &new_name)
        });
        if let Err(error) = renamed {
            left.add(path, error.to_string());
        }
    }
}

/// What a file is to become.
struct Step {
    to: String,
    bytes: Vec<u8>,
    /// The version that it is made from.
    before: Vec<u8>,
}

/// Does one file, if there is something to do.
fn rewritten(
    root: &Dir,
    path: &str,
    form: Form,
    finder: &Finder,
    left: &mut Unreachable,
    carry_out: impl FnOnce(Step) -> Result<()>,
) -> Result<()> {
    let Some(file) = root.read_at(path)? else { return Ok(()) };
    let cleaned = clean(&file.bytes, form, finder);
    let breaks = cleaned.as_ref().is_some_and(|cleaned| cleaned.breaks);
    let bytes = cleaned.map_or_else(|| file.bytes.clone(), |cleaned| cleaned.bytes);
    let to = new_path(root, path, (&file, &bytes), finder)?;
    if to == path && bytes == file.bytes {
        return Ok(());
    }
    carry_out(Step { to, bytes, before: file.bytes })?;
    if breaks {
        left.add(path, "its header cannot be read any more; mend it in an editor");
    }
    Ok(())
}

/// The path without it: names follow what they are made of, as far as that was cut.
fn new_path(
    root: &Dir,
    path: &str,
    (file, bytes): (&File, &[u8]),
    finder: &Finder,
) -> Result<String> {
    let (folder, name) = split(path);
    if path.starts_with("journal/") {
        return Ok(path.to_owned());
    }
    let title = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        slug(&FileText::read(&text, path, file.stat.modified()).title, TITLE_BYTES)
    };
    let mut wanted = name.to_owned();
    if bytes != file.bytes {
        let (old, new) = (title(&file.bytes), title(bytes));
        if old != new && name.contains(&old) {
            wanted = name.replacen(&old, &new, 1);
        }
    }
    let wanted = marked_name(&wanted, finder);
    if wanted == name {
        return Ok(path.to_owned());
    }
    let free = free_name(&root.at(folder)?, &wanted)?;
    Ok(if folder.is_empty() { free } else { format!("{folder}/{free}") })
}

/// A name without it; its end stays.
fn marked_name(name: &str, finder: &Finder) -> String {
    let mut marked = String::with_capacity(name.len());
    let mut at = 0;
    for range in finder.in_name(name) {
        marked.push_str(&String::from_utf8_lossy(&name.as_bytes()[at..range.start]));
        marked.push_str(NAME_MARK);
        at = range.end;
    }
    marked.push_str(&String::from_utf8_lossy(&name.as_bytes()[at..]));
    let end = if name.ends_with(".md") && !marked.ends_with(".md") { ".md" } else { "" };
    marked + end
}

fn mask(root: &Dir, path: &str, finder: &Finder) -> Result<()> {
    let (folder, name) = split(path);
    let mut spans = Vec::new();
    parts_of(root, path, finder, |_, found| spans.extend_from_slice(found))?;
    if spans.is_empty() { Ok(()) } else { root.at(folder)?.mask(name, &spans) }
}

/// Whether it is in a file, or nobody can say.
fn holds(root: &Dir, path: &str, finder: &Finder) -> bool {
    let mut found = false;
    let looked = parts_of(root, path, finder, |_, spans| found |= !spans.is_empty());
    looked.is_err() || found
}

fn remove(root: &Dir, path: &str) -> Result<()> {
    let (folder, name) = split(path);
    root.at(folder)?.remove(name.as_ref())
}

/// Does it again on the fresh text where somebody else wrote in between.
fn again(mut work: impl FnMut() -> Result<()>) -> Result<()> {
    let mut tries = 1;
    loop {
        match work() {
            Err(Error::VersionConflict { .. }) if tries < TRIES => tries += 1,
            other => return other,
        }
    }
}
