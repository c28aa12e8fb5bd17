//! Distilling.

use std::path::PathBuf;

use coffer_api::distill::{DistillIn, DistillMode, DistillOut, DistillStatus, InsightOut};
use coffer_core::distill::{Distilled, Insight, Status};

use super::shown;
use crate::error::Failure;
use crate::extract::absolute;

/// Which session is meant.
pub(crate) enum Meant {
    /// The one of an id.
    Session(String),
    /// The latest of a folder.
    LatestOf(PathBuf),
}

/// Which session is meant, and how far distilling goes.
pub(crate) fn distill_in(body: DistillIn) -> Result<(Meant, DistillMode), Failure> {
    let DistillIn { session_id, project_path, mode } = body;
    let meant = match (session_id, project_path) {
        (Some(id), None) => Meant::Session(id),
        (None, Some(path)) => Meant::LatestOf(absolute("project_path", &path)?),
        (Some(_), Some(_)) | (None, None) => {
            let reason = "is needed, or else `project_path`, and only one of them";
            return Err(Failure::field("session_id", reason));
        }
    };
    Ok((meant, mode.unwrap_or(DistillMode::Run)))
}

/// What distilling gave.
pub(crate) fn distilled(done: Distilled) -> DistillOut {
    let Distilled {
        status,
        session,
        insights,
        journal_path,
        written,
        left_out,
        omitted_turns,
        withheld_turns,
        model,
        tokens,
        would_send,
        reason,
    } = done;
    DistillOut {
        status: self::status(status),
        session_id: session,
        insights: insights.into_iter().map(insight).collect(),
        journal_path: journal_path.as_deref().map(shown),
        written,
        left_out,
        omitted_turns,
        withheld_turns,
        model,
        would_send,
        tokens,
        reason,
    }
}

fn insight(insight: Insight) -> InsightOut {
    let Insight { name, description, body } = insight;
    InsightOut { name, description, body }
}

const fn status(status: Status) -> DistillStatus {
    match status {
        Status::Distilled => DistillStatus::Distilled,
        Status::Preview => DistillStatus::Preview,
        Status::DryRun => DistillStatus::DryRun,
        Status::AlreadyDistilled => DistillStatus::AlreadyDistilled,
        Status::Empty => DistillStatus::Empty,
        Status::NoModel => DistillStatus::NoModel,
        Status::NotAProject => DistillStatus::NotAProject,
        Status::Off => DistillStatus::Off,
        Status::Budget => DistillStatus::Budget,
        Status::Unavailable => DistillStatus::Unavailable,
        Status::Refused => DistillStatus::Refused,
        Status::Malformed => DistillStatus::Malformed,
    }
}
