//! Conversations of agents, in words for people.

use coffer_api::hidden;
use coffer_api::transcripts::{TranscriptOut, TurnRole};

/// What a conversation is called.
pub(crate) fn title(session: &TranscriptOut) -> String {
    let title = session.title.as_deref().unwrap_or("Untitled");
    hidden::expose(title).into_owned()
}

/// Where it took place: the project's folder and the branch; else its file.
pub(crate) fn place(session: &TranscriptOut) -> String {
    let place = match (&session.project_path, &session.git_branch) {
        (Some(project), Some(branch)) => format!("{project} · {branch}"),
        (Some(project), None) => project.clone(),
        (None, _) => session.source_path.clone(),
    };
    hidden::expose(&place).into_owned()
}

/// Who said something.
pub(crate) const fn role(role: TurnRole) -> &'static str {
    match role {
        TurnRole::Human => "You",
        TurnRole::Assistant => "Agent",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use coffer_api::transcripts::TranscriptState;

    #[test]
    fn a_place_is_the_project_else_the_file() {
        let mut session = TranscriptOut {
            session_id: "1".into(),
            title: None,
            project_path: Some("/code/app".into()),
            message_count: 1,
            started_at: None,
            last_activity_at: None,
            source_path: "/home/a/1.jsonl".into(),
            git_branch: Some("main".into()),
            agent_version: None,
            state: TranscriptState::Read,
            reason: None,
            unknown_records: 0,
        };
        assert_eq!(
            (title(&session), place(&session)),
            ("Untitled".into(), "/code/app · main".into())
        );
        session.git_branch = None;
        assert_eq!(place(&session), "/code/app");
        session.project_path = None;
        assert_eq!(place(&session), "/home/a/1.jsonl");
    }
}
