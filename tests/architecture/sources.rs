//! The Rust files of the repository, parsed, with the parts that are tests known.

use proc_macro2::{TokenStream, TokenTree};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use syn::spanned::Spanned as _;

/// What a file is there for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Place {
    /// The product, or the tools that build it.
    Product,
    /// Integration tests, and files of a test module.
    Tests,
}

/// One file.
pub(super) struct Source {
    /// From the root, with slashes.
    pub(super) path: String,
    pub(super) text: String,
    pub(super) syntax: syn::File,
    pub(super) place: Place,
    /// Lines, from 1, that are compiled for tests only.
    tests: Vec<RangeInclusive<usize>>,
}

/// What breaks a rule, and where.
#[derive(Debug, PartialEq)]
pub(super) struct Violation {
    /// From 1.
    pub(super) line: usize,
    pub(super) what: String,
}

/// A word or sign of the code outside of tests.
pub(super) struct Token {
    pub(super) text: String,
    pub(super) line: usize,
}

pub(super) fn violation(line: usize, what: impl Into<String>) -> Violation {
    Violation { line, what: what.into() }
}

impl Source {
    pub(super) fn new(path: &str, text: &str) -> Self {
        let syntax = syn::parse_file(text).unwrap_or_else(|error| panic!("`{path}`: {error}"));
        let mut tests = Vec::new();
        test_lines(&syntax.items, &mut tests);
        let in_tests = path.starts_with("tests/")
            || path.ends_with("/tests.rs")
            || path.contains("/src/") && path.contains("/tests/");
        let place = if in_tests { Place::Tests } else { Place::Product };
        Self { path: path.to_owned(), text: text.to_owned(), syntax, place, tests }
    }

    pub(super) fn is_test_line(&self, line: usize) -> bool {
        self.tests.iter().any(|lines| lines.contains(&line))
    }

    /// The code outside of tests, flat: brackets and literals are tokens like any other.
    pub(super) fn tokens(&self) -> Vec<Token> {
        let stream: TokenStream = self.text.parse().expect("the file was parsed before");
        let mut tokens = Vec::new();
        flatten(stream, &mut tokens);
        tokens.retain(|token| !self.is_test_line(token.line));
        tokens
    }
}

fn flatten(stream: TokenStream, tokens: &mut Vec<Token>) {
    for tree in stream {
        let line = tree.span().start().line;
        let TokenTree::Group(group) = tree else {
            tokens.push(Token { text: tree.to_string(), line });
            continue;
        };
        let (open, close) = match group.delimiter() {
            proc_macro2::Delimiter::Parenthesis => ("(", ")"),
            proc_macro2::Delimiter::Brace => ("{", "}"),
            proc_macro2::Delimiter::Bracket => ("[", "]"),
            proc_macro2::Delimiter::None => ("", ""),
        };
        tokens.push(Token { text: open.to_owned(), line });
        flatten(group.stream(), tokens);
        tokens.push(Token { text: close.to_owned(), line: group.span_close().start().line });
    }
}

fn test_lines(items: &[syn::Item], lines: &mut Vec<RangeInclusive<usize>>) {
    for item in items {
        if attributes(item).iter().any(is_for_tests) {
            lines.push(item.span().start().line..=item.span().end().line);
        } else if let syn::Item::Mod(module) = item
            && let Some((_, inner)) = &module.content
        {
            test_lines(inner, lines);
        }
    }
}

fn attributes(item: &syn::Item) -> &[syn::Attribute] {
    match item {
        syn::Item::Const(item) => &item.attrs,
        syn::Item::Enum(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Macro(item) => &item.attrs,
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Static(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Trait(item) => &item.attrs,
        syn::Item::Type(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// `#[test]` and `#[cfg(test)]`, also `#[cfg(all(test, unix))]`, but not `#[cfg(not(test))]`.
fn is_for_tests(attribute: &syn::Attribute) -> bool {
    let syn::Meta::List(list) = &attribute.meta else {
        return attribute.path().is_ident("test");
    };
    let mut words = Vec::new();
    flatten(list.tokens.clone(), &mut words);
    let has = |name: &str| words.iter().any(|word| word.text == name);
    attribute.path().is_ident("cfg") && has("test") && !has("not")
}

/// The root of the repository.
pub(super) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the root exists")
}

/// Every Rust file of ours.
pub(super) fn all() -> Vec<Source> {
    let root = root();
    let mut sources = Vec::new();
    for folder in ["benches", "core", "src-tauri", "tests", "ui", "xtask"] {
        read(&root, &root.join(folder), &mut sources);
    }
    sources
}

fn read(root: &Path, folder: &Path, sources: &mut Vec<Source>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.map(|entry| entry.expect("the folder can be listed").path()) {
        let relative = path.strip_prefix(root).expect("it is below the root");
        let relative = relative.to_string_lossy().replace('\\', "/");
        if path.is_dir() && !["tests/fixtures", "ui/dist"].contains(&relative.as_str()) {
            read(root, &path, sources);
        } else if relative.ends_with(".rs") {
            let text = std::fs::read_to_string(&path).expect("the file is text");
            sources.push(Source::new(&relative, &text));
        }
    }
}

#[test]
fn tests_are_told_from_the_rest() {
    let text =
        "use a::b;\n#[cfg(test)]\nmod tests {\n    use c::d;\n}\n#[cfg(not(test))]\nuse e::f;\n";
    let source = Source::new("core/src/sample.rs", text);
    let words: Vec<_> = source.tokens().into_iter().map(|token| token.text).collect();
    assert!(words.contains(&"b".to_owned()) && words.contains(&"f".to_owned()));
    assert!(!words.contains(&"d".to_owned()), "{words:?}");
    assert!(source.is_test_line(2) && source.is_test_line(5) && !source.is_test_line(6));
}
