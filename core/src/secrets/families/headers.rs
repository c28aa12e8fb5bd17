//! Headers of requests, and the flags of commands that make some.

use crate::secrets::chance::{is_placeholder, is_random};
use crate::secrets::rule::{Candidate, Rule};
use crate::secrets::wording::{is_opaque, is_told_password};

pub(super) const RULES: &[Rule] = &[
    Rule::named(
        "authorization",
        &["authorization"],
        r#"^(?i:authorization)["'\]]{0,2}\s{0,4}[:=,]\s{0,4}["'`]?(?i:bearer|token|basic|apikey|api-key|key|bot)[ +:=]{1,4}([\w.~+/=:-]{8,})"#,
        "",
        is_credential,
    )
    .reach(4096),
    Rule::named(
        "bearer-token",
        &["bearer"],
        r"^(?i:bearer)[ +:=]{1,4}([\w.~+/=-]{16,})",
        "",
        |candidate| is_credential(candidate) && is_random(candidate.secret()),
    )
    .reach(4096),
    Rule::named(
        "session-cookie",
        &["sessid=", "sessionid=", "session=", "connect.sid="],
        r#"^(?i:sessid|sessionid|session|connect\.sid)=([^\s;"',&]{16,})"#,
        "",
        |candidate| is_random(candidate.secret()) && !is_placeholder(candidate.secret()),
    ),
    Rule::named(
        "registry-auth",
        &["\"auth\"", "_auth"],
        r#"^(?:"auth"|_auth)\s{0,4}[:=]\s{0,4}"?([A-Za-z0-9+/=]{12,})"#,
        "",
        is_credential,
    ),
    Rule::named(
        "basic-auth",
        &["-u ", "--user ", "-u=", "--user="],
        r#"^(?:-u|--user)[ =]["']?[^\s:"']{1,64}:([^\s"']{3,})"#,
        "",
        |candidate| {
            let secret = candidate.secret();
            is_request(candidate) && !secret.starts_with(b"pass") && !is_placeholder(secret)
        },
    ),
    Rule::named(
        "password-flag",
        &["sshpass -p", "mysql", "mariadb"],
        r#"^(?:sshpass|(?:mysql|mariadb)(?:dump|admin)?[^\n|;]{0,80}?) -p ?["']?([^\s"']{4,})"#,
        "",
        |candidate| is_told_password(candidate.secret()),
    ),
    Rule::named(
        "flag",
        &["-password", "-passwd", "-passphrase", "-token", "-secret", "-api-key", "-apikey", "-access-key"],
        r#"^-(?:password|passwd|passphrase|token|secret|api-?key|access-key)[ =]{1,2}["']?([^\s"']{4,})"#,
        "",
        is_flag,
    ),
];

/// A value, not the word for one.
fn is_credential(candidate: &Candidate<'_>) -> bool {
    let secret = candidate.secret();
    let has_digit = secret.iter().any(u8::is_ascii_digit);
    !is_placeholder(secret)
        && (is_random(secret) || is_opaque(secret) || (secret.len() >= 16 && has_digit))
}

/// The flag belongs to a program that asks the network.
fn is_request(candidate: &Candidate<'_>) -> bool {
    let before = candidate.before();
    let before = &before[before.len().saturating_sub(300)..];
    let line = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    [&b"curl"[..], b"http", b"wget"].iter().any(|name| memchr::memmem::find(line, name).is_some())
}

/// `--password` or `--db-password`, and behind it more than a word.
fn is_flag(candidate: &Candidate<'_>) -> bool {
    let before = candidate.before().iter().rev().take(40);
    let name: Vec<u8> =
        before.take_while(|b| b.is_ascii_alphanumeric() || **b == b'-').copied().collect();
    (name.ends_with(b"--") || name == b"-") && is_told_password(candidate.secret())
}
