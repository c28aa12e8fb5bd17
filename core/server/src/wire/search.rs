//! One list of what stores and knowledge bases answer: scores of different ones are not comparable, so
//! that positions decide.

use coffer_api::facts::Lane;
use coffer_api::recall::{Hit, RecallOut};
use coffer_core::kb::{KbPassage, Searched};
use coffer_core::memory::Recalled;
use coffer_domain::ranking::reciprocal_rank_fusion;

use super::recall::recalled;

/// The best `top` of what stores and each knowledge base, by its reference, answered.
pub(crate) fn merged(found: Recalled, searched: Vec<(String, Searched)>, top: u32) -> RecallOut {
    let RecallOut { hits, mode, fallback, note } = recalled(found);
    let mut notes: Vec<String> = note.into_iter().collect();
    let mut lists = vec![hits];
    for (name, Searched { passages, note }) in searched {
        notes.extend(note);
        lists.push(passages.into_iter().map(|passage| hit(&name, passage)).collect());
    }
    let note = (!notes.is_empty()).then(|| notes.join("; "));
    RecallOut { hits: by_position(lists, top as usize), mode, fallback, note }
}

fn by_position(lists: Vec<Vec<Hit>>, top: usize) -> Vec<Hit> {
    let keys: Vec<Vec<(usize, usize)>> = lists
        .iter()
        .enumerate()
        .map(|(list, hits)| (0..hits.len()).map(|at| (list, at)).collect())
        .collect();
    let mut hits: Vec<Vec<Option<Hit>>> =
        lists.into_iter().map(|hits| hits.into_iter().map(Some).collect()).collect();
    let order = reciprocal_rank_fusion(&keys).into_iter();
    order.filter_map(|((list, at), _)| hits[list][at].take()).take(top).collect()
}

fn hit(base: &str, passage: KbPassage) -> Hit {
    let KbPassage { document, title, text, score, path, updated_at, .. } = passage;
    Hit {
        id: document.to_string(),
        title,
        text,
        score,
        source: format!("{base}/{path}"),
        time: updated_at.to_string(),
        lane: Lane::Knowledge,
        store_name: base.to_owned(),
    }
}
