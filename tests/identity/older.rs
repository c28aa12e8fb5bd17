//! Homes that older ways to name stores left behind: a store for each worktree, or for each path
//! that leads to a project. A start makes one of them, adds and never takes away, and does so once.

use std::fs;
use std::path::Path;

use coffer_api::handoff::ScopeReason::{Alias, Path as ByPath};
use coffer_env::host_name;

use super::{
    audited, clone, folder_of, found, merge, named_by, remember, texts, with_remote, yaml,
};
use crate::support::project::{repository, worktree};
use crate::support::{TestServer, derived, tree};

/// A server that starts on a store which an older identity named by a path.
struct Older {
    server: TestServer,
}

impl Older {
    fn new() -> Self {
        Self { server: TestServer::start() }
    }

    /// Writes a store by hand, as an older program did.
    fn store(&self, path: &Path, yaml: Option<&str>, files: &[(&str, &str)]) -> String {
        let name = named_by(path);
        let folder = folder_of(&self.server, &name);
        for (file, text) in files {
            let file = folder.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        if let Some(yaml) = yaml {
            fs::write(folder.join("store.yaml"), yaml).unwrap();
        }
        name
    }

    fn restart(&mut self) {
        self.server.kill();
        self.server.start_again();
    }

    /// Waits until a store is merged away.
    #[track_caller]
    fn healed(&self, store: &str) {
        tree::eventually("the fragment is merged", || !folder_of(&self.server, store).exists());
        tree::eventually("it is told", || {
            !audited(&self.server, "memory_stores_merged").is_empty()
        });
    }

    /// Waits until a start had its time to merge what it wants to: it is done with one that is.
    #[track_caller]
    fn settled(&mut self) {
        let canary = repository(self.server.folder(), "canary");
        remember(&self.server, &canary, "canary");
        let tree = worktree(&canary, "canary-tree");
        // The last one in the order of names may still be before others; names are hashes.
        let store = self.store(&tree, Some(&rooted(&tree)), &[("knowledge/c.md", "canary\n")]);
        self.restart();
        tree::eventually("the canary is merged", || !folder_of(&self.server, &store).exists());
        std::thread::sleep(std::time::Duration::from_millis(300));
    }
}

fn rooted(path: &Path) -> String {
    format!("project_roots:\n  {}:\n  - {}\n", host_name(), path.display())
}

#[test]
fn a_store_for_each_worktree_becomes_the_one_of_the_project() {
    let mut older = Older::new();
    let app = with_remote(older.server.folder(), "app");
    let store = remember(&older.server, &app, "of the project");
    let trees = ["one", "two"].map(|name| worktree(&app, name));
    let day = "## 2026-06-09T10:00:00+00:00 · a\nsaid in both\n";
    let fragments = trees.each_ref().map(|tree| {
        let files = [("knowledge/inbox/note.md", "of a tree\n"), ("journal/2026-06-09.md", day)];
        older.store(tree, Some(&rooted(tree)), &files)
    });
    older.restart();
    fragments.iter().for_each(|fragment| older.healed(fragment));
    tree::eventually("both are told", || audited(&older.server, "memory_stores_merged").len() == 2);
    assert_eq!(texts(&older.server, &store), ["of a tree", "of the project"], "one is one");
    let journal = folder_of(&older.server, &store).join("journal/2026-06-09.md");
    assert_eq!(fs::read_to_string(journal).unwrap(), day);
    for (tree, fragment) in trees.iter().zip(&fragments) {
        assert_eq!(found(&older.server, tree), (store.clone(), ByPath));
        assert!(yaml(&older.server, &store).contains(&fragment["project-".len()..]));
    }
    let rows = audited(&older.server, "memory_stores_merged");
    assert!(rows.iter().all(|row| row["actor"] == "organizer"), "{rows:?}");
    derived::assert_rebuildable(&older.server, "after a consolidation");

    let settled = tree::files(&folder_of(&older.server, &store));
    older.settled();
    assert!(tree::files(&folder_of(&older.server, &store)) == settled, "once is enough");
    assert!(older.server.said().contains("older identity"));
}

#[test]
fn a_store_without_a_file_is_known_by_the_worktrees_of_its_project() {
    let mut older = Older::new();
    let app = repository(older.server.folder(), "app");
    let store = remember(&older.server, &app, "of the project");
    let tree = worktree(&app, "tree");
    let fragment = older.store(&tree, None, &[("knowledge/inbox/a.md", "of the tree\n")]);
    // Not even the folder has to be there any more.
    fs::remove_dir_all(&tree).unwrap();
    older.restart();
    older.healed(&fragment);
    assert_eq!(texts(&older.server, &store), ["of the project", "of the tree"]);
}

#[test]
fn a_project_that_has_only_fragments_gets_its_store() {
    let mut older = Older::new();
    let app = repository(older.server.folder(), "app");
    let tree = worktree(&app, "tree");
    let label = format!("label: Mine\n{}", rooted(&tree));
    let fragment = older.store(&tree, Some(&label), &[("rules/rules.md", "- be kind\n")]);
    older.restart();
    older.healed(&fragment);
    let store = named_by(&app);
    assert_eq!(found(&older.server, &app), (store.clone(), ByPath));
    let shown = older.server.get(&format!("/api/v1/memory_stores/{store}")).json();
    assert_eq!((&shown["label"], &shown["display_name"]), (&"Mine".into(), &"Mine".into()));
    assert_eq!(shown["project_root"], app.to_str().unwrap());
    let rules = folder_of(&older.server, &store).join("rules/rules.md");
    assert_eq!(fs::read_to_string(rules).unwrap(), "- be kind\n");
}

#[test]
fn a_store_named_by_a_link_becomes_the_one_of_the_project() {
    let mut older = Older::new();
    let app = repository(older.server.folder(), "app");
    let link = older.server.folder().join("link");
    std::os::unix::fs::symlink(&app, &link).unwrap();
    let fragment = older.store(&link, Some(&rooted(&link)), &[("knowledge/a.md", "# A\n")]);
    older.restart();
    older.healed(&fragment);
    assert_eq!(texts(&older.server, &named_by(&app)), ["# A"]);
}

#[test]
fn a_project_that_was_merged_takes_its_fragments_along() {
    let mut older = Older::new();
    let app = with_remote(older.server.folder(), "app");
    let other = clone(&app, "other");
    let [ours, theirs] = [&app, &other].map(|folder| remember(&older.server, folder, "x"));
    assert_eq!(merge(&older.server, &theirs, &ours).status, 200);
    let tree = worktree(&other, "tree");
    let fragment = older.store(&tree, Some(&rooted(&tree)), &[("knowledge/a.md", "# A\n")]);
    older.restart();
    older.healed(&fragment);
    assert!(texts(&older.server, &ours).contains(&"# A".to_owned()));
    assert_eq!(found(&older.server, &tree), (ours, Alias));
}

/// What only looks like a fragment stays as it is.
#[test]
fn nothing_is_guessed() {
    let mut older = Older::new();
    let app = with_remote(older.server.folder(), "app");
    let store = remember(&older.server, &app, "x");
    let file = [("knowledge/a.md", "# A\n")];
    // A folder that was a repository once, and lies in another one now.
    let inner = app.join("inner");
    fs::create_dir(&inner).unwrap();
    let below = older.store(&inner, Some(&rooted(&inner)), &file);
    // A worktree at a place where another project was.
    let tree = worktree(&app, "tree");
    let yaml = format!("root_commit: {}\n{}", "0".repeat(40), rooted(&tree));
    let replaced = older.store(&tree, Some(&yaml), &file);
    // A worktree at a place from which another project moved away.
    let second = worktree(&app, "second");
    let elsewhere = repository(older.server.folder(), "elsewhere");
    let yaml = format!("{}  - {}\n", rooted(&second), elsewhere.display());
    let moved = older.store(&second, Some(&yaml), &file);
    // A store that a person turned off is not turned on by way of another one.
    let third = worktree(&app, "third");
    let yaml = format!("enabled: false\n{}", rooted(&third));
    let off = older.store(&third, Some(&yaml), &file);
    // A clone, and a project that is gone.
    let cloned = remember(&older.server, &clone(&app, "cloned"), "x");
    let lost = Path::new("/no/such/project");
    let lost = older.store(lost, Some(&rooted(lost)), &file);
    older.settled();
    for store in [store, below, replaced, moved, off, cloned, lost] {
        assert!(folder_of(&older.server, &store).exists(), "{store}");
    }
    assert_eq!(audited(&older.server, "memory_stores_merged").len(), 1, "the canary's");
}
