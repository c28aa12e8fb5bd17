//! Questions and answers.

use coffer_api::recall::{self, Mode, RecallOut};
use coffer_core::memory::{Hit, Recalled};
use coffer_domain::store;

use super::facts::lane;
use super::shown;

/// An answer.
pub(crate) fn recalled(found: Recalled) -> RecallOut {
    let Recalled { hits, mode: how, fallback, note } = found;
    RecallOut { hits: hits.into_iter().map(hit).collect(), mode: mode(how), fallback, note }
}

fn hit(hit: Hit) -> recall::Hit {
    let Hit { id, store, lane: lives_in, title, text, score, path, updated_at } = hit;
    recall::Hit {
        id: id.to_string(),
        title,
        text,
        score,
        source: format!("{}:{}", store.scope(), shown(&path)),
        time: updated_at.to_string(),
        lane: lane(lives_in),
        store_name: store.to_string(),
    }
}

/// How it was looked for.
pub(crate) fn mode(mode: store::Mode) -> Mode {
    match mode {
        store::Mode::Grep => Mode::Grep,
        store::Mode::Keyword => Mode::Keyword,
        store::Mode::Vector => Mode::Vector,
        store::Mode::Hybrid => Mode::Hybrid,
    }
}

/// How to look.
pub(crate) fn mode_in(mode: Mode) -> store::Mode {
    match mode {
        Mode::Grep => store::Mode::Grep,
        Mode::Keyword => store::Mode::Keyword,
        Mode::Vector => store::Mode::Vector,
        Mode::Hybrid => store::Mode::Hybrid,
    }
}
