//! `coffer jobs`: background work, its progress, and ending it.

use clap::{Args, Subcommand};
use coffer_api::distill::DistillOut;
use coffer_api::jobs::{JobKind, JobOut, JobResult, JobsOut};
use coffer_api::routes;

use crate::cli::Cli;
use crate::failure::Failure;
use crate::render::moment;
use crate::words::word;

/// What to do with jobs; a list of them when nothing is named.
#[derive(Debug, Args)]
pub(crate) struct Jobs {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Debug, Subcommand)]
enum What {
    /// All jobs, newest first
    List,
    /// One job
    Get {
        /// Its id
        id: String,
    },
    /// End a job
    Cancel {
        /// Its id
        id: String,
    },
}

impl Jobs {
    /// Does it.
    pub(crate) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        let client = cli.client()?;
        let job: JobOut = match self.what {
            None | Some(What::List) => {
                let jobs: JobsOut = client.get(routes::JOBS)?;
                return cli.screen.show(&jobs, |page| {
                    let headers = ["id", "kind", "store", "state", "done", "since"];
                    page.table(headers, jobs.jobs.iter().map(row), "No job has run.");
                });
            }
            Some(What::Get { id }) => client.get(&routes::fill(routes::JOB, &[&id]))?,
            Some(What::Cancel { id }) => client.delete(&routes::fill(routes::JOB, &[&id]))?,
        };
        cli.screen.show(&job, |page| {
            let [id, kind, store, state, done, since] = row(&job);
            page.fields(&[
                ("id", id),
                ("kind", kind),
                ("store", store),
                ("state", state),
                ("done", done),
                ("since", since),
                ("session", distilled(&job, |done| Some(done.session_id.clone()))),
                ("result", distilled(&job, |done| Some(word(&done.status)))),
                ("reason", distilled(&job, |done| done.reason.clone())),
                ("ended", job.finished_at.as_deref().map(moment).unwrap_or_default()),
                ("error", job.error.clone().unwrap_or_default()),
            ]);
        })
    }
}

/// What distilling a session gave.
fn distilled(job: &JobOut, part: impl Fn(&DistillOut) -> Option<String>) -> String {
    match &job.result {
        Some(JobResult::Distill(done)) => part(done).unwrap_or_default(),
        _ => String::new(),
    }
}

/// What stands in place of one store.
const fn whole(kind: JobKind) -> &'static str {
    match kind {
        // The session says it.
        JobKind::Distill | JobKind::InstallModel => "",
        JobKind::Reindex
        | JobKind::Ingest
        | JobKind::Embed
        | JobKind::Export
        | JobKind::Import
        | JobKind::Purge
        | JobKind::Organize
        | JobKind::Reorg => "all",
    }
}

fn row(job: &JobOut) -> [String; 6] {
    let done = job.progress.done;
    [
        job.id.clone(),
        word(&job.kind),
        job.store.clone().unwrap_or_else(|| whole(job.kind).to_owned()),
        word(&job.state),
        job.progress.total.map_or_else(|| done.to_string(), |total| format!("{done} of {total}")),
        moment(&job.created_at),
    ]
}
