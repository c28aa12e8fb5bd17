//! Addresses that carry a password or a signature.

use crate::secrets::chance::{is_placeholder, is_random};
use crate::secrets::rule::{Candidate, Rule};

pub(super) const RULES: &[Rule] = &[
    Rule::named(
        "url-password",
        &["://"],
        r#"^://[^\s:/@"'<>]{0,128}:([^\s"'<>`@]{4,256}(?:@[^\s"'<>`@/]{1,64})*)@[A-Za-z0-9_.\[-]"#,
        "",
        is_password,
    ),
    Rule::named(
        "signed-url",
        &["x-amz-signature=", "x-goog-signature="],
        r"^(?i:x-(?:amz|goog)-signature)=([a-f0-9]{64,})",
        "",
        |candidate| !is_placeholder(candidate.secret()),
    )
    .reach(1024),
    Rule::named(
        "pgpass-password",
        &[":5432:"],
        r"^:5432:[\w*-]{1,64}:[\w*-]{1,64}:([^\s:]{4,})",
        "",
        |candidate| !is_placeholder(candidate.secret()),
    ),
    Rule::named(
        "url-token",
        &[
            "?token=", "&token=", "?key=", "&key=", "?apikey=", "&apikey=", "?sig=", "&sig=",
            "?code=", "&code=",
        ],
        r#"^[?&](?:token|key|apikey|sig|code)=([^\s"'<>&#]{16,})"#,
        "",
        |candidate| is_random(candidate.secret()) && !is_placeholder(candidate.secret()),
    ),
];

/// Neither the sample of a document, nor the user's name again, nor a port with a path behind it.
fn is_password(candidate: &Candidate<'_>) -> bool {
    const SAMPLES: &[&[u8]] = &[
        b"password",
        b"passwd",
        b"pass",
        b"pwd",
        b"pw",
        b"secret",
        b"user",
        b"token",
        b"postgres",
        b"root",
        b"pass123",
        b"p",
        b"x",
        b"test",
        b"guest",
        b"mypassword",
    ];
    let secret = candidate.secret();
    let user = candidate.lead().rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    let user = user.strip_suffix(b":").unwrap_or_default();
    let port = secret.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let is_port = secret.get(port) == Some(&b'/');
    let is_name = secret.iter().all(|byte| byte.is_ascii_uppercase() || *byte == b'_');
    let is_sample = SAMPLES.contains(&secret.to_ascii_lowercase().as_slice()) || secret == user;
    !is_port && !is_name && !is_sample && !is_placeholder(secret) && !secret.contains(&b'{')
}
