//! Stores that may be one project's, and merging two of them.

use crate::{reply, request, words};

words! {
    /// How sure it is that two stores are one project's.
    pub enum Confidence {
        /// What the stores say leaves no doubt.
        Certain,
        /// It looks like it.
        Likely,
        /// It may be.
        Unsure,
    }

    /// What a proposal rests on.
    pub enum JudgedBy {
        /// The same remote.
        Remote,
        /// The same first commit, while one of them or both have no remote.
        RootCommit,
        /// What the internal model makes of the evidence.
        Engine,
    }

    /// Whether the internal model took part.
    pub enum EngineUse {
        /// It did.
        Used,
        /// None is set.
        NoModel,
    }

    /// What became of the facts after a merge.
    pub enum AfterMerge {
        /// There is no model that could put them in order.
        NoModel,
        /// Nobody asked for it.
        Skipped,
        /// The model puts them in order, as a job.
        Queued,
    }
}

reply! {
    /// What speaks for a store.
    pub struct MergeEvidenceOut {
        /// Label, else the folder's name, else the store's name.
        pub display_name: String,
        /// The name that the person gave it.
        pub label: Option<String>,
        /// The project's folder on this machine, when known.
        pub project_root: Option<String>,
        /// Whether that folder is there.
        pub root_exists: bool,
        /// The remote, `host/path`, without credentials.
        pub remote: Option<String>,
        /// The project's first commit.
        pub root_commit: Option<String>,
        /// Facts and topic documents.
        pub fact_count: u64,
        /// The newest titles, at most five.
        pub titles: Vec<String>,
    }

    /// A merge that is worth a thought.
    pub struct MergeProposalOut {
        /// The store that would go.
        pub source: String,
        /// The store that would take it in.
        pub target: String,
        /// How sure it is.
        pub confidence: Confidence,
        /// What it rests on.
        pub judged_by: JudgedBy,
        /// Why, a sentence.
        pub reason: String,
        /// What speaks for the source.
        pub source_evidence: MergeEvidenceOut,
        /// What speaks for the target.
        pub target_evidence: MergeEvidenceOut,
    }

    /// The merges that are worth a thought.
    pub struct MergeScanOut {
        /// Whether the internal model took part.
        pub engine: EngineUse,
        /// Whether pairs were left unjudged: more than one scan looks at, or the model could not be asked.
        pub truncated: bool,
        /// The proposals.
        pub proposals: Vec<MergeProposalOut>,
    }

    /// What a merge did.
    pub struct MergeOut {
        /// The store that has everything now.
        pub target: String,
        /// How many files came into it, whole or as a part of one.
        pub merged_files: u64,
        /// Whether it took the other one's label.
        pub label_moved: bool,
        /// Whether it took the other one's folder on this machine.
        pub root_moved: bool,
        /// All project ids that it stands for beside its own.
        pub aliases: Vec<String>,
        /// What became of the facts afterwards.
        pub reorg_status: AfterMerge,
    }
}

request! {
    /// Merge one project's store into another one's.
    pub struct MergeIn {
        /// The store that goes: `project-<ULID>`.
        pub source: String,
        /// The store that takes it in: `project-<ULID>`.
        pub target: String,
        /// Whether the internal model puts the facts in order afterwards; absent: yes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub organize: Option<bool>,
    }
}
