//! Merge scan: what the stores say of themselves, and what the engine makes of the other pairs.

use std::time::Duration;

use coffer_domain::similar::resemblance;
use coffer_domain::store::StoreName;
use coffer_env::clock;
use serde::Deserialize;
use serde_json::json;

use super::Organizer;
use crate::engine::{EngineFailure, Writer};
use crate::error::Result;
use crate::memory::{Evidence, Sign};

const INSTRUCTIONS: &str = include_str!("prompts/merge.md");
/// The most pairs that a scan asks about.
const PAIRS: usize = 50;
/// The longest that a scan takes.
const LONGEST: Duration = Duration::from_secs(100);
/// The most characters of a reason.
const REASON_CHARS: usize = 300;

/// A merge that is worth a thought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposed {
    /// The store that would go.
    pub source: Evidence,
    /// The store that would take it in.
    pub target: Evidence,
    /// Why.
    pub judgment: Judgment,
}

/// What a proposal rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judgment {
    /// What the stores say.
    Sign(Sign),
    /// What the engine makes of it.
    Engine {
        /// Whether it looks like it, or only may be.
        is_likely: bool,
        /// Why, a sentence.
        reason: String,
    },
}

/// What a scan found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scan {
    /// Whether the engine took part.
    pub is_judged: bool,
    /// Whether there were more pairs than it was asked about, or it could not be asked.
    pub is_truncated: bool,
    /// The proposals.
    pub proposals: Vec<Proposed>,
}

/// The answer's shape.
#[derive(Deserialize)]
struct Answer {
    same: bool,
    confidence: Confidence,
    reason: String,
}

#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Confidence {
    Likely,
    Unsure,
}

impl Organizer {
    /// The merges that are worth a thought; changes nothing.
    ///
    /// # Errors
    ///
    /// Files or index that cannot be read; an engine that cannot be opened.
    pub fn scan(&self) -> Result<Scan> {
        let signs = self.memory.merge_scan()?.into_iter().map(|found| Proposed {
            source: found.source,
            target: found.target,
            judgment: Judgment::Sign(found.sign),
        });
        let mut scan = Scan { is_judged: false, is_truncated: false, proposals: signs.collect() };
        if let Some(writer) = self.engine.writer()? {
            let stores = self.memory.projects()?;
            self.judge_all(&writer, &stores, &mut scan);
        }
        Ok(scan)
    }

    /// Asks about the pairs that nothing ties together. A pair without a good answer is no proposal.
    fn judge_all(&self, writer: &Writer, stores: &[Evidence], scan: &mut Scan) {
        let pairs = open_pairs(stores, &scan.proposals);
        scan.is_judged = true;
        scan.is_truncated = pairs.len() > PAIRS;
        let until = clock::instant() + LONGEST;
        for (target, source) in pairs.into_iter().take(PAIRS) {
            let go_on = || clock::instant() < until;
            let material = material(target, source);
            match writer.ask::<Answer>(INSTRUCTIONS, &material, &go_on) {
                Ok(Answer { same: true, confidence, reason }) => scan.proposals.push(Proposed {
                    source: source.clone(),
                    target: target.clone(),
                    judgment: Judgment::Engine {
                        is_likely: confidence == Confidence::Likely,
                        reason: sentence(&reason),
                    },
                }),
                Ok(Answer { same: false, .. }) => {}
                Err(failure) => {
                    tracing::warn!(%failure, "a pair of stores was not judged");
                    scan.is_truncated |= !matches!(failure, EngineFailure::Malformed(_));
                    if failure.ends_all() {
                        return;
                    }
                }
            }
        }
    }
}

/// Pairs of stores that are in no proposal together, those of like names first. The better target stands
/// first in each.
fn open_pairs<'s>(
    stores: &'s [Evidence],
    proposals: &[Proposed],
) -> Vec<(&'s Evidence, &'s Evidence)> {
    let goes = |store: &StoreName| proposals.iter().any(|it| it.source.store == *store);
    let mut pairs = Vec::new();
    for (at, target) in stores.iter().enumerate() {
        for source in &stores[at + 1..] {
            // What a sign merges away anyway needs no second opinion.
            if !goes(&target.store) && !goes(&source.store) {
                pairs.push((target, source));
            }
        }
    }
    let likeness = |(one, other): &(&Evidence, &Evidence)| {
        let alike = resemblance(&one.display_name, &other.display_name);
        let gone = u8::from(!one.root_exists || !other.root_exists);
        -(f64::from(gone) + alike)
    };
    pairs.sort_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    pairs
}

/// What speaks for two stores, as the model is given it.
fn material(one: &Evidence, other: &Evidence) -> String {
    let [one, other] = [one, other].map(|evidence| {
        let Evidence {
            store: _,
            display_name,
            label,
            project_root,
            root_exists,
            remote,
            root_commit: _,
            fact_count,
            titles,
        } = evidence;
        json!({"name": display_name, "label": label, "folder": project_root,
            "folder_exists": root_exists, "remote": remote, "notes": fact_count, "titles": titles})
    });
    json!({"one": one, "other": other}).to_string()
}

fn sentence(reason: &str) -> String {
    let words = reason.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().take(REASON_CHARS).collect()
}
