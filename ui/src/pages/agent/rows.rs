//! A conversation in the list, and what could not be looked at.

use coffer_api::hidden;
use coffer_api::transcripts::{TranscriptOut, TranscriptState, UnseenOut};
use leptos::prelude::*;

use crate::address;
use crate::format::{count, sentence};
use crate::parts::icon::{Glyph, Icon};
use crate::parts::prose::Prose;
use crate::parts::row::Row;
use crate::parts::when::When;
use crate::wording::conversations as wording;

#[component]
pub(super) fn ConversationRow(session: TranscriptOut, agent: String) -> impl IntoView {
    let is_read = session.state == TranscriptState::Read;
    let icon = if is_read { Glyph::Conversation } else { Glyph::Alert };
    let who = match session.state {
        TranscriptState::Read => count(session.message_count, "message", "messages"),
        TranscriptState::FormatUnknown => "Format unknown".to_owned(),
        TranscriptState::Unreadable => "Unreadable".to_owned(),
    };
    view! {
        <Row
            href=address::conversation(&agent, &session.session_id)
            id=session.session_id.clone()
            testid="conversation"
            icon
            title=wording::title(&session)
            summary=wording::place(&session)
            is_bad=!is_read
        >
            <span class="who">{who}</span>
            {session.last_activity_at.map(|time| view! { <When time/> })}
        </Row>
    }
}

/// Files and folders that could not be looked at.
#[component]
pub(super) fn UnseenNote(unseen: Vec<UnseenOut>) -> impl IntoView {
    let head = count(unseen.len() as u64, "place was not looked at", "places were not looked at");
    let rows = unseen.into_iter().map(|UnseenOut { path, reason }| {
        view! {
            <li class="check warning">
                <span class="check-state"><Icon of=Glyph::Warning/></span>
                <div>
                    <code class="path">{hidden::expose(&path).into_owned()}</code>
                    <p class="small"><Prose text=sentence(&reason)/></p>
                </div>
            </li>
        }
    });
    view! {
        <details class="unseen" data-testid="unseen">
            <summary>{head}</summary>
            <ul class="checks">{rows.collect_view()}</ul>
        </details>
    }
}
