//! Putting ranked lists together: arithmetic, without a notion of stores or documents.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// The constant of reciprocal rank fusion: a place `p`, from 0, in a list adds `1 / (K + p + 1)`.
pub const RRF_K: f64 = 60.0;
/// How much of its parent's best score a hit is given on top of its own.
pub const PARENT_SHARE: f64 = 0.3;

/// Merges ranked lists by places alone, since their scores cannot be compared.
///
/// Every key comes once, with the sum over the lists of its first place in each, best first; ties
/// keep the order of first appearance, list after list.
pub fn reciprocal_rank_fusion<K: Eq + Hash + Clone>(lists: &[Vec<K>]) -> Vec<(K, f64)> {
    let mut fused: Vec<(K, f64)> = Vec::new();
    let mut places: HashMap<&K, usize> = HashMap::new();
    for list in lists {
        let mut seen = HashSet::new();
        for (position, key) in list.iter().enumerate().filter(|(_, key)| seen.insert(*key)) {
            let place = *places.entry(key).or_insert_with(|| {
                fused.push((key.clone(), 0.0));
                fused.len() - 1
            });
            fused[place].1 += 1.0 / (RRF_K + position as f64 + 1.0);
        }
    }
    fused.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    fused
}

/// The share of terms in a mix of terms and meaning; meaning has the rest.
pub const KEYWORD_SHARE: f64 = 0.6;

/// Merges a list by terms with a list by meaning, both best first, by weighted scores: those of terms
/// as a share of the best one, those of meaning as their place between the list's worst and best.
///
/// Every key comes once, best first; what one list lacks counts nothing there. Ties keep the order of
/// first appearance, terms before meaning.
pub fn weighted_mix<K: Eq + Hash + Clone>(
    terms: &[(K, f64)],
    meaning: &[(K, f64)],
) -> Vec<(K, f64)> {
    let best = terms.iter().map(|(_, score)| *score).fold(0.0, f64::max);
    let top = meaning.iter().map(|(_, score)| *score).fold(f64::NEG_INFINITY, f64::max);
    let low = meaning.iter().map(|(_, score)| *score).fold(f64::INFINITY, f64::min);
    let of_terms = |score: f64| if best > 0.0 { score.max(0.0) / best } else { 1.0 };
    let of_meaning = |score: f64| if top > low { (score - low) / (top - low) } else { 1.0 };
    let weighted = terms
        .iter()
        .map(|(key, score)| (key, KEYWORD_SHARE * of_terms(*score)))
        .chain(meaning.iter().map(|(key, s)| (key, (1.0 - KEYWORD_SHARE) * of_meaning(*s))));
    let mut mixed: Vec<(K, f64)> = Vec::new();
    let mut places: HashMap<&K, usize> = HashMap::new();
    for (key, score) in weighted {
        match places.get(key) {
            Some(place) => mixed[*place].1 += score,
            None => {
                places.insert(key, mixed.len());
                mixed.push((key.clone(), score));
            }
        }
    }
    mixed.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    mixed
}

/// Adds to every score 0.3 × the best score among the hits of the same parent: a file, a session.
///
/// A pair is a parent and a hit's own score, higher is better; the order of the slice stays.
pub fn with_parents<P: Eq + Hash + Clone>(scores: &mut [(P, f64)]) {
    let mut best: HashMap<P, f64> = HashMap::new();
    for (parent, score) in scores.iter() {
        best.entry(parent.clone()).and_modify(|top| *top = top.max(*score)).or_insert(*score);
    }
    for (parent, score) in scores {
        *score += PARENT_SHARE * best[parent];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    #[test]
    fn places_add_up() {
        let fused = reciprocal_rank_fusion(&[vec!["a", "b", "a"], vec!["b", "c"], vec![]]);
        let expected = [("b", 1.0 / 62.0 + 1.0 / 61.0), ("a", 1.0 / 61.0), ("c", 1.0 / 62.0)];
        assert_eq!(fused, expected);
        assert_eq!(reciprocal_rank_fusion::<u8>(&[]), []);
        let ties = reciprocal_rank_fusion(&[vec!["x"], vec!["y"], vec!["z"]]);
        assert_eq!(ties.iter().map(|(key, _)| *key).collect::<String>(), "xyz");
    }

    #[test]
    fn terms_and_meaning_are_weighed() {
        let mixed = weighted_mix(&[("a", 4.0), ("b", 1.0)], &[("b", 0.9), ("c", 0.5), ("a", 0.1)]);
        let expected = [("a", 0.6), ("b", 0.6 / 4.0 + 0.4), ("c", 0.4 * 0.5)];
        for ((key, score), (wanted, value)) in mixed.iter().zip(expected) {
            assert!(*key == wanted && (score - value).abs() < 1e-9, "{mixed:?}");
        }
        assert_eq!(weighted_mix(&[("a", 0.0)], &[]), [("a", 0.6)]);
        assert_eq!(weighted_mix(&[], &[("x", 0.2), ("y", 0.2)]), [("x", 0.4), ("y", 0.4)]);
        assert_eq!(weighted_mix::<u8>(&[], &[]), []);
    }

    #[test]
    fn siblings_share_the_best_score() {
        let mut scores = [("a", 1.0), ("b", 0.9), ("a", 0.5)];
        with_parents(&mut scores);
        assert_eq!(scores, [("a", 1.3), ("b", 0.9 + 0.3 * 0.9), ("a", 0.8)]);
    }

    proptest! {
        #[test]
        fn fusion_keeps_every_key_once(lists in vec(vec(0_u8..20, 0..20), 0..5)) {
            let fused = reciprocal_rank_fusion(&lists);
            let keys: HashSet<u8> = fused.iter().map(|(key, _)| *key).collect();
            prop_assert_eq!(keys.len(), fused.len());
            prop_assert_eq!(keys, lists.iter().flatten().copied().collect::<HashSet<u8>>());
            prop_assert!(fused.is_sorted_by(|(_, a), (_, b)| a >= b));
            if let [list] = lists.as_slice() {
                let mut seen = HashSet::new();
                let alone: Vec<u8> = list.iter().copied().filter(|key| seen.insert(*key)).collect();
                prop_assert_eq!(fused.into_iter().map(|(key, _)| key).collect::<Vec<_>>(), alone);
            }
        }

        #[test]
        fn the_order_of_lists_is_nothing(a in vec(0_u8..9, 0..9), b in vec(0_u8..9, 0..9)) {
            let by_key = |lists: &[Vec<u8>]| {
                let mut fused = reciprocal_rank_fusion(lists);
                fused.sort_by_key(|(key, _)| *key);
                fused
            };
            prop_assert_eq!(by_key(&[a.clone(), b.clone()]), by_key(&[b, a]));
        }

        #[test]
        fn a_mix_keeps_every_key_once(
            terms in vec((0_u8..20, 0.0_f64..9.0), 0..20),
            meaning in vec((0_u8..20, -1.0_f64..1.0), 0..20),
        ) {
            let once = |list: &[(u8, f64)]| {
                let mut seen = HashSet::new();
                list.iter().copied().filter(|(key, _)| seen.insert(*key)).collect::<Vec<_>>()
            };
            let (terms, meaning) = (once(&terms), once(&meaning));
            let mixed = weighted_mix(&terms, &meaning);
            let keys: HashSet<u8> = mixed.iter().map(|(key, _)| *key).collect();
            prop_assert_eq!(keys.len(), mixed.len());
            let all = terms.iter().chain(&meaning).map(|(key, _)| *key).collect::<HashSet<u8>>();
            prop_assert_eq!(keys, all);
            prop_assert!(mixed.iter().all(|(_, score)| (0.0..=1.0 + 1e-9).contains(score)));
            prop_assert!(mixed.is_sorted_by(|(_, a), (_, b)| a >= b));
        }

        #[test]
        fn siblings_keep_their_order(scores in vec((0_u8..4, 0.0_f64..9.0), 0..20)) {
            let mut raised = scores.clone();
            with_parents(&mut raised);
            for (i, (parent, score)) in scores.iter().enumerate() {
                prop_assert!(raised[i].1 >= *score && raised[i].1 <= score + PARENT_SHARE * 9.0);
                for (j, (other, below)) in scores.iter().enumerate() {
                    if parent == other && score > below {
                        prop_assert!(raised[i].1 > raised[j].1);
                    }
                }
            }
        }
    }
}
