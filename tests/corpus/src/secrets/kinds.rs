//! The kinds of secrets, each with the shape that its issuer gives it.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE_NO_PAD};

use super::Secret;
use crate::Numbers;
use crate::numbers::{ALNUM, URL_SAFE};

type Make = fn(&mut Numbers) -> Secret;

pub(super) const TABLE: [(&str, Make); 30] = [
    ("aws-access-key-id", |n| shown(format!("AKIA{}", n.text(BASE32, 16)))),
    ("aws-secret-key", |n| shown(mixed(n, &format!("{ALNUM}+/"), 40))),
    ("github-classic-pat", |n| shown(checked(n, "ghp_"))),
    ("github-fine-grained-pat", |n| {
        let body = n.text(ALNUM, 22);
        shown(checked_of(&format!("github_pat_{body}_"), &n.text(ALNUM, 53)))
    }),
    ("github-app-token", |n| {
        let prefix = n.pick(&["gho_", "ghs_", "ghu_"]);
        shown(checked(n, prefix))
    }),
    ("gitlab-pat", |n| shown(format!("glpat-{}", n.text(URL_SAFE, 20)))),
    ("anthropic-key", |n| shown(format!("sk-ant-api03-{}AA", n.text(URL_SAFE, 93)))),
    ("openai-project-key", |n| {
        let (a, b) = (n.text(URL_SAFE, 74), n.text(URL_SAFE, 74));
        shown(format!("sk-proj-{a}T3BlbkFJ{b}"))
    }),
    ("google-api-key", |n| shown(format!("AIza{}", n.text(URL_SAFE, 35)))),
    ("gcp-service-account", service_account),
    ("azure-ad-secret", |n| {
        let (a, b) = (n.text(ALNUM, 3), n.below(10));
        shown(format!("{a}{b}Q~{}", n.text(&format!("{ALNUM}_.~-"), 34)))
    }),
    ("slack-bot-token", |n| {
        let (team, bot) = (n.text("123456789", 12), n.text("123456789", 13));
        shown(format!("xoxb-{team}-{bot}-{}", n.text(ALNUM, 24)))
    }),
    ("slack-webhook", |n| {
        let (team, bot) = (n.text(BASE32, 10), n.text(BASE32, 10));
        let key = n.text(ALNUM, 24);
        let text = format!("https://hooks.slack.com/services/T{team}/B{bot}/{key}");
        Secret { text, hidden: vec![key] }
    }),
    ("stripe-live-key", |n| {
        let length = [24, 99][n.below(2)];
        shown(format!("sk_live_{}", n.text(ALNUM, length)))
    }),
    ("twilio-key", |n| shown(format!("SK{}", n.hex(32)))),
    ("sendgrid-key", |n| {
        let id = n.text(URL_SAFE, 22);
        shown(format!("SG.{id}.{}", n.text(URL_SAFE, 43)))
    }),
    ("npm-token", |n| shown(checked(n, "npm_"))),
    ("pypi-token", pypi_token),
    ("huggingface-token", |n| shown(format!("hf_{}", n.text(&ALNUM[..52], 34)))),
    ("cloudflare-token", |n| shown(mixed(n, URL_SAFE, 40))),
    ("digitalocean-token", |n| shown(format!("dop_v1_{}", n.hex(64)))),
    ("databricks-token", |n| shown(format!("dapi{}", n.hex(32)))),
    ("discord-bot-token", |n| {
        let id = STANDARD_NO_PAD.encode(format!("1{}", n.text("0123456789", 18)));
        let time = n.text(ALNUM, 6);
        shown(format!("{id}.{time}.{}", n.text(URL_SAFE, 38)))
    }),
    ("telegram-bot-token", |n| {
        let id = n.text("123456789", 10);
        shown(format!("{id}:AA{}", n.text(URL_SAFE, 33)))
    }),
    ("jwt", jwt),
    ("pem-private-key", |n| {
        let mut der = vec![0x30, 0x82, 0x04, 0xbd, 0x02, 0x01, 0x00, 0x30, 0x0d];
        der.extend(n.bytes(1_208));
        block("PRIVATE KEY", &der, 64)
    }),
    ("ssh-private-key", |n| {
        let mut key = b"openssh-key-v1\0\0\0\0\x04none\0\0\0\x04none\0\0\0\0\0\0\0\x01".to_vec();
        key.extend(n.bytes(360));
        block("OPENSSH PRIVATE KEY", &key, 70)
    }),
    ("age-key", |n| shown(bech32("age-secret-key-", &n.bytes(32)).to_uppercase())),
    ("database-url", database_url),
    ("env-assignment", variable),
];

/// The names of the kinds.
pub const KINDS: [&str; 30] = {
    let mut names = [""; 30];
    let mut at = 0;
    while at < names.len() {
        names[at] = TABLE[at].0;
        at += 1;
    }
    names
};

const BASE32: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

fn shown(text: String) -> Secret {
    Secret { hidden: vec![text.clone()], text }
}

/// Random, with a letter of each case and a digit, as almost all are.
fn mixed(numbers: &mut Numbers, alphabet: &str, length: usize) -> String {
    loop {
        let text = numbers.text(alphabet, length);
        let has = |is: fn(&u8) -> bool| text.bytes().any(|byte| is(&byte));
        let is_mixed = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
        // The ends are letters or digits, so that the form cannot blur where the secret ends.
        let has_ends = !text.starts_with(is_sign) && !text.ends_with(is_sign);
        if is_mixed && has(u8::is_ascii_digit) && has_ends {
            return text;
        }
    }
}

fn is_sign(letter: char) -> bool {
    !letter.is_ascii_alphanumeric()
}

/// A token of GitHub or npm: 30 characters, and their checksum in six of base 62.
fn checked(numbers: &mut Numbers, prefix: &str) -> String {
    let body = numbers.text(ALNUM, 30);
    checked_of(prefix, &body)
}

fn checked_of(prefix: &str, body: &str) -> String {
    const DIGITS: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut sum = crc32fast::hash(body.as_bytes());
    let mut digits = [0; 6];
    for digit in digits.iter_mut().rev() {
        *digit = DIGITS[(sum % 62) as usize];
        sum /= 62;
    }
    format!("{prefix}{body}{}", String::from_utf8_lossy(&digits))
}

/// A macaroon: where it holds, an id, a restriction, a signature.
fn pypi_token(numbers: &mut Numbers) -> Secret {
    let mut bytes = b"\x02\x01\x08pypi.org\x02\x24".to_vec();
    bytes.extend(numbers.uuid().bytes());
    bytes.extend(b"\0\x02\x2c[1, [\"");
    bytes.extend(numbers.uuid().bytes());
    bytes.extend(b"\"]]\0\0\x06\x20");
    bytes.extend(numbers.bytes(32));
    shown(format!("pypi-{}", URL_SAFE_NO_PAD.encode(bytes)))
}

fn jwt(numbers: &mut Numbers) -> Secret {
    let head = URL_SAFE_NO_PAD.encode(r#"{"alg":"HS256","typ":"JWT"}"#);
    let subject = numbers.uuid();
    let body =
        format!(r#"{{"sub":"{subject}","scope":"write","iat":1{}}}"#, numbers.below(999_999_999));
    let (body, signature) =
        (URL_SAFE_NO_PAD.encode(body), URL_SAFE_NO_PAD.encode(numbers.bytes(32)));
    Secret { text: format!("{head}.{body}.{signature}"), hidden: vec![body, signature] }
}

/// A block with its first and last line.
fn block(title: &str, bytes: &[u8], width: usize) -> Secret {
    let body = STANDARD.encode(bytes);
    let lines =
        body.as_bytes().chunks(width).map(|line| String::from_utf8_lossy(line).into_owned());
    let hidden: Vec<_> = lines.collect();
    let text = format!("-----BEGIN {title}-----\n{}\n-----END {title}-----", hidden.join("\n"));
    Secret { text, hidden }
}

fn service_account(numbers: &mut Numbers) -> Secret {
    let mut der = vec![0x30, 0x82, 0x04, 0xbd, 0x02, 0x01, 0x00, 0x30, 0x0d];
    der.extend(numbers.bytes(1_208));
    let Secret { text, hidden } = block("PRIVATE KEY", &der, 64);
    let key = text.replace('\n', "\\n");
    let (id, project) = (numbers.hex(40), numbers.text("abcdefghij", 8));
    let text = format!(
        r#"{{"type": "service_account", "project_id": "{project}", "private_key_id": "{id}", "private_key": "{key}\n", "client_email": "ci@{project}.iam.gserviceaccount.com"}}"#
    );
    Secret { text, hidden }
}

fn database_url(numbers: &mut Numbers) -> Secret {
    let scheme = numbers.pick(&["postgres", "postgresql", "mysql", "mongodb+srv", "redis", "amqp"]);
    let user = numbers.pick(&["app", "admin", "svc_orders", "reporting"]);
    let length = 12 + numbers.below(16);
    let password = mixed(numbers, &format!("{ALNUM}-_.!*"), length);
    let text = format!("{scheme}://{user}:{password}@db-3.internal:5432/orders");
    Secret { text, hidden: vec![password] }
}

/// A variable of a service; most names say that it holds a secret.
fn variable(numbers: &mut Numbers) -> Secret {
    let name = numbers.pick(&[
        "DB_PASSWORD",
        "SESSION_SECRET",
        "INTERNAL_API_TOKEN",
        "ENCRYPTION_KEY",
        "MAILER_PASS",
        "API_KEY",
        "AUTH_TOKEN",
        "SIGNING_SECRET",
        "WEBHOOK_SECRET",
        "ADMIN_PASSWD",
        "LICENSE_BLOB",
        "SERVICE_CREDENTIAL",
        "SECRET_KEY_BASE",
        "DEPLOY_KEY",
        "ACCESS_KEY",
        "UPSTREAM_PSK",
    ]);
    let is_named = !["LICENSE_BLOB", "UPSTREAM_PSK"].contains(&name);
    let value = match numbers.below(3) {
        0 if is_named => numbers.hex(48),
        1 => STANDARD.encode(numbers.bytes(33)),
        _ => mixed(numbers, ALNUM, 32),
    };
    Secret { text: format!("{name}={value}"), hidden: vec![value] }
}

/// The encoding of age keys, of version 1.
fn bech32(prefix: &str, bytes: &[u8]) -> String {
    const LETTERS: &[u8] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";
    let mut values = fives(bytes);
    let high = prefix.bytes().map(|byte| byte >> 5);
    let low = prefix.bytes().map(|byte| byte & 31);
    let all: Vec<u8> =
        high.chain([0]).chain(low).chain(values.iter().copied()).chain([0; 6]).collect();
    let sum = checksum(&all) ^ 1;
    values.extend((0..6).map(|at| ((sum >> (5 * (5 - at))) & 31) as u8));
    let letters = values.into_iter().map(|value| char::from(LETTERS[usize::from(value)]));
    format!("{prefix}1{}", letters.collect::<String>())
}

/// Groups of five bits, the last filled up with zeros.
fn fives(bytes: &[u8]) -> Vec<u8> {
    let bit = |at: usize| bytes.get(at / 8).map_or(0, |byte| byte >> (7 - at % 8) & 1);
    let group = |group: usize| (0..5).fold(0, |sum, at| sum << 1 | bit(group * 5 + at));
    (0..(bytes.len() * 8).div_ceil(5)).map(group).collect()
}

fn checksum(values: &[u8]) -> u32 {
    const GENERATOR: [u32; 5] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3];
    values.iter().fold(1, |sum, value| {
        let top = sum >> 25;
        let next = (sum & 0x01ff_ffff) << 5 ^ u32::from(*value);
        let of = |(at, part): (usize, &u32)| if top >> at & 1 == 1 { *part } else { 0 };
        GENERATOR.iter().enumerate().map(of).fold(next, |sum, part| sum ^ part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_the_issuers() {
        // The first test vector of BIP 173.
        assert_eq!(bech32("a", &[]), "a12uel5l");
        // The check value of CRC-32, 0xcbf43926, in base 62.
        assert_eq!(checked_of("x_", "123456789"), "x_1234567893jZRME");
    }
}
