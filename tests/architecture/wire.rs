//! What travels is typed, and is not what the engine works with.

use super::names::matches;
use super::sources::{Place, Source, Violation, violation};

/// The product's crates that speak JSON.
pub(super) fn may_speak_json(source: &Source) -> bool {
    let product = ["core/", "src-tauri/", "ui/src/"];
    let is_wire = source.path.ends_with("/wire.rs");
    source.place == Place::Product
        && !is_wire
        && product.iter().any(|folder| source.path.starts_with(folder))
}

/// Untyped JSON stays in files called `wire.rs`.
pub(super) fn untyped_json(source: &Source) -> Vec<Violation> {
    let tokens = source.tokens();
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        if !matches(&tokens[at..], &["serde_json", ":", ":"]) {
            continue;
        }
        let is_end = |text: &str| text == ";" || text == "}" || text == "(";
        let path = tokens[at + 3..].iter().take_while(|token| !is_end(&token.text));
        let words: Vec<_> = path.map(|token| token.text.as_str()).collect();
        let is_group = words.first() == Some(&"{");
        if words.first() == Some(&"Value") || (is_group && words.contains(&"Value")) {
            found.push(violation(tokens[at].line, "`serde_json::Value` outside of a `wire.rs`"));
        }
    }
    found
}

/// A type of the domain that can be written out is a wire format by accident.
pub(super) fn serialized(source: &Source) -> Vec<Violation> {
    let tokens = source.tokens();
    let named = tokens.iter().filter(|token| token.text == "Serialize");
    named.map(|token| violation(token.line, "`Serialize` in the domain")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn untyped_json_is_found() {
        let count = |text| untyped_json(&Source::new("core/server/src/rest.rs", text)).len();
        assert_eq!(count("use serde_json::Value;"), 1);
        assert_eq!(count("use serde_json::{Map, Value, json};"), 1);
        assert_eq!(count("fn a(body: &serde_json::Value) {}"), 1);
        assert_eq!(count("use serde_json::{from_str, to_string}; use a::Value;"), 0);
        assert_eq!(count("fn a() { serde_json::from_str::<Value>(b) }"), 0);
    }

    #[test]
    fn only_wire_files_of_the_product_are_free() {
        let is = |path| may_speak_json(&Source::new(path, ""));
        assert!(is("core/client/src/shim.rs") && is("ui/src/api.rs"));
        assert!(
            !is("core/client/src/shim/wire.rs") && !is("tests/rest.rs") && !is("xtask/src/a.rs")
        );
    }

    #[test]
    fn a_domain_type_that_serializes_is_found() {
        let text = "#[derive(Debug, serde::Serialize)] struct Fact;";
        assert_eq!(serialized(&Source::new("core/domain/src/fact.rs", text)).len(), 1);
        let text = "#[derive(Debug)] struct Fact;";
        assert_eq!(serialized(&Source::new("core/domain/src/fact.rs", text)), []);
    }
}
