//! Recall: one question to one or more stores, merged by position.

use std::path::PathBuf;

use coffer_domain::fact::Author;
use coffer_domain::id::Id;
use coffer_domain::ranking::reciprocal_rank_fusion;
use coffer_domain::store::{Lane, Mode, StoreName};
use coffer_domain::time::Timestamp;

use super::Memory;
use super::provenance::author;
use super::store_file::StoreFile;
use crate::error::Result;
use crate::knowledge::{Ask, Passage, Question};

/// A question.
#[derive(Debug, Clone)]
pub struct Recall {
    /// The words.
    pub query: String,
    /// How to look; absent: as the first store's file says, else by terms and, where vectors are
    /// turned on, meaning.
    pub mode: Option<Mode>,
    /// At most so many passages.
    pub top_k: u32,
}

/// A passage that answers.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Its document.
    pub id: Id,
    /// Its store.
    pub store: StoreName,
    /// The lane that it lives in.
    pub lane: Lane,
    /// The document's title.
    pub title: String,
    /// The text.
    pub text: String,
    /// Higher is better; comparable within one store and mode only.
    pub score: f64,
    /// The file, absolute.
    pub path: PathBuf,
    /// When the document last changed.
    pub updated_at: Timestamp,
    /// Who wrote it; other lanes than knowledge do not tell.
    pub author: Option<Author>,
}

/// The answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Recalled {
    /// Best first.
    pub hits: Vec<Hit>,
    /// How it was looked for.
    pub mode: Mode,
    /// Whether a mode was asked for that could not be had.
    pub fallback: bool,
    /// Why the answer is partial or empty, when it is.
    pub note: Option<String>,
}

impl Memory {
    /// Asks stores; those that do not exist or are disabled give nothing.
    ///
    /// # Errors
    ///
    /// A pattern that does not parse; files or index that cannot be read.
    pub fn recall(&self, stores: &[StoreName], asked: &Recall) -> Result<Recalled> {
        let first = stores.first().map_or(Ok(None), |store| self.store_file(store))?;
        let first = first.unwrap_or_default();
        let by_itself = if self.knowledge().has_vectors() { Mode::Hybrid } else { Mode::Keyword };
        let wanted = asked.mode.or(first.default_mode()).unwrap_or(by_itself);
        let question = Question::new(&asked.query);
        let mut lists = Vec::with_capacity(stores.len());
        let mut disabled = Vec::new();
        let mut notes = Vec::new();
        let mut by_meaning = false;
        for store in stores {
            let file = self.store_file(store)?.unwrap_or_default();
            if file.is_enabled() {
                let at = self.store_ref(store);
                let ask = self.ask(wanted, &first, &file);
                let found = self.knowledge().search(&at, &question, ask, asked.top_k as usize)?;
                by_meaning |= found.by_meaning;
                if found.cut_off {
                    notes.push(format!("{store} was not searched to its end: it took too long"));
                }
                let hits = found.passages.into_iter();
                lists.push(hits.map(|passage| self.hit(store, passage)).collect());
                let lag = self.knowledge().lag(&at);
                notes.extend(lag.map(|why| format!("{store} may have newer texts: {why}")));
            } else {
                disabled.push(store.to_string());
            }
        }
        let hits = merged(lists, asked.top_k as usize);
        if !disabled.is_empty() {
            notes.push(format!("disabled: {}", disabled.join(", ")));
        }
        let note = (!notes.is_empty()).then(|| notes.join("; "));
        let mode = match wanted {
            Mode::Grep if first.allows(Mode::Grep) => Mode::Grep,
            Mode::Vector | Mode::Hybrid if by_meaning => wanted,
            Mode::Grep | Mode::Keyword | Mode::Vector | Mode::Hybrid => Mode::Keyword,
        };
        Ok(Recalled { hits, mode, fallback: mode != wanted, note })
    }

    /// How a store is asked. The first store of a question says whether grep may be used for all, each
    /// for itself whether its vectors may be.
    fn ask(&self, wanted: Mode, first: &StoreFile, file: &StoreFile) -> Ask {
        match wanted {
            Mode::Grep if first.allows(Mode::Grep) => Ask::Grep,
            Mode::Vector if file.allows(Mode::Vector) => Ask::Vector,
            Mode::Hybrid if file.allows(Mode::Hybrid) => {
                Ask::Hybrid(file.fusion().unwrap_or_else(|| self.0.settings.get().fusion))
            }
            Mode::Grep | Mode::Keyword | Mode::Vector | Mode::Hybrid => Ask::Keyword,
        }
    }

    fn hit(&self, store: &StoreName, passage: Passage) -> Hit {
        let Passage { document, path, title, text, updated_at, metadata, score, .. } = passage;
        let lane = Lane::of_path(&path).unwrap_or(Lane::Knowledge);
        Hit {
            id: document,
            store: store.clone(),
            lane,
            title,
            text,
            score,
            path: self.absolute(store, &path),
            updated_at,
            author: (lane == Lane::Knowledge).then(|| author(&metadata)),
        }
    }
}

/// Scores of different stores are not comparable: positions decide, each hit keeps its own score.
fn merged(mut lists: Vec<Vec<Hit>>, top: usize) -> Vec<Hit> {
    if lists.len() < 2 {
        return lists.pop().unwrap_or_default();
    }
    let keys: Vec<Vec<(usize, usize)>> = lists
        .iter()
        .enumerate()
        .map(|(list, hits)| (0..hits.len()).map(|at| (list, at)).collect())
        .collect();
    let mut hits: Vec<Vec<Option<Hit>>> =
        lists.into_iter().map(|hits| hits.into_iter().map(Some).collect()).collect();
    reciprocal_rank_fusion(&keys)
        .into_iter()
        .filter_map(|((list, at), _)| hits[list][at].take())
        .take(top)
        .collect()
}
