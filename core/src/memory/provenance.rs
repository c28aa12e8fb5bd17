//! What the index keeps of a file of a store; who wrote it is among that, so that an answer names its
//! author without a file.

use std::borrow::Cow;

use coffer_domain::fact::{Actor, Author, FileText};
use coffer_domain::time::Timestamp;
use serde::{Deserialize, Serialize};

use crate::knowledge::Reading;

/// A file of a store, as the index keeps it.
pub(super) fn reading(text: &str, path: &str, modified: Timestamp) -> Reading {
    let read = FileText::read(text, path, modified);
    let metadata = Provenance::of(&read).to_json();
    Reading {
        id: read.id,
        title: read.title,
        description: read.description,
        created_at: read.created_at,
        updated_at: read.updated_at,
        body: read.body,
        problem: read.problem.map(|problem| problem.to_string()),
        source_mode: "native",
        metadata,
    }
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

/// The part of a header that tells where a text came from.
#[derive(Serialize, Deserialize)]
struct Provenance<'a> {
    actor: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    origin_session_id: Option<Cow<'a, str>>,
}

impl<'a> Provenance<'a> {
    /// What a file says of itself.
    fn of(read: &'a FileText) -> Self {
        Self {
            actor: Cow::Borrowed(read.actor.as_str()),
            agent: read.agent.as_deref().map(Cow::Borrowed),
            origin_session_id: read.origin_session_id.as_deref().map(Cow::Borrowed),
        }
    }

    /// The form that the index keeps.
    fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}
