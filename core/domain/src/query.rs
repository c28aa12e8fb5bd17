//! From what a caller typed to expressions that SQLite's FTS5 always accepts.
//!
//! Every term is a quoted string, so no input is ever syntax; the terms are cut by the code that
//! cuts the indexed text (`terms`). Deliberately absent: running anything, and weights.

mod code;
mod matches;
mod stop_words;

use crate::terms::{Piece, bigrams, normal, parts, pieces};
use matches::Matches;
pub(crate) use stop_words::is_stop_word;

/// How much of a query is looked at, in bytes; no question is longer.
const LONGEST_QUERY: usize = 4096;
/// Most words of one phrase.
const LONGEST_PHRASE: usize = 32;

/// What a keyword query is answered with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KeywordQuery {
    /// MATCH expression for the term table, any of its columns.
    pub terms: Option<String>,
    /// MATCH expression for the trigram table: what holds punctuation or looks like code, and is
    /// better found as it stands.
    pub trigram: Option<String>,
    /// MATCH expression for the trigram table when the others found nothing: every word of three
    /// or more characters, as a part of whatever.
    pub substring: Option<String>,
    /// What to scan for when there is no expression at all, such as `%`.
    pub literal: Option<String>,
}

/// What grep looks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GrepQuery {
    /// The text as it stands.
    Literal(String),
    /// A regular expression, without the slashes round it.
    Regex(String),
}

/// Reads a grep query: `/…/` is a regular expression, anything else a literal.
pub fn grep_pattern(query: &str) -> GrepQuery {
    match query.trim().strip_prefix('/').and_then(|rest| rest.strip_suffix('/')) {
        Some(regex) if !regex.is_empty() => GrepQuery::Regex(regex.to_owned()),
        _ => GrepQuery::Literal(query.to_owned()),
    }
}

/// Builds the expressions for what a caller typed.
///
/// Words are joined by OR, English stop-words dropped unless nothing else is left; what stands in
/// double quotes stays a phrase; an identifier counts whole and in parts; a lone character of a
/// script without spaces matches every word it begins.
pub fn build(query: &str) -> KeywordQuery {
    let query = clean(query);
    let terms = terms(&query).expression();
    let trigram = code::looking_like_code(&query).expression();
    let literal =
        (terms.is_none() && trigram.is_none() && !query.is_empty()).then(|| query.clone());
    KeywordQuery { terms, trigram, substring: code::words(&query).expression(), literal }
}

/// The query without control characters, trimmed and cut to the length that is looked at.
fn clean(query: &str) -> String {
    let query = query.trim_start();
    let query = &query[..query.floor_char_boundary(LONGEST_QUERY)];
    let blank = |c: char| if c.is_control() { ' ' } else { c };
    query.chars().map(blank).collect::<String>().trim().to_owned()
}

fn terms(query: &str) -> Matches {
    let (mut strong, mut weak) = (Matches::default(), Matches::default());
    let sections: Vec<&str> = query.split('"').collect();
    for (place, section) in sections.iter().enumerate() {
        let section = normal(section);
        if place % 2 == 1 && place + 1 < sections.len() {
            strong.extend(phrase(&section));
        } else {
            loose(&section, &mut strong, &mut weak);
        }
    }
    if strong.is_empty() { weak } else { strong }
}

/// A quoted phrase: the words the index has for it, in their order.
fn phrase(text: &str) -> Option<(String, bool)> {
    let pieces: Vec<_> = pieces(text).take(LONGEST_PHRASE).map(|(_, piece)| piece).collect();
    let (last, before) = pieces.split_last()?;
    let mut words: Vec<String> = Vec::new();
    before.iter().for_each(|piece| piece.words(|word| words.push(word.to_owned())));
    // In the text the last run may go on, so its last character need not end a run.
    match *last {
        Piece::Run(run) if bigrams(run).next().is_some() => {
            words.extend(bigrams(run).map(str::to_owned));
        }
        other => other.words(|word| words.push(word.to_owned())),
    }
    let prefix = matches!(*last, Piece::Run(run) if bigrams(run).next().is_none());
    Some((words.join(" "), prefix))
}

/// Words outside of quotes.
fn loose(text: &str, strong: &mut Matches, weak: &mut Matches) {
    let mut group: Vec<&str> = Vec::new();
    let mut end = 0;
    for (at, piece) in pieces(text) {
        let glued = !text[end..at].contains(char::is_whitespace);
        if !glued || !matches!(piece, Piece::Word(_)) {
            identifier(&group, strong, weak);
            group.clear();
        }
        end = at;
        match piece {
            Piece::Word(word) => {
                group.push(word);
                end += word.len();
            }
            Piece::Run(run) if bigrams(run).next().is_none() => strong.push(run, true),
            Piece::Run(run) => bigrams(run).for_each(|pair| strong.push(pair, false)),
            Piece::Symbol(_) | Piece::Suffixed(..) => strong.push(&piece.made_up(), false),
        }
    }
    identifier(&group, strong, weak);
}

/// Words joined by punctuation only: all of them as a phrase, each, and the parts of each.
fn identifier(words: &[&str], strong: &mut Matches, weak: &mut Matches) {
    let mut push = |text: &str, is_weak: bool| {
        if is_weak { weak.push(text, false) } else { strong.push(text, false) }
    };
    if words.len() > 1 {
        let whole = &words[..words.len().min(LONGEST_PHRASE)];
        push(&whole.join(" "), whole.iter().all(|word| is_stop_word(word) || is_ending(word)));
    }
    let is_weak = |word: &str| {
        is_stop_word(word) || (words.len() > 1 && (word.len() == 1 || is_ending(word)))
    };
    for word in words {
        push(word, is_weak(word));
        parts(word).for_each(|part| push(part, is_weak(part)));
    }
}

/// What a contraction leaves behind its apostrophe.
fn is_ending(word: &str) -> bool {
    matches!(word, "s" | "t" | "d" | "m" | "ll" | "re" | "ve")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(query: &str, terms: &str, trigram: &str) {
        let built = build(query);
        assert_eq!(built.terms.as_deref().unwrap_or_default(), terms, "terms of {query:?}");
        assert_eq!(built.trigram.as_deref().unwrap_or_default(), trigram, "trigram of {query:?}");
    }

    #[test]
    fn words() {
        check("how do we deploy the Server?", r#""deploy" OR "Server""#, "");
        check("Deploy deploy DEPLOY", r#""Deploy""#, "");
        check("the", r#""the""#, "");
        check("to be or not", r#""to" OR "be" OR "or" OR "not""#, "");
        check("AND", r#""AND""#, "");
        check("NOT x", r#""x""#, "");
        check("café Ｒｕｓｔ", r#""café" OR "Rust""#, "");
    }

    #[test]
    fn identifiers() {
        check("getUserName", r#""getUserName" OR "get" OR "User" OR "Name""#, r#""getUserName""#);
        check("a_b::c", r#""a b c""#, r#""a_b::c""#);
        check("foo/bar", r#""foo bar" OR "foo" OR "bar""#, r#""foo/bar""#);
        check("C:\\x", r#""C x""#, r#""C:\x""#);
        check("don't", r#""don t" OR "don""#, r#""don't""#);
        check("what's it?", r#""what s" OR "what" OR "s" OR "it""#, "");
        check("is `foo()` ok?", r#""foo" OR "ok""#, "");
        check("C++ or F#", r#""C" OR "cplusplus" OR "F" OR "fsharp""#, r#""C++""#);
        check(".env", r#""env""#, r#"".env""#);
    }

    #[test]
    fn unspaced_scripts() {
        check("部署", r#""部署""#, "");
        check("向量检索", r#""向量" OR "量检" OR "检索""#, "");
        check("部", r#""部" *"#, "");
        check("用Rust部署吗?", r#""用" * OR "Rust" OR "部署" OR "署吗""#, "");
        check(
            "调用getUserName的方法",
            r#""调用" OR "getUserName" OR "get" OR "User" OR "Name" OR "的方" OR "方法""#,
            r#""getUserName""#,
        );
    }

    #[test]
    fn phrases() {
        check("\"to be\" deploy", r#""to be" OR "deploy""#, "");
        check("\"部署流程\"", r#""部署 署流 流程""#, "");
        check("\"使用Rust语\"", r#""使用 用 Rust 语" *"#, "");
        check("\"写 Rust语言\"", r#""写 Rust 语言""#, "");
        check("say \"hi", r#""say" OR "hi""#, "");
        check("\"\" \"\"", "", "");
    }

    #[test]
    fn symbols_and_nothing() {
        check("😀", r#""u1f600""#, "");
        check("a → b", r#""u2192" OR "b""#, "");
        for query in ["%", "*", "()", "^-", "'", "\"", "_"] {
            check(query, "", "");
            assert_eq!(build(query).literal.as_deref(), Some(query));
        }
        for query in ["", "  ", "\0\u{7}", "\n"] {
            assert_eq!(build(query), KeywordQuery::default());
        }
        assert_eq!(build("-->").trigram, None);
        assert_eq!(build("--> x").literal, None);
    }

    #[test]
    fn substrings_for_the_second_try() {
        let built = build("serNam the 部署 ab (x1)?");
        assert_eq!(built.substring.as_deref(), Some(r#""serNam""#));
        assert_eq!(build("a\"b\"c d").trigram.as_deref(), Some(r#""a""b""c""#));
    }

    #[test]
    fn size_is_bounded() {
        let long = build(&"x".repeat(1_000_000));
        assert!(long.terms.is_some_and(|terms| terms.len() < 5_000));
        assert!(long.substring.is_some_and(|substring| substring.len() < 200));
        let many: String = (0..100_000).map(|word| format!("w{word}.x ")).collect();
        assert_eq!(build(&many).terms.map(|terms| terms.split(" OR ").count()), Some(64));
        assert!(build(&"a.".repeat(500_000)).terms.is_some_and(|terms| terms.len() < 500));
    }

    #[test]
    fn grep() {
        let cases = [
            ("/a+b/", GrepQuery::Regex("a+b".to_owned())),
            (" /a/ ", GrepQuery::Regex("a".to_owned())),
            ("a+b", GrepQuery::Literal("a+b".to_owned())),
            ("//", GrepQuery::Literal("//".to_owned())),
            ("/", GrepQuery::Literal("/".to_owned())),
            ("/a", GrepQuery::Literal("/a".to_owned())),
        ];
        for (query, expected) in cases {
            assert_eq!(grep_pattern(query), expected);
        }
    }

    /// Strings joined by OR, perhaps with the star of a prefix, as FTS5 defines them.
    fn is_expression(expression: &str) -> bool {
        let mut rest = expression;
        loop {
            let Some(mut string) = rest.strip_prefix('"') else { return false };
            let end = loop {
                let Some(quote) = string.find('"') else { return false };
                match string[quote + 1..].strip_prefix('"') {
                    Some(after) => string = after,
                    None => break &string[quote + 1..],
                }
            };
            let end = end.strip_prefix(" *").unwrap_or(end);
            match end.strip_prefix(" OR ") {
                Some(next) => rest = next,
                None => return end.is_empty(),
            }
        }
    }

    proptest! {
        #[test]
        fn any_input_gives_valid_expressions(
            query in prop_oneof![
                any::<String>(), "\\PC{0,60}",
                "([\"'*^:(){}+%_ \0\\\\-]|AND|OR|NOT|NEAR\\(|[a-zA-Z0-9]{1,4}|[部署検索は]|😀|é){0,40}",
            ],
        ) {
            let built = build(&query);
            let expressions = [&built.terms, &built.trigram, &built.substring];
            for expression in expressions.into_iter().flatten() {
                prop_assert!(is_expression(expression), "{expression}");
                prop_assert!(!expression.contains('\0'));
            }
            let something = [&built.terms, &built.trigram, &built.literal];
            let nothing = something.into_iter().all(Option::is_none);
            prop_assert_eq!(nothing, query.chars().all(|c| c.is_whitespace() || c.is_control()));
        }

        #[test]
        fn every_word_of_a_text_finds_it(text in "[a-zA-Z_. 部署検索ｱé😀+#-]{1,30}") {
            let words = crate::terms::cut(&text);
            let Some(terms) = build(&text).terms else { return Ok(()) };
            let has = |term: &str| {
                let term = term.trim_end_matches(" *").trim_matches('"');
                let spaced = format!(" {} {} ", words.text, words.parts);
                spaced.contains(&format!(" {term}"))
            };
            prop_assert!(terms.split(" OR ").all(has), "{terms} in {words:?}");
        }
    }
}
