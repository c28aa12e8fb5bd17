//! Near-duplicates without a model: which facts say almost the same?
//!
//! A text becomes a set of shingles (its words without endings, bigrams of scripts without
//! spaces). [`signature`] lets an index find candidates by equality of one integer, however many
//! facts there are; [`resemblance`] then tells how much two texts share. Deliberately absent:
//! meaning. Facts in other words are other facts here.

use crate::query::is_stop_word;
use crate::terms::{Piece, bigrams, normal, pieces};
use std::collections::HashSet;

/// How many integers a signature has; two texts are candidates when one is equal at its place.
pub const BANDS: usize = 8;
/// How many minima make one integer.
const ROWS: usize = 4;

/// From this resemblance on two facts are near-duplicates.
///
/// With it one word of five may be another one, one of four may not. Of the pairs at the
/// threshold a signature finds four of five, of those at 0.8 all but two in a hundred.
pub const SIMILAR: f64 = 0.65;
/// Names the way signatures are made; another one than they were stored with makes them stale.
pub const SIGNATURE_VERSION: u32 = 1;

/// Longest stem of a word, in characters: `deploys`, `deploying` and `deployment` are one.
const STEM: usize = 6;
/// What facts that differ in their figures only are worth: two ports are two facts.
const OTHER_FIGURES: f64 = 0.5;

/// The MinHash signature of a text, the same on every machine and in every run.
pub fn signature(text: &str) -> [i64; BANDS] {
    let shingles = Shingles::of(text).all;
    std::array::from_fn(|band| {
        let minima = (0..ROWS).map(|row| {
            let seed = mixed((band * ROWS + row) as u64 + 1);
            shingles.iter().map(|shingle| mixed(shingle ^ seed)).min().unwrap_or(seed)
        });
        minima.fold(band as u64, |hash, minimum| mixed(hash ^ minimum)).cast_signed()
    })
}

/// How much two texts share, 0.0 to 1.0: the size of the intersection of their shingle sets
/// divided by that of the union; half of it when each has a figure the other lacks.
pub fn resemblance(a: &str, b: &str) -> f64 {
    let (a, b) = (Shingles::of(a), Shingles::of(b));
    let shared = a.all.intersection(&b.all).count();
    let jaccard = shared as f64 / (a.all.len() + b.all.len() - shared).max(1) as f64;
    let contradict = !a.figures.is_subset(&b.figures) && !b.figures.is_subset(&a.figures);
    if contradict { jaccard * OTHER_FIGURES } else { jaccard }
}

/// Hashes of what a text is made of.
#[derive(Default)]
struct Shingles {
    all: HashSet<u64>,
    /// Those with a digit.
    figures: HashSet<u64>,
}

impl Shingles {
    fn of(text: &str) -> Self {
        let normal = normal(text);
        let mut shingles = Self::default();
        for (_, piece) in pieces(&normal) {
            match piece {
                Piece::Word(word) => shingles.add_word(&word.to_lowercase()),
                Piece::Run(run) if bigrams(run).next().is_some() => {
                    shingles.all.extend(bigrams(run).map(hash));
                }
                other => drop(shingles.all.insert(hash(&other.made_up()))),
            }
        }
        // A text that says nothing is still like itself.
        if shingles.all.is_empty() && !text.trim().is_empty() {
            shingles.all.insert(hash(&text.split_whitespace().collect::<String>()));
        }
        shingles
    }

    fn add_word(&mut self, word: &str) {
        let is_figure = word.contains(char::is_numeric);
        if is_figure {
            self.figures.insert(hash(word));
        }
        // A negation turns the fact round, so it counts.
        if is_figure || matches!(word, "not" | "no") || !is_stop_word(word) {
            self.all.insert(hash(if is_figure { word } else { stem(word) }));
        }
    }
}

fn stem(word: &str) -> &str {
    let end = word.char_indices().nth(STEM).map_or(word.len(), |(at, _)| at);
    let stem = &word[..end];
    stem.strip_suffix('s').filter(|singular| singular.len() > 2).unwrap_or(stem)
}

/// FNV-1a over the bytes.
fn hash(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    mixed(text.bytes().fold(0xcbf2_9ce4_8422_2325, step))
}

/// The finalizer of SplitMix64: every bit of the input counts for every bit of the result.
fn mixed(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn are_candidates(a: &str, b: &str) -> bool {
        signature(a).iter().zip(signature(b)).any(|(a, b)| *a == b)
    }

    #[test]
    fn the_same_fact_in_slightly_other_words() {
        let pairs = [
            ("This repo deploys via `make release`.", "the repo is deployed via make release"),
            (
                "Use pnpm, never npm, in the web folder",
                "In the web folder, use pnpm and never npm!",
            ),
            (
                "The API server listens on port 4001 in development",
                "In development the API server is listening on port 4001.",
            ),
            (
                "CI runs clippy with warnings denied",
                "CI runs clippy with warnings denied on every push",
            ),
            ("服务器的部署流程写在文档里", "服务器部署流程写在文档里。"),
            ("テストは毎回データベースを初期化する", "テストは毎回、データベースを初期化する"),
            ("!!!", "!!!"),
            ("this is it", "this is it"),
        ];
        for (a, b) in pairs {
            assert!(resemblance(a, b) >= SIMILAR, "{} {a:?} {b:?}", resemblance(a, b));
            assert!(are_candidates(a, b), "{a:?} {b:?}");
        }
    }

    #[test]
    fn other_facts() {
        let pairs = [
            (
                "The staging API server always listens on port 4001",
                "The staging API server always listens on port 4002",
            ),
            ("Deploy via make release", "Tests run via cargo nextest"),
            ("Prefer tabs", "Prefer spaces"),
            ("The db password lives in the vault", "The db schema lives in migrations"),
            ("服务器的部署流程写在文档里", "数据库的备份流程写在脚本里"),
            ("", "x"),
            ("", ""),
        ];
        for (a, b) in pairs {
            assert!(resemblance(a, b) < SIMILAR, "{} {a:?} {b:?}", resemblance(a, b));
        }
    }

    #[test]
    fn a_signature_never_changes() {
        let expected = signature("Deploys via make release");
        assert_eq!(signature("via MAKE release, deployment"), expected);
        assert_eq!(expected[..2], [26_532_022_353_673_205, 8_339_388_065_918_561_313]);
    }

    #[test]
    fn a_signature_finds_as_much_as_it_says() {
        let text =
            |words: &[u32]| words.iter().map(|w| format!("w{}x ", w * 7919)).collect::<String>();
        let found = |shared: u32| {
            let pairs = (0..300).filter(|pair| {
                let from = pair * 100;
                let a: Vec<u32> = (from..from + 10).collect();
                let b: Vec<u32> = (from + 10 - shared..from + 20 - shared).collect();
                are_candidates(&text(&a), &text(&b))
            });
            pairs.count()
        };
        // 8 of 12 shared is 0.67, 9 of 11 is 0.82, 2 of 18 is 0.11.
        assert!((225..=275).contains(&found(8)), "{}", found(8));
        assert!(found(9) > 290, "{}", found(9));
        assert!(found(2) < 5, "{}", found(2));
    }

    proptest! {
        #[test]
        fn bounds_and_symmetry(a in "\\PC{0,40}", b in "\\PC{0,40}") {
            let forth = resemblance(&a, &b);
            prop_assert!((0.0..=1.0).contains(&forth));
            prop_assert_eq!(forth, resemblance(&b, &a));
            prop_assert!(a.trim().is_empty() || resemblance(&a, &a) > 0.0);
            prop_assert_eq!(signature(&a), signature(&a.replace(' ', "  ")));
        }
    }
}
