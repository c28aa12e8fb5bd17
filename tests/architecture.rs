//! The rules that Cargo, the compiler and clippy cannot keep, held over the sources.
//!
//! Each rule is a function from a source to its violations, so that beside each a broken sample
//! shows that it can fail. One test reads the sources once and holds all rules.

mod bans;
mod crates;
mod modules;
mod names;
mod reach;
mod shape;
mod sources;
mod wire;

use sources::{Place, Source, Violation};

struct Rule {
    says: &'static str,
    check: fn(&Source) -> Vec<Violation>,
    applies: fn(&Source) -> bool,
}

const RULES: &[Rule] = &[
    Rule { says: "a file says why it exists", check: shape::head, applies: |_| true },
    Rule { says: "files are small", check: shape::file_size, applies: |_| true },
    Rule {
        says: "functions are small",
        check: shape::function_sizes,
        applies: |source| source.place == Place::Product,
    },
    Rule { says: "names say something", check: names::empty_names, applies: |_| true },
    Rule {
        says: "nothing is exported by a star, or fetched from two levels up",
        check: names::far_paths,
        applies: |_| true,
    },
    Rule {
        says: "tests are neither ignored nor expected to panic",
        check: names::weak_tests,
        applies: |_| true,
    },
    Rule {
        says: "a module of the engine names only what is above it",
        check: modules::above_only,
        applies: modules::is_of_the_engine,
    },
    Rule {
        says: "a foreign crate stays with its owner",
        check: modules::foreign_crates,
        applies: modules::is_of_the_engine,
    },
    Rule {
        says: "the only SQL is in the index, and in the reader of another program's database",
        check: modules::sql,
        applies: |source| {
            modules::is_of_the_engine(source)
                && !source.path.starts_with("core/src/index")
                && !modules::is_foreign_database(source)
        },
    },
    Rule {
        says: "the substrate does not know what it stores",
        check: modules::kinds,
        applies: |source| source.path.starts_with("core/src/knowledge"),
    },
    Rule {
        says: "untyped JSON stays on the wire",
        check: wire::untyped_json,
        applies: wire::may_speak_json,
    },
    Rule {
        says: "types of the domain are no wire format",
        check: wire::serialized,
        applies: |source| source.path.starts_with("core/domain/src/"),
    },
    Rule {
        says: "each crate of the product keeps the bans",
        check: bans::switched_on,
        applies: bans::is_root_of_the_product,
    },
];

impl Rule {
    /// What breaks the rule, as `file:line: what`. A rule that looks at no file is broken itself.
    fn hold(&self, sources: &[Source]) -> Vec<String> {
        let checked: Vec<_> = sources.iter().filter(|source| (self.applies)(source)).collect();
        assert!(!checked.is_empty(), "{}: no file was looked at", self.says);
        let violations = checked.iter().flat_map(|source| {
            (self.check)(source)
                .into_iter()
                .map(|violation| format!("{}:{}: {}", source.path, violation.line, violation.what))
        });
        violations.collect()
    }
}

#[test]
fn the_sources_keep_the_rules() {
    let sources = sources::all();
    let mut report = Vec::new();
    for rule in RULES {
        let violations = rule.hold(&sources).into_iter();
        report.extend(violations.map(|violation| format!("{violation} ({})", rule.says)));
    }
    let lost = reach::unreached(&sources).into_iter();
    report.extend(lost.map(|path| format!("{path}:1: is not compiled (a `mod` names every file)")));
    assert!(report.is_empty(), "\n{}", report.join("\n"));
}

#[test]
fn crates_depend_on_what_the_table_says() {
    let found = crates::violations(&crates::manifests());
    assert!(found.is_empty(), "{found:#?}");
}
