//! What deny.toml says, held over `cargo metadata`: licenses, banned crates, sources. The same file
//! serves `cargo deny check`, which not every machine has.

use serde::Deserialize;
use std::process::Command;

/// The index of crates.io, as it stands in Cargo.lock.
const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// The parts of deny.toml that are held here.
#[derive(Deserialize)]
struct Rules {
    licenses: Licenses,
    bans: Bans,
}

#[derive(Deserialize)]
struct Licenses {
    allow: Vec<String>,
    #[serde(default)]
    exceptions: Vec<Exception>,
}

/// Licenses that only one crate may have.
#[derive(Deserialize)]
struct Exception {
    #[serde(rename = "crate")]
    name: String,
    allow: Vec<String>,
}

#[derive(Deserialize)]
struct Bans {
    deny: Vec<Banned>,
}

#[derive(Deserialize)]
struct Banned {
    #[serde(rename = "crate")]
    name: String,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    license: Option<String>,
    /// Absent for ours.
    source: Option<String>,
}

impl Rules {
    fn read() -> Self {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deny.toml");
        let text = std::fs::read_to_string(path).expect("deny.toml is there");
        toml::from_str(&text).expect("deny.toml has these parts")
    }

    fn violation(&self, package: &Package) -> Option<String> {
        let Package { name, version, license, source } = package;
        if self.bans.deny.iter().any(|banned| banned.name == *name) {
            return Some(format!("`{name}` {version} is banned"));
        }
        if source.as_ref().is_some_and(|source| source != CRATES_IO) {
            return Some(format!("`{name}` {version} comes from {source:?}"));
        }
        let license = license.as_deref().unwrap_or("none");
        (!self.allows(name, license)).then(|| format!("`{name}` {version} has license `{license}`"))
    }

    fn allows(&self, name: &str, license: &str) -> bool {
        let exceptions = self.licenses.exceptions.iter().filter(|rule| rule.name == name);
        let allowed: Vec<_> =
            exceptions.flat_map(|rule| &rule.allow).chain(&self.licenses.allow).collect();
        let expression = spdx::Expression::parse_mode(license, spdx::ParseMode::LAX);
        expression.is_ok_and(|expression| {
            expression.evaluate(|one| allowed.iter().any(|allow| **allow == one.to_string()))
        })
    }
}

/// All packages of Cargo.lock, for every system; asks the network only for what was never fetched.
fn packages() -> Vec<Package> {
    #[derive(Deserialize)]
    struct Graph {
        packages: Vec<Package>,
    }
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--locked", "--format-version=1"]);
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let output = cargo.current_dir(root).output().expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice::<Graph>(&output.stdout).expect("cargo prints JSON").packages
}

#[test]
fn what_is_linked_may_be_shipped() {
    let (rules, packages) = (Rules::read(), packages());
    assert!(packages.len() > 100, "only {} packages were looked at", packages.len());
    let found: Vec<_> = packages.iter().filter_map(|package| rules.violation(package)).collect();
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn bad_packages_are_found() {
    let violation = |name: &str, license: Option<&str>, source: Option<&str>| {
        let (license, source) = (license.map(str::to_owned), source.map(str::to_owned));
        let package =
            Package { name: name.to_owned(), version: "1.0.0".to_owned(), license, source };
        Rules::read().violation(&package)
    };
    let crates_io = Some(CRATES_IO);
    for (name, license, source) in [
        ("openssl", Some("Apache-2.0"), crates_io),
        ("copyleft", Some("GPL-3.0-only"), crates_io),
        ("both", Some("MIT AND GPL-3.0-only"), crates_io),
        ("silent", None, crates_io),
        ("elsewhere", Some("MIT"), Some("git+https://example.org/elsewhere")),
    ] {
        assert!(violation(name, license, source).is_some(), "{name}");
    }
    for license in
        ["MIT", "MIT/Apache-2.0", "GPL-3.0-only OR MIT", "Apache-2.0 WITH LLVM-exception"]
    {
        assert_eq!(violation("good", Some(license), crates_io), None, "{license}");
    }
}
