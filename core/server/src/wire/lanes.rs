//! The lanes beside knowledge.

use coffer_api::lanes::{
    ConsolidationLogOut, HandoffLaneOut, HandoffSceneOut, JournalFileOut, JournalOut, RestoredOut,
    RulesFileOut, RulesOut, SupersededFileOut, SupersededOut, SupersededQuery,
};
use coffer_core::memory::{LaneFile, LogText, Restored, Retired, RetiredPage, SceneFile};
use coffer_domain::handoff::Scene;

use super::{folder, shown};
use crate::error::Failure;
use crate::extract::within;

/// The rules lane.
pub(crate) fn rules(files: Vec<LaneFile>) -> RulesOut {
    let texts: Vec<&str> = files.iter().map(|file| file.text.trim_end()).collect();
    let text = (!texts.is_empty()).then(|| texts.join("\n\n"));
    RulesOut { text, files: files.into_iter().map(rules_file).collect() }
}

/// One file of the rules lane.
pub(crate) fn rules_file(file: LaneFile) -> RulesFileOut {
    let LaneFile { name, text, path } = file;
    RulesFileOut { name, text, folder_path: folder(&path), path: shown(&path) }
}

/// The journal.
pub(crate) fn journal(files: Vec<LaneFile>) -> JournalOut {
    JournalOut { files: files.into_iter().map(day).collect() }
}

fn day(file: LaneFile) -> JournalFileOut {
    let LaneFile { name, text, path } = file;
    let period = name.strip_suffix(".md").unwrap_or(&name).to_owned();
    JournalFileOut { period, text, folder_path: folder(&path), path: shown(&path) }
}

/// The handoff lane.
pub(crate) fn handoff(files: Vec<SceneFile>) -> HandoffLaneOut {
    HandoffLaneOut { scenes: files.into_iter().map(scene).collect() }
}

fn scene(file: SceneFile) -> HandoffSceneOut {
    let SceneFile { scene: Scene { branch, head: _, updated_at, body }, path } = file;
    HandoffSceneOut {
        branch,
        text: body,
        updated_at: updated_at.to_string(),
        folder_path: folder(&path),
        path: shown(&path),
    }
}

/// The consolidation log.
pub(crate) fn log(log: LogText) -> ConsolidationLogOut {
    let LogText { text, path } = log;
    ConsolidationLogOut { text, folder_path: folder(&path), path: shown(&path) }
}

/// Which page of retired versions is asked for: limit and offset.
pub(crate) fn superseded_in(query: &SupersededQuery) -> Result<(u32, u32), Failure> {
    let SupersededQuery { limit, offset } = *query;
    Ok((within("limit", limit, 1..=200, 50)?, offset.unwrap_or(0)))
}

/// Retired versions.
pub(crate) fn superseded(page: RetiredPage) -> SupersededOut {
    let RetiredPage { files, total } = page;
    SupersededOut { files: files.into_iter().map(retired).collect(), total }
}

fn retired(file: Retired) -> SupersededFileOut {
    let Retired { file, origin, title, retired_at, text, path } = file;
    SupersededFileOut {
        file,
        origin,
        title,
        retired_at: retired_at.to_string(),
        text,
        folder_path: folder(&path),
        path: shown(&path),
    }
}

/// A version that was put back, or would be.
pub(crate) fn restored(restored: Restored) -> RestoredOut {
    let Restored { path, archived, diff } = restored;
    RestoredOut { path: shown(&path), archived, diff }
}
