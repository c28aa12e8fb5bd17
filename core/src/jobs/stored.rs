//! Requests and outputs as the tables keep them.

mod distilled;
mod passes;

use std::collections::BTreeMap;
use std::path::PathBuf;

use coffer_domain::archive::Owner;
use coffer_domain::id::Id;
use coffer_domain::kb::KbName;
use coffer_domain::store::StoreName;
use serde::{Deserialize, Serialize};

use super::job::{JobOutput, JobRequest};
use crate::kb::{FileOutcome, FolderIngest, FolderReport, IngestedFile};
use crate::memory::{
    Embedded, Export, Exported, Import, Imported, ImportedFile, LeftOut, Outcome, Outcomes,
    ReindexReport, SourceFormat,
};
use crate::models::{Checksum, Install, InstallFrom, Model, ModelName, local::ModelKind};
use crate::purge::{Emptied, PurgeRequest, Purged};
use passes::{StoredOrganized, StoredReorganized};

/// A request that says more than a kind and a store.
#[derive(Serialize, Deserialize)]
pub(super) enum StoredRequest {
    ReindexBase {
        base: String,
    },
    IngestFolder {
        base: String,
        path: PathBuf,
        replace: bool,
    },
    Export {
        path: PathBuf,
        stores: Vec<String>,
        replace: bool,
    },
    Import {
        path: PathBuf,
        format: Option<String>,
        store: Option<String>,
        otherwise: String,
        dry_run: bool,
    },
    AddModel {
        name: String,
        path: PathBuf,
    },
    PullModel {
        name: String,
        from: String,
    },
    Purge {
        record: String,
        dry_run: bool,
    },
    Distill(distilled::StoredRequest),
}

impl StoredRequest {
    /// The form of a request; none for what kind and store say already.
    pub(super) fn of(request: &JobRequest) -> Option<Self> {
        match request {
            JobRequest::Reindex { .. }
            | JobRequest::Embed
            | JobRequest::Organize(_)
            | JobRequest::Reorg(_) => None,
            JobRequest::ReindexBase(base) => Some(Self::ReindexBase { base: base.to_string() }),
            JobRequest::IngestFolder(FolderIngest { base, path, replace }) => {
                Some(Self::IngestFolder {
                    base: base.to_string(),
                    path: path.clone(),
                    replace: *replace,
                })
            }
            JobRequest::Export(Export { path, stores, replace }) => Some(Self::Export {
                path: path.clone(),
                stores: stores.iter().map(ToString::to_string).collect(),
                replace: *replace,
            }),
            JobRequest::Import(Import { path, format, store, otherwise, dry_run }) => {
                Some(Self::Import {
                    path: path.clone(),
                    format: format.map(|format| format.as_str().to_owned()),
                    store: store.as_ref().map(ToString::to_string),
                    otherwise: otherwise.to_string(),
                    dry_run: *dry_run,
                })
            }
            JobRequest::InstallModel(Install { name, from }) => Some(match from.clone() {
                InstallFrom::Folder(path) => Self::AddModel { name: name.to_string(), path },
                InstallFrom::Url(from) => Self::PullModel { name: name.to_string(), from },
            }),
            JobRequest::Purge(PurgeRequest { record, dry_run }) => {
                Some(Self::Purge { record: record.to_string(), dry_run: *dry_run })
            }
            JobRequest::Distill(request) => {
                Some(Self::Distill(distilled::StoredRequest::of(request)))
            }
        }
    }

    /// The request; `None` for words of another version.
    pub(super) fn request(self) -> Option<JobRequest> {
        Some(match self {
            Self::ReindexBase { base } => JobRequest::ReindexBase(KbName::parse(&base)?),
            Self::IngestFolder { base, path, replace } => {
                let base = KbName::parse(&base)?;
                JobRequest::IngestFolder(FolderIngest { base, path, replace })
            }
            Self::Export { path, stores, replace } => {
                let stores = stores.iter().map(|name| Owner::parse(name));
                JobRequest::Export(Export { path, stores: stores.collect::<Option<_>>()?, replace })
            }
            Self::Import { path, format, store, otherwise, dry_run } => {
                JobRequest::Import(Import {
                    path,
                    format: known(format, SourceFormat::parse)?,
                    store: known(store, Owner::parse)?,
                    otherwise: StoreName::parse(&otherwise)?,
                    dry_run,
                })
            }
            Self::AddModel { name, path } => install(&name, InstallFrom::Folder(path))?,
            Self::PullModel { name, from } => install(&name, InstallFrom::Url(from))?,
            Self::Purge { record, dry_run } => {
                JobRequest::Purge(PurgeRequest { record: Id::parse(&record)?, dry_run })
            }
            Self::Distill(stored) => JobRequest::Distill(stored.request()),
        })
    }
}

fn install(name: &str, from: InstallFrom) -> Option<JobRequest> {
    Some(JobRequest::InstallModel(Install { name: ModelName::parse(name)?, from }))
}

/// Reads a word, if there is one; `None` when it is unknown.
fn known<T>(word: Option<String>, read: impl Fn(&str) -> Option<T>) -> Option<Option<T>> {
    word.map_or(Some(None), |word| read(&word).map(Some))
}

/// What a job gave.
#[derive(Serialize, Deserialize)]
pub(super) enum StoredOutput {
    Reindexed {
        scanned: u64,
        reindexed: u64,
        skipped: u64,
        removed: u64,
        degraded: u64,
    },
    Embedded {
        passages: u64,
        waiting: u64,
        failure: Option<String>,
    },
    Ingested {
        /// Ingested, unchanged, skipped, failed.
        counts: [u64; 4],
        /// Path, outcome, reason.
        files: Vec<(String, String, Option<String>)>,
    },
    Exported {
        path: PathBuf,
        stores: u64,
        files: u64,
        bytes: u64,
        skipped: Left,
    },
    Imported {
        format: String,
        dry_run: bool,
        /// Added, same, conflicting.
        counts: [u64; 3],
        skipped: Left,
        /// From, store, path, outcome.
        files: Vec<(String, String, String, String)>,
        more_files: u64,
        redacted: BTreeMap<String, u64>,
    },
    ModelInstalled {
        name: String,
        kind: Option<String>,
        dimensions: Option<u64>,
        size_bytes: u64,
        sha256: Option<String>,
        checksum: String,
        in_use: bool,
        problem: Option<String>,
    },
    Purged {
        dry_run: bool,
        /// Place, files, occurrences, whether the files are deleted.
        places: Vec<(String, u64, u64, bool)>,
        remaining: u64,
        unreachable: Vec<(String, String)>,
    },
    Organized(StoredOrganized),
    Reorganized(StoredReorganized),
    Distilled(distilled::StoredOutput),
}

/// Paths and reasons, and how many more there are.
type Left = (Vec<(String, String)>, u64);

impl StoredOutput {
    /// The form of an output.
    pub(super) fn of(output: &JobOutput) -> Self {
        match output.clone() {
            JobOutput::Reindexed(report) => {
                let ReindexReport { scanned, reindexed, skipped, removed, degraded } = report;
                Self::Reindexed { scanned, reindexed, skipped, removed, degraded }
            }
            JobOutput::Embedded(Embedded { passages, waiting, failure }) => {
                Self::Embedded { passages, waiting, failure }
            }
            JobOutput::Ingested(report) => Self::of_folder(report),
            JobOutput::Exported(Exported { path, stores, files, bytes, skipped }) => {
                Self::Exported { path, stores, files, bytes, skipped: (skipped.rows, skipped.more) }
            }
            JobOutput::Imported(report) => {
                let Imported { format, dry_run, outcomes, redacted } = report;
                let Outcomes { added, same, conflicting, skipped, files, more_files } = outcomes;
                let files = files.into_iter().map(|file| {
                    let ImportedFile { from, store, path, outcome } = file;
                    (from, store.to_string(), path, outcome.as_str().to_owned())
                });
                Self::Imported {
                    format: format.as_str().to_owned(),
                    dry_run,
                    counts: [added, same, conflicting],
                    skipped: (skipped.rows, skipped.more),
                    files: files.collect(),
                    more_files,
                    redacted,
                }
            }
            JobOutput::ModelInstalled(model) => {
                let Model { name, dimensions, size_bytes, sha256, in_use, problem, .. } = model;
                Self::ModelInstalled {
                    name,
                    kind: model.kind.map(|kind| kind.as_str().to_owned()),
                    dimensions,
                    size_bytes,
                    sha256,
                    checksum: model.checksum.as_str().to_owned(),
                    in_use,
                    problem,
                }
            }
            JobOutput::Purged(Purged { dry_run, places, remaining, unreachable }) => {
                let places = places.into_iter().map(|row| {
                    let Emptied { place, files, occurrences, is_deleted } = row;
                    (place, files, occurrences, is_deleted)
                });
                Self::Purged { dry_run, places: places.collect(), remaining, unreachable }
            }
            JobOutput::Organized(pass) => Self::Organized(StoredOrganized::of(pass)),
            JobOutput::Reorganized(pass) => Self::Reorganized(StoredReorganized::of(pass)),
            JobOutput::Distilled(done) => Self::Distilled(distilled::StoredOutput::of(done)),
        }
    }

    fn of_folder(report: FolderReport) -> Self {
        let FolderReport { ingested, unchanged, skipped, failed, files } = report;
        let files = files.into_iter().map(|IngestedFile { path, outcome, reason }| {
            (path, outcome.as_str().to_owned(), reason)
        });
        let counts = [ingested, unchanged, skipped, failed];
        Self::Ingested { counts, files: files.collect() }
    }

    /// The output; `None` for words of another version.
    pub(super) fn output(self) -> Option<JobOutput> {
        let left = |(rows, more): Left| LeftOut { rows, more };
        Some(match self {
            Self::Reindexed { scanned, reindexed, skipped, removed, degraded } => {
                let report = ReindexReport { scanned, reindexed, skipped, removed, degraded };
                JobOutput::Reindexed(report)
            }
            Self::Embedded { passages, waiting, failure } => {
                JobOutput::Embedded(Embedded { passages, waiting, failure })
            }
            Self::Ingested { counts, files } => JobOutput::Ingested(ingested(counts, files)?),
            Self::Exported { path, stores, files, bytes, skipped } => {
                JobOutput::Exported(Exported { path, stores, files, bytes, skipped: left(skipped) })
            }
            Self::Imported { format, dry_run, counts, skipped, files, more_files, redacted } => {
                let [added, same, conflicting] = counts;
                let files = files.into_iter().map(imported).collect::<Option<_>>()?;
                let skipped = left(skipped);
                let outcomes = Outcomes { added, same, conflicting, skipped, files, more_files };
                let format = SourceFormat::parse(&format)?;
                JobOutput::Imported(Imported { format, dry_run, outcomes, redacted })
            }
            Self::ModelInstalled {
                name,
                kind,
                dimensions,
                size_bytes,
                sha256,
                checksum,
                in_use,
                problem,
            } => JobOutput::ModelInstalled(Model {
                name,
                kind: known(kind, ModelKind::parse)?,
                dimensions,
                size_bytes,
                sha256,
                checksum: Checksum::parse(&checksum)?,
                in_use,
                problem,
            }),
            Self::Purged { dry_run, places, remaining, unreachable } => {
                let places = places.into_iter().map(emptied).collect();
                JobOutput::Purged(Purged { dry_run, places, remaining, unreachable })
            }
            Self::Organized(pass) => JobOutput::Organized(pass.pass()?),
            Self::Reorganized(pass) => JobOutput::Reorganized(pass.pass()?),
            Self::Distilled(stored) => JobOutput::Distilled(stored.output()?),
        })
    }
}

fn emptied((place, files, occurrences, is_deleted): (String, u64, u64, bool)) -> Emptied {
    Emptied { place, files, occurrences, is_deleted }
}

fn ingested(
    [ingested, unchanged, skipped, failed]: [u64; 4],
    files: Vec<(String, String, Option<String>)>,
) -> Option<FolderReport> {
    let file = |(path, outcome, reason): (String, String, Option<String>)| {
        Some(IngestedFile { path, outcome: FileOutcome::parse(&outcome)?, reason })
    };
    let files = files.into_iter().map(file).collect::<Option<_>>()?;
    Some(FolderReport { ingested, unchanged, skipped, failed, files })
}

fn imported(
    (from, store, path, outcome): (String, String, String, String),
) -> Option<ImportedFile> {
    let store = Owner::parse(&store)?;
    Some(ImportedFile { from, store, path, outcome: Outcome::parse(&outcome)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use coffer_domain::import::Format;

    #[test]
    fn requests_and_outputs_are_read_back() {
        let left = LeftOut { rows: vec![("a".into(), "why".into())], more: 3 };
        let export = Export {
            path: "/x/a.tar.gz".into(),
            stores: vec![Owner::Store(StoreName::Global)],
            replace: true,
        };
        let import = Import {
            path: "/x".into(),
            format: Some(SourceFormat::Foreign(Format::Codex)),
            store: None,
            otherwise: StoreName::Global,
            dry_run: true,
        };
        let add = install("a", InstallFrom::Folder("/x".into())).unwrap();
        let pull = install("a", InstallFrom::Url("https://x".into())).unwrap();
        let purge = PurgeRequest { record: Id::of_file("a", "b"), dry_run: true };
        let requests = [
            JobRequest::Export(export),
            JobRequest::Import(import),
            add,
            pull,
            JobRequest::Purge(purge),
            JobRequest::ReindexBase(KbName::parse("a").unwrap()),
            JobRequest::IngestFolder(FolderIngest {
                base: KbName::parse("a").unwrap(),
                path: "/x".into(),
                replace: true,
            }),
        ];
        for request in requests {
            let stored = serde_json::to_string(&StoredRequest::of(&request)).unwrap();
            let read: StoredRequest = serde_json::from_str(&stored).unwrap();
            assert_eq!(read.request(), Some(request));
        }
        let file = ImportedFile {
            from: "a.md".into(),
            store: Owner::Store(StoreName::Global),
            path: "knowledge/a.md".into(),
            outcome: Outcome::Conflicting,
        };
        let imported = Imported {
            format: SourceFormat::Coffer,
            dry_run: true,
            outcomes: Outcomes {
                added: 1,
                same: 2,
                conflicting: 3,
                skipped: left.clone(),
                files: vec![file],
                more_files: 4,
            },
            redacted: BTreeMap::from([("github-token".into(), 1)]),
        };
        let exported = Exported { path: "/x".into(), stores: 1, files: 2, bytes: 3, skipped: left };
        let model = Model {
            name: "a".into(),
            kind: Some(ModelKind::Static),
            dimensions: Some(8),
            size_bytes: 9,
            sha256: Some("00".into()),
            checksum: Checksum::Recorded,
            in_use: true,
            problem: None,
        };
        let purged = Purged {
            dry_run: true,
            places: vec![Emptied {
                place: "rules".into(),
                files: 1,
                occurrences: 2,
                is_deleted: false,
            }],
            remaining: 3,
            unreachable: vec![("a".into(), "why".into())],
        };
        let outputs = [
            JobOutput::Imported(imported),
            JobOutput::Exported(exported),
            JobOutput::ModelInstalled(model),
            JobOutput::Purged(purged),
            JobOutput::Ingested(FolderReport {
                ingested: 1,
                unchanged: 2,
                skipped: 3,
                failed: 4,
                files: vec![IngestedFile {
                    path: "a.md".into(),
                    outcome: FileOutcome::Failed,
                    reason: Some("why".into()),
                }],
            }),
        ];
        for output in outputs {
            let stored = serde_json::to_string(&StoredOutput::of(&output)).unwrap();
            let read: StoredOutput = serde_json::from_str(&stored).unwrap();
            assert_eq!(read.output(), Some(output));
        }
    }
}
