//! Facts.

use std::collections::BTreeMap;

use coffer_api::facts::{
    Actor, FactOut, FactPatch, FactsOut, FactsQuery, Lane, NewFactIn, RememberedOut, SimilarOut,
};
use coffer_core::memory::{
    Fact, FactChange, FactIn, FactPage, Page, Redacted, Remembered, Similar,
};
use coffer_domain::{fact, store};

use super::{folder, scope, shown};
use crate::error::Failure;
use crate::extract::within;

/// A fact.
pub(crate) fn fact(fact: Fact) -> FactOut {
    let Fact {
        id,
        store,
        lane: lives_in,
        title,
        description,
        text,
        actor: wrote,
        agent,
        origin_session_id,
        path,
        file_sha256,
        created_at,
        updated_at,
    } = fact;
    FactOut {
        id: id.to_string(),
        scope: scope(&store),
        store_name: store.to_string(),
        lane: lane(lives_in),
        title,
        description,
        text,
        actor: actor(wrote),
        agent,
        origin_session_id,
        path: shown(&path),
        folder_path: folder(&path),
        content_sha256: file_sha256,
        created_at: created_at.to_string(),
        updated_at: updated_at.to_string(),
    }
}

/// A lane.
pub(crate) fn lane(lane: store::Lane) -> Lane {
    match lane {
        store::Lane::Knowledge => Lane::Knowledge,
        store::Lane::Rules => Lane::Rules,
        store::Lane::Journal => Lane::Journal,
        store::Lane::Handoff => Lane::Handoff,
    }
}

fn actor(actor: fact::Actor) -> Actor {
    match actor {
        fact::Actor::Agent => Actor::Agent,
        fact::Actor::User => Actor::User,
    }
}

/// A page of facts.
pub(crate) fn page(page: FactPage) -> FactsOut {
    let FactPage { facts, total } = page;
    FactsOut { facts: facts.into_iter().map(fact).collect(), total }
}

/// Which page is asked for.
pub(crate) fn page_in(query: FactsQuery) -> Result<Page, Failure> {
    let FactsQuery { limit, offset, q } = query;
    Ok(Page { limit: within("limit", limit, 1..=200, 50)?, offset: offset.unwrap_or(0), q })
}

/// A new fact.
pub(crate) fn new_in(body: &NewFactIn) -> FactIn<'_> {
    let NewFactIn { text, title, description, origin_session_id } = body;
    FactIn {
        text,
        title: title.as_deref(),
        description: description.as_deref(),
        origin_session_id: origin_session_id.as_deref(),
        project_root: None,
    }
}

/// A change of a fact.
pub(crate) fn change_in(body: FactPatch) -> FactChange {
    let FactPatch { text, title, description, if_sha256 } = body;
    FactChange { text, title, description, if_sha256 }
}

/// A fact that was just written.
pub(crate) fn remembered(written: Remembered) -> RememberedOut {
    let Remembered { fact: new, similar: alike, indexed, redacted: taken } = written;
    RememberedOut { fact: fact(new), similar: similar(alike), indexed, redacted: redacted(taken) }
}

/// Facts that say nearly the same.
pub(crate) fn similar(alike: Vec<Similar>) -> Vec<SimilarOut> {
    alike
        .into_iter()
        .map(|Similar { id, title }| SimilarOut { id: id.to_string(), title })
        .collect()
}

/// What was taken out of a text.
pub(crate) fn redacted(redacted: Redacted) -> BTreeMap<String, u64> {
    redacted.into_iter().map(|(kind, times)| (kind.into_owned(), times as u64)).collect()
}
