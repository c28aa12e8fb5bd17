//! The table of coffer-core's modules: each names only what stands above it. This table is the
//! diagram in core/ARCHITECTURE.md; a module without a row fails.

use super::names::matches;
use super::sources::{Place, Source, Token, Violation, root, violation};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// What a module may name.
enum Names {
    Only(&'static [&'static str]),
    /// Everything that stands above it.
    Above,
}

use Names::{Above, Only};

const ROWS: &[(&str, Names)] = &[
    ("error", Only(&[])),
    // Infrastructure: engines, each behind the narrowest interface.
    ("vault", Only(&["error"])),
    ("secrets", Only(&["error"])),
    ("config", Only(&["error", "vault", "secrets"])),
    ("index", Only(&["error", "vault"])),
    ("git", Only(&["error"])),
    ("grep", Only(&["error"])),
    ("archive", Only(&["error"])),
    ("credentials", Only(&["error", "vault", "index"])),
    ("models", Only(&["error", "vault", "config", "secrets", "credentials"])),
    ("engine", Only(&["error", "config", "index", "models", "credentials"])),
    ("convert", Only(&["error", "config"])),
    // With the SQL of a database that is not Coffer's, in a file of its own; see `OWNERS`.
    ("transcripts", Only(&["error", "config", "vault", "secrets"])),
    ("agent_files", Only(&["error", "vault"])),
    // The substrate: kind-agnostic.
    ("knowledge", Only(&["error", "config", "secrets", "vault", "index", "grep", "models"])),
    // Capabilities. The two faces are mutually blind.
    (
        "memory",
        Only(&[
            "error",
            "config",
            "vault",
            "index",
            "git",
            "grep",
            "archive",
            "secrets",
            "knowledge",
        ]),
    ),
    (
        "kb",
        Only(&[
            "error",
            "config",
            "vault",
            "index",
            "grep",
            "archive",
            "convert",
            "secrets",
            "knowledge",
        ]),
    ),
    ("sessions", Only(&["error", "config", "vault", "index", "secrets", "transcripts"])),
    ("distill", Only(&["error", "config", "index", "engine", "secrets", "memory", "sessions"])),
    ("organize", Only(&["error", "config", "index", "engine", "secrets", "knowledge", "memory"])),
    ("files", Only(&["error", "config", "index"])),
    ("history", Only(&["error", "config", "index"])),
    // Orchestration.
    ("agents", Above),
    ("hooks", Above),
    ("doctor", Above),
    ("purge", Above),
    ("jobs", Above),
    ("event", Above),
    // The composition root.
    ("coffer", Above),
];

/// The one reader of a database that is another program's.
const FOREIGN_DATABASE: &str = "transcripts/opencode/database";

/// Crates that only these modules may name.
const OWNERS: &[(&str, &str)] = &[
    ("async_openai", "models"),
    ("calamine", "convert"),
    ("candle_core", "models"),
    ("candle_nn", "models"),
    ("chacha20poly1305", "credentials"),
    ("chardetng", "convert"),
    ("csv", "convert"),
    ("encoding_rs", "convert"),
    ("flate2", "archive"),
    ("grep_matcher", "grep"),
    ("grep_regex", "grep"),
    ("grep_searcher", "grep"),
    ("htmd", "convert"),
    ("ignore", "vault"),
    ("inotify", "vault"),
    ("jsonc_parser", "agent_files"),
    ("keyring_core", "credentials"),
    ("landlock", "convert"),
    ("libc", "convert"),
    ("mail_parser", "convert"),
    ("markup5ever_rcdom", "convert"),
    ("open", "files"),
    ("rayon", "models"),
    ("reqwest", "models"),
    ("roxmltree", "convert"),
    ("rusqlite", "index"),
    ("rusqlite", FOREIGN_DATABASE),
    ("rustls", "models"),
    ("ruzstd", "transcripts"),
    ("safetensors", "models"),
    ("seccompiler", "convert"),
    ("sqlite_vec", "index/vectors"),
    ("tar", "archive"),
    ("tokenizers", "models"),
    ("tokio", "models"),
    ("undoc", "convert"),
    ("unpdf", "convert"),
    ("ureq", "models"),
    ("zbus", "files"),
    ("zbus_secret_service_keyring_store", "credentials"),
    ("zip", "convert"),
];

/// Test files may reach for anything.
pub(super) fn is_of_the_engine(source: &Source) -> bool {
    source.path.starts_with("core/src/") && source.place == Place::Product
}

/// The table, held over one file.
pub(super) fn above_only(source: &Source) -> Vec<Violation> {
    static MODULES: LazyLock<Modules> = LazyLock::new(Modules::of_the_engine);
    MODULES.violations(source)
}

/// What exists below `core/src`, and which names of the root stand for which module.
struct Modules {
    present: BTreeSet<String>,
    exports: BTreeMap<String, String>,
}

impl Modules {
    fn of_the_engine() -> Self {
        let folder = root().join("core/src");
        let entries = std::fs::read_dir(&folder).expect("core/src can be listed");
        let files = entries.map(|entry| entry.expect("it can be listed").path());
        let names = files.filter_map(|file| Some(file.file_stem()?.to_str()?.to_owned()));
        let lib = std::fs::read_to_string(folder.join("lib.rs")).expect("core has a root");
        Self::new(names.collect(), &lib)
    }

    fn new(present: BTreeSet<String>, lib: &str) -> Self {
        let lib = syn::parse_file(lib).expect("the root parses");
        let mut exports = BTreeMap::new();
        for item in lib.items {
            if let syn::Item::Use(item) = item
                && let syn::UseTree::Path(path) = item.tree
            {
                let module = path.ident.to_string();
                leaves(&path.tree, &mut |name| drop(exports.insert(name, module.clone())));
            }
        }
        Self { present, exports }
    }

    fn violations(&self, source: &Source) -> Vec<Violation> {
        let module = module_of(&source.path);
        if module == "lib" {
            return Vec::new();
        }
        let Some(row) = ROWS.iter().position(|(name, _)| *name == module) else {
            return vec![violation(1, format!("the module `{module}` has no row in the table"))];
        };
        let named = named_in_root(source).into_iter();
        let named = named.filter_map(|(line, name)| Some((line, self.resolve(&name)?)));
        let wrong = named.filter(|(_, name)| !may_name(row, name));
        let what = |name| format!("`{module}` names `{name}`, which is not above it");
        wrong.map(|(line, name)| violation(line, what(name))).collect()
    }

    /// The module behind a name of the root; `None` for macros and the like.
    fn resolve(&self, name: &str) -> Option<String> {
        let exported = self.exports.get(name).cloned();
        exported.or_else(|| self.present.contains(name).then(|| name.to_owned()))
    }
}

fn may_name(row: usize, name: &str) -> bool {
    let (module, names) = &ROWS[row];
    let is_named = match names {
        Only(names) => names.contains(&name),
        Above => ROWS[..row].iter().any(|(above, _)| *above == name),
    };
    name == *module || is_named
}

/// `index` for `core/src/index.rs` and `core/src/index/search.rs`.
fn module_of(path: &str) -> &str {
    let inside = path.trim_start_matches("core/src/").trim_end_matches(".rs");
    inside.split('/').next().unwrap_or(inside)
}

fn leaves(tree: &syn::UseTree, found: &mut impl FnMut(String)) {
    match tree {
        syn::UseTree::Path(path) => leaves(&path.tree, found),
        syn::UseTree::Name(name) => found(name.ident.to_string()),
        syn::UseTree::Rename(rename) => found(rename.rename.to_string()),
        syn::UseTree::Group(group) => group.items.iter().for_each(|item| leaves(item, found)),
        syn::UseTree::Glob(_) => {}
    }
}

/// The first names after `crate::`, and after `super::` in a module that sits below the root.
fn named_in_root(source: &Source) -> Vec<(usize, String)> {
    let tokens = source.tokens();
    let is_top = !source.path.trim_start_matches("core/src/").contains('/');
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        let rest = &tokens[at..];
        if matches(rest, &["crate", ":", ":"]) || (is_top && matches(rest, &["super", ":", ":"])) {
            first_names(&rest[3..], &mut found);
        }
    }
    found
}

/// `a` of `a::b`, `a` and `c` of `{a::b, c}`.
fn first_names(tokens: &[Token], found: &mut Vec<(usize, String)>) {
    if tokens.first().is_none_or(|token| token.text != "{") {
        found.extend(tokens.first().map(|token| (token.line, token.text.clone())));
        return;
    }
    let (mut depth, mut starts) = (0, true);
    for token in tokens {
        match token.text.as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            "," if depth == 1 => starts = true,
            name if depth == 1 && starts => {
                found.push((token.line, name.to_owned()));
                starts = false;
            }
            _ => {}
        }
        if depth == 0 {
            return;
        }
    }
}

pub(super) fn foreign_crates(source: &Source) -> Vec<Violation> {
    let inside = source.path.trim_start_matches("core/src/").trim_end_matches(".rs");
    let mut found = Vec::new();
    let tokens = source.tokens();
    for (at, token) in tokens.iter().enumerate() {
        let is_path = matches(&tokens[at + 1..], &[":", ":"]) && !follows_path(&tokens[..at]);
        let owners = OWNERS.iter().filter(|(name, _)| is_path && *name == token.text);
        let owners: Vec<_> = owners.map(|(_, owner)| *owner).collect();
        if !owners.is_empty() && !owners.iter().any(|owner| is_within(inside, owner)) {
            let (name, owners) = (&token.text, owners.join("` and `"));
            found.push(violation(token.line, format!("`{name}` belongs to `{owners}`")));
        }
    }
    found
}

fn is_within(inside: &str, owner: &str) -> bool {
    inside.strip_prefix(owner).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether a path goes on, as in `index::open::`, so that the next name is no crate.
fn follows_path(before: &[Token]) -> bool {
    before.last().is_some_and(|token| token.text == ":")
}

/// Calls that run SQL. A connection may pass through others' hands, its use may not.
const SQL: &[&str] =
    &["execute", "execute_batch", "prepare", "prepare_cached", "query_map", "query_row"];

pub(super) fn is_foreign_database(source: &Source) -> bool {
    source.path == format!("core/src/{FOREIGN_DATABASE}.rs")
}

pub(super) fn sql(source: &Source) -> Vec<Violation> {
    let tokens = source.tokens();
    let calls = tokens.windows(3).filter(|window| window[0].text == "." && window[2].text == "(");
    let calls = calls.filter(|window| SQL.contains(&window[1].text.as_str()));
    let what = |call: &Token| violation(call.line, format!("`{}` outside of `index`", call.text));
    calls.map(|window| what(&window[1])).collect()
}

pub(super) fn kinds(source: &Source) -> Vec<Violation> {
    let tokens = source.tokens();
    let found = (0..tokens.len()).filter(|at| matches(&tokens[*at..], &["Kind", ":", ":"]));
    found.map(|at| violation(tokens[at].line, "the substrate tells kinds apart")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn violations(path: &str, text: &str) -> Vec<String> {
        let present = ROWS.iter().map(|(name, _)| (*name).to_owned()).collect();
        let modules = Modules::new(present, "pub use error::{Error, Result}; pub use kb::Base;");
        let found = modules.violations(&Source::new(path, text));
        found.into_iter().map(|violation| violation.what).collect()
    }

    #[test]
    fn what_is_not_above_is_found_however_it_is_named() {
        for (path, text) in [
            ("core/src/vault.rs", "use crate::index::Rows;"),
            ("core/src/vault/walk.rs", "use crate::{error::Error, index};"),
            ("core/src/vault.rs", "use super::memory;"),
            ("core/src/memory/recall.rs", "fn a() -> crate::kb::Page {}"),
            ("core/src/memory/recall.rs", "fn a(base: &crate::Base) {}"),
            ("core/src/kb.rs", "use crate::memory::Memory;"),
            ("core/src/knowledge.rs", "fn a() { vec![crate::coffer::Coffer::open()]; }"),
            ("core/src/secrets.rs", "use crate::{error::{Error, Result}, vault::Dir};"),
        ] {
            assert_eq!(violations(path, text).len(), 1, "{path}: {text}");
        }
    }

    #[test]
    fn what_is_above_may_be_named() {
        for (path, text) in [
            ("core/src/index/lookup.rs", "use super::Scope; use crate::vault::Stat;"),
            ("core/src/memory.rs", "use crate::{Error, knowledge::Knowledge, memory::recall};"),
            ("core/src/coffer.rs", "use crate::{jobs, kb, memory};"),
            ("core/src/vault.rs", "#[cfg(test)] mod tests { use crate::memory; }"),
            ("core/src/lib.rs", "pub use crate::coffer::Coffer;"),
        ] {
            assert_eq!(violations(path, text), Vec::<String>::new(), "{path}: {text}");
        }
    }

    #[test]
    fn a_module_without_a_row_is_found() {
        assert!(violations("core/src/sync.rs", "")[0].contains("`sync` has no row"));
        assert!(violations("core/src/sync/push.rs", "")[0].contains("`sync` has no row"));
    }

    #[test]
    fn foreign_crates_are_found_outside_their_owners() {
        let count = |path, text| foreign_crates(&Source::new(path, text)).len();
        assert_eq!(count("core/src/memory.rs", "use zbus::blocking::Connection;"), 1);
        assert_eq!(count("core/src/files/show.rs", "use zbus::blocking::Connection;"), 0);
        assert_eq!(count("core/src/index/stores.rs", "fn a() { sqlite_vec::init(); }"), 1);
        assert_eq!(count("core/src/index/vectors.rs", "fn a() { sqlite_vec::init(); }"), 0);
        assert_eq!(count("core/src/vault.rs", "use super::open::Mode;"), 0);
        let text = "use rusqlite::Connection;";
        assert_eq!(count("core/src/index/jobs.rs", text), 0);
        assert_eq!(count("core/src/transcripts/opencode/database.rs", text), 0);
        assert_eq!(count("core/src/transcripts/opencode.rs", text), 1);
        assert_eq!(count("core/src/transcripts/opencode/databases.rs", text), 1);
    }

    #[test]
    fn a_query_outside_of_the_index_is_found() {
        let count = |text| sql(&Source::new("core/src/history.rs", text)).len();
        assert_eq!(count("fn a(db: &Connection) { db.query_row(\"SELECT 1\", [], get); }"), 1);
        assert_eq!(count("fn a(db: &Connection) { index::add_usage(db); prepare(db); }"), 0);
    }

    #[test]
    fn a_kind_in_the_substrate_is_found() {
        let text = "fn a(kind: Kind) -> bool { kind == Kind::Memory }";
        assert_eq!(kinds(&Source::new("core/src/knowledge/put.rs", text)).len(), 1);
        assert_eq!(kinds(&Source::new("core/src/knowledge/put.rs", "fn a(kind: Kind) {}")), []);
    }

    #[test]
    fn rows_name_each_module_once_and_only_what_stands_above() {
        for (at, (module, names)) in ROWS.iter().enumerate() {
            let above: Vec<_> = ROWS[..at].iter().map(|(name, _)| *name).collect();
            assert!(!above.contains(module), "`{module}` has two rows");
            if let Only(names) = names {
                assert!(names.iter().all(|name| above.contains(name)), "the row of `{module}`");
            }
        }
    }
}
