//! The facts against repositories that the real `git` made.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use super::*;

mod hostile;

/// A temporary folder with repositories in it.
struct Ground {
    _temp: tempfile::TempDir,
    root: PathBuf,
}

impl Ground {
    fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(temp.path()).unwrap();
        Self { _temp: temp, root }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// Runs git in a folder of the ground, and gives what it printed.
    fn git(&self, folder: &str, args: &[&str]) -> String {
        let output = Command::new("git")
            .arg("-C")
            .arg(self.at(folder))
            .args(["-c", "protocol.file.allow=always", "-c", "user.name=T", "-c", "user.email=t@t"])
            .args(args)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {args:?} in {folder}: {error}");
        String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
    }

    /// A repository on `main` with one commit.
    fn repository(&self, folder: &str) {
        fs::create_dir_all(self.at(folder)).unwrap();
        self.git(folder, &["init", "--quiet", "--initial-branch=main"]);
        self.commit(folder, "first");
    }

    fn commit(&self, folder: &str, message: &str) {
        self.git(folder, &["commit", "--quiet", "--allow-empty", "-m", message]);
    }

    fn head(&self, folder: &str) -> String {
        self.git(folder, &["rev-parse", "HEAD"])
    }

    fn facts(&self, folder: &str) -> GitFacts {
        facts(&self.at(folder)).unwrap_or_else(|| panic!("no facts of `{folder}`"))
    }
}

#[test]
fn a_repository_from_its_root_a_subfolder_and_through_a_link() {
    let ground = Ground::new();
    ground.repository("app");
    fs::create_dir_all(ground.at("app/src/deep")).unwrap();
    std::os::unix::fs::symlink(ground.at("app/src"), ground.at("link")).unwrap();
    for cwd in ["app", "app/src/deep", "link", "link/deep", "app/src/../src", "app/.git/refs"] {
        let facts = ground.facts(cwd);
        assert_eq!(facts.main_root, ground.at("app"), "{cwd}");
        assert_eq!(facts.worktree_root, Some(ground.at("app")), "{cwd}");
        assert_eq!(facts.branch.as_deref(), Some("main"), "{cwd}");
        assert_eq!(facts.head, Some(ground.head("app")), "{cwd}");
    }
    for outside in [".", "app/none", "none"] {
        assert_eq!(facts(&ground.at(outside)), None, "{outside}");
    }
}

#[test]
fn every_worktree_is_the_one_project_with_a_branch_of_its_own() {
    let ground = Ground::new();
    ground.repository("app");
    ground.git("app", &["worktree", "add", "--quiet", "-b", "feat/x/y", "../linked"]);
    ground.commit("linked", "second");
    fs::create_dir(ground.at("linked/sub")).unwrap();
    let facts = ground.facts("linked/sub");
    assert_eq!(facts.main_root, ground.at("app"));
    assert_eq!(facts.worktree_root, Some(ground.at("linked")));
    assert_eq!(facts.branch_name(), "feat/x/y");
    assert_eq!(facts.head, Some(ground.head("linked")));
    assert_ne!(facts.head, Some(ground.head("app")));
    assert_eq!(ground.facts("app").branch_name(), "main");

    // `worktree add --relative-paths` is newer than many a git; the file is what counts.
    fs::write(ground.at("linked/.git"), "gitdir: ../app/.git/worktrees/linked\r\n").unwrap();
    assert_eq!(ground.facts("linked"), ground.facts("linked/sub"));
}

#[test]
fn a_bare_repository_and_its_worktrees_are_the_bare_folder() {
    let ground = Ground::new();
    ground.repository("app");
    ground.git(".", &["clone", "--quiet", "--bare", "app", "store.git"]);
    ground.git("store.git", &["worktree", "add", "--quiet", "../tree", "-b", "side"]);
    let bare = ground.facts("store.git/objects");
    assert_eq!((&bare.main_root, &bare.worktree_root), (&ground.at("store.git"), &None));
    assert_eq!((bare.branch_name().as_str(), bare.head), ("main", Some(ground.head("app"))));
    let tree = ground.facts("tree");
    assert_eq!(tree.main_root, ground.at("store.git"));
    assert_eq!(tree.worktree_root, Some(ground.at("tree")));
    assert_eq!(tree.branch_name(), "side");
}

/// Two ways to keep a bare repository among its own worktrees.
#[test]
fn a_folder_of_worktrees_is_one_project() {
    let ground = Ground::new();
    ground.repository("app");
    for (folder, git_dir) in [("one", ".git"), ("two", ".bare")] {
        fs::create_dir(ground.at(folder)).unwrap();
        ground.git(folder, &["clone", "--quiet", "--bare", "../app", git_dir]);
        if git_dir == ".bare" {
            fs::write(ground.at("two/.git"), "gitdir: ./.bare\n").unwrap();
        }
        ground.git(folder, &["worktree", "add", "--quiet", "tree", "-b", "side"]);
        let (top, tree) = (ground.facts(folder), ground.facts(&format!("{folder}/tree")));
        assert_eq!(top.main_root, tree.main_root, "{folder}");
        assert_eq!((top.branch_name(), tree.branch_name()), ("main".into(), "side".into()));
    }
}

#[test]
fn a_submodule_is_a_project_of_its_own_and_so_are_its_worktrees() {
    let ground = Ground::new();
    ground.repository("library");
    ground.repository("app");
    ground.git("app", &["submodule", "--quiet", "add", "../library", "libs/library"]);
    ground.git("app/libs/library", &["worktree", "add", "--quiet", "-b", "side", "../../../tree"]);
    let facts = ground.facts("app/libs/library");
    assert_eq!(facts.main_root, ground.at("app/libs/library"));
    assert_eq!(facts.worktree_root, Some(ground.at("app/libs/library")));
    assert_eq!(facts.head, Some(ground.head("library")));
    assert_eq!(ground.facts("tree").main_root, ground.at("app/libs/library"));
    assert_eq!(ground.facts("tree").branch_name(), "side");
    assert_eq!(ground.facts("app/libs").main_root, ground.at("app"));
}

#[test]
fn a_repository_kept_elsewhere_is_where_its_files_are() {
    let ground = Ground::new();
    fs::create_dir(ground.at("app")).unwrap();
    ground.git("app", &["init", "--quiet", "--separate-git-dir=../kept", "-b", "main"]);
    assert_eq!(ground.facts("app").main_root, ground.at("app"));
}

#[test]
fn detached_unborn_and_packed() {
    let ground = Ground::new();
    ground.repository("app");
    ground.git("app", &["branch", "topic/a"]);
    ground.git("app", &["branch", "topic/a-b"]);
    ground.git("app", &["pack-refs", "--all"]);
    assert!(!ground.at("app/.git/refs/heads/main").exists());
    assert_eq!(ground.facts("app").head, Some(ground.head("app")));
    ground.commit("app", "a loose ref is newer than a packed one");
    assert_eq!(ground.facts("app").head, Some(ground.head("app")));

    ground.git("app", &["checkout", "--quiet", "--detach", "topic/a"]);
    let detached = ground.facts("app");
    assert_eq!((&detached.branch, &detached.head), (&None, &Some(ground.head("app"))));
    assert_eq!(detached.branch_name(), detached.head.unwrap()[..12]);

    ground.git("app", &["checkout", "--quiet", "--orphan", "fresh/日本語"]);
    let unborn = ground.facts("app");
    assert_eq!((unborn.branch_name().as_str(), unborn.head), ("fresh/日本語", None));
}

#[test]
fn refs_that_are_in_no_files_are_asked_for() {
    let ground = Ground::new();
    fs::create_dir(ground.at("app")).unwrap();
    ground.git("app", &["init", "--quiet", "--ref-format=reftable", "-b", "feat/x"]);
    let unborn = ground.facts("app");
    assert_eq!((unborn.branch_name().as_str(), unborn.head), ("feat/x", None));
    ground.commit("app", "first");
    let facts = ground.facts("app");
    assert_eq!((facts.branch_name().as_str(), &facts.head), ("feat/x", &Some(ground.head("app"))));
    assert_eq!(drift(&facts, "feat/x", facts.head.as_deref()), None);
    let gone = drift(&facts, "gone", facts.head.as_deref());
    assert_eq!(gone.as_deref(), Some("Since this was saved: the branch `gone` no longer exists."));
    ground.git("app", &["checkout", "--quiet", "--detach"]);
    assert_eq!(ground.facts("app").branch, None);
}

/// Hashes of 32 bytes, and a `HEAD` that points at a ref of no branch.
#[test]
fn other_hashes_and_other_refs() {
    let ground = Ground::new();
    fs::create_dir(ground.at("app")).unwrap();
    ground.git("app", &["init", "--quiet", "--object-format=sha256", "-b", "main"]);
    ground.commit("app", "first");
    let facts = ground.facts("app");
    assert_eq!(facts.head, Some(ground.head("app")));
    assert_eq!(facts.head.unwrap().len(), 64);
    ground.git("app", &["symbolic-ref", "HEAD", "refs/other/x"]);
    ground.git("app", &["update-ref", "refs/other/x", "main"]);
    let other = ground.facts("app");
    assert_eq!((other.branch, other.head), (None, Some(ground.head("app"))));
}

#[test]
fn what_git_would_not_understand_is_no_project_and_never_hangs() {
    type Harm = fn(&Ground);
    let write = |path: PathBuf, bytes: &[u8]| {
        let _ = fs::remove_dir_all(&path);
        fs::write(path, bytes).unwrap();
    };
    let harms: [(&str, Harm); 12] = [
        ("file that names itself", |g| fs::write(g.at("app/.git"), "gitdir: .git\n").unwrap()),
        ("file that names its folder", |g| fs::write(g.at("app/.git"), "gitdir: .\n").unwrap()),
        ("empty file", |g| fs::write(g.at("app/.git"), "").unwrap()),
        ("file of something else", |g| fs::write(g.at("app/.git"), "hello").unwrap()),
        ("huge file", |g| {
            fs::File::create(g.at("app/.git")).unwrap().set_len(10 << 30).unwrap();
        }),
        ("link to itself", |g| {
            std::os::unix::fs::symlink(".git", g.at("app/.git")).unwrap();
        }),
        ("FIFO", |g| {
            let mode = rustix::fs::Mode::RWXU;
            let path = g.at("app/.git");
            rustix::fs::mknodat(rustix::fs::CWD, &path, rustix::fs::FileType::Fifo, mode, 0)
                .unwrap();
        }),
        ("two files that name each other", |g| {
            fs::create_dir(g.at("app/other")).unwrap();
            fs::write(g.at("app/.git"), "gitdir: other\n").unwrap();
            fs::write(g.at("app/other/.git"), "gitdir: ../\n").unwrap();
        }),
        ("common folder that names itself", |g| {
            fs::create_dir(g.at("app/git")).unwrap();
            fs::write(g.at("app/.git"), "gitdir: git\n").unwrap();
            fs::write(g.at("app/git/HEAD"), "ref: refs/heads/main\n").unwrap();
            fs::write(g.at("app/git/commondir"), ".\n").unwrap();
        }),
        ("empty HEAD", |g| {
            g.repository("app");
            fs::write(g.at("app/.git/HEAD"), "").unwrap();
        }),
        ("HEAD that leads out", |g| {
            g.repository("app");
            fs::write(g.at("app/.git/HEAD"), "ref: ../../../etc/passwd\n").unwrap();
        }),
        ("HEAD that is a folder", |g| {
            g.repository("app");
            fs::remove_file(g.at("app/.git/HEAD")).unwrap();
            fs::create_dir(g.at("app/.git/HEAD")).unwrap();
        }),
    ];
    for (name, harm) in harms {
        let ground = Ground::new();
        fs::create_dir(ground.at("app")).unwrap();
        harm(&ground);
        let started = Instant::now();
        assert_eq!(facts(&ground.at("app")), None, "{name}");
        assert!(started.elapsed() < Duration::from_secs(10), "{name}");
    }
    // Refs that point at each other, and a folder that only looks like git's.
    let ground = Ground::new();
    ground.repository("app");
    write(ground.at("app/.git/refs/heads/main"), b"ref: refs/heads/loop\n");
    write(ground.at("app/.git/refs/heads/loop"), b"ref: refs/heads/main\n");
    assert_eq!(ground.facts("app").head, None);
    fs::create_dir_all(ground.at("app/sub/.git")).unwrap();
    assert_eq!(ground.facts("app/sub").main_root, ground.at("app"));
}

#[test]
fn home_root_and_temporary_folders_are_no_projects() {
    let ground = Ground::new();
    ground.repository("home");
    ground.repository("home/code/app");
    fs::create_dir(ground.at("home/notes")).unwrap();
    std::os::unix::fs::symlink(ground.at("home"), ground.at("alias")).unwrap();
    for home in ["home", "alias"] {
        let refused = [ground.at(home)];
        assert_eq!(facts_but(&ground.at("home"), &refused), None);
        assert_eq!(facts_but(&ground.at("home/notes"), &refused), None);
        let below = facts_but(&ground.at("home/code/app"), &refused).unwrap();
        assert_eq!(below.main_root, ground.at("home/code/app"));
    }
    for landmark in coffer_env::landmarks::never_projects().iter().filter(|path| path.exists()) {
        assert_eq!(facts(landmark), None, "{}", landmark.display());
    }
    assert_eq!(facts(Path::new("/")), None);
}

#[test]
fn a_root_that_is_not_utf8_is_no_project() {
    use std::os::unix::ffi::OsStrExt as _;
    let ground = Ground::new();
    ground.repository("app");
    let odd = ground.root.join(std::ffi::OsStr::from_bytes(b"od\xff"));
    fs::rename(ground.at("app"), &odd).unwrap();
    assert_eq!(facts(&odd), None);
}

#[test]
fn drift_is_told_in_a_sentence() {
    let ground = Ground::new();
    ground.repository("app");
    let saved = ground.head("app");
    let note = |saved_branch: &str, saved: Option<&str>| {
        let note = drift(&ground.facts("app"), saved_branch, saved);
        note.map(|note| note.strip_prefix("Since this was saved: ").unwrap().to_owned())
    };
    assert_eq!(note("main", Some(&saved)), None);
    assert_eq!(note("main", None), None);
    ground.commit("app", "second");
    assert_eq!(note("main", Some(&saved)).unwrap(), "1 commit was added.");
    ground.commit("app", "third");
    fs::write(ground.at("app/new.txt"), "x").unwrap();
    assert_eq!(
        note("main", Some(&saved[..12])).unwrap(),
        "2 commits were added; 1 file is not committed."
    );
    fs::remove_file(ground.at("app/new.txt")).unwrap();
    assert_eq!(note(&saved[..12], None), None, "a detached head is no branch");
    assert_eq!(note("gone", None).unwrap(), "the branch `gone` no longer exists.");

    let third = ground.head("app");
    ground.git("app", &["reset", "--quiet", "--hard", &saved]);
    ground.commit("app", "another second");
    let rewritten = note("main", Some(&third)).unwrap();
    assert!(rewritten.contains("no longer part of the history"), "{rewritten}");
    let gone = note("main", Some("0123456789abcdef0123456789abcdef01234567")).unwrap();
    assert_eq!(gone, "the commit `0123456789ab` no longer exists.");
    for odd in ["", "--all", "HEAD", "main", "$(x)", "0123456\n"] {
        assert_eq!(note("main", Some(odd)), None, "{odd:?}");
    }
}

#[test]
fn what_makes_a_moved_project_known_again() {
    let ground = Ground::new();
    ground.repository("app");
    let first = ground.head("app");
    ground.commit("app", "second");
    assert_eq!(origin(&ground.facts("app")), None);
    ground.git("app", &["remote", "add", "origin", "https://me:secret@Host.example/a/b.git"]);
    ground.git("app", &["worktree", "add", "--quiet", "../tree"]);
    for folder in ["app", "tree"] {
        assert_eq!(origin(&ground.facts(folder)).as_deref(), Some("host.example/a/b"));
        assert_eq!(root_commit(&ground.facts(folder)).as_ref(), Some(&first));
    }
    let url = format!("file://{}", ground.at("app").display());
    ground.git(".", &["clone", "--quiet", "--depth=1", &url, "shallow"]);
    assert_eq!(root_commit(&ground.facts("shallow")), None);
}

#[test]
fn facts_are_cheap() {
    let ground = Ground::new();
    ground.repository("app");
    fs::create_dir_all(ground.at("app/a/b/c/d/e/f")).unwrap();
    let cwd = ground.at("app/a/b/c/d/e/f");
    let best = (0..50)
        .map(|_| {
            let started = Instant::now();
            facts(&cwd).unwrap();
            started.elapsed()
        })
        .min();
    assert!(best < Some(Duration::from_millis(1)), "{best:?}");
}
