//! From a working directory to its repository, as git itself looks for one.

use std::fs;
use std::path::{Path, PathBuf};

use super::{config, read};

/// The folders of a repository; all of them canonical.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    /// The one folder that stands for the project, whichever worktree one is in.
    pub main_root: PathBuf,
    /// The top of the checkout; a bare repository has none.
    pub worktree_root: Option<PathBuf>,
    /// Where this worktree's `HEAD` is.
    pub git_dir: PathBuf,
    /// Where branches, objects and configuration are.
    pub common_dir: PathBuf,
}

impl Layout {
    /// The folder in which the `git` program is asked about this worktree.
    pub(super) fn folder(&self) -> &Path {
        self.worktree_root.as_deref().unwrap_or(&self.git_dir)
    }
}

/// The tops of the linked worktrees that a repository knows of, be they there or not.
pub(super) fn linked(common_dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(common_dir.join("worktrees")).into_iter().flatten().flatten();
    let pointers = entries.filter_map(|entry| {
        let folder = entry.path();
        Some(folder.join(read::line(&folder.join("gitdir"))?))
    });
    let tops = pointers.filter_map(|dot_git| dot_git.parent().map(Path::to_owned));
    // A relative pointer has dots in it, which only a folder that is there can resolve.
    tops.map(|top| fs::canonicalize(&top).unwrap_or(top)).collect()
}

/// What stands at one folder on the way up.
enum Step {
    /// No sign of git.
    Nothing,
    /// Something of git's that cannot be understood.
    Broken,
    Found(Layout),
}

/// The repository that a canonical folder is in.
pub(super) fn layout(cwd: &Path) -> Option<Layout> {
    for folder in cwd.ancestors() {
        match look(folder) {
            Step::Nothing => {}
            Step::Broken => return None,
            Step::Found(layout) => return Some(layout),
        }
    }
    None
}

/// Git's order: a `.git` folder or file, then whether this is itself a repository's folder. A
/// `.git` folder that is no repository is passed over; a `.git` file that leads nowhere is not.
fn look(folder: &Path) -> Step {
    let dot_git = folder.join(".git");
    match fs::metadata(&dot_git) {
        Ok(meta) if meta.is_dir() => {
            if let Some(layout) = from_folder(folder, &dot_git) {
                return Step::Found(layout);
            }
        }
        Ok(_) => return from_file(folder, &dot_git).map_or(Step::Broken, Step::Found),
        Err(_) if fs::symlink_metadata(&dot_git).is_ok() => return Step::Broken,
        Err(_) => {}
    }
    inside(folder).map_or(Step::Nothing, Step::Found)
}

/// `<folder>/.git/`: the common case.
fn from_folder(folder: &Path, dot_git: &Path) -> Option<Layout> {
    let git_dir = fs::canonicalize(dot_git).ok()?;
    let common_dir = common_dir(&git_dir)?;
    let main_root =
        if common_dir == git_dir { folder.to_owned() } else { main_root_of(&common_dir) };
    Some(Layout { main_root, worktree_root: Some(folder.to_owned()), git_dir, common_dir })
}

/// `<folder>/.git` as a file: a linked worktree, a submodule, or a repository kept elsewhere.
fn from_file(folder: &Path, dot_git: &Path) -> Option<Layout> {
    let line = read::line(dot_git)?;
    let target = line.strip_prefix("gitdir:")?.trim_start();
    let git_dir = fs::canonicalize(folder.join(target)).ok()?;
    let common_dir = common_dir(&git_dir)?;
    let worktree_root = Some(folder.to_owned());
    if common_dir != git_dir {
        let main_root = main_root_of(&common_dir);
        return Some(Layout { main_root, worktree_root, git_dir, common_dir });
    }
    // `.git` next to a bare `.bare/`: the worktrees made from there name the bare folder, too.
    if config::read(&common_dir).is_bare() {
        return Some(Layout {
            main_root: common_dir.clone(),
            worktree_root: None,
            git_dir,
            common_dir,
        });
    }
    Some(Layout { main_root: folder.to_owned(), worktree_root, git_dir, common_dir })
}

/// A folder within git's own: a bare repository, or somewhere below a `.git` folder.
fn inside(folder: &Path) -> Option<Layout> {
    if !is_there(&folder.join("HEAD")) {
        return None;
    }
    let git_dir = folder.to_owned();
    let common_dir = common_dir(&git_dir)?;
    let main_root = main_root_of(&common_dir);
    let worktree_root = (main_root != common_dir).then(|| main_root.clone());
    Some(Layout { main_root, worktree_root, git_dir, common_dir })
}

/// The folder that a repository's own folder stands for.
fn main_root_of(common_dir: &Path) -> PathBuf {
    if common_dir.file_name().is_some_and(|name| name == ".git") {
        return common_dir.parent().unwrap_or(common_dir).to_owned();
    }
    let config = config::read(common_dir);
    let checkout = config.worktree().filter(|_| !config.is_bare());
    checkout
        .and_then(|path| fs::canonicalize(common_dir.join(path)).ok())
        .unwrap_or_else(|| common_dir.to_owned())
}

/// The folder that holds what all worktrees share; `None` if this is no repository's folder.
fn common_dir(git_dir: &Path) -> Option<PathBuf> {
    let pointer = git_dir.join("commondir");
    let common = if is_there(&pointer) {
        fs::canonicalize(git_dir.join(read::line(&pointer)?)).ok()?
    } else {
        git_dir.to_owned()
    };
    let whole = is_there(&git_dir.join("HEAD"))
        && common.join("objects").is_dir()
        && common.join("refs").is_dir();
    whole.then_some(common)
}

fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}
