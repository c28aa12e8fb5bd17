//! Repositories whose configuration names programs: asking about them runs none.

use super::*;

/// What a trap adds to a repository; the second is the command that must not run.
type Trap = fn(&Ground, &str);

/// Filters: the ones that plain git would run for the same question.
const FILTERS: &[(&str, Trap)] = &[
    ("clean filter", |ground, run| filter(ground, "x", "clean", run)),
    ("process filter", |ground, run| filter(ground, "x", "process", run)),
    ("filter of a name in capitals", |ground, run| filter(ground, "Big.Name", "clean", run)),
    ("filter that is required", |ground, run| {
        filter(ground, "x", "clean", run);
        ground.git("app", &["config", "filter.x.required", "true"]);
    }),
    ("filter without a name", |ground, run| filter(ground, "", "clean", run)),
    ("filter of an odd name", |ground, run| filter(ground, "a=b", "clean", run)),
    ("filter of an included file", |ground, run| {
        ground.git("app", &["config", "--file=app.config", "filter.x.clean", run]);
        ground.git("app", &["config", "include.path", "../app.config"]);
        attributes(ground, "* filter=x");
    }),
    ("filter of an included file for this folder", |ground, run| {
        ground.git("app", &["config", "--file=app.config", "filter.x.clean", run]);
        ground.git("app", &["config", "includeIf.gitdir:**.path", "../app.config"]);
        attributes(ground, "* filter=x");
    }),
    ("filter of a worktree", |ground, run| {
        ground.git("app", &["config", "extensions.worktreeConfig", "true"]);
        ground.git("app", &["config", "--worktree", "filter.x.clean", run]);
        attributes(ground, "* filter=x");
    }),
    ("filter of private attributes", |ground, run| {
        ground.git("app", &["config", "filter.x.clean", run]);
        fs::create_dir_all(ground.at("app/.git/info")).unwrap();
        fs::write(ground.at("app/.git/info/attributes"), "* filter=x").unwrap();
    }),
    ("monitor", |ground, run| config(ground, "core.fsmonitor", run)),
    ("filter of a submodule", |ground, run| {
        submodule(ground, "filter.x.clean", run);
        fs::write(ground.at("app/libs/.gitattributes"), "* filter=x").unwrap();
    }),
    ("monitor of a submodule", |ground, run| submodule(ground, "core.fsmonitor", run)),
];

/// What some command of git runs, or an older git would.
const OTHERS: &[(&str, Trap)] = &[
    ("pager", |ground, run| {
        config(ground, "core.pager", run);
        config(ground, "pager.status", run);
        config(ground, "pager.rev-list", run);
    }),
    ("alias", |ground, run| {
        config(ground, "alias.status", &format!("!{run}"));
        config(ground, "alias.rev-list", &format!("!{run}"));
    }),
    ("difference", |ground, run| {
        config(ground, "diff.external", run);
        config(ground, "diff.x.command", run);
        config(ground, "diff.x.textconv", run);
        attributes(ground, "* diff=x");
    }),
    ("hooks", |ground, run| hooks(ground, ".git/hooks", run)),
    ("hooks of its own folder", |ground, run| {
        hooks(ground, "hooks", run);
        config(ground, "core.hooksPath", "hooks");
    }),
    ("credentials", |ground, run| {
        config(ground, "core.askPass", run);
        config(ground, "credential.helper", &format!("!{run}"));
    }),
    ("objects of a remote by ssh", |ground, run| {
        config(ground, "core.sshCommand", run);
        promised(ground, "ssh://nowhere.invalid/x");
    }),
    ("objects of a remote that is a command", |ground, run| {
        config(ground, "protocol.ext.allow", "always");
        promised(ground, &format!("ext::{run}"));
    }),
    ("objects of a remote in a folder", |ground, run| {
        config(ground, "remote.origin.uploadpack", run);
        promised(ground, ground.at("app").to_str().unwrap());
    }),
    ("signatures", |ground, run| {
        config(ground, "gpg.program", run);
        config(ground, "log.showSignature", "true");
    }),
    ("editor", |ground, run| config(ground, "core.editor", run)),
];

fn config(ground: &Ground, key: &str, value: &str) {
    ground.git("app", &["config", key, value]);
}

fn attributes(ground: &Ground, text: &str) {
    fs::write(ground.at("app/.gitattributes"), text).unwrap();
}

fn filter(ground: &Ground, name: &str, kind: &str, run: &str) {
    config(ground, &format!("filter.{name}.{kind}"), run);
    attributes(ground, &format!("* filter={name}"));
}

fn submodule(ground: &Ground, key: &str, value: &str) {
    ground.repository("library");
    fs::write(ground.at("library/file"), "one").unwrap();
    ground.git("library", &["add", "file"]);
    ground.commit("library", "file");
    ground.git("app", &["submodule", "--quiet", "add", "../library", "libs"]);
    ground.git("app/libs", &["config", key, value]);
    fs::write(ground.at("app/libs/file"), "two").unwrap();
}

fn hooks(ground: &Ground, folder: &str, run: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = ground.at("app").join(folder);
    fs::create_dir_all(&folder).unwrap();
    for name in ["post-index-change", "reference-transaction", "fsmonitor-watchman"] {
        let hook = folder.join(name);
        fs::write(&hook, format!("#!/bin/sh\n{run}\n")).unwrap();
        fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
    }
}

/// Makes the repository one whose missing objects are to be fetched from an address.
fn promised(ground: &Ground, url: &str) {
    config(ground, "core.repositoryFormatVersion", "1");
    config(ground, "extensions.partialClone", "origin");
    config(ground, "remote.origin.promisor", "true");
    config(ground, "remote.origin.url", url);
}

/// A repository with a commit, one more, and a changed file that looks as large as before.
fn repository(trap: Trap) -> (Ground, String) {
    let ground = Ground::new();
    ground.repository("app");
    let saved = ground.head("app");
    fs::write(ground.at("app/file"), "one").unwrap();
    ground.git("app", &["add", "file"]);
    ground.commit("app", "second");
    trap(&ground, &format!("touch {}", ground.at("trapped").display()));
    fs::write(ground.at("app/file"), "two").unwrap();
    (ground, saved)
}

fn ask(ground: &Ground, saved: &str) -> String {
    let facts = ground.facts("app");
    root_commit(&facts).unwrap();
    // A commit that is not there is one that a promised remote would be asked for.
    let gone = drift(&facts, "main", Some("0123456789abcdef0123456789abcdef01234567"));
    assert!(gone.is_some());
    drift(&facts, "main", Some(saved)).unwrap()
}

#[test]
fn asking_runs_nothing_of_the_repository() {
    for (name, trap) in FILTERS.iter().chain(OTHERS) {
        let (ground, saved) = repository(*trap);
        let note = ask(&ground, &saved);
        assert!(!ground.at("trapped").exists(), "{name}: it ran");
        assert!(note.contains("1 commit was added"), "{name}: {note}");
    }
}

/// The traps are real ones.
#[test]
fn git_itself_runs_what_the_repository_names() {
    for (name, trap) in FILTERS {
        let (ground, _) = repository(*trap);
        let mut plain = Command::new("git");
        plain.arg("-C").arg(ground.at("app")).arg("status").output().unwrap();
        assert!(ground.at("trapped").exists(), "{name}: it did not run");
    }
}

/// Filters that are off do not make a changed file look as it was.
#[test]
fn changed_files_are_told_in_spite_of_filters() {
    let (ground, saved) = repository(|ground, run| filter(ground, "x", "clean", run));
    let note = ask(&ground, &saved);
    assert!(note.ends_with("2 files are not committed."), "{note}");
}
