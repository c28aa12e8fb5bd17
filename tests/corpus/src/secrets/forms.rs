//! The forms in which a secret comes along.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::Secret;
use crate::Numbers;

type Shape = fn(&mut Numbers, &Secret) -> Shaped;

pub(super) const TABLE: [(&str, Shape); 13] = [
    ("bare", |_, secret| shaped("", secret, "", plain)),
    ("quoted", |numbers, secret| {
        let quote = if secret.text.contains('"') { "'" } else { numbers.pick(&["\"", "'", "`"]) };
        shaped(quote, secret, quote, plain)
    }),
    ("json", json),
    ("url", |numbers, secret| {
        let before =
            numbers.pick(&["https://ci.example.net/run?value=", "state=open&payload=", "q="]);
        shaped(before, secret, "&page=2", url_encoded)
    }),
    ("base64", base64),
    ("export", |numbers, secret| {
        let name = numbers.pick(&["VALUE", "SERVICE_TOKEN", "X_CREDENTIAL"]);
        let (open, close) = if secret.text.contains('"') { ("'", "'") } else { ("\"", "\"") };
        shaped(&format!("export {name}={open}"), secret, close, plain)
    }),
    ("header", |numbers, secret| {
        let name = numbers.pick(&["Authorization: Bearer ", "X-Api-Key: ", "X-Upstream: "]);
        let after = "' https://api.example.net/v1/jobs";
        shaped(&format!("curl -sS -H '{name}"), secret, after, one_line)
    }),
    ("trace", trace),
    ("diff", |numbers, secret| {
        let sign = numbers.pick(&["+", "-"]);
        let margin = |text: &str| text.to_owned();
        let mut diff = shaped("@@ -4,3 +4,3 @@\n", secret, "\n", margin);
        diff.middle =
            secret.text.lines().map(|line| format!("{sign}{line}")).collect::<Vec<_>>().join("\n");
        diff
    }),
    ("records", records),
    ("wrapped", wrapped),
    ("file-name", |numbers, secret| {
        let before = numbers.pick(&["/var/backups/dump-", "downloads/", "~/old_notes_"]);
        let after = numbers.pick(&[".txt", ".json.bak", ".log"]);
        let mut name = shaped(before, secret, "", file_name);
        // Nobody can tell where an opaque value ends and the ending of the name begins.
        name.middle.push_str(after);
        name
    }),
    ("prose", |numbers, secret| {
        let before = numbers.pick(&[
            "For the record, my key is ",
            "the token we use there is ",
            "ok so my secret is ",
            "Please log in with ",
            "my password for staging is ",
        ]);
        let after =
            numbers.pick(&[" and please rotate it on Friday", ", tell nobody", " (the old one)"]);
        shaped(before, secret, after, plain)
    }),
];

/// The names of the forms.
pub const FORMS: [&str; 13] = {
    let mut names = [""; 13];
    let mut at = 0;
    while at < names.len() {
        names[at] = TABLE[at].0;
        at += 1;
    }
    names
};

/// A secret in its form, with what stands around it.
pub(super) struct Shaped {
    before: String,
    middle: String,
    after: String,
    hidden: Vec<String>,
}

impl Shaped {
    /// The text, its secret parts, and what stands around.
    pub(super) fn into_parts(self) -> (String, Vec<String>, [String; 2]) {
        let text = format!("{}{}{}", self.before, self.middle, self.after);
        (text, self.hidden, [self.before, self.after])
    }
}

/// The secret between two texts, written in a way that its parts are written in too.
fn shaped(before: &str, secret: &Secret, after: &str, write: fn(&str) -> String) -> Shaped {
    let (before, after) = (before.to_owned(), after.to_owned());
    let hidden = secret.hidden.iter().map(|part| write(part)).collect();
    Shaped { before, middle: write(&secret.text), after, hidden }
}

fn plain(text: &str) -> String {
    text.to_owned()
}

/// A header has one line.
fn one_line(text: &str) -> String {
    text.replace('\n', "\\n")
}

/// What is between the quotes of a JSON string; `/` as some programs write it.
fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    text.replace('/', "\\/")
}

fn json(numbers: &mut Numbers, secret: &Secret) -> Shaped {
    if numbers.below(2) == 0 {
        return shaped("{\"content\":\"see below\\n", secret, "\\nthat is all\"}", escaped);
    }
    // A transcript that quotes a tool's result, which is JSON itself.
    let twice = |text: &str| escaped(&escaped(text));
    shaped("{\"output\":\"{\\\"stdout\\\":\\\"see\\\\n", secret, "\\\\n\\\"}\"}", twice)
}

fn url_encoded(text: &str) -> String {
    percent(text, |byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte))
}

/// A file's name has neither slashes nor line ends; tools write them like this.
fn file_name(text: &str) -> String {
    percent(text, |byte| byte.is_ascii_alphanumeric() || b"-_.~+=@!".contains(&byte))
}

fn percent(text: &str, stays: impl Fn(u8) -> bool) -> String {
    let write = |byte: u8| match stays(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    text.bytes().map(write).collect()
}

fn base64(numbers: &mut Numbers, secret: &Secret) -> Shaped {
    let before = numbers.pick(&["", "token: ", "export A=", "note to self "]);
    let middle = STANDARD.encode(format!("{before}{}\n", secret.text));
    let hidden = vec![middle.trim_end_matches('=').to_owned()];
    Shaped { before: "echo ".to_owned(), middle, after: " | base64 -d".to_owned(), hidden }
}

fn trace(numbers: &mut Numbers, secret: &Secret) -> Shaped {
    let line = numbers.below(400);
    let python = format!(
        "Traceback (most recent call last):\n  File \"/srv/app/main.py\", line {line}, in run\nValueError: cannot use '"
    );
    let node =
        format!("Error: 401 for {} ", numbers.pick(&["credential", "request with", "value"]));
    let end = format!(
        " at Client.send (/srv/app/client.js:{line}:17)\n    at run (/srv/app/main.js:9:3)"
    );
    match numbers.below(2) {
        0 => shaped(&python, secret, "'\n", plain),
        _ => shaped(&node, secret, &format!("\n   {end}"), plain),
    }
}

/// A stream of records that is cut in the secret.
fn records(numbers: &mut Numbers, secret: &Secret) -> Shaped {
    let border = match numbers.below(3) {
        0 => "\"}}\n\nevent: delta\ndata: {\"type\":\"delta\",\"delta\":{\"text\":\"".to_owned(),
        1 => "\"}}\n{\"type\":\"delta\",\"delta\":{\"text\":\"".to_owned(),
        _ => format!(
            "\"}},\"n\":{}}}\n{{\"type\":\"delta\",\"delta\":{{\"text\":\"",
            numbers.below(99)
        ),
    };
    let before = "{\"type\":\"delta\",\"delta\":{\"text\":\"it is ";
    cut(numbers, secret, [before, &border, " and so on\"}}"], escaped)
}

fn wrapped(numbers: &mut Numbers, secret: &Secret) -> Shaped {
    let border = numbers.pick(&["\n", "\n    ", "\r\n", " \\\n  "]);
    cut(numbers, secret, ["put this where it belongs: ", border, " and then restart"], plain)
}

/// The secret in two parts, neither shorter than a fifth.
fn cut(
    numbers: &mut Numbers,
    secret: &Secret,
    [before, border, after]: [&str; 3],
    write: fn(&str) -> String,
) -> Shaped {
    let length = secret.text.len();
    let at = length / 5 + numbers.below(length * 3 / 5);
    let (head, tail) = secret.text.split_at(at);
    let mut cut = shaped(before, secret, after, plain);
    cut.middle = format!("{}{border}{}", write(head), write(tail));
    // A part that the border divides is two parts.
    cut.hidden = Vec::new();
    for part in &secret.hidden {
        let start = secret.text.find(part.as_str()).unwrap_or(0);
        let inner = at.saturating_sub(start).min(part.len());
        let (left, right) = part.split_at(inner);
        cut.hidden.extend([left, right].into_iter().filter(|part| !part.is_empty()).map(write));
    }
    cut
}
