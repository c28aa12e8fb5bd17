//! Who wrote a document, as the index keeps it, so that an answer names its author without a file.

use std::borrow::Cow;

use coffer_domain::fact::{Actor, Author, FileText};
use serde::{Deserialize, Serialize};

/// The part of a header that tells where a text came from.
#[derive(Serialize, Deserialize)]
pub(super) struct Provenance<'a> {
    actor: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    origin_session_id: Option<Cow<'a, str>>,
}

impl<'a> Provenance<'a> {
    /// What a file says of itself.
    pub(super) fn of(read: &'a FileText) -> Self {
        Self {
            actor: Cow::Borrowed(read.actor.as_str()),
            agent: read.agent.as_deref().map(Cow::Borrowed),
            origin_session_id: read.origin_session_id.as_deref().map(Cow::Borrowed),
        }
    }

    /// The form that the index keeps.
    pub(super) fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The author in what the index kept; whoever is not an agent is the person.
    pub(super) fn author(kept: &str) -> Author {
        let Ok(Provenance { actor, agent, .. }) = serde_json::from_str(kept) else {
            return Author::USER;
        };
        let is_agent = actor == Actor::Agent.as_str();
        let actor = if is_agent { Actor::Agent } else { Actor::User };
        Author { actor, agent: agent.map(Cow::into_owned) }
    }
}
