//! Taking knowledge bases in from an archive. Nothing that stands is changed: the same file is the same,
//! another one of its name is kept beside it, with its original. So an import that was cut off is
//! finished by another one.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{BufReader, Seek as _};
use std::path::Path;

use coffer_domain::archive::{
    BASE_FILE, Owner, base_place_of, beside, is_of_base, is_original, name_of_base,
};
use coffer_domain::fact::Author;
use coffer_domain::id::sha256;
use coffer_domain::kb::KbName;
use coffer_domain::time::Timestamp;
use coffer_env::{KbPaths, clock};

use super::record::{Record, Staged};
use super::{BasePatch, KnowledgeBases, audit_row};
use crate::archive::{Body, Entry, LIMITS, Listed, Survey, Verdict, read, survey};
use crate::error::{Error, Result};
use crate::knowledge::{ImportedFile, NewFile, Outcome, Outcomes, Progress};
use crate::vault::{Dir, Expect, Source};

/// So many documents are indexed in one transaction.
const BATCH: usize = 64;
/// A batch that has so many bytes is written.
const BATCH_BYTES: usize = 8 << 20;
/// The longest name that file systems take, in bytes.
const MOST_NAME: usize = 255;

/// An archive of which knowledge bases are taken in.
pub(crate) struct Unpacking<'a> {
    /// The archive, absolute.
    pub path: &'a Path,
    /// Only this one is taken, or store.
    pub only: Option<&'a Owner>,
    /// Whether nothing is written.
    pub dry_run: bool,
    /// When.
    pub now: Timestamp,
    /// Told files done and in all; ends the work by `false`.
    pub progress: Progress<'a>,
}

/// What becomes of the files of one knowledge base.
#[derive(Default)]
struct Plan {
    /// Documents and retired versions that are written: by name, where to, and how the list has them.
    texts: HashMap<String, (String, Listed)>,
    /// Originals that wait for their documents, by name.
    originals: HashMap<String, Staged>,
}

impl KnowledgeBases {
    /// Takes in what an archive holds of knowledge bases; adds to how many files were written, and what
    /// became of each.
    pub(crate) fn unpack(
        &self,
        from: &Unpacking<'_>,
        (written, outcomes): (&mut u64, &mut Outcomes),
    ) -> Result<()> {
        let Source::File(dir, name) = Source::open(from.path, self.0.home.root())? else {
            return Ok(());
        };
        let Some((mut archive, _)) = dir.open_file(&name)? else { return Ok(()) };
        let Survey { wanted, kept, refused } =
            survey(&archive, from.path, &|name| judge(name, from.only))?;
        refused.into_iter().for_each(|(name, reason)| outcomes.skipped.add(name, reason));
        let mut bases: BTreeMap<KbName, Vec<Listed>> = BTreeMap::new();
        for (name, listed) in wanted {
            if let Ok((base, _)) = base_place_of(&name) {
                bases.entry(base).or_default().push(listed);
            }
        }
        for (base, mut files) in bases {
            files.sort_by(|a, b| a.path.cmp(&b.path));
            let name = name_of_base(&base, BASE_FILE);
            // What its list does not vouch for is refused already.
            let is_listed = files.iter().any(|listed| listed.path == name);
            let file = kept.get(&name).filter(|_| is_listed).map(Vec::as_slice);
            let root = match self.root_of(&base) {
                Ok(root) => root,
                Err(error) => {
                    let reason = error.to_string();
                    files.into_iter().for_each(|it| outcomes.skipped.add(it.path, reason.clone()));
                    continue;
                }
            };
            *written += self.take_settings(from, &base, (root.as_ref(), file), outcomes)?;
            let plan = plan(from, &base, root.as_ref(), files, outcomes)?;
            if from.dry_run || (plan.texts.is_empty() && plan.originals.is_empty()) {
                continue;
            }
            self.carry(from, &base, (&mut archive, plan), (written, outcomes))?;
            self.changed(&base);
        }
        Ok(())
    }

    /// The folder of a knowledge base, if there is one.
    fn root_of(&self, base: &KbName) -> Result<Option<Dir>> {
        let all = Dir::find(&self.0.home.knowledge())?;
        all.map_or(Ok(None), |all| all.find_at(base.as_str()))
    }

    /// Description and settings: what a knowledge base here says of itself stays. How many files were
    /// written.
    fn take_settings(
        &self,
        from: &Unpacking<'_>,
        base: &KbName,
        (root, bytes): (Option<&Dir>, Option<&[u8]>),
        outcomes: &mut Outcomes,
    ) -> Result<u64> {
        let Some(bytes) = bytes else { return Ok(0) };
        let name = name_of_base(base, BASE_FILE);
        let standing = root.map_or(Ok(None), |root| root.read(BASE_FILE))?;
        let outcome = match (root, standing) {
            (_, Some(file)) if file.bytes == bytes => Outcome::Same,
            (Some(_), _) => {
                let reason = "the knowledge base here has its own settings, which stay";
                outcomes.skipped.add(name, reason);
                return Ok(0);
            }
            (None, _) => Outcome::Added,
        };
        outcomes.count(imported(&name, base, BASE_FILE, outcome), from.dry_run);
        if from.dry_run || outcome == Outcome::Same {
            return Ok(0);
        }
        let root = Dir::make(&self.0.home.knowledge())?.make_at(base.as_str())?;
        root.write(BASE_FILE, bytes, Expect::Absent)?;
        self.audit(&audit_row("resource_created", &Author::USER, base, &[], from.now));
        Ok(1)
    }

    /// Writes what is planned: first the originals, which take their places once their documents stand.
    fn carry(
        &self,
        from: &Unpacking<'_>,
        base: &KbName,
        (archive, plan): (&mut File, Plan),
        (written, outcomes): (&mut u64, &mut Outcomes),
    ) -> Result<()> {
        if self.root_of(base)?.is_none() {
            self.create(base, &BasePatch::default(), &Author::USER, from.now)?;
        }
        let root = Dir::make(&self.0.home.knowledge())?.at(base.as_str())?;
        let raw = root.make_at(KbPaths::RAW)?;
        let Plan { texts, originals } = plan;
        let documents = originals.values().cloned().collect();
        let record = Record::Intake { base: base.to_string(), documents };
        self.recorded(&record, || {
            let steps = Steps { from, done: Cell::new(0), total: texts.len() + originals.len() };
            if !originals.is_empty() {
                stage(&steps, archive, &raw, &originals)?;
            }
            self.write_texts(&steps, archive, base, (texts, written))
        })?;
        for (name, staged) in originals {
            let original = KbPaths::original(&staged.stem, &staged.extension);
            if raw.holds(&original)? {
                *written += 1;
                let path = format!("{}/{original}", KbPaths::RAW);
                outcomes.count(imported(&name, base, &path, Outcome::Added), false);
            } else {
                outcomes.skipped.add(name, "its document was made of another file");
            }
        }
        Ok(())
    }

    /// Documents and retired versions.
    fn write_texts(
        &self,
        steps: &Steps<'_>,
        archive: &mut File,
        base: &KbName,
        (mut texts, written): (HashMap<String, (String, Listed)>, &mut u64),
    ) -> Result<()> {
        let at = self.open(base)?.at;
        let (mut batch, mut bytes) = (Vec::new(), 0);
        steps.each(archive, &mut |name, body| {
            let Some((path, listed)) = texts.remove(name) else { return Ok(()) };
            let text = body.whole()?;
            if sha256(&text) != listed.sha256 {
                return Err(changed(steps.from.path));
            }
            bytes += text.len();
            let latest = steps.from.now.micros().saturating_mul(1_000);
            let modified_ns = Some(listed.modified_ns.clamp(0, latest));
            batch.push(NewFile { path, bytes: text, modified_ns, before: None });
            if batch.len() >= BATCH || bytes >= BATCH_BYTES {
                bytes = 0;
                *written += batch.len() as u64;
                self.knowledge().write_all(&at, std::mem::take(&mut batch), Vec::new())?;
            }
            steps.next()
        })?;
        *written += batch.len() as u64;
        self.knowledge().write_all(&at, batch, Vec::new()).map(drop)
    }
}

/// How far an import is.
struct Steps<'a> {
    from: &'a Unpacking<'a>,
    done: Cell<u64>,
    total: usize,
}

impl Steps<'_> {
    /// Reads the archive once more.
    fn each(
        &self,
        archive: &mut File,
        take: &mut dyn FnMut(&str, Body<'_>) -> Result<()>,
    ) -> Result<()> {
        let path = self.from.path;
        archive.rewind().map_err(|error| Error::file("read", path, &error))?;
        read(BufReader::new(&*archive), path, &LIMITS, |entry| match entry {
            Entry::File { name, body } => take(&name, body),
            Entry::Refused { .. } => Ok(()),
        })
    }

    fn next(&self) -> Result<()> {
        self.done.set(self.done.get() + 1);
        let goes_on = (self.from.progress)(self.done.get(), self.total as u64);
        if goes_on { Ok(()) } else { Err(Error::Cancelled) }
    }
}

/// Keeps originals where they wait for their documents, a part of each at a time.
fn stage(
    steps: &Steps<'_>,
    archive: &mut File,
    raw: &Dir,
    originals: &HashMap<String, Staged>,
) -> Result<()> {
    steps.each(archive, &mut |name, body| {
        let Some(staged) = originals.get(name) else { return Ok(()) };
        raw.write_parts(&staged.name(), false, |file| {
            let hash = body.copy_to(file)?;
            if hash == staged.sha256 { Ok(()) } else { Err(changed(steps.from.path)) }
        })?;
        steps.next()
    })
}

/// What becomes of a file of an archive, by its name.
fn judge(name: &str, only: Option<&Owner>) -> Verdict {
    if !is_of_base(name) {
        return Verdict::Ignore;
    }
    match base_place_of(name) {
        Err(reason) => Verdict::Refuse(reason),
        Ok((base, _)) if only.is_some_and(|only| *only != Owner::Base(base.clone())) => {
            Verdict::Ignore
        }
        Ok((_, BASE_FILE)) => Verdict::Keep,
        Ok(_) => Verdict::Take,
    }
}

/// Decides by the hashes of the list what is written, and where to.
fn plan(
    from: &Unpacking<'_>,
    base: &KbName,
    root: Option<&Dir>,
    files: Vec<Listed>,
    outcomes: &mut Outcomes,
) -> Result<Plan> {
    let mut plan = Plan::default();
    let (originals, texts): (Vec<Listed>, Vec<Listed>) =
        files.into_iter().partition(|listed| is_original(&listed.path));
    // The stems of documents in the archive, and what they are here.
    let mut stems: HashMap<String, String> = HashMap::new();
    for listed in texts {
        let Ok((_, path)) = base_place_of(&listed.path) else { continue };
        if path == BASE_FILE {
            continue;
        }
        let (to, outcome) = match placed(root, path, &listed.sha256) {
            Ok(Some(placed)) => placed,
            Ok(None) => {
                let reason = "other files stand at its name and beside it";
                outcomes.skipped.add(&listed.path, reason);
                continue;
            }
            Err(error) => {
                outcomes.skipped.add(&listed.path, error.to_string());
                continue;
            }
        };
        if path.starts_with(KbPaths::DOCS) {
            stems.insert(KbPaths::stem(path).to_owned(), KbPaths::stem(&to).to_owned());
        }
        outcomes.count(imported(&listed.path, base, &to, outcome), from.dry_run);
        if outcome != Outcome::Same {
            plan.texts.insert(listed.path.clone(), (to, listed));
        }
    }
    for listed in originals {
        plan.add_original(from, base, root, &listed, (&stems, outcomes))?;
    }
    Ok(plan)
}

impl Plan {
    fn add_original(
        &mut self,
        from: &Unpacking<'_>,
        base: &KbName,
        root: Option<&Dir>,
        listed: &Listed,
        (stems, outcomes): (&HashMap<String, String>, &mut Outcomes),
    ) -> Result<()> {
        let (_, file) = listed.path.rsplit_once('/').unwrap_or_default();
        let stem = KbPaths::original_stem(file).and_then(|stem| Some((stem, stems.get(stem)?)));
        let Some((own, stem)) = stem else {
            outcomes.skipped.add(&listed.path, "its document is not in the archive");
            return Ok(());
        };
        let extension = file[own.len() + 1..].to_owned();
        let original = KbPaths::original(stem, &extension);
        let path = format!("{}/{original}", KbPaths::RAW);
        if root.map_or(Ok(false), |root| holds(root, &original))? {
            outcomes.count(imported(&listed.path, base, &path, Outcome::Same), from.dry_run);
            return Ok(());
        }
        let token = format!("{:08x}", u32::from_ne_bytes(clock::random()));
        let sha256 = listed.sha256.clone();
        let staged = Staged { stem: stem.clone(), token, extension, sha256 };
        if staged.name().len() > MOST_NAME {
            outcomes.skipped.add(&listed.path, "its name is too long");
            return Ok(());
        }
        if from.dry_run {
            outcomes.count(imported(&listed.path, base, &path, Outcome::Added), true);
        }
        self.originals.insert(listed.path.clone(), staged);
        Ok(())
    }
}

fn holds(root: &Dir, original: &str) -> Result<bool> {
    root.find_at(KbPaths::RAW)?.map_or(Ok(false), |raw| raw.holds(original))
}

/// Where a file of these bytes goes, and what becomes of it; `None` where there is no place for it.
fn placed(root: Option<&Dir>, path: &str, sha256: &str) -> Result<Option<(String, Outcome)>> {
    let Some(root) = root else { return Ok(Some((path.to_owned(), Outcome::Added))) };
    let other = beside(path, sha256);
    for (path, fresh) in [(path.to_owned(), Outcome::Added), (other, Outcome::Conflicting)] {
        match root.read_at(&path)? {
            None => return Ok(Some((path, fresh))),
            Some(file) if file.sha256() == sha256 => return Ok(Some((path, Outcome::Same))),
            Some(_) => {}
        }
    }
    Ok(None)
}

fn imported(from: &str, base: &KbName, path: &str, outcome: Outcome) -> ImportedFile {
    let (from, path) = (from.to_owned(), path.to_owned());
    ImportedFile { from, store: Owner::Base(base.clone()), path, outcome }
}

fn changed(path: &Path) -> Error {
    let reason = "it changed while it was read; import it again".to_owned();
    Error::BadSource { path: path.to_owned(), reason }
}
