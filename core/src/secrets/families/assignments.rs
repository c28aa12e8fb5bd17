//! Values of names that say what they hold: in programs, in files of settings, in the shell.

use crate::secrets::rule::Rule;
use crate::secrets::wording::Assigned;

/// The rest of a name, what assigns, and the value: in quotes, or up to what ends an expression.
const TAIL: &str = concat!(
    r#"(?:[\w.-]*["'`\]]{0,2}[ \t]*"#,
    r"(?::[ ]?&?(?:'static )?[A-Za-z_][\w<>.]*[ ]?=|=>|:=|==?|:|\([ ]?(?:[bfru]{0,2}))[ \t]*",
    r#"(?:[bfru]{0,2}"([^"\r\n]+)"|[bfru]{0,2}'([^'\r\n]+)'|`([^`\r\n]+)`|["'`]?([^\s"'`,;(){}\[\]<>|&]+))"#,
    // An element of XML.
    r"|[\w.-]*>\s*([^<\s]+)\s*</)",
);
/// `NAME=value` of the shell: the value ends where the word ends.
const SHELL: &str = r#"[A-Z0-9_]*=(?:"([^"\r\n]+)"|'([^'\r\n]+)'|([^\s"'&]*[^\s"'&.,;:)]))"#;

const PASSWORD: &[&str] = &[
    "password",
    "passwd",
    "passwort",
    "passphrase",
    "passcode",
    "pwd",
    "_pass",
    "pass=",
    "pass:",
    "db_pw",
    "pw=",
    "pw:",
];
const PASSWORD_HEAD: &str =
    r"^(?i:password|passwd|passwort|passphrase|passcode|pwd|_pass|pass|db_pw|pw)";
const SECRET: &[&str] = &[
    "secret",
    "token",
    "api_key",
    "apikey",
    "api-key",
    "api key",
    "access_key",
    "accesskey",
    "access-key",
    "access key",
    "private_key",
    "privatekey",
    "private-key",
    "secret_key",
    "auth_key",
    "authkey",
    "encryption_key",
    "encryptionkey",
    "signing_key",
    "signingkey",
    "master_key",
    "masterkey",
    "account_key",
    "accountkey",
    "service_key",
    "license_key",
    "session_key",
    "credential",
    "_auth",
    "client_key",
];
const SECRET_HEAD: &str = concat!(
    r"^(?i:secret|token|(?:api|access|private|secret|auth|encryption|signing|master|account|service",
    r"|license|session|client)[ _-]?key|credential|_auth)",
);

pub(super) const RULES: &[Rule] = &[
    Rule::named("password", PASSWORD, PASSWORD_HEAD, TAIL, |candidate| {
        Assigned::of(candidate).is_password()
    }),
    Rule::named(
        "password",
        &["password", "passwd", "passphrase", "_pass", "pwd"],
        r"^(?:PASSWORD|PASSWD|PASSPHRASE|_PASS|PWD)",
        SHELL,
        |candidate| Assigned::of(candidate).is_password(),
    ),
    Rule::named("secret", SECRET, SECRET_HEAD, TAIL, |candidate| {
        Assigned::of(candidate).is_secret()
    }),
    Rule::named(
        "secret",
        &["secret", "token", "_key"],
        r"^(?:SECRET|TOKEN|_KEY)",
        SHELL,
        |candidate| Assigned::of(candidate).is_secret(),
    ),
    Rule::named("key", &["key"], r"^(?i:key)", TAIL, |candidate| Assigned::of(candidate).is_key()),
];
