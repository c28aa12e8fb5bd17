//! Private keys and signed tokens: PEM blocks, whole or cut off, SSH, PGP, age, PuTTY, JWT.

use crate::secrets::chance::{is_placeholder, letters_in_words};
use crate::secrets::rule::{Candidate, Rule};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// A block may have so many bytes; an RSA key of 4096 bits has 3,300.
const BLOCK: usize = 16 << 10;

/// What may stand between the lines of a block: also the margin of a diff, a quotation or a comment,
/// and what ends a string and begins the next.
macro_rules! gap {
    () => {
        r"[\s+>#*|/,'\x22-]"
    };
}

/// The part of a line that was cut: no word of a sentence, for there is a digit in it, a sign, or a
/// capital after a small letter.
macro_rules! part {
    () => {
        r"[A-Za-z+/]*(?:[0-9+/]|[a-z][A-Z])[A-Za-z0-9+/=]*"
    };
}

/// The lines of a block after the first one: headers, lines of letters that are too long for words,
/// and the last line, unless the block was cut off.
macro_rules! body {
    () => {
        concat!(
            concat!(r"(?:", gap!(), r"*[A-Z][\w-]+: [\w ,.:/()-]+[\r\n])*"),
            concat!(r"(?:", gap!(), r"*(?:[A-Za-z0-9+/=]+", gap!(), r"+)?[A-Za-z0-9+/=]{20,})+"),
            concat!(r"(?:(?:", gap!(), r"+[A-Za-z0-9+/=]+)?", gap!(), r"*END[\w +]{0,40}-----"),
            concat!(r"|", gap!(), "+", part!(), ")?"),
        )
    };
}

/// The entropy that key letters have, and that neither `xxxx` nor a drawing reaches.
const FLOOR: f32 = 4.0;

pub(super) const RULES: &[Rule] = &[
    Rule::token(
        "gcp-service-account",
        &["private_key"],
        concat!(
            r#"^private_key"?\s{0,8}[:=]\s{0,8}["']?(-----BEGIN[\w +]{0,40}PRIVATE[ +_]KEY-----"#,
            body!(),
            ")"
        ),
    )
    .reach(BLOCK)
    .floor(FLOOR)
    .check(any),
    Rule::token(
        "ssh-private-key",
        &["-----begin"],
        concat!(r"^-----BEGIN[ +_]OPENSSH[ +_]PRIVATE[ +_]KEY-----", body!()),
    )
    .reach(BLOCK)
    .floor(FLOOR)
    .check(any),
    Rule::token(
        "private-key",
        &["-----begin"],
        concat!(r"^-----BEGIN[\w +]{0,40}PRIVATE[ +_]KEY(?:[ +_]BLOCK)?-----", body!()),
    )
    .reach(BLOCK)
    .floor(FLOOR)
    .check(any),
    // The end of a block whose beginning was cut off.
    Rule::token(
        "private-key",
        &["-----end"],
        concat!(
            concat!(
                r"(?:",
                part!(),
                gap!(),
                r"{1,16})?(?:[A-Za-z0-9+/=]{16,}",
                gap!(),
                r"{1,16})+"
            ),
            concat!(r"(?:[A-Za-z0-9+/=]+", gap!(), r"{0,16})?"),
            r"END[\w +]{0,40}PRIVATE[ +_]KEY(?:[ +_]BLOCK)?-----"
        ),
    )
    .back(BLOCK)
    .reach(80)
    .floor(FLOOR)
    .check(any),
    Rule::token("age-key", &["age-secret-key-"], r"^AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{40,}"),
    Rule::token("age-key", &["age-plugin-"], r"^AGE-PLUGIN-[A-Z0-9]+-1[A-Z0-9]{20,}"),
    Rule::named(
        "putty-private-key",
        &["private-lines:"],
        r"(?i)^private-lines: \d+\s+((?:[A-Za-z0-9+/=]{8,}\s*)+)",
        "",
        |candidate| !is_placeholder(candidate.secret()),
    )
    .reach(BLOCK),
    Rule::token("jwt", &["eyj"], r"^eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}={0,2}")
        .reach(8 << 10)
        .check(is_jwt),
    Rule::token("jwt", &["eyj"], r"^eyJ[\w-]{16,}\.[\w-]*\.[\w-]{10,}\.[\w-]{16,}\.[\w-]{16,}")
        .reach(8 << 10)
        .check(is_jwt),
    // The private part of a JSON web key.
    Rule::named(
        "json-web-key",
        &[r#""d":"#, r#""d" :"#],
        r#"^"d" ?: ?"([\w-]{43,})""#,
        "",
        |candidate| {
            !is_placeholder(candidate.secret()) && letters_in_words(candidate.secret()) < 20
        },
    ),
];

/// The entropy is enough.
fn any(_: &Candidate<'_>) -> bool {
    true
}

/// The first part is a JSON object with an algorithm, and the token is not the one of the documents.
fn is_jwt(candidate: &Candidate<'_>) -> bool {
    let secret = candidate.secret();
    let head = secret.split(|byte| *byte == b'.').next().unwrap_or_default();
    let head = URL_SAFE_NO_PAD.decode(head).unwrap_or_default();
    let says = |word: &[u8]| memchr::memmem::find(&head, word).is_some();
    let documented = memchr::memmem::find(secret, b"eyJzdWIiOiIxMjM0NTY3ODkwI").is_some();
    (says(b"\"alg\"") || says(b"\"typ\"") || says(b"\"kid\"") || says(b"\"enc\"")) && !documented
}
