//! The calls that `.clippy.toml` bans are banned in the whole product, not where somebody thought of
//! it: the root of each crate switches the lint on, or owns such calls and says why.

use super::sources::{Place, Source, Violation, violation};

/// Crates that are tools for building, or page code without files, environment or programs.
const FREE: &[&str] = &["ui/assets/", "ui/src/", "xtask/"];

pub(super) fn is_root_of_the_product(source: &Source) -> bool {
    let is_root = ["src/lib.rs", "src/main.rs"].iter().any(|root| source.path.ends_with(root));
    let is_binary = source.path.contains("/src/bin/");
    let is_free = FREE.iter().any(|folder| source.path.starts_with(folder));
    (is_root || is_binary) && source.place == Place::Product && !is_free
}

pub(super) fn switched_on(source: &Source) -> Vec<Violation> {
    let inner = source.syntax.attrs.iter().filter(|attribute| names_lint(attribute));
    let what = "lacks `#![cfg_attr(not(test), warn(clippy::disallowed_methods))]`";
    if inner.count() == 0 { vec![violation(1, what)] } else { Vec::new() }
}

/// `warn` behind `not(test)`, or `expect` with a reason.
fn names_lint(attribute: &syn::Attribute) -> bool {
    let syn::Meta::List(list) = &attribute.meta else { return false };
    let words = list.tokens.to_string().replace(' ', "");
    let warns = attribute.path().is_ident("cfg_attr")
        && words.contains("not(test)")
        && words.contains("warn(clippy::disallowed_methods");
    let owns = attribute.path().is_ident("expect")
        && words.contains("clippy::disallowed_methods")
        && words.contains("reason=");
    warns || owns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_without_the_switch_is_found() {
        for (text, violations) in [
            ("mod a;", 1),
            ("#![cfg_attr(test, warn(clippy::disallowed_methods))]", 1),
            ("#![cfg_attr(not(test), warn(clippy::too_many_lines))]", 1),
            ("#![cfg_attr(not(test), warn(clippy::disallowed_methods))]", 0),
            ("#![expect(clippy::disallowed_methods, reason = \"owner\")]", 0),
        ] {
            let source = Source::new("core/src/lib.rs", text);
            assert_eq!(switched_on(&source).len(), violations, "{text}");
        }
    }

    #[test]
    fn roots_are_known_by_their_path() {
        let is = |path| is_root_of_the_product(&Source::new(path, ""));
        assert!(is("core/env/src/lib.rs") && is("core/cli/src/bin/coffer-mcp-shim.rs"));
        assert!(!is("core/src/vault.rs") && !is("xtask/src/main.rs") && !is("tests/main.rs"));
    }
}
