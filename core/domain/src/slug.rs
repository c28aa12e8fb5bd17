//! Names for files, made from titles and branch names.
//!
//! A slug is safe on Linux, macOS and Windows: lower case, no separators, no reserved device names, no leading or
//! trailing dots and dashes, cut on a character boundary. Building the path itself is not done here.

use sha2::{Digest as _, Sha256};
use unicode_normalization::UnicodeNormalization as _;

/// Longest slug of a fact's file stem, in bytes.
const FACT_BYTES: usize = 60;
/// Longest slug of a branch's file stem, in bytes, without the hash.
const BRANCH_BYTES: usize = 80;
/// What a title without a usable character becomes.
const EMPTY: &str = "topic";

/// A file stem for `title`: lower-case words joined by `-`, at most `max_bytes` bytes of UTF-8.
///
/// Letters and digits of every script are kept (NFC), everything else separates words. Never empty.
pub fn slug(title: &str, max_bytes: usize) -> String {
    let slug = words(title, max_bytes);
    if slug.is_empty() || is_reserved(&slug) {
        return if slug.is_empty() { EMPTY.to_owned() } else { format!("{EMPTY}-{slug}") };
    }
    slug
}

/// The stem of a fact's file: a slug of the title of at most 60 bytes, `-`, and the last six characters of its ULID in
/// lower case, so that a file system that folds case sees no two names as one.
pub fn fact_stem(title: &str, id: &str) -> String {
    let tail = id.char_indices().rev().nth(5).map_or(id, |(at, _)| &id[at..]);
    format!("{}-{}", slug(title, FACT_BYTES), tail.to_lowercase())
}

/// The stem of a branch's handoff file: a slug of at most 80 bytes, and `-` with eight hex digits of the SHA-256 of the
/// exact name whenever the slug is not that very name, so that `Fix`, `fix` and `feat/x`, `feat-x` never share a file.
pub fn branch_slug(branch: &str) -> String {
    let slug = slug(branch, BRANCH_BYTES);
    if slug == branch {
        return slug;
    }
    format!("{slug}-{}", &hex::encode(Sha256::digest(branch.as_bytes()))[..8])
}

fn words(title: &str, max_bytes: usize) -> String {
    let lower: String = title.nfc().collect::<String>().to_lowercase().nfc().collect();
    let mut slug = String::new();
    for word in lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        if !slug.is_empty() {
            slug.push('-');
        }
        slug.push_str(word);
        if slug.len() > max_bytes {
            break;
        }
    }
    slug.truncate(slug.floor_char_boundary(max_bytes));
    slug.truncate(slug.trim_end_matches('-').len());
    slug
}

/// Whether Windows refuses the name as a file stem whatever the extension.
fn is_reserved(slug: &str) -> bool {
    let device = slug.trim_end_matches(|c: char| c.is_ascii_digit());
    matches!(slug, "con" | "prn" | "aux" | "nul" | "conin" | "conout")
        || (matches!(device, "com" | "lpt") && slug.len() == device.len() + 1)
}
