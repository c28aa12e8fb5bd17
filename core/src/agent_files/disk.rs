//! From texts to files: read, decide, write if nobody else wrote, and look again.

use std::path::Path;
use std::time::Duration;

use coffer_env::clock;

use super::flaw::Flaw;
use super::record::{FileRecord, Outcome};
use crate::error::{Error, Result};
use crate::vault::{Foreign, Held};

/// So often a change is made of what another program wrote meanwhile.
const TRIES: usize = 5;
/// So long a program may take to write a file over.
const PAUSE: Duration = Duration::from_millis(20);
/// So old an empty file must be: one that is written over is empty for a moment, and on a busy disk
/// for longer.
const REST: i64 = 1_000_000;

/// What became of a file.
#[derive(Debug)]
pub(crate) struct Written {
    /// Its text before; `None` for no file.
    pub before: Option<String>,
    /// Its text now.
    pub after: Option<String>,
    /// What is to be noted of it.
    pub record: Option<FileRecord>,
}

/// Why a file was not changed.
#[derive(Debug)]
pub(crate) enum Untouched {
    /// It cannot be done safely.
    Unsafe(String),
    /// The machine failed.
    Failed(Error),
}

/// The text of a file; `None` where there is none.
pub(crate) fn present(path: &Path) -> Result<Option<String>, Untouched> {
    let file = Foreign::at(path)?;
    Ok(read(&file)?.map(|(_, text)| text))
}

/// Says what a file would become, and whether it could be written.
pub(crate) fn trial(
    path: &Path,
    record: Option<&FileRecord>,
    decide: impl Fn(Option<&str>, Option<&FileRecord>) -> Result<Outcome, Flaw>,
) -> Result<Written, Untouched> {
    for _ in 0..TRIES {
        let file = Foreign::at(path)?;
        let held = read(&file)?;
        let before = held.as_ref().map(|(_, text)| text.clone());
        let decided = decide(before.as_deref(), record);
        let Some(outcome) = settled(&file, held.as_ref(), decided)? else { continue };
        if outcome.text != before {
            writable(&file, held.as_ref())?;
        }
        return Ok(Written { before, after: outcome.text, record: outcome.record });
    }
    Err(busy())
}

/// Lets `decide` say what a file is to be, and makes it that. It is asked again whenever another
/// program wrote the file meanwhile, and once more afterwards. `note` keeps what undoes the change
/// before it is made.
pub(crate) fn change(
    path: &Path,
    mut record: Option<FileRecord>,
    note: impl Fn(&FileRecord) -> Result<()>,
    decide: impl Fn(Option<&str>, Option<&FileRecord>) -> Result<Outcome, Flaw>,
) -> Result<Written, Untouched> {
    let mut first: Option<Option<String>> = None;
    for _ in 0..TRIES {
        let file = Foreign::at(path)?;
        let held = read(&file)?;
        let text = held.as_ref().map(|(_, text)| text.as_str());
        let decided = decide(text, record.as_ref());
        let Some(outcome) = settled(&file, held.as_ref(), decided)? else { continue };
        let before = first.get_or_insert_with(|| text.map(str::to_owned)).clone();
        if outcome.text.as_deref() == text {
            return Ok(Written { before, after: outcome.text, record: outcome.record });
        }
        writable(&file, held.as_ref())?;
        outcome.record.as_ref().map_or(Ok(()), &note)?;
        if let Some(made) = write(&file, held.as_ref(), &outcome, record.as_ref())? {
            record = made;
            // Whoever read the file before and writes it now does not know of the change.
            if read(&file)?.map(|(_, text)| text) == outcome.text {
                return Ok(Written { before, after: outcome.text, record });
            }
        }
    }
    Err(busy())
}

fn busy() -> Untouched {
    Untouched::Unsafe("another program keeps writing it".to_owned())
}

/// What a file is to be; `None` while it is being written over, which is seen by half a text.
fn settled(
    file: &Foreign,
    held: Option<&(Held, String)>,
    decided: Result<Outcome, Flaw>,
) -> Result<Option<Outcome>, Untouched> {
    let Some((held, text)) = held else { return Ok(decided.map(Some)?) };
    let is_fresh = || clock::now().micros() - held.modified.micros() < REST;
    let is_blank = text.trim().is_empty();
    let (mut is_odd, mut has_changed) = (decided.is_err() || (is_blank && is_fresh()), false);
    while is_odd && !has_changed {
        std::thread::sleep(PAUSE);
        has_changed = read(file)?.is_none_or(|(_, now)| now != *text);
        is_odd = is_blank && is_fresh();
    }
    if has_changed { Ok(None) } else { Ok(decided.map(Some)?) }
}

fn read(file: &Foreign) -> Result<Option<(Held, String)>, Untouched> {
    let Some(held) = file.read()? else { return Ok(None) };
    let text = String::from_utf8(held.bytes.clone());
    let text = text.map_err(|_| Untouched::Unsafe("it is not UTF-8".to_owned()))?;
    Ok(Some((held, text)))
}

fn writable(file: &Foreign, held: Option<&(Held, String)>) -> Result<(), Untouched> {
    match held.and_then(|(held, _)| file.locked(held)) {
        Some(reason) => Err(Untouched::Unsafe(reason.to_owned())),
        None => Ok(()),
    }
}

/// What is to be noted of the file that was written; `None` when it is another one meanwhile.
fn write(
    file: &Foreign,
    held: Option<&(Held, String)>,
    outcome: &Outcome,
    before: Option<&FileRecord>,
) -> Result<Option<Option<FileRecord>>, Untouched> {
    let mut record = outcome.record.clone();
    // What Coffer made and nobody else changed. A copy beside it is of an older file of the person's.
    let is_own = |text: &str| {
        let is_as_left =
            |it: &&FileRecord| it.created && it.after == coffer_domain::id::sha256(text);
        before.filter(is_as_left).is_some()
    };
    let is_done = match (held, &outcome.text) {
        (None, None) => true,
        (None, Some(text)) => match file.create(text.as_bytes())? {
            None => false,
            Some(folders) => {
                if let Some(record) = &mut record {
                    record.folders.extend(folders);
                }
                true
            }
        },
        (Some((held, now)), Some(text)) => file.replace(text.as_bytes(), held, is_own(now))?,
        (Some((held, text)), None) => {
            let folders = before.map(|record| record.folders.as_slice()).unwrap_or_default();
            file.remove(held, folders, is_own(text))?
        }
    };
    Ok(is_done.then_some(record))
}

impl From<Error> for Untouched {
    fn from(error: Error) -> Self {
        match error {
            Error::Unavailable { reason, .. } => Self::Unsafe(reason),
            other => Self::Failed(other),
        }
    }
}

impl From<Flaw> for Untouched {
    fn from(flaw: Flaw) -> Self {
        Self::Unsafe(flaw.0)
    }
}
