//! From what a caller typed to FTS5 MATCH expressions that are always valid.

/// The expressions a keyword query is answered with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KeywordQuery {
    /// MATCH expression for the term table.
    pub terms: Option<String>,
    /// MATCH expression for the trigram table, for terms that hold punctuation or look like code.
    pub trigram: Option<String>,
    /// The query for a substring scan when there are neither terms nor a trigram expression.
    pub literal: Option<String>,
}

/// Builds the expressions for what a caller typed.
pub fn build(query: &str) -> KeywordQuery {
    let words: Vec<String> = query
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| format!("\"{word}\""))
        .take(64)
        .collect();
    KeywordQuery {
        terms: (!words.is_empty()).then(|| words.join(" OR ")),
        trigram: None,
        literal: None,
    }
}

/// What grep is to look for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GrepQuery {
    /// The text as it stands.
    Literal(String),
    /// A regular expression, written `/…/` by the caller, without the slashes.
    Regex(String),
}

/// Reads a grep query: `/…/` is a regular expression, anything else a literal.
pub fn grep_pattern(query: &str) -> GrepQuery {
    match query.trim().strip_prefix('/').and_then(|rest| rest.strip_suffix('/')) {
        Some(regex) if !regex.is_empty() => GrepQuery::Regex(regex.to_owned()),
        _ => GrepQuery::Literal(query.to_owned()),
    }
}
