//! Fact conservation: what of a text can be checked by machine to have survived its rewriting. Prose may be
//! told in other words; identifiers, numbers, paths, addresses and code may not.
//!
//! Deliberately absent: meaning. A rewriting that passes may still be a bad one; nothing that could be
//! named is gone from it.

use std::collections::BTreeSet;

/// Everything in `before` that must be in `after` and is not, in order of the alphabet.
#[must_use]
pub fn lost<'a>(before: impl IntoIterator<Item = &'a str>, after: &str) -> Vec<String> {
    let mut wanted = BTreeSet::new();
    for text in before {
        wanted.extend(tokens(text));
    }
    // Most stand there as they are; only the others are looked for in the whole text.
    let there = tokens(after);
    let after = unmarked(after);
    wanted.into_iter().filter(|token| !there.contains(token) && !occurs(token, &after)).collect()
}

/// What of a text must survive.
#[must_use]
pub fn tokens(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut fence = None;
    for line in text.lines() {
        let sign = ["```", "~~~"].into_iter().find(|sign| line.trim_start().starts_with(sign));
        match (fence, sign) {
            (None, Some(sign)) => fence = Some(sign),
            (Some(open), Some(sign)) if open == sign => fence = None,
            (Some(_), _) => {
                let line = line.trim();
                found.extend((!line.is_empty()).then(|| line.to_owned()));
            }
            (None, None) => of_line(line, &mut found),
        }
    }
    found
}

/// Code spans of a line, and what between them looks like a name, a number or a place.
fn of_line(line: &str, found: &mut BTreeSet<String>) {
    for (number, part) in line.split('`').enumerate() {
        let is_code = number % 2 == 1 && line.matches('`').count() > number;
        if is_code {
            let code = part.trim();
            found.extend((!code.is_empty()).then(|| code.to_owned()));
        } else {
            found.extend(part.split_whitespace().flat_map(of_word));
        }
    }
}

/// A word as it is, if it must survive; else the parts of it that must, as in a sentence of a script
/// without spaces.
fn of_word(word: &str) -> Vec<String> {
    let word = word.trim_matches(is_around);
    if word.contains("://") {
        return vec![word.to_owned()];
    }
    let ascii = word.split(|letter: char| !letter.is_ascii_graphic());
    ascii
        .map(|part| part.trim_matches(is_around))
        .filter(|part| must(part))
        .map(str::to_owned)
        .collect()
}

/// What stands around words and is none of theirs.
fn is_around(letter: char) -> bool {
    matches!(
        letter,
        '.' | ','
            | ';'
            | ':'
            | '!'
            | '?'
            | '"'
            | '\''
            | '('
            | ')'
            | '['
            | ']'
            | '{'
            | '}'
            | '<'
            | '>'
            | '*'
            | '|'
            | '“'
            | '”'
            | '‘'
            | '’'
            | '。'
            | '、'
            | '，'
            | '；'
            | '：'
            | '（'
            | '）'
            | '「'
            | '」'
            | '…'
    )
}

/// Numbers, paths, and names that no sentence has: with digits, signs within, or capitals within.
fn must(word: &str) -> bool {
    let mut letters = word.chars().filter(char::is_ascii_alphanumeric);
    if letters.next().is_none() {
        return false;
    }
    let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
    let has_sign = word.contains(['_', '/', '\\', '@', '=', '$', '#', '&', '+', '~', '^', '%'])
        || word.contains("::")
        || word.starts_with("--");
    has_digit || has_sign || has_dot_within(word) || has_capital_within(word)
}

fn has_dot_within(word: &str) -> bool {
    let parts: Vec<&str> = word.split('.').collect();
    // `e.g` and the like are words.
    parts.len() > 1
        && parts.iter().all(|part| !part.is_empty())
        && parts.iter().any(|part| part.len() > 1)
}

/// `camelCase`, `HTTP`, but not a sentence's first word.
fn has_capital_within(word: &str) -> bool {
    word.chars().skip(1).any(|letter| letter.is_ascii_uppercase())
}

/// A text without the marks that may stand in the middle of what is looked for.
fn unmarked(text: &str) -> String {
    text.replace(['`', '*'], "")
}

/// Whether a token stands in a text as itself, not as a part of a longer one.
fn occurs(token: &str, text: &str) -> bool {
    let token = unmarked(token);
    let is_part =
        |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_alphanumeric());
    let (first, last) = (token.chars().next(), token.chars().next_back());
    text.match_indices(token.as_str()).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + token.len()..].chars().next();
        !(is_part(first) && is_part(before) || is_part(last) && is_part(after))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_named_must_survive() {
        let cases: [(&str, &[&str]); 12] = [
            ("Deploy with `make release`, never by hand.", &["make release"]),
            ("The port is 8080 and the limit 1,500.", &["1,500", "8080"]),
            ("See https://example.com/a?b=c#d, please.", &["https://example.com/a?b=c#d"]),
            ("In src/main.rs (or ~/.config/x).", &["src/main.rs", "~/.config/x"]),
            (
                "Call parse_header, Widget::new and getName; not HTTP.",
                &["HTTP", "Widget::new", "getName", "parse_header"],
            ),
            (
                "Use --locked with v1.2.3 of serde.rs on i18n.",
                &["--locked", "i18n", "serde.rs", "v1.2.3"],
            ),
            ("```sh\nmake all\n\n  cargo run\n```", &["cargo run", "make all"]),
            ("端口是8080，见src/main.rs。", &["8080", "src/main.rs"]),
            ("ポートは`PORT`です", &["PORT"]),
            ("Nothing here, e.g. no names. At all!", &[]),
            ("An odd ` mark with 3", &["3"]),
            ("mail me@example.com **2** times", &["2", "me@example.com"]),
        ];
        for (text, wanted) in cases {
            let found: Vec<String> = tokens(text).into_iter().collect();
            assert_eq!(found, wanted, "{text}");
        }
    }

    /// Looking for each token in the whole of a large lane took minutes.
    #[test]
    fn large_texts_are_compared_at_once() {
        let lines = |from: usize| (from..40_000).map(|n| format!("see src/file_{n}.rs, port {n}"));
        let before = lines(0).collect::<Vec<_>>().join("\n");
        let after = lines(2).collect::<Vec<_>>().join("\n");
        assert_eq!(lost([before.as_str()], &after), ["0", "1", "src/file_0.rs", "src/file_1.rs"]);
    }

    #[test]
    fn only_what_is_gone_is_named() {
        let before = ["The port is 80.", "Run `make x` in src/a.rs."];
        assert_eq!(lost(before, "Port 80; `make x`, see `src/a.rs`."), [""; 0]);
        assert_eq!(lost(before, "Port 8080; make xy in src/a.rs"), ["80", "make x"]);
        assert_eq!(lost(["a **b_c** d"], "b_c"), [""; 0]);
        assert_eq!(lost(["端口是8080"], "端口8080"), [""; 0]);
        assert_eq!(lost([], ""), [""; 0]);
    }
}
