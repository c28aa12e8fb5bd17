//! Secrets that somebody tells in a sentence.

use crate::secrets::chance::is_placeholder;
use crate::secrets::rule::{Candidate, Rule};
use crate::secrets::wording::{is_told_password, is_told_token};

/// For what, in what words, and the value: in quotes, or up to the end of the word.
const TAIL: &str = concat!(
    r"s?(?:[ \t]+(?:(?i:for|to|of|on|in|at|from|von|para|pour)|für)[ \t][^.\n:=]+?)?",
    r"(?:[ \t]+(?:(?i:is|was|are|be|ist|war|lautet|est|es|now|still|remains|becomes|reads|set to|changed to|reset to|called",
    r"|will be|should be|to)\b|[-=]?>|→|(?:-|–|—)[ \t]))+",
    r"[ \t]*:?[ \t\n]*",
    r#"(?:"([^"\n]+)"|'([^'\n]+)'|`([^`\n]+)`|“([^"\n]+?)”|([^\s"'`]*[^\s"'`.,;:?)\]]))"#,
);
pub(super) const RULES: &[Rule] = &[
    Rule::named(
        "password",
        &["password", "passwd", "passphrase", "passcode", "passwort", "kennwort", "pass is", "pw is", "pwd is", "pin is", "pin for"],
        r"^(?i:password|passwd|passphrase|passcode|passwort|kennwort|pass|pwd|pw|pin)",
        TAIL,
        told_password,
    ),
    Rule::named(
        "password",
        &["mot de passe", "contrase", "senha"],
        "^(?:(?i:mot de passe|contrasena|senha)|[Cc]ontraseña)",
        r#"[^.\n:=]*?(?: est| es| é|:) ?(?:["'`]|« ?)?([^\s"'`]*[^\s"'`.,;:?)\]])"#,
        told_password,
    ),
    Rule::named(
        "password",
        &["密码", "密碼", "口令", "パスワード", "비밀번호", "пароль"],
        "^(?:密码|密碼|口令|パスワード|비밀번호|пароль)",
        r#"[^\n!-~]*[:=-]? ?["'`]?([!-~]+)"#,
        told_password,
    ),
    // Told without a verb: only what is like no word.
    Rule::named(
        "password",
        &["password ", "passwd ", "passphrase ", "passcode ", "passwort ", "kennwort "],
        r"^(?i:password|passwd|passphrase|passcode|passwort|kennwort)",
        r#" (?:["'`]|“)?([^\s"'`]*[^\s"'`.,;:?)\]])"#,
        |candidate| told_password(candidate) && is_mixed(candidate.secret()),
    ),
    Rule::named(
        "password",
        &["with password", "and password", "with the password", "and the password", "with pass", "and pass", "with passphrase"],
        r"^(?i:with|and) (?:the )?(?i:password|passphrase|pass)",
        r#":? (?:["'`]|“)?([^\s"'`]*[^\s"'`.,;:?)\]])"#,
        told_password,
    ),
    Rule::named(
        "password",
        &["as password", "as the pass", "as my pass", "as our pass", "as your pass", "is the pass", "is my pass", "is our pass", "is your pass", "as the admin pass", "as the root pass", "as passphrase"],
        r#"(?:^|[\s(:])(?:["'`]|“)?([^\s"'`]+?)(?:["'`]|”)?,? +(?i:as|is) +(?i:(?:the|my|our|your|its|a)? ?(?:\w{1,16} )?)(?i:password|passphrase|passcode)"#,
        "",
        told_password,
    )
    .back(96)
    .reach(48),
    Rule::named(
        "password",
        &["login", "machine"],
        r"^(?i:login|machine\s+\S+\s+login)\s+\S+\s+password\s+(\S{4,})",
        "",
        told_password,
    ),
    Rule::named(
        "password",
        &["credential", "creds", "login"],
        r#"^(?i:credentials?|creds|login)(?: (?:for|to|on) [^.\n:=]+?)?(?: are| is|:)? *["'`]?[\w.@-]+(?: ?/ ?|:)([^\s"'`/]*[^\s"'`.,;:?)/\]])"#,
        "",
        told_password,
    ),
    Rule::named(
        "password",
        &["identified by", "password '"],
        r"^(?i:identified by|password) '([^'\n]+)'",
        "",
        |candidate| !is_placeholder(candidate.secret()),
    ),
    Rule::named(
        "secret",
        &["token", "secret", "api key", "apikey", "api-key", "access key", "key is", "key for", "credential"],
        r"^(?i:token|secret|(?:api|access)[ -]?key|key|credential)",
        TAIL,
        told_token,
    ),
];

fn told_password(candidate: &Candidate<'_>) -> bool {
    let secret = candidate.secret();
    let is_phrase = is_quoted(candidate) && secret.contains(&b' ') && secret.len() >= 12;
    let is_inside = |byte: &u8| byte.is_ascii_alphanumeric();
    let starts_inside = candidate.before().last().is_some_and(is_inside);
    let starts_word = !(starts_inside && is_inside(&candidate.text[candidate.whole.start]));
    starts_word && ((is_phrase && !is_placeholder(secret)) || is_told_password(secret))
}

/// At least eight characters, of three sorts.
fn is_mixed(secret: &[u8]) -> bool {
    let sorts: [fn(&u8) -> bool; 4] =
        [u8::is_ascii_lowercase, u8::is_ascii_uppercase, u8::is_ascii_digit, |byte| {
            b"!@#$%^&*+=?~".contains(byte)
        }];
    secret.len() >= 8 && sorts.iter().filter(|is_of| secret.iter().any(is_of)).count() >= 3
}

fn told_token(candidate: &Candidate<'_>) -> bool {
    is_told_token(candidate.secret())
}

fn is_quoted(candidate: &Candidate<'_>) -> bool {
    candidate.lead().last().is_some_and(|byte| b"\"'`".contains(byte) || *byte >= 0x80)
}
