//! Merges of stores.

use coffer_api::merge::{
    Confidence, EngineUse, JudgedBy, MergeEvidenceOut, MergeOut, MergeProposalOut, MergeScanOut,
    ReorgStatus,
};
use coffer_core::memory::{Evidence, Merged, Proposal, Sign};

/// What a scan found.
pub(crate) fn scan(proposals: Vec<Proposal>) -> MergeScanOut {
    let proposals = proposals.into_iter().map(proposal).collect();
    MergeScanOut { engine: EngineUse::NoModel, truncated: false, proposals }
}

fn proposal(proposal: Proposal) -> MergeProposalOut {
    let Proposal { source, target, sign } = proposal;
    let (confidence, judged_by, reason) = match sign {
        Sign::Remote => {
            let remote = source.remote.as_deref().unwrap_or_default();
            let reason = format!("both are of the remote `{remote}`");
            (Confidence::Certain, JudgedBy::Remote, reason)
        }
        Sign::RootCommit => {
            let reason = "both projects begin with the same commit".to_owned();
            (Confidence::Likely, JudgedBy::RootCommit, reason)
        }
    };
    MergeProposalOut {
        source: source.store.to_string(),
        target: target.store.to_string(),
        confidence,
        judged_by,
        reason,
        source_evidence: evidence(source),
        target_evidence: evidence(target),
    }
}

fn evidence(evidence: Evidence) -> MergeEvidenceOut {
    let Evidence {
        store: _,
        display_name,
        label,
        project_root,
        root_exists,
        remote,
        root_commit,
        fact_count,
        titles,
    } = evidence;
    MergeEvidenceOut {
        display_name,
        label,
        project_root,
        root_exists,
        remote,
        root_commit,
        fact_count,
        titles,
    }
}

/// What a merge did.
pub(crate) fn merged(merged: Merged, organize: bool) -> MergeOut {
    let Merged { target, files, label_moved, root_moved, aliases } = merged;
    let reorg_status = if organize { ReorgStatus::NoModel } else { ReorgStatus::Skipped };
    let target = target.to_string();
    MergeOut { target, merged_files: files, label_moved, root_moved, aliases, reorg_status }
}
