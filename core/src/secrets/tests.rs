//! The scrubber against the corpus, against what people write, and against what would slow it down.

use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use coffer_corpus::Numbers;
use coffer_corpus::secrets::{Case, FORMS, KINDS, cases, lines};
use proptest::prelude::*;

use super::{Finding, Unscrubbed, find, scrub, scrub_by};

/// Forms in which no secret may stay.
const CERTAIN: [&str; 6] = ["bare", "quoted", "json", "url", "export", "header"];

#[track_caller]
fn scrubbed(text: &str) -> String {
    scrub(text).expect("the text comes to rest").text.into_owned()
}

#[test]
fn secrets_of_all_kinds_go_in_all_forms() {
    let all: Vec<_> = (0..4).flat_map(cases).collect();
    let left = |case: &&Case| case.remains(&scrubbed(&case.text)).is_some();
    let left: Vec<_> = all.iter().filter(left).map(|case| (case.kind, case.form)).collect();
    let certain: Vec<_> = left.iter().filter(|(_, form)| CERTAIN.contains(form)).collect();
    assert!(certain.is_empty(), "{certain:?}");
    assert!(left.len() * 50 <= all.len(), "{} of {}: {left:?}", left.len(), all.len());
    assert_eq!(all.len(), 4 * KINDS.len() * FORMS.len());
}

#[test]
fn what_stands_around_a_secret_stays() {
    for case in cases(11) {
        let text = scrubbed(&case.text);
        for part in &case.around {
            assert!(text.contains(part), "{} {}: {text}", case.kind, case.form);
        }
    }
}

#[test]
fn marks_name_the_kind() {
    let marks: BTreeMap<_, _> = [
        ("aws-access-key-id", "aws-access-key-id"),
        ("aws-secret-key", "secret-key"),
        ("github-classic-pat", "github-token"),
        ("github-fine-grained-pat", "github-fine-grained-token"),
        ("github-app-token", "github-token"),
        ("gitlab-pat", "gitlab-token"),
        ("anthropic-key", "anthropic-key"),
        ("openai-project-key", "openai-key"),
        ("google-api-key", "google-api-key"),
        ("gcp-service-account", "gcp-service-account"),
        ("azure-ad-secret", "azure-ad-secret"),
        ("slack-bot-token", "slack-token"),
        ("slack-webhook", "slack-webhook"),
        ("stripe-live-key", "stripe-key"),
        ("twilio-key", "twilio-key"),
        ("sendgrid-key", "sendgrid-key"),
        ("npm-token", "npm-token"),
        ("pypi-token", "pypi-token"),
        ("huggingface-token", "huggingface-token"),
        ("cloudflare-token", "secret-key"),
        ("digitalocean-token", "digitalocean-token"),
        ("databricks-token", "databricks-token"),
        ("discord-bot-token", "discord-bot-token"),
        ("telegram-bot-token", "telegram-bot-token"),
        ("jwt", "jwt"),
        ("pem-private-key", "private-key"),
        ("ssh-private-key", "ssh-private-key"),
        ("age-key", "age-key"),
        ("database-url", "url-password"),
    ]
    .into();
    for case in (20..24).flat_map(cases).filter(|case| case.form == "bare") {
        let Some(mark) = marks.get(case.kind) else { continue };
        let scrubbed = scrub(&case.text).expect("the text comes to rest");
        assert!(scrubbed.text.contains(&format!("[redacted: {mark}]")), "{}", scrubbed.text);
        assert_eq!(scrubbed.found, [((*mark).into(), 1)].into());
    }
    assert_eq!(marks.len(), KINDS.len() - 1);
}

#[test]
fn lines_without_secrets_stay() {
    let all = lines(7, 20_000);
    let changed: Vec<_> = all.iter().filter(|line| !find(&line.text).is_empty()).collect();
    assert!(changed.len() <= 100, "{}: {:#?}", changed.len(), &changed[..20]);
    let together: String = all.iter().map(|line| format!("{}\n", line.text)).collect();
    let found: Vec<_> =
        find(&together).into_iter().map(|finding| &together[finding.range]).collect();
    assert!(found.len() <= 100, "{}: {:#?}", found.len(), &found[..20]);
}

/// The part in brackets is the secret; without brackets there is none.
#[track_caller]
fn check(marked: &str) {
    let text = marked.replace(['⟦', '⟧'], "");
    let found: Vec<_> = find(&text).into_iter().map(|finding| &text[finding.range]).collect();
    let secrets = marked.split('⟦').skip(1);
    let secrets: Vec<_> = secrets.filter_map(|rest| Some(rest.split_once('⟧')?.0)).collect();
    assert_eq!(found, secrets, "{text}");
}

#[test]
fn passwords_that_people_tell_are_found() {
    for text in [
        "my password is ⟦hunter2⟧",
        "My password for the staging box is ⟦Tr0ub4dor&3⟧, keep it safe",
        "the passphrase is \"⟦correct horse battery staple⟧\"",
        "use ⟦S3cret-pa55⟧ as the password",
        "⟦Winter2024x⟧ is my password now",
        "log in as admin with password ⟦b4tteryStaple9⟧",
        "the password was changed to ⟦xK9#mQ2v⟧ yesterday",
        "credentials for the router: admin / ⟦p4ssw0rd!x⟧",
        "Password: ⟦q7Gz!k2m⟧",
        "the pw is ⟦zebra42horse⟧",
        "das Passwort ist ⟦Geheim99x⟧",
        "mot de passe : ⟦Bonjour77z⟧",
        "la contraseña es ⟦Hola2024z⟧",
        "密码是 ⟦q7k2m9xw⟧",
        "パスワードは ⟦sakura99x⟧ です",
        "machine example.org login deploy password ⟦n3trc-s3cret⟧",
        "the api key for billing is ⟦9f8a7b6c5d4e3f2a1b0c⟧",
        "our token is `⟦k3jd82mzq1xw9v0a7b⟧`",
        "set the password to ⟦Sommer2024!⟧",
        "the new password will be ⟦Sommer2024!⟧",
        "the wifi password → ⟦Sommer2024!⟧",
        "password - ⟦Sommer2024!⟧",
        "admin password -> ⟦q7Gz!k2m⟧",
        "ssh root@10.0.0.1 (password ⟦Sommer2024!⟧)",
        "Passwort ⟦Sommer2024!⟧",
    ] {
        check(text);
    }
}

/// As they are copied from pages, chats and terminals.
#[test]
fn what_is_written_around_a_secret_hides_none() {
    let key = "ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5";
    let apart = |sign: &str| {
        let parts: Vec<_> = key.as_bytes().chunks(6).map(String::from_utf8_lossy).collect();
        parts.join(sign)
    };
    for sign in [
        "\u{200b}",
        "\u{ad}",
        "\u{feff}",
        "\u{2060}",
        "\u{202c}",
        "\u{e0020}",
        "\\u200b",
        "&#8203;",
        "\u{1b}[0m",
    ] {
        let text = scrubbed(&format!("it is {} ok", apart(sign)));
        assert_eq!(text, "it is [redacted: github-token] ok", "{sign:?}");
    }
    for text in [
        "\u{1b}[1m⟦KEY⟧\u{1b}[0m",
        "\u{1b}[31m⟦KEY⟧",
        "\\u001b[1m⟦KEY⟧\\u001b[0m",
        "&quot;⟦KEY⟧&quot;",
        "password\u{a0}:\u{a0}⟦q7Gz!k2m⟧",
        "password：⟦q7Gz!k2m⟧",
        "my password is\u{a0}⟦q7Gz!k2m⟧",
        "{&quot;password&quot;:&quot;⟦q7Gz!k2m⟧&quot;}",
        "password: \u{1b}[1m⟦q7Gz!k2m⟧\u{1b}[0m",
        "DB_PASS\u{200b}WORD=⟦q7Gz!k2m⟧",
    ] {
        check(&text.replace("KEY", key));
    }
    let marked = scrubbed(&key.replace('_', "\\_"));
    assert_eq!(marked, "[redacted: github-token]");
    let wide: String = key
        .chars()
        .map(|c| if c == '_' { c } else { char::from_u32(u32::from(c) + 0xfee0).unwrap() })
        .collect();
    assert_eq!(scrubbed(&wide), "[redacted: github-token]");
}

/// Letters that fill a sample, in a key that has them by chance.
#[test]
fn a_key_may_have_letters_of_a_sample() {
    for key in ["hf_sIclqoNytlIajKexXXxPrLzcsIIExdTiJR", "hf_XADrNEotokrxxXXpYbIXxWvqoQyTejyaiS"] {
        assert_eq!(scrubbed(key), "[redacted: huggingface-token]");
    }
    let text = "{\"text\":\"it is AKIALDRMXNE\"}\n{\"text\":\"YPQWQUOUJ and so on\"}";
    assert!(!scrubbed(text).contains("AKIALDRM"), "{}", scrubbed(text));
}

#[test]
fn blocks_go_without_their_lines_too() {
    let is_block = |case: &Case| case.form == "bare" && case.kind.ends_with("-private-key");
    for case in (40..44).flat_map(cases).filter(is_block) {
        for between in ["", " ", "\\n", "\n> ", "\n// ", "\",\n  \""] {
            let text = case.text.replace('\n', between);
            assert_eq!(case.remains(&scrubbed(&text)), None, "{text}");
        }
        let half = &case.text[..case.text.len() / 2];
        assert_eq!(case.remains(&scrubbed(half)), None, "{half}");
        assert_eq!(case.remains(&scrubbed(&case.text[half.len()..])), None, "{}", case.text);
    }
}

#[test]
fn values_of_telling_names_are_found() {
    for text in [
        "DB_PASSWORD=⟦letmein⟧",
        "export API_KEY=\"⟦k3jd82mzq1xw9v0a7b⟧\"",
        "{\"client_secret\": \"⟦k3jd82mzq1xw9v0a7b⟧\"}",
        "password: ⟦q7Gz!k2m⟧",
        "pw=⟦Sommer2024!⟧",
        "pass: password: ⟦Sommer2024!⟧",
        "secret: token = ⟦k3jd82mzq1xw9v0a7b⟧",
        "  token = '⟦k3jd82mzq1xw9v0a7b⟧'",
        "const apiKey: string = \"⟦k3jd82mzq1xw9v0a7b⟧\";",
        "config.setPassword(\"⟦q7Gz!k2m⟧\")",
        "<password>⟦q7Gz!k2m⟧</password>",
        "//registry.npmjs.org/:_authToken=⟦k3jd82mzq1xw9v0a7b⟧",
        "ALTER USER app IDENTIFIED BY '⟦q7Gz!k2m⟧';",
        "psql --password=⟦q7Gz!k2m⟧ -h db",
        "curl -u admin:⟦q7Gz!k2m⟧ https://example.org",
        "Authorization: Basic ⟦YWRtaW46cTdHeiFrMm0=⟧",
        "postgres://app:⟦q7Gz!k2m⟧@db:5432/app",
        "redis://:⟦q7Gzk2mX⟧@cache:6379",
        "PEPPER=⟦9f8a7b6c5d4e3f2a1b0c9f8a7b6c5d4e⟧",
        "bot ⟦123456789:k3JD82mzq1xw9V0a7bR5tYu6IoP4sDf2Gh_⟧ is online",
        "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=⟦bXlzZWNyZXRrZXlteXNlY3JldGtleW15c2VjcmV0a2V5MTIzNDU2Nzg5MGFiY2RlZmdoaWprbG1ub3BxcnN0dQ==⟧",
    ] {
        check(text);
    }
}

#[test]
fn what_only_speaks_of_secrets_stays() {
    for text in [
        "password: process.env.DB_PASSWORD",
        "api_key = os.environ[\"API_KEY\"]",
        "token = getToken(user1)",
        "API_KEY=your-api-key-here",
        "TOKEN=${CI_TOKEN_2}",
        "SECRET=<token-1>",
        "the password is base64-encoded",
        "the token is valid for 24h",
        "token_id: 9f8a7b6c5d4e3f2a1b0c",
        "key: 01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "commit 9f8a7b6c5d4e3f2a1b0c9f8a7b6c5d4e3f2a1b0c",
        "GIT_COMMIT=9f8a7b6c5d4e3f2a1b0c9f8a7b6c5d4e3f2a1b0c",
        "UGF0aWVuY2UgaXMgdGhlIGtleSB0byBzdWNjZXNz",
        "AKIAIOSFODNN7EXAMPLE",
        "postgres://user:password@localhost/db",
        "https://example.org:8080/a@b",
        "the password manager 1Password",
        "password hashing with Argon2id",
        "change the password to something stronger",
        "the token -> user_id2 map",
        "password - base64-encoded",
        "[redacted: github-token]",
        "password=[redacted: password]",
        "-----BEGIN PRIVATE KEY----- is how such a file begins, and it ends with -----END PRIVATE KEY-----",
    ] {
        check(text);
    }
}

#[test]
fn counts_are_by_kind() {
    let text = "PASSWORD=q7Gz!k2m and PASSWORD=x8Hy?j3n, token=k3jd82mzq1xw9v0a7b";
    let found = scrub(text).expect("the text comes to rest").found;
    assert_eq!(found, [("password".into(), 2), ("secret".into(), 1)].into());
}

#[test]
fn what_fails_or_finds_no_end_gives_no_text() {
    let always = |_: &str| vec![Finding { kind: "token", range: 0..1 }];
    assert_eq!(scrub_by(|_| panic!("a rule failed"), "a"), Err(Unscrubbed::Failed));
    assert_eq!(scrub_by(always, "a"), Err(Unscrubbed::Restless));
}

/// Time that this thread had of a processor, where the system tells; colleagues are busy too. Ticks are
/// of 10 ms.
fn time() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace();
    let ticks: Vec<u64> = fields.skip(11).take(2).filter_map(|field| field.parse().ok()).collect();
    match ticks[..] {
        [user, system] => Duration::from_millis((user + system) * 10),
        _ => START.elapsed(),
    }
}

/// Time grows with the length and not with its square: the last of these lengths is 16 times the first.
#[test]
fn time_is_linear() {
    let units = [
        "a",
        "\\",
        "%25",
        "key=",
        "password: ",
        "sk-ant-",
        "eyJ",
        "AKIA",
        "://a:",
        "a9b8\n",
        "Q~",
        "-----BEGIN PRIVATE KEY-----\n",
        "-----END PRIVATE KEY-----",
        " as password",
        "ZXhwb3J0",
        "{\"text\":\"a1b2c3d4\"}\n",
        "MTIzNDU2Nzg5MDEyMzQ1Njc4.",
        "a1B2c3D4e5F6g7H8\n",
        "-us1",
        "\"",
        "private_key=",
        "AAAAAAAAAAAAAAAAAAAAAAAA ",
        "login a password b1!",
        "\u{1b}[0;",
        "\u{1b}]",
        "\u{200b}",
        "&#x",
        "％password：",
        "password - ",
    ];
    for unit in units {
        let took = |length: usize| {
            let text: String = unit.chars().cycle().take(length).collect();
            let start = time();
            assert!(scrub(&text).is_ok(), "{unit}");
            time() - start
        };
        let (short, long) = (took(1 << 16), took(1 << 20));
        let allowed = short.max(Duration::from_millis(60)) * 16 * 4;
        assert!(long < allowed, "{unit}: {short:?} and {long:?}");
    }
}

proptest! {
    #[test]
    fn no_text_breaks_it_and_again_changes_nothing(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let once = scrubbed(&String::from_utf8_lossy(&bytes));
        prop_assert_eq!(scrubbed(&once), once);
    }

    #[test]
    fn runs_and_signs_break_nothing(parts in prop::collection::vec("[a-z]{1,50}|[A-Z0-9]{1,50}|[A-Za-z0-9+/_-]{20,90}|[=.:\"'\\\\%\\n &@-]{1,4}|password|://|-----BEGIN PRIVATE KEY-----|eyJ|Q~|\\{\"text\":\"", 0..24)) {
        let once = scrubbed(&parts.concat());
        prop_assert_eq!(scrubbed(&once), once);
    }

    #[test]
    fn mixtures_come_to_rest(seed in any::<u64>()) {
        let mut numbers = Numbers::new(seed);
        let cases = cases(seed);
        let benign = lines(seed, 80);
        let mut text = String::new();
        for _ in 0..8 {
            text.push_str(&cases[numbers.below(cases.len())].text);
            text.push_str(numbers.pick(&["", " ", "\n", "=", "\"", "password: ", "\\", "%", "key=\""]));
            text.push_str(&benign[numbers.below(benign.len())].text);
        }
        let once = scrubbed(&text);
        prop_assert_eq!(scrubbed(&once), once);
    }
}
