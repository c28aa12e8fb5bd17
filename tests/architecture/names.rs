//! Names that say nothing, paths that reach too far, tests that do not test.

use super::sources::{Source, Token, Violation, violation};
use syn::visit::Visit;

/// Files that collect what nobody found a place for.
const FILES: &[&str] =
    &["common", "helper", "helpers", "manager", "misc", "mod", "service", "util", "utils"];
/// Endings of types that mean "something".
const ENDINGS: &[&str] =
    &["Data", "Helper", "Info", "Manager", "Processor", "Service", "Util", "Utils"];
/// What a word means in the world outside; a file manager is a program.
const WORDS: &[&str] = &["FileManager"];

pub(super) fn empty_names(source: &Source) -> Vec<Violation> {
    let steps = source.path.trim_end_matches(".rs").split('/');
    let files = steps.filter(|step| FILES.contains(step));
    let mut found: Vec<_> =
        files.map(|step| violation(1, format!("a path with `{step}`"))).collect();
    let mut types = Types { found: &mut found };
    types.visit_file(&source.syntax);
    found
}

struct Types<'a> {
    found: &'a mut Vec<Violation>,
}

impl Types<'_> {
    fn judge(&mut self, name: &syn::Ident) {
        let text = name.to_string();
        let ending = ENDINGS.iter().find(|ending| text.ends_with(**ending));
        if let Some(ending) = ending.filter(|_| !WORDS.contains(&text.as_str())) {
            let what = format!("`{text}`: `{ending}` says nothing");
            self.found.push(violation(name.span().start().line, what));
        }
    }
}

impl Visit<'_> for Types<'_> {
    fn visit_item_struct(&mut self, item: &syn::ItemStruct) {
        self.judge(&item.ident);
    }
    fn visit_item_enum(&mut self, item: &syn::ItemEnum) {
        self.judge(&item.ident);
    }
    fn visit_item_trait(&mut self, item: &syn::ItemTrait) {
        self.judge(&item.ident);
        syn::visit::visit_item_trait(self, item);
    }
    fn visit_item_type(&mut self, item: &syn::ItemType) {
        self.judge(&item.ident);
    }
}

/// `pub use a::*` hides where a name comes from, `super::super` that a module sits wrongly.
pub(super) fn far_paths(source: &Source) -> Vec<Violation> {
    let tokens = source.tokens();
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if matches(&tokens[at..], &["super", ":", ":", "super"]) {
            found.push(violation(token.line, "`super::super`"));
        }
    }
    for item in &source.syntax.items {
        if let syn::Item::Use(item) = item
            && !matches!(item.vis, syn::Visibility::Inherited)
            && has_star(&item.tree)
        {
            let line = item.use_token.span.start().line;
            found.push(violation(line, "exports by a star"));
        }
    }
    found
}

fn has_star(tree: &syn::UseTree) -> bool {
    match tree {
        syn::UseTree::Glob(_) => true,
        syn::UseTree::Path(path) => has_star(&path.tree),
        syn::UseTree::Group(group) => group.items.iter().any(has_star),
        syn::UseTree::Name(_) | syn::UseTree::Rename(_) => false,
    }
}

/// An ignored test holds nothing, and one that must panic takes any panic for the right one.
pub(super) fn weak_tests(source: &Source) -> Vec<Violation> {
    let mut weak = WeakTests(Vec::new());
    weak.visit_file(&source.syntax);
    weak.0
}

struct WeakTests(Vec<Violation>);

impl Visit<'_> for WeakTests {
    fn visit_attribute(&mut self, attribute: &syn::Attribute) {
        for name in ["ignore", "should_panic"] {
            if attribute.path().is_ident(name) {
                let line = attribute.pound_token.span.start().line;
                self.0.push(violation(line, format!("`#[{name}]`")));
            }
        }
    }
}

/// Whether `tokens` begin with `words`.
pub(super) fn matches(tokens: &[Token], words: &[&str]) -> bool {
    tokens.len() >= words.len() && tokens.iter().zip(words).all(|(token, word)| token.text == *word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(path: &str, text: &str) -> Source {
        Source::new(path, text)
    }

    #[test]
    fn names_that_say_nothing_are_found() {
        for (path, text) in [
            ("core/src/utils.rs", ""),
            ("core/src/common/text.rs", ""),
            ("core/src/vault/mod.rs", ""),
            ("core/src/a.rs", "struct StoreManager;"),
            ("core/src/a.rs", "mod inner { pub(crate) enum FactInfo {} }"),
            ("core/src/a.rs", "trait RecallService {}"),
            ("core/src/a.rs", "type FactData = u8;"),
        ] {
            assert_eq!(empty_names(&sample(path, text)).len(), 1, "{path} {text}");
        }
        let good = sample(
            "core/src/vault.rs",
            "struct Fact; struct FileManager; use rmcp::model::ServerInfo;",
        );
        assert_eq!(empty_names(&good), []);
    }

    #[test]
    fn far_paths_are_found() {
        for text in [
            "use super::super::error;",
            "fn a() -> super::super::Error {}",
            "pub use error::*;",
            "pub(crate) use error::{Error, kinds::*};",
        ] {
            assert_eq!(far_paths(&sample("core/src/a.rs", text)).len(), 1, "{text}");
        }
        let good = "use super::error; use leptos::prelude::*; pub use error::Error;";
        assert_eq!(far_paths(&sample("core/src/a.rs", good)), []);
    }

    #[test]
    fn weak_tests_are_found() {
        let text = "#[cfg(test)] mod tests { #[test] #[ignore] fn a() {} \
            #[test] #[should_panic(expected = \"b\")] fn b() {} #[test] fn c() {} }";
        assert_eq!(weak_tests(&sample("core/src/a.rs", text)).len(), 2);
    }
}
