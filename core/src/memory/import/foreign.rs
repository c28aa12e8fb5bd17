//! Memories of other programs: each becomes a fact of the inbox, or a topic document when it is
//! longer than facts of the store may be. No key or password in them reaches the store.

use std::collections::HashSet;

use coffer_domain::import::{self, Format, Found, SourceFile};
use coffer_domain::store::StoreName;
use coffer_env::StorePaths;

use super::Memory;
use super::intake::{Intake, Offered};
use crate::error::Result;
use crate::index::claimed_ids;
use crate::knowledge::Outcome;
use crate::memory::redact::Redacted;
use crate::vault::{Dir, File, Source, walk};

/// The store that takes memories, and what it knows already.
struct Taker<'a> {
    store: &'a StoreName,
    ids: HashSet<String>,
    max_chars: usize,
}

/// Takes in what a source holds.
pub(super) fn take_in(
    intake: &mut Intake<'_>,
    source: &Source,
    format: Format,
    store: &StoreName,
) -> Result<()> {
    let mut into = Taker {
        store,
        ids: known(intake.memory, store)?,
        max_chars: intake.memory.config_of(store)?.max_fact_chars as usize,
    };
    let (dir, paths) = listed(intake, source, format);
    let total = paths.len() as u64;
    for (done, path) in (0..).zip(paths) {
        intake.step(done, total)?;
        match dir.read_at(&path) {
            Ok(Some(file)) => take_file(intake, &mut into, format, &path, &file)?,
            Ok(None) => intake.skip(path, "it went away meanwhile"),
            Err(error) => intake.skip(path, error.to_string()),
        }
    }
    Ok(())
}

fn known(memory: &Memory, store: &StoreName) -> Result<HashSet<String>> {
    let at = memory.store_ref(store);
    memory.knowledge().fresh(&at, |db| claimed_ids(db, &at.scope))
}

/// The files of a source that may hold memories.
fn listed<'a>(
    intake: &mut Intake<'_>,
    source: &'a Source,
    format: Format,
) -> (&'a Dir, Vec<String>) {
    match source {
        Source::File(dir, name) => (dir, vec![name.clone()]),
        Source::Folder(dir) => {
            let found = walk(dir, &[""], |path| format.covers(path));
            for left in found.skipped {
                intake.skip(left.path, left.reason);
            }
            (dir, found.files.into_iter().map(|file| file.path).collect())
        }
    }
}

fn take_file(
    intake: &mut Intake<'_>,
    into: &mut Taker<'_>,
    format: Format,
    path: &str,
    file: &File,
) -> Result<()> {
    let Ok(text) = std::str::from_utf8(&file.bytes) else {
        intake.skip(path, "its text is not UTF-8");
        return Ok(());
    };
    let sha256 = file.sha256();
    let modified = file.stat.modified().min(intake.now);
    let reading = import::read(format, SourceFile { path, text, sha256: &sha256, modified });
    for (place, reason) in reading.skipped {
        intake.skip(place, reason);
    }
    for found in reading.found {
        take_memory(intake, into, format, found, &sha256)?;
    }
    Ok(())
}

fn take_memory(
    intake: &mut Intake<'_>,
    into: &mut Taker<'_>,
    format: Format,
    found: Found,
    sha256: &str,
) -> Result<()> {
    // Of the text as it was found, so that a new rule for secrets makes no new memory of it.
    let id = found.id(format);
    if !into.ids.insert(id.to_string()) {
        intake.count(&found.place, into.store, &found.place, Outcome::Same);
        return Ok(());
    }
    let place = found.place.clone();
    let (memory, mut redacted) = (intake.memory, Redacted::new());
    let found = match found.try_map(&mut |text| memory.redact("text", text, &mut redacted)) {
        Ok(found) => found,
        Err(error) => {
            intake.skip(place, error.to_string());
            return Ok(());
        }
    };
    intake.redacted(redacted);
    let is_fact = found.text.chars().count() <= into.max_chars;
    let path = if is_fact { StorePaths::fact } else { StorePaths::topic };
    intake.offer(Offered {
        from: &found.place,
        store: into.store,
        path: &path(&found.title, id.as_str()),
        bytes: found.render(&id, format, sha256).into_bytes(),
        // What a program says of times counts, so that an old memory is no news.
        modified_ns: intake.past(found.updated_at.whole_second().micros().saturating_mul(1_000)),
    })
}
