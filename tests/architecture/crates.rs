//! The table of crates: which of ours a crate may depend on, and which foreign ones have an owner.
//! Dependencies of tests and build scripts are free.

use super::sources::root;
use serde::Deserialize;
use std::process::Command;

/// One of our packages, as `cargo metadata` tells it.
#[derive(Deserialize)]
pub(super) struct Manifest {
    name: String,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    /// Absent for what the product itself links.
    kind: Option<String>,
    /// Set for ours.
    path: Option<String>,
}

const TABLE: &[(&str, &[&str])] = &[
    ("coffer-domain", &[]),
    ("coffer-env", &["coffer-domain"]),
    ("coffer-api", &["coffer-domain"]),
    ("coffer-core", &["coffer-domain", "coffer-env"]),
    (
        "coffer-server",
        &["coffer-api", "coffer-core", "coffer-domain", "coffer-env", "coffer-ui-assets"],
    ),
    ("coffer-client", &["coffer-api", "coffer-env"]),
    (
        "coffer-cli",
        &[
            "coffer-api",
            "coffer-client",
            "coffer-core",
            "coffer-domain",
            "coffer-env",
            "coffer-server",
        ],
    ),
    (
        "coffer-desktop",
        &["coffer-api", "coffer-client", "coffer-core", "coffer-env", "coffer-server"],
    ),
    ("coffer-bench", &["coffer-core", "coffer-corpus", "coffer-env"]),
    ("coffer-corpus", &[]),
    ("coffer-ui", &["coffer-api"]),
    ("coffer-ui-assets", &[]),
    ("xtask", &[]),
];

/// Crates that confine an engine, a transport or a shell to the crates named; a name ending in `-`
/// stands for all that begin with it.
const OWNERS: &[(&str, &[&str])] = &[
    ("async-openai", &["coffer-core"]),
    ("axum", &["coffer-server"]),
    ("candle-", &["coffer-core"]),
    ("clap", &["coffer-bench", "coffer-cli", "xtask"]),
    ("comfy-table", &["coffer-cli"]),
    ("etcetera", &["coffer-env"]),
    ("getrandom", &["coffer-env"]),
    ("gloo-", &["coffer-ui"]),
    ("grep-", &["coffer-core"]),
    ("hyper", &["coffer-server"]),
    ("indicatif", &["coffer-cli"]),
    ("inotify", &["coffer-core"]),
    ("leptos", &["coffer-ui"]),
    ("leptos_router", &["coffer-ui"]),
    ("keyring-", &["coffer-core"]),
    ("open", &["coffer-cli", "coffer-core"]),
    ("reqwest", &["coffer-core"]),
    ("rmcp", &["coffer-server"]),
    ("rpassword", &["coffer-cli"]),
    ("rusqlite", &["coffer-core"]),
    ("sqlite-vec", &["coffer-core"]),
    ("tar", &["coffer-core"]),
    ("tauri", &["coffer-desktop"]),
    ("tauri-", &["coffer-desktop"]),
    // In coffer-core only one adapter blocks on it; see the table of its modules.
    ("tokio", &["coffer-cli", "coffer-core", "coffer-desktop", "coffer-server"]),
    ("tokenizers", &["coffer-core"]),
    ("tower-", &["coffer-server"]),
    ("ureq", &["coffer-bench", "coffer-client", "coffer-core"]),
    ("wasm-bindgen-cli-support", &["xtask"]),
    ("web-sys", &["coffer-ui"]),
    ("zbus", &["coffer-core"]),
];

pub(super) fn manifests() -> Vec<Manifest> {
    #[derive(Deserialize)]
    struct Workspace {
        packages: Vec<Manifest>,
    }
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--no-deps", "--offline", "--format-version=1"]).current_dir(root());
    let output = cargo.output().expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let workspace: Workspace = serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
    workspace.packages
}

pub(super) fn violations(manifests: &[Manifest]) -> Vec<String> {
    let mut found = Vec::new();
    for manifest in manifests {
        let name = &manifest.name;
        let Some((_, ours)) = TABLE.iter().find(|(row, _)| row == name) else {
            found.push(format!("`{name}` has no row in the table"));
            continue;
        };
        for dependency in
            manifest.dependencies.iter().filter(|dependency| dependency.kind.is_none())
        {
            let other = dependency.name.as_str();
            if dependency.path.is_some() && !ours.contains(&other) {
                found.push(format!("`{name}` must not depend on `{other}`"));
            } else if let Some((_, owners)) = OWNERS.iter().find(|(owned, _)| covers(owned, other))
                && !owners.contains(&name.as_str())
            {
                found.push(format!("`{name}` must not depend on `{other}`, only {owners:?} may"));
            }
        }
    }
    found
}

fn covers(owned: &str, name: &str) -> bool {
    owned == name || (owned.ends_with('-') && name.starts_with(owned))
}

#[test]
fn wrong_dependencies_are_found() {
    let sample = |name: &str, dependency: &str| {
        let text = format!("{{\"name\": {name:?}, \"dependencies\": [{dependency}]}}");
        violations(&[serde_json::from_str(&text).expect("the sample is JSON")])
    };
    let ours = "{\"name\": \"coffer-core\", \"path\": \"/core\"}";
    let tool = "{\"name\": \"axum\"}";
    let for_tests = "{\"name\": \"axum\", \"kind\": \"dev\"}";
    assert_eq!(sample("coffer-client", ours), ["`coffer-client` must not depend on `coffer-core`"]);
    assert_eq!(sample("coffer-server", ours), Vec::<String>::new());
    assert!(sample("coffer-core", tool)[0].contains("only [\"coffer-server\"] may"));
    assert_eq!(sample("coffer-core", for_tests), Vec::<String>::new());
    assert_eq!(sample("coffer-server", tool), Vec::<String>::new());
    assert_eq!(sample("coffer-sync", tool), ["`coffer-sync` has no row in the table"]);
}
