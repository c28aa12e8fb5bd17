//! Merges of stores.

use coffer_api::merge::{
    AfterMerge, Confidence, EngineUse, JudgedBy, MergeEvidenceOut, MergeOut, MergeProposalOut,
    MergeScanOut,
};
use coffer_core::memory::{Evidence, Merged, Sign};
use coffer_core::organize::{Judgment, Proposed, Scan};

/// What a scan found.
pub(crate) fn scan(scan: Scan) -> MergeScanOut {
    let Scan { is_judged, is_truncated, proposals } = scan;
    let engine = if is_judged { EngineUse::Used } else { EngineUse::NoModel };
    let proposals = proposals.into_iter().map(proposal).collect();
    MergeScanOut { engine, truncated: is_truncated, proposals }
}

fn proposal(proposal: Proposed) -> MergeProposalOut {
    let Proposed { source, target, judgment } = proposal;
    let (confidence, judged_by, reason) = match judgment {
        Judgment::Engine { is_likely, reason } => {
            let confidence = if is_likely { Confidence::Likely } else { Confidence::Unsure };
            (confidence, JudgedBy::Engine, reason)
        }
        Judgment::Sign(Sign::Remote) => {
            let remote = source.remote.as_deref().unwrap_or_default();
            let reason = format!("both are of the remote `{remote}`");
            (Confidence::Certain, JudgedBy::Remote, reason)
        }
        Judgment::Sign(Sign::RootCommit) => {
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
pub(crate) fn merged(merged: Merged, reorg_status: AfterMerge) -> MergeOut {
    let Merged { target, files, label_moved, root_moved, aliases } = merged;
    let target = target.to_string();
    MergeOut { target, merged_files: files, label_moved, root_moved, aliases, reorg_status }
}
