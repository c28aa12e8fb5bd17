//! The lanes beside knowledge.

use coffer_api::lanes::{
    ConsolidationLogOut, HandoffLaneOut, HandoffSceneOut, JournalFileOut, JournalOut, RestoredOut,
    RulesFileOut, RulesOut, SupersededFileOut, SupersededOut,
};
use coffer_core::memory::{LaneFile, LogText, Restored, Retired, SceneFile};
use coffer_domain::handoff::Scene;

use super::{folder, shown};

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

/// Retired versions.
pub(crate) fn superseded(files: Vec<Retired>) -> SupersededOut {
    SupersededOut { files: files.into_iter().map(retired).collect() }
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

/// A version that was put back.
pub(crate) fn restored(restored: Restored) -> RestoredOut {
    let Restored { path, archived } = restored;
    RestoredOut { path: shown(&path), archived }
}
