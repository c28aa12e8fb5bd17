//! What each kind of job does.

use std::path::PathBuf;

use coffer_env::clock;

use super::{JobOutput, JobRequest, Progress};
use crate::agents::Agents;
use crate::distill::{Asked, Distill, DistillRequest, Distilled, is_settled};
use crate::error::{Error, Result};
use crate::kb::{KnowledgeBases, Unpacking};
use crate::memory::{Import, Imported, Memory, ReindexReport};
use crate::models::Models;
use crate::organize::{Organizer, PassState};
use crate::purge::Purge;

/// What jobs work with.
#[derive(Clone)]
pub(crate) struct Capabilities {
    pub memory: Memory,
    pub kb: KnowledgeBases,
    pub models: Models,
    pub purge: Purge,
    pub organizer: Organizer,
    pub agents: Agents,
    pub distill: Distill,
}

impl Capabilities {
    /// Those of one home.
    pub(crate) fn of(
        (memory, kb): (&Memory, &KnowledgeBases),
        models: &Models,
        purge: &Purge,
        organizer: &Organizer,
        (agents, distill): (&Agents, &Distill),
    ) -> Self {
        let (memory, kb) = (memory.clone(), kb.clone());
        let (purge, organizer) = (purge.clone(), organizer.clone());
        let (agents, distill) = (agents.clone(), distill.clone());
        Self { memory, kb, models: models.clone(), purge, organizer, agents, distill }
    }
}

/// Does what a job is asked to.
pub(crate) fn carry_out(
    with: &Capabilities,
    request: &JobRequest,
    progress: &Progress,
) -> Result<JobOutput> {
    let Capabilities { memory, kb, models, purge, organizer, agents: _, distill: _ } = with;
    let told = |done: u64, total: u64| {
        progress.report(done, Some(total));
        !progress.is_cancelled()
    };
    match request {
        JobRequest::Reindex { store: Some(store) } => {
            memory.reindex(store, &told).map(JobOutput::Reindexed)
        }
        JobRequest::Reindex { store: None } => {
            reindex_all(memory, kb, &told).map(JobOutput::Reindexed)
        }
        JobRequest::ReindexBase(name) => {
            kb.reindex(name, &told, clock::now()).map(JobOutput::Reindexed)
        }
        JobRequest::IngestFolder(request) => {
            kb.ingest_folder(request, &told).map(JobOutput::Ingested)
        }
        JobRequest::Embed => {
            let mut done = memory.embed(&told)?;
            done += kb.embed(&told)?;
            Ok(JobOutput::Embedded(done))
        }
        JobRequest::Export(request) => {
            let others = kb.travelling(&request.stores)?;
            memory.export(request, others, clock::now(), &told).map(JobOutput::Exported)
        }
        JobRequest::Import(request) => import(memory, kb, request, &told).map(JobOutput::Imported),
        JobRequest::InstallModel(install) => {
            models.install(install, &told).map(JobOutput::ModelInstalled)
        }
        JobRequest::Purge(request) => {
            purge.run(request, clock::now(), &told).map(JobOutput::Purged)
        }
        JobRequest::Distill(request) => distill(with, request, progress).map(JobOutput::Distilled),
        JobRequest::Organize(store) => {
            let pass = organizer.organize(store, &told)?;
            not_cancelled(pass.state).map(|()| JobOutput::Organized(pass))
        }
        JobRequest::Reorg(store) => {
            let pass = organizer.reorg(store, &told)?;
            not_cancelled(pass.state).map(|()| JobOutput::Reorganized(pass))
        }
    }
}

/// What was done before stays; the job itself ends as cancelled.
const fn not_cancelled(state: PassState) -> Result<()> {
    match state {
        PassState::Cancelled => Err(Error::Cancelled),
        PassState::Done
        | PassState::Empty
        | PassState::NoModel
        | PassState::Budget
        | PassState::Unavailable => Ok(()),
    }
}

/// A session that ended leaves the queue once nothing more will come of it.
fn distill(
    Capabilities { agents, distill, .. }: &Capabilities,
    request: &DistillRequest,
    progress: &Progress,
) -> Result<Distilled> {
    let waiting = match request.asked {
        Asked::Ended => distill.waiting_one(&request.agent, &request.session)?,
        Asked::Person | Asked::Sweep => None,
    };
    let cwd = waiting.as_ref().map(|waiting| PathBuf::from(&waiting.cwd));
    let go_on = || !progress.is_cancelled();
    let outcome = agents.shelf(&request.agent);
    let outcome = outcome.and_then(|shelf| distill.run(&shelf, request, cwd.as_deref(), &go_on));
    if let Some(waiting) = waiting.filter(|_| is_settled(&outcome)) {
        distill.forget(&waiting)?;
    }
    outcome
}

fn import(
    memory: &Memory,
    kb: &KnowledgeBases,
    request: &Import,
    told: &dyn Fn(u64, u64) -> bool,
) -> Result<Imported> {
    let Import { path, store, dry_run, .. } = request;
    let (only, dry_run, now) = (store.as_ref(), *dry_run, clock::now());
    let from = Unpacking { path, only, dry_run, now, progress: told };
    memory.import(request, now, told, |written, outcomes| kb.unpack(&from, (written, outcomes)))
}

fn reindex_all(
    memory: &Memory,
    kb: &KnowledgeBases,
    told: &dyn Fn(u64, u64) -> bool,
) -> Result<ReindexReport> {
    let mut report = ReindexReport::default();
    for store in memory.stores()? {
        report += memory.reindex(&store.name, told)?;
    }
    for name in kb.names()? {
        report += kb.reindex(&name, told, clock::now())?;
    }
    Ok(report)
}
