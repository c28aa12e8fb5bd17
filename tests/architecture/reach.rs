//! A file that no `mod` names is not compiled: a test that never runs, code that nobody checks.

use super::sources::Source;
use std::collections::BTreeSet;

/// Paths of the files that no crate reaches.
pub(super) fn unreached(sources: &[Source]) -> Vec<&str> {
    let mut reached = BTreeSet::new();
    for source in sources.iter().filter(|source| is_root(&source.path)) {
        reached.insert(source.path.clone());
        let folder = folder_of(&source.path).to_owned();
        follow(sources, &source.syntax.items, &folder, &mut reached);
    }
    let paths = sources.iter().map(|source| source.path.as_str());
    paths.filter(|path| !reached.contains(*path)).collect()
}

/// What cargo compiles by itself.
fn is_root(path: &str) -> bool {
    let in_folder = |folder: &str| folder_of(path).ends_with(folder);
    path == "tests/main.rs"
        || ["src/lib.rs", "src/main.rs", "build.rs"].iter().any(|end| path.ends_with(end))
        || ["benches", "examples", "src/bin"].into_iter().any(in_folder)
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn follow(sources: &[Source], items: &[syn::Item], folder: &str, reached: &mut BTreeSet<String>) {
    for item in items {
        let syn::Item::Mod(module) = item else { continue };
        let inner = format!("{folder}/{}", module.ident);
        if let Some((_, items)) = &module.content {
            follow(sources, items, &inner, reached);
            continue;
        }
        let path = format!("{inner}.rs");
        if let Some(source) = sources.iter().find(|source| source.path == path) {
            reached.insert(path);
            follow(sources, &source.syntax.items, &inner, reached);
        }
    }
}

#[test]
fn a_forgotten_file_is_found() {
    let sources = [
        Source::new("tests/main.rs", "mod rest; mod support { mod app; }"),
        Source::new("tests/rest.rs", "mod facts;"),
        Source::new("tests/rest/facts.rs", ""),
        Source::new("tests/rest/stores.rs", ""),
        Source::new("tests/support/app.rs", ""),
        Source::new("tests/cli.rs", ""),
        Source::new("core/cli/src/bin/shim.rs", ""),
    ];
    assert_eq!(unreached(&sources), ["tests/rest/stores.rs", "tests/cli.rs"]);
}
