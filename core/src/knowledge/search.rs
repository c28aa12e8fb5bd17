//! One question to one store: terms and substrings, meaning, or grep; ranked, then hydrated.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use coffer_domain::id::Id;
use coffer_domain::query::{self, KeywordQuery};
use coffer_domain::ranking::{reciprocal_rank_fusion, weighted_mix, with_parents};
use coffer_domain::store::Fusion;
use coffer_domain::time::Timestamp;

use super::{Knowledge, Question, StoreRef};
use crate::error::Result;
use crate::index::{
    Connection, PassageRow, Place, Scope, SqlResult, VectorSet, by_literal, by_terms, by_trigram,
    nearest, passages, texts, vector_sets,
};

/// So many candidates of each index are ranked.
const CANDIDATES: u32 = 100;

/// How a store is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ask {
    /// By terms and substrings.
    Keyword,
    /// By meaning; by terms where that cannot be had.
    Vector,
    /// By both, merged so.
    Hybrid(Fusion),
    /// By literal text or regular expression.
    Grep,
}

/// A passage that answers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Passage {
    /// Its document.
    pub document: Id,
    /// Relative to the store.
    pub path: String,
    /// The document's title.
    pub title: String,
    /// The text.
    pub text: String,
    /// When the document last changed.
    pub updated_at: Timestamp,
    /// JSON of what the face keeps with the document.
    pub metadata: String,
    /// Which passage of the document it is, from 0.
    pub position: u32,
    /// Headings above it, `A > B`.
    pub heading_path: String,
    /// First and last line in the file, from 1.
    pub lines: (u32, u32),
    /// Higher is better; comparable within one store and mode only.
    pub score: f64,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Found {
    /// Best first.
    pub passages: Vec<Passage>,
    /// Whether it ran out of time, so that there may be more.
    pub cut_off: bool,
    /// Whether meaning took part.
    pub by_meaning: bool,
}

impl Passage {
    /// A row with its text.
    pub(super) fn new(row: PassageRow, text: String) -> Self {
        let PassageRow { document, path, title, updated_at, metadata, place, score, chunk: _ } =
            row;
        let Place { position, heading_path, lines } = place;
        Self {
            document,
            path,
            title,
            text,
            updated_at,
            metadata,
            position,
            heading_path,
            lines,
            score,
        }
    }
}

impl Knowledge {
    /// The best `top` passages of a store; the files are compared first.
    pub(crate) fn search(
        &self,
        store: &StoreRef,
        question: &Question<'_>,
        ask: Ask,
        top: usize,
    ) -> Result<Found> {
        let keywords = query::build(question.text);
        let asked = Asked { question: question.text, keywords: &keywords, top };
        match ask {
            Ask::Grep => self.grep(store, question.text, top),
            Ask::Keyword => self.asked(store, &asked, ask, None),
            Ask::Vector | Ask::Hybrid(_) => {
                // Before the index is read: no reading waits for a model.
                let aim = self.aimed(store, question)?;
                let found = self.asked(store, &asked, ask, aim.as_ref())?;
                if found.by_meaning || aim.is_none() {
                    return Ok(found);
                }
                // Another set took the place of the one that was aimed at.
                let aim = self.aimed(store, question)?;
                self.asked(store, &asked, ask, aim.as_ref())
            }
        }
    }

    fn asked(
        &self,
        store: &StoreRef,
        asked: &Asked<'_>,
        ask: Ask,
        aim: Option<&(VectorSet, Rc<[f32]>)>,
    ) -> Result<Found> {
        let top = asked.top;
        self.fresh(store, |db| {
            let meaning = match aim {
                Some(aim) => by_meaning(db, &store.scope, aim)?,
                None => None,
            };
            let by_meaning = meaning.is_some();
            let rows = match (meaning, ask) {
                (Some(nearest), Ask::Vector) => passages(db, &nearest[..nearest.len().min(top)])?,
                (Some(nearest), Ask::Hybrid(fusion)) => {
                    fused(db, ranked(db, &store.scope, asked)?, &nearest, fusion, top)?
                }
                (_, Ask::Keyword | Ask::Grep) | (None, Ask::Vector | Ask::Hybrid(_)) => {
                    ranked(db, &store.scope, asked)?.rows
                }
            };
            Ok(Found { passages: hydrated(db, rows, top)?, cut_off: false, by_meaning })
        })
    }
}

/// What the keyword indexes are asked.
struct Asked<'a> {
    question: &'a str,
    keywords: &'a KeywordQuery,
    top: usize,
}

/// Candidates of the keyword indexes in their final order, and what each weighs in a mix.
#[derive(Default)]
struct Ranked {
    rows: Vec<PassageRow>,
    weights: Vec<f64>,
}

impl Ranked {
    /// Rows that weigh what they score.
    fn by_score(rows: Vec<PassageRow>) -> Self {
        let weights = rows.iter().map(|row| row.score).collect();
        Self { rows, weights }
    }
}

/// The rows that are shown, with their texts.
fn hydrated(db: &Connection, mut rows: Vec<PassageRow>, top: usize) -> SqlResult<Vec<Passage>> {
    rows.truncate(top);
    let chunks: Vec<i64> = rows.iter().map(|row| row.chunk).collect();
    let texts = texts(db, &chunks)?;
    Ok(rows.into_iter().zip(texts).map(|(row, text)| Passage::new(row, text)).collect())
}

/// The passages nearest to the question; `None` for a set that was taken away meanwhile.
fn by_meaning(
    db: &Connection,
    scope: &Scope,
    (set, vector): &(VectorSet, Rc<[f32]>),
) -> SqlResult<Option<Vec<(i64, f64)>>> {
    if !vector_sets(db, scope)?.contains(set) {
        return Ok(None);
    }
    nearest(db, scope, set, vector, CANDIDATES).map(Some)
}

/// Terms and meaning as one list, of which the first `top` are fetched.
fn fused(
    db: &Connection,
    terms: Ranked,
    nearest: &[(i64, f64)],
    fusion: Fusion,
    top: usize,
) -> SqlResult<Vec<PassageRow>> {
    let weights = terms.rows.iter().map(|row| row.chunk).zip(terms.weights);
    let weights: Vec<(i64, f64)> = weights.take(CANDIDATES as usize).collect();
    let mut order = match fusion {
        Fusion::Mix => weighted_mix(&weights, nearest),
        Fusion::Rrf => {
            let keys = |list: &[(i64, f64)]| list.iter().map(|(chunk, _)| *chunk).collect();
            reciprocal_rank_fusion(&[keys(&weights), keys(nearest)])
        }
    };
    order.truncate(top);
    let mut known: HashMap<i64, PassageRow> =
        terms.rows.into_iter().map(|row| (row.chunk, row)).collect();
    let mut rows = Vec::with_capacity(order.len());
    for (chunk, score) in order {
        match known.remove(&chunk) {
            Some(row) => rows.push(PassageRow { score, ..row }),
            None => rows.extend(passages(db, &[(chunk, score)])?),
        }
    }
    Ok(rows)
}

/// Candidates in their final order.
///
/// Terms rank. Substrings decide only for a question that is one word, such as `a_b::c`: measured
/// on questions of several words, merging them costs up to 0.008 nDCG@10, so that there they only
/// follow, and are not asked when terms alone fill the answer.
fn ranked(db: &Connection, scope: &Scope, asked: &Asked<'_>) -> SqlResult<Ranked> {
    let Asked { question, keywords: query, top } = *asked;
    let one_word = question.split_whitespace().nth(1).is_none();
    let terms = match &query.terms {
        Some(terms) => with_parent_scores(by_terms(db, scope, terms, CANDIDATES)?),
        None => Vec::new(),
    };
    let substrings = match &query.trigram {
        Some(trigram) if one_word || terms.len() < top => {
            by_trigram(db, scope, trigram, CANDIDATES)?
        }
        _ => Vec::new(),
    };
    let ranked = if one_word { merged(terms, substrings) } else { followed(terms, substrings) };
    if !ranked.rows.is_empty() {
        return Ok(ranked);
    }
    match (&query.substring, &query.literal) {
        (Some(substring), _) => by_trigram(db, scope, substring, CANDIDATES),
        (None, Some(literal)) => by_literal(db, scope, literal, CANDIDATES),
        (None, None) => Ok(Vec::new()),
    }
    .map(Ranked::by_score)
}

/// Adds to each passage its share of its document's best score and sorts again.
fn with_parent_scores(mut rows: Vec<PassageRow>) -> Vec<PassageRow> {
    let mut scores: Vec<(Id, f64)> =
        rows.iter().map(|row| (row.document.clone(), row.score)).collect();
    with_parents(&mut scores);
    for (row, (_, score)) in rows.iter_mut().zip(scores) {
        row.score = score;
    }
    // The sort is stable and the rows came ordered, so that ties keep their order.
    rows.sort_by(|a, b| b.score.total_cmp(&a.score));
    rows
}

/// Merges two lists by position; a passage keeps the score of the first list that has it.
fn merged(terms: Vec<PassageRow>, substrings: Vec<PassageRow>) -> Ranked {
    if substrings.is_empty() {
        return Ranked::by_score(terms);
    }
    let keys = |rows: &[PassageRow]| rows.iter().map(|row| row.chunk).collect();
    let order = reciprocal_rank_fusion(&[keys(&terms), keys(&substrings)]);
    let mut rows = HashMap::new();
    for row in terms.into_iter().chain(substrings) {
        rows.entry(row.chunk).or_insert(row);
    }
    let order =
        order.into_iter().filter_map(|(chunk, weight)| Some((rows.remove(&chunk)?, weight)));
    let (rows, weights) = order.unzip();
    Ranked { rows, weights }
}

/// One list after the other, each passage once; what only substrings found weighs nothing.
fn followed(terms: Vec<PassageRow>, substrings: Vec<PassageRow>) -> Ranked {
    let known: HashSet<i64> = terms.iter().map(|row| row.chunk).collect();
    let mut ranked = Ranked::by_score(terms);
    ranked.rows.extend(substrings.into_iter().filter(|row| !known.contains(&row.chunk)));
    ranked.weights.resize(ranked.rows.len(), 0.0);
    ranked
}
