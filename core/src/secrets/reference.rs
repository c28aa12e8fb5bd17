//! What stands for a value and is none: a path, an address, a constant, a member, an expression.
//!
//! Deliberately absent: placeholders of documents; those are `chance`'s.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::chance::{digit_groups, has_scattered_case, is_random, letters_in_words};

/// How references begin.
static OPENINGS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let openings = "./ ../ ~/ sha1- sha256 sha384 sha512 h1: process. os. env. self. this. secrets. \
        config. arn: vault: op:// data: @ = ! & | ? [ ( ^ \\";
    openings.split(' ').collect()
});
/// What no value has in it.
static INSIDE: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let built = AhoCorasick::new("://|${|{{|::|=>|->|()|env[|%s|..".split('|'));
    built.expect("the signs are few and short")
});

/// A path, an address, a hash that says so, a member of something, an expression.
pub(super) fn is_reference(value: &[u8]) -> bool {
    OPENINGS.iter().any(|opening| value.starts_with(opening.as_bytes()))
        || INSIDE.is_match(value)
        || is_path(value)
        || is_member(value)
        || is_constant(value)
}

/// What only an expression of a program can be, when it stands in no quotes.
pub(super) fn is_expression(value: &[u8]) -> bool {
    let is_sign = |byte: &u8| b"*%~".contains(byte);
    is_number(value) || is_variable(value) || value.first().is_some_and(is_sign)
}

/// `/srv/app/key` and `projects/app/keys/1`; base64 has slashes too, but no words.
pub(super) fn is_path(value: &[u8]) -> bool {
    let letters = value.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let slashes = value.iter().filter(|byte| **byte == b'/').count();
    let in_words = slashes >= 2 && letters_in_words(value) * 2 >= letters;
    in_words || (value.starts_with(b"/") && !(value.len() >= 20 && has_scattered_case(value)))
}

/// `config.password1`: names with dots between them.
fn is_member(value: &[u8]) -> bool {
    let is_name = |part: &[u8]| letters_in_words(part) * 10 >= part.len() * 6;
    let is_short = |part: &[u8]| part.len() <= 12 && digit_groups(part) <= 1;
    let is_part = |part: &[u8]| {
        part.first().is_some_and(u8::is_ascii_alphabetic) && (is_name(part) || is_short(part))
    };
    value.contains(&b'.') && value.split(|byte| *byte == b'.').all(is_part)
}

/// `MAX_KEY_2`: a constant of a program.
fn is_constant(value: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
    let has_words = letters_in_words(value) * 5 >= value.len() * 2;
    value.contains(&b'_') && value.iter().all(is_part) && has_words
}

/// `next_token_2`: a variable of a program.
fn is_variable(value: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    value.contains(&b'_') && value.iter().all(is_part) && !is_random(value)
}

/// A number of a program: `0x80090023`, `2048u32`, `1_000`, `315436`.
fn is_number(value: &[u8]) -> bool {
    const TYPES: &str = " u8 u16 u32 u64 i8 i16 i32 i64 f64 usize L UL";
    let value = value.strip_prefix(b"-").unwrap_or(value);
    let hex = value.strip_prefix(b"0x");
    let digits = hex.unwrap_or(value);
    let is_digit = |byte: &&u8| match hex {
        Some(_) => byte.is_ascii_hexdigit() || **byte == b'_',
        None => byte.is_ascii_digit() || b"._".contains(byte),
    };
    let n_digits = digits.iter().take_while(is_digit).count();
    let kind = &digits[n_digits..];
    n_digits > 0 && digits.len() <= 24 && TYPES.split(' ').any(|name| name.as_bytes() == kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_no_values() {
        for value in [
            "./key.pem",
            "/run/secrets/db",
            "process.env.KEY1",
            "config.password1",
            "os.environ",
            "https://a.b/c1",
            "sha256:9f8a7b",
            "MAX_TOKEN_BYTES_2",
            "Token::Ident1",
            "projects/app-1/locations/europe/keys/main",
            "${X1}",
        ] {
            assert!(is_reference(value.as_bytes()), "{value}");
        }
        for value in
            ["hunter2", "q7Gz!k2m", "/i3p00aObdgZKOy2G+MY75MdwrEwaEBHqlMJPj", "a1b2.c3d4e5f6.7a8b"]
        {
            assert!(!is_reference(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn expressions_are_no_values() {
        for value in
            ["0x80090023", "0xC0020032_u32", "2048u32", "1_000", "315436", "next_token_2", "*const"]
        {
            assert!(is_expression(value.as_bytes()), "{value}");
        }
        for value in ["714fd04e62bb97bc", "hunter2", "q7Gz!k2m"] {
            assert!(!is_expression(value.as_bytes()), "{value}");
        }
    }
}
