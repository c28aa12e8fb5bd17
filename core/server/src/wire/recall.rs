//! Questions and answers.

use coffer_api::recall::{self, Mode, RecallOut};
use coffer_core::memory::{Hit, Recall, Recalled};
use coffer_domain::store;

use super::facts::lane;
use super::shown;
use crate::error::Failure;
use crate::extract::within;

/// The longest question, in characters.
const QUERY_CHARS: usize = 4096;

/// A question within its bounds; `mode` is the store's own when absent.
pub(crate) fn question(
    query: String,
    mode: Option<Mode>,
    top_k: Option<u32>,
) -> Result<Recall, Failure> {
    let query = checked_query("query", query)?;
    Ok(Recall { query, mode: mode.map(mode_in), top_k: within("top_k", top_k, 1..=20, 5)? })
}

/// A question or pattern within its bounds.
pub(crate) fn checked_query(field: &str, text: String) -> Result<String, Failure> {
    if (1..=QUERY_CHARS).contains(&text.chars().count()) {
        return Ok(text);
    }
    Err(Failure::field(field, "must have 1 to 4096 characters"))
}

/// An answer.
pub(crate) fn recalled(found: Recalled) -> RecallOut {
    let Recalled { hits, mode: how, fallback, note } = found;
    RecallOut { hits: hits.into_iter().map(hit).collect(), mode: mode(how), fallback, note }
}

fn hit(hit: Hit) -> recall::Hit {
    let Hit { id, store, lane: lives_in, title, text, score, path, updated_at, author: _ } = hit;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_have_bounds() {
        let asked = question("x".into(), Some(Mode::Grep), None).unwrap();
        assert_eq!((asked.mode, asked.top_k), (Some(store::Mode::Grep), 5));
        assert!(question("字".repeat(4096), None, Some(20)).is_ok());
        for (query, top_k) in
            [(String::new(), None), ("x".repeat(4097), None), ("x".into(), Some(0))]
        {
            assert!(question(query, None, top_k).is_err());
        }
    }
}
