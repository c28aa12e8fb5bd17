//! Putting ranked lists together: pure arithmetic, no notion of stores or documents.

use std::collections::HashMap;
use std::hash::Hash;

/// The constant of reciprocal rank fusion: a hit at position `p` (from 0) of a list adds `1 / (RRF_K + p + 1)`.
pub const RRF_K: f64 = 60.0;
/// The share of its parent's best score that a hit is given on top of its own.
pub const PARENT_SHARE: f64 = 0.3;

/// Merges ranked lists by position; a key's first place in a list counts, ties keep the order of first appearance.
///
/// Returns every key once with its fused score, best first.
pub fn reciprocal_rank_fusion<K: Eq + Hash + Clone>(lists: &[Vec<K>]) -> Vec<(K, f64)> {
    let mut fused: Vec<(K, f64)> = Vec::new();
    let mut places: HashMap<&K, (usize, usize)> = HashMap::new();
    for (list_number, list) in lists.iter().enumerate() {
        for (position, key) in list.iter().enumerate() {
            let score = 1.0 / (RRF_K + position as f64 + 1.0);
            match places.get_mut(key) {
                None => {
                    places.insert(key, (fused.len(), list_number));
                    fused.push((key.clone(), score));
                }
                Some((_, seen_in)) if *seen_in == list_number => {}
                Some((place, seen_in)) => {
                    *seen_in = list_number;
                    fused[*place].1 += score;
                }
            }
        }
    }
    fused.sort_by(|a, b| b.1.total_cmp(&a.1));
    fused
}

/// Adds to every score 0.3 × the best score among the hits of the same parent (a file, a session).
///
/// `scores` pairs a parent with a hit's own score, higher is better; the order of the slice is kept.
pub fn with_parents<P: Eq + Hash + Clone>(scores: &mut [(P, f64)]) {
    let mut best: HashMap<P, f64> = HashMap::new();
    for (parent, score) in scores.iter() {
        let top = best.entry(parent.clone()).or_insert(*score);
        *top = top.max(*score);
    }
    for (parent, score) in scores {
        *score += PARENT_SHARE * best[parent];
    }
}
