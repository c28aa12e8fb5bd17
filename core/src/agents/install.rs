//! Putting parts into an agent's files and taking them out: all files or none.

use std::path::PathBuf;

use super::ledger::Ledger;
use super::registry::Registered;
use super::state::installation;
use super::target::{Place, target_of};
use super::{Agents, Edited};
use crate::agent_files::{Content, FileRecord, Flaw, Outcome, Part, Target, Untouched, Written};
use crate::agent_files::{change, present, trial};
use crate::error::{Error, Result};
use crate::index;
use crate::vault::unified;
use coffer_domain::id::sha256;
use coffer_domain::time::Timestamp;
use coffer_env::AgentFolder;

/// A file that changed, and the parts that did in it.
type Done = (PathBuf, Vec<Part>);

/// Whether parts come or go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    In,
    Out,
}

impl Way {
    fn decide(
        self,
        target: &Target,
        parts: &[Part],
        text: Option<&str>,
        record: Option<&FileRecord>,
    ) -> Result<Outcome, Flaw> {
        match self {
            Self::In => target.put(parts, text, record),
            Self::Out => target.take(parts, text, record),
        }
    }
}

impl Agents {
    /// What Coffer may have in an agent's files, those too that are no more its files.
    pub(super) fn targets(&self, agent: &Registered, ledger: &Ledger) -> Result<Vec<Target>> {
        let mut targets =
            self.with_place(agent, &[], |place| target_of(agent.kind).targets(place))?;
        for record in ledger.records() {
            let is_known = targets.iter().any(|target| target.path == record.path);
            let like = targets.iter().find(|target| target.has(&record.parts)).cloned();
            if let Some(like) = like.filter(|_| !is_known) {
                targets.push(Target { path: record.path.clone(), ..like });
            }
        }
        Ok(targets)
    }

    fn with_place<T>(
        &self,
        agent: &Registered,
        needed: &[Part],
        work: impl FnOnce(&Place<'_>) -> T,
    ) -> Result<T> {
        let program = |name: &str, part| match self.0.around.own_program(name) {
            Some(program) => Ok(program),
            None if needed.contains(&part) => {
                let reason = "it is not beside this program; install Coffer whole".to_owned();
                Err(Error::Launch { program: name.to_owned(), reason })
            }
            None => Ok(PathBuf::from(name)),
        };
        let hook = program("coffer-hook", Part::Hook)?;
        let shim = program("coffer-mcp-shim", Part::Mcp)?;
        let folder = AgentFolder::at(&agent.folder);
        let arguments = self.arguments(agent);
        let (arguments, around) = (&arguments[..], &self.0.around);
        Ok(work(&Place { folder: &folder, arguments, hook: &hook, shim: &shim, around }))
    }

    /// What Coffer's programs are told. Agents do not hand every variable on, so that a Coffer elsewhere
    /// than usual is named.
    fn arguments(&self, agent: &Registered) -> Vec<String> {
        let mut arguments = vec!["--agent".to_owned(), agent.name.clone()];
        let own = self.0.home.root();
        if self.0.around.in_home(".coffer").as_deref() != Some(own) {
            arguments.extend(["--home".to_owned(), own.display().to_string()]);
        }
        arguments
    }

    /// Lets parts come or go. A trial only says what would change.
    pub(super) fn edit(
        &self,
        agent: &Registered,
        parts: &[Part],
        way: Way,
        is_trial: bool,
        now: Timestamp,
    ) -> Result<Edited> {
        let mut ledger = Ledger::read(&self.0.home, &agent.name)?;
        let targets = self.targets(agent, &ledger)?;
        let targets: Vec<Target> = targets.into_iter().filter(|it| it.has(parts)).collect();
        let notes = match way {
            Way::In => self.with_place(agent, parts, |place| {
                parts.iter().filter_map(|part| target_of(agent.kind).note(*part, place)).collect()
            })?,
            Way::Out => Vec::new(),
        };
        let mut edited = Edited { notes, ..Edited::default() };
        for target in &targets {
            let decide = |text: Option<&str>, record: Option<&FileRecord>| {
                way.decide(target, parts, text, record)
            };
            let would = trial(&target.path, ledger.of(&target.path), decide);
            let would = would.map_err(|error| refused(target, parts, way, error))?;
            let Written { before, after, record: _ } = would;
            edited.diff += &unified(&target.path, before.as_deref(), after.as_deref());
        }
        if is_trial {
            return Ok(edited);
        }
        let done = self.edit_all(&targets, parts, way, &mut ledger)?;
        self.tell_all(agent, parts, way, &done, now);
        edited.files = done.into_iter().map(|(path, _)| path).collect();
        Ok(edited)
    }

    fn edit_all(
        &self,
        targets: &[Target],
        parts: &[Part],
        way: Way,
        ledger: &mut Ledger,
    ) -> Result<Vec<Done>> {
        let (mut done, mut changed) = (Vec::new(), Vec::new());
        for target in targets {
            let had_none = ledger.of(&target.path).is_none();
            match self.edit_one(target, parts, way, ledger) {
                Ok(parts) if parts.is_empty() => {}
                Ok(parts) => {
                    changed.push((target.path.clone(), parts));
                    done.push((target, had_none));
                }
                Err(error) => {
                    // What was put into other files goes again; what is taken out of them is out.
                    let fresh = done.iter().filter(|(_, had_none)| way == Way::In && *had_none);
                    for (target, _) in fresh {
                        let undone = self.edit_one(target, parts, Way::Out, ledger);
                        if let Err(error) = undone {
                            tracing::warn!(?error, path = %target.path.display(), "stays changed");
                        }
                    }
                    return Err(refused(target, parts, way, error));
                }
            }
        }
        Ok(changed)
    }

    /// The parts that came, changed or went.
    fn edit_one(
        &self,
        target: &Target,
        parts: &[Part],
        way: Way,
        ledger: &mut Ledger,
    ) -> Result<Vec<Part>, Untouched> {
        let record = ledger.of(&target.path).cloned();
        let folders = record.as_ref().map(|record| record.folders.clone()).unwrap_or_default();
        let ahead = std::cell::RefCell::new(&mut *ledger);
        let note = |record: &FileRecord| match way {
            Way::In => {
                let mut ledger = ahead.borrow_mut();
                ledger.put(&target.path, Some(record.clone()));
                ledger.write(&self.0.home)
            }
            // Until it is out, what undoes it is needed.
            Way::Out => Ok(()),
        };
        let decide = |text: Option<&str>, record: Option<&FileRecord>| {
            way.decide(target, parts, text, record)
        };
        let written = change(&target.path, record.clone(), note, decide);
        let written = written.inspect_err(|_| self.take_note_back(target, record, ledger))?;
        if ledger.of(&target.path) != written.record.as_ref() {
            let is_gone = written.record.is_none();
            ledger.put(&target.path, written.record.clone());
            if is_gone {
                ledger.hand_over(folders);
            }
            ledger.write(&self.0.home)?;
        }
        let standing = |part, text: &Option<String>| target.standing(part, text.as_deref()).ok();
        let has_changed =
            |part: &Part| standing(*part, &written.before) != standing(*part, &written.after);
        Ok(parts.iter().copied().filter(has_changed).collect())
    }

    /// A change that was noted ahead and not made is noted no more.
    fn take_note_back(&self, target: &Target, before: Option<FileRecord>, ledger: &mut Ledger) {
        let Some(ahead) = ledger.of(&target.path).filter(|ahead| before.as_ref() != Some(ahead))
        else {
            return;
        };
        let untouched = before.as_ref().map_or(&ahead.before, |before| &before.after);
        let Ok(text) = present(&target.path) else { return };
        if sha256(text.unwrap_or_default()) == *untouched {
            ledger.put(&target.path, before);
            if let Err(error) = ledger.write(&self.0.home) {
                tracing::warn!(?error, path = %target.path.display(), "stays noted");
            }
        }
    }

    fn tell_all(
        &self,
        agent: &Registered,
        parts: &[Part],
        way: Way,
        done: &[Done],
        now: Timestamp,
    ) {
        for part in parts {
            let event = match (part, way) {
                (Part::Mcp, Way::In) => "agent_mcp_installed",
                (Part::Mcp, Way::Out) => "agent_mcp_uninstalled",
                (Part::Hook, Way::In) => "agent_hook_installed",
                (Part::Hook, Way::Out) => "agent_hook_uninstalled",
                (Part::Memory, Way::In) => "agent_native_memory_disabled",
                (Part::Memory, Way::Out) => "agent_native_memory_restored",
            };
            let touched = done.iter().filter(|(_, changed)| changed.contains(part));
            let touched: Vec<String> =
                touched.map(|(path, _)| path.display().to_string()).collect();
            if !touched.is_empty() {
                // The agent and the files, never what is in them.
                let ids = std::iter::once(agent.name.clone()).chain(touched).collect();
                index::tell(&self.0.index, event, ids, now);
            }
        }
    }

    /// How a part of an agent stands.
    pub(super) fn stands(&self, agent: &Registered, part: Part) -> Result<super::Installation> {
        let ledger = Ledger::read(&self.0.home, &agent.name)?;
        Ok(installation(&self.targets(agent, &ledger)?, part, &ledger))
    }
}

fn refused(target: &Target, parts: &[Part], way: Way, error: Untouched) -> Error {
    match error {
        Untouched::Failed(error) => error,
        Untouched::Unsafe(reason) => Error::AgentConfigUnsafe {
            path: target.path.clone(),
            reason,
            snippet: (way == Way::In).then(|| match &target.content {
                Content::Entries { .. } => target.snippet(parts),
                Content::Whole { text, .. } => text.clone(),
            }),
        },
    }
}
