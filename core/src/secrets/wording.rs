//! Is what stands behind a name a value of its own, or a word, a reference, an expression?
//!
//! Deliberately absent: values that are known by their own shape; those are rules.

use std::collections::HashSet;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::chance::{digit_groups, is_hex, is_placeholder, is_random, is_ulid, letters_in_words};
use super::reference::{is_expression, is_reference};
use super::rule::Candidate;

/// Last words of names that speak about a secret and do not hold one.
static ABOUT: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let words = "id ids name names path file files filename dir url uri type types hash \
    digest sha sha1 sha256 checksum count counts length len size limit limits max min expires \
    expiry expiration ttl version prefix suffix header headers field fields format algorithm \
    alg arn ref label title hint text placeholder regex pattern policy column index idx enabled \
    required env var alias provider store role scope endpoint host port usage error message \
    description status state kind rotation age days at rules strength input fingerprint created \
    updated position start end offset sum";
    words.split(' ').collect()
});
/// Words in names of keys that are no secrets.
static PUBLIC: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let words = "public cache primary foreign sort partition idempotency dedup row group \
    map object storage_key next page cursor continuation pub routing shard publishable etag \
    keyboard keyword keyframe hotkey monkey sync integrity i18n translation author keyof \
    keypath commit";
    let built = AhoCorasick::builder().ascii_case_insensitive(true).build(words.split(' '));
    built.expect("the words are few and short")
});
/// What a password, a token or a key may be said to be, with a digit in it.
static TERMS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let words = "utf base32 base58 base64 sha md5 hs256 hs384 hs512 rs256 es256 oauth \
    argon2 pbkdf2 bcrypt scrypt ed25519 x25519 rsa aes hmac uuid int uint float varchar char \
    string iso8601 ipv4 ipv6 http k8s s3 ec2 oidc jwt 2fa mfa p-256 p256 gpt llama claude u8 \
    u16 u32 u64 u128 i8 i16 i32 i64 f32 f64 blake crc32 i18n l10n x509 pkcs tls1 v1 v2 v3 v4 \
    nist";
    words.split(' ').collect()
});

/// A name and its value, as the rules for assignments match them.
pub(super) struct Assigned<'a> {
    name: &'a [u8],
    value: &'a [u8],
    /// The value stands in quotes.
    is_quoted: bool,
    /// `NAME=value` as in a shell, or `--name=value`.
    is_shell: bool,
    /// The value goes on as an expression.
    is_called: bool,
}

impl<'a> Assigned<'a> {
    pub(super) fn of(candidate: &'a Candidate<'a>) -> Self {
        let before = candidate.before();
        let start = before.len() - before.iter().rev().take(64).take_while(|b| is_name(b)).count();
        let text = candidate.text;
        let rest = &text[candidate.whole.start..candidate.secret.start];
        let end = candidate.whole.start + rest.iter().take_while(|byte| is_name(byte)).count();
        let (name, between) = (&text[start..end], &text[end..candidate.secret.start]);
        let is_quoted = between.last().is_some_and(|byte| b"\"'`".contains(byte));
        let is_upper = !name.iter().any(u8::is_ascii_lowercase);
        let is_flag = name.starts_with(b"--");
        let is_shell =
            between.first() == Some(&b'=') && between.len() <= 2 && (is_upper || is_flag);
        let is_called = !is_quoted && candidate.next().is_some_and(|byte| b"([{".contains(&byte));
        Self { name, value: candidate.secret(), is_quoted, is_shell, is_called }
    }

    /// The value of a name that says password.
    pub(super) fn is_password(&self) -> bool {
        let least = if self.is_quoted || self.is_shell { 4 } else { 6 };
        self.is_value(least)
            && (has_strength(self.value) || (self.is_shell && !is_switch(self.value)))
    }

    /// The value of a name that says token, secret or key of something.
    pub(super) fn is_secret(&self) -> bool {
        let is_plain = self.is_shell && has_digit(self.value) && has_letter(self.value);
        self.is_value(8) && !self.is_public() && (is_opaque(self.value) || is_plain)
    }

    /// The value of a name that says key and no more.
    pub(super) fn is_key(&self) -> bool {
        let is_strong = self.is_shell || (is_random(self.value) && !is_hex(self.value));
        self.value.len() >= 20 && is_strong && self.is_secret()
    }

    fn is_value(&self, least: usize) -> bool {
        let value = self.value;
        value.len() >= least
            && value.len() <= 512
            && !self.is_called
            && !is_placeholder(value)
            && !value.iter().any(u8::is_ascii_whitespace)
            && !is_reference(value)
            && !is_ulid(value)
            && (self.is_quoted || self.is_shell || !is_expression(value))
            && !ABOUT.contains(last_word(self.name).as_str())
    }

    fn is_public(&self) -> bool {
        PUBLIC.is_match(self.name)
    }
}

fn is_name(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-.".contains(byte)
}

/// `id` of `token_id`, `tokenId` and `token-id`, in small letters.
fn last_word(name: &[u8]) -> String {
    let is_break = |pair: &[u8]| {
        b"_-.".contains(&pair[0]) || (pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
    };
    let start = name.windows(2).rposition(is_break).map_or(0, |at| at + 1);
    String::from_utf8_lossy(&name[start..]).to_ascii_lowercase()
}

/// More than a word: a digit, a sign that names have not, or a change of case as in no name.
fn has_strength(value: &[u8]) -> bool {
    let has_sign = value.iter().any(|byte| b"!@#$%^&*+=?~;,".contains(byte));
    has_letter(value) && (has_digit(value) || has_sign) && !is_term(value)
        || has_scattered(value)
        || (value.len() >= 6 && value.iter().all(u8::is_ascii_digit))
}

fn has_scattered(value: &[u8]) -> bool {
    value.len() >= 8 && is_random(&value.repeat(2)) && letters_in_words(value) * 2 < value.len()
}

/// Drawn by chance, or at least no name: letters and digits that make no words.
pub(super) fn is_opaque(value: &[u8]) -> bool {
    let letters = value.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let in_words = letters_in_words(value) * 2 > letters;
    // The names of a program may be odd, but have few digits.
    (is_random(value) && (has_digit(value) || value.len() >= 32))
        || (value.len() >= 10
            && has_digit(value)
            && has_letter(value)
            && (!in_words || digit_groups(value) >= 3)
            && !is_term(value))
}

/// What somebody tells as their password, beyond a word of the sentence.
pub(super) fn is_told_password(value: &[u8]) -> bool {
    let is_amount = value[0].is_ascii_digit()
        && value
            .iter()
            .skip_while(|b| b.is_ascii_digit() || **b == b'-')
            .all(u8::is_ascii_lowercase)
        && !value.iter().all(u8::is_ascii_digit);
    let is_file = value.iter().rev().take(6).any(|byte| *byte == b'.')
        && !value.iter().any(|byte| b"!@#$%^&*+=".contains(byte));
    let has_place = value.contains(&b'/') || value.contains(&b'_') || value.contains(&b'(');
    value.len() >= 4
        && !is_placeholder(value)
        && !is_reference(value)
        && !is_ulid(value)
        && has_strength(value)
        && !is_amount
        && (!is_file || is_opaque(value))
        && (!has_place || is_opaque(value))
}

/// What somebody tells as their token or key.
pub(super) fn is_told_token(value: &[u8]) -> bool {
    !is_placeholder(value) && !is_reference(value) && !is_ulid(value) && is_opaque(value)
}

/// Names of procedures and formats, and what begins with one.
fn is_term(value: &[u8]) -> bool {
    let lower = String::from_utf8_lossy(value).to_ascii_lowercase();
    TERMS.iter().any(|term| {
        let rest = lower.strip_prefix(term);
        rest.is_some_and(|rest| rest.len() <= 4 || rest.starts_with(['-', '_', '.']))
    })
}

/// The values of a switch.
fn is_switch(value: &[u8]) -> bool {
    const WORDS: &str = "true false null none undefined required optional password secret disabled \
        enabled always never prompt token";
    let lower = String::from_utf8_lossy(value).to_ascii_lowercase();
    WORDS.split(' ').any(|word| word == lower)
        || value.iter().all(|byte| byte.is_ascii_uppercase() || *byte == b'_')
}

fn has_digit(value: &[u8]) -> bool {
    value.iter().any(u8::is_ascii_digit)
}

fn has_letter(value: &[u8]) -> bool {
    value.iter().any(u8::is_ascii_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn told_passwords_are_no_words_of_the_sentence() {
        for value in ["hunter2", "Tr0ub4dor&3", "S3cret!x", "correct#horse", "482913", "pA9x-q2Lm"]
        {
            assert!(is_told_password(value.as_bytes()), "{value}");
        }
        for value in [
            "required",
            "base64-encoded",
            "utf8",
            "sha256",
            "OAuth2",
            "8-16",
            "32-byte",
            "24h",
            "~/.config/x1.toml",
            "settings2.toml",
            "user_id2",
            "https://a.b/c1",
            "${X}",
            "case-sensitive",
            "getPassword1()",
            "config.password1",
        ] {
            assert!(!is_told_password(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn the_last_word_of_a_name_says_what_it_is() {
        for name in ["token_id", "tokenId", "token-id", "id", "secret.token_id"] {
            assert_eq!(last_word(name.as_bytes()), "id");
        }
        assert_eq!(last_word(b"API_KEY"), "key");
    }
}
