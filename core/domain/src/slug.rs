//! Names for files, made from titles and branch names.
//!
//! A slug is safe on Linux, macOS and Windows: one case, one normal form, no separators, no device
//! names, no dots or dashes at its ends. Deliberately absent: paths, which are built elsewhere.

use sha2::{Digest as _, Sha256};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// Longest slug of a fact, in bytes.
const FACT_BYTES: usize = 60;
/// Longest slug of a branch, in bytes, without the hash behind it.
const BRANCH_BYTES: usize = 80;
/// How much of a ULID tells facts with one title apart, in characters.
const ID_TAIL: usize = 6;
/// What is left of a title without letters and digits.
const EMPTY: &str = "topic";

/// What a plain name has to be, for messages: "must be …".
pub const PLAIN_NAME: &str =
    "must be 1 to 64 small letters, digits, `-` and `_`, and begin with a letter or digit";
/// The longest plain name, in bytes.
const LONGEST_NAME: usize = 64;

/// Whether a text is of the form `[a-z0-9][a-z0-9-_]{0,63}`, so that it can never be a path.
pub fn is_plain_name(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    text.bytes().next().is_some_and(is_plain)
        && text.len() <= LONGEST_NAME
        && text.bytes().all(|byte| is_plain(byte) || byte == b'-' || byte == b'_')
}

/// Lower-case words joined by `-`, at most `max_bytes` bytes, never empty.
///
/// Letters and digits of every script are kept, in NFC; all else parts words. A name that Windows
/// keeps for a device gets `topic-` before it.
pub fn slug(title: &str, max_bytes: usize) -> String {
    let slug = words(title, max_bytes);
    if slug.is_empty() {
        EMPTY.to_owned()
    } else if is_device(&slug) {
        format!("{EMPTY}-{slug}")
    } else {
        slug
    }
}

/// The stem of a fact's file: its slug of at most 60 bytes, `-`, and the last six characters of
/// its ULID, in lower case like the rest, for there are file systems that fold case.
pub fn fact_stem(title: &str, id: &str) -> String {
    let start = id.char_indices().rev().nth(ID_TAIL - 1).map_or(0, |(at, _)| at);
    format!("{}-{}", slug(title, FACT_BYTES), id[start..].to_lowercase())
}

/// The stem of a branch's file: its slug of at most 80 bytes, and `-` with eight hex digits of the
/// SHA-256 of the name whenever the slug is not the very name.
///
/// So `Fix` and `fix`, or `feat/x` and `feat-x`, have two files, on every file system.
pub fn branch_slug(branch: &str) -> String {
    let slug = slug(branch, BRANCH_BYTES);
    if slug == branch {
        return slug;
    }
    format!("{slug}-{}", &hex::encode(Sha256::digest(branch))[..8])
}

fn words(title: &str, max_bytes: usize) -> String {
    // By way of upper case, since `ſ` and `s` are one letter to a file system that folds case.
    let folded: String = title.to_uppercase().to_lowercase().nfc().collect();
    let is_mark = |c: char| !c.is_ascii() && is_combining_mark(c);
    let mut slug = String::new();
    for word in folded.split(|c: char| !c.is_alphanumeric() && !is_mark(c)) {
        let word = word.trim_start_matches(is_mark);
        if !word.is_empty() && slug.len() < max_bytes {
            slug.push_str(if slug.is_empty() { "" } else { "-" });
            slug.push_str(word);
        }
    }
    slug.truncate(slug.floor_char_boundary(max_bytes));
    slug.truncate(slug.trim_end_matches('-').len());
    slug
}

/// Whether Windows keeps the name for a device, whatever the extension.
fn is_device(slug: &str) -> bool {
    let port = slug.strip_prefix("com").or_else(|| slug.strip_prefix("lpt"));
    let is_port = |port: &str| port.chars().count() == 1 && port.contains(char::is_numeric);
    matches!(slug, "con" | "prn" | "aux" | "nul") || port.is_some_and(is_port)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    #[test]
    fn slugs() {
        let emoji = "😀".repeat(255);
        let dots = ".".repeat(300);
        let cases = [
            ("deploy-via-make-release", "deploy-via-make-release"),
            ("  Deploy: via `make release`!  ", "deploy-via-make-release"),
            ("服务器的部署流程", "服务器的部署流程"),
            ("データベース／検索", "データベース-検索"),
            ("Cafe\u{301} ÉTÉ", "café-été"),
            ("हिन्दी भाषा", "हिन्दी-भाषा"),
            ("straße ſ", "strasse-s"),
            ("-rf --no", "rf-no"),
            ("../../etc/passwd", "etc-passwd"),
            ("a\\b:c|d", "a-b-c-d"),
            ("CON", "topic-con"),
            ("com1", "topic-com1"),
            ("LPT¹", "topic-lpt¹"),
            ("con man", "con-man"),
            ("", "topic"),
            ("   ", "topic"),
            ("a\0b\n", "a-b"),
            (&dots, "topic"),
            (&emoji, "topic"),
        ];
        for (title, expected) in cases {
            assert_eq!(slug(title, 60), expected, "{title:?}");
        }
        assert_eq!(slug(&"部署".repeat(99), 60), "部署".repeat(10));
        assert_eq!(slug("abc defg", 4), "abc");
        assert_eq!(slug("abcdé", 5), "abcd");
    }

    #[test]
    fn fact_stems() {
        let id = "01J5E8ZK3Q4R5S6T7V8W9XYZAB";
        assert_eq!(fact_stem("Deploy", id), "deploy-9xyzab");
        assert_eq!(fact_stem("?", "short"), "topic-short");
        assert!(fact_stem(&"x".repeat(500), id).len() <= 67);
    }

    #[test]
    fn branches_never_share_a_file() {
        let (long, longer) = ("x".repeat(250), "x".repeat(251));
        let names = [
            "feat/x",
            "feat-x",
            "feat_x",
            "a/../../b",
            "a-b",
            "..",
            ".",
            ".git",
            "git",
            "-rf",
            "rf",
            "CON",
            "con",
            "aux.md",
            "aux",
            "a\\b",
            "a:b",
            "dot.",
            "dot ",
            "dot",
            &long,
            &longer,
            "😀",
            "🚀",
            "Fix",
            "fix",
            "FIX",
            "é",
            "e\u{301}",
            "E\u{301}",
            "ſ",
            "s",
            "refs/heads/x",
            "x",
            "a1b2c3d",
            "",
            "topic",
            "修复",
            "ß",
            "ss",
            "main",
        ];
        let mut files = HashSet::new();
        for name in names {
            let stem = branch_slug(name);
            let safe = stem.chars().all(|c| c == '-' || c.is_alphanumeric()) && !is_device(&stem);
            assert!(safe && !stem.starts_with('-') && stem.len() <= 89, "{name:?}: {stem:?}");
            let folded: String = stem.to_uppercase().to_lowercase().nfc().collect();
            assert!(files.insert(folded), "{name:?} shares {stem:?}");
        }
        assert_eq!(branch_slug("fix"), "fix");
        assert_eq!(branch_slug("main"), "main");
        assert_eq!(branch_slug("Fix"), "fix-21f1595b");
        assert_eq!(branch_slug("修复"), "修复");
    }

    proptest! {
        #[test]
        fn any_title_is_safe(title in any::<String>(), max_bytes in 12_usize..90) {
            let slug = slug(&title, max_bytes);
            prop_assert!(!slug.is_empty() && slug.len() <= max_bytes.max(12), "{}", slug);
            prop_assert!(!slug.starts_with('-') && !slug.ends_with('-') && !is_device(&slug));
            let allowed = |c: char| c == '-' || c.is_alphanumeric() || is_combining_mark(c);
            prop_assert!(slug.chars().all(allowed), "{}", slug);
            prop_assert!(fact_stem(&title, "01J5E8ZK3Q4R5S6T7V8W9XYZAB").len() <= 67);
        }
    }
}
