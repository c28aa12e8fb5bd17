//! What moved in a repository since something was written down about it.

use super::program::{Answer, Deadline};
use super::{GitFacts, filters, head};

/// A sentence on what moved since a handoff of this branch was saved at this commit; `None` when
/// nothing did, or nothing can be found out. Takes at most a second.
pub(crate) fn drift(
    facts: &GitFacts,
    saved_branch: &str,
    saved_head: Option<&str>,
) -> Option<String> {
    let deadline = Deadline::new();
    let moved = [
        branch(facts, saved_branch, &deadline),
        saved_head.and_then(|saved| commits(facts, saved, &deadline)),
        uncommitted(facts, &deadline),
    ];
    let moved: Vec<String> = moved.into_iter().flatten().collect();
    (!moved.is_empty()).then(|| format!("Since this was saved: {}.", moved.join("; ")))
}

/// The first commit of all, by which a moved project is known again. A shallow clone has only a
/// later one, and gives `None`.
pub(crate) fn root_commit(facts: &GitFacts) -> Option<String> {
    let layout = &facts.layout;
    if facts.head.is_none() || layout.common_dir.join("shallow").exists() {
        return None;
    }
    let answer = Deadline::new().git(layout.folder(), &["rev-list", "--max-parents=0", "HEAD"]);
    let Answer::Said(hashes) = answer else { return None };
    // Of a history that took others in, the oldest.
    hashes.lines().last().filter(|hash| head::is_hash(hash)).map(str::to_owned)
}

fn branch(facts: &GitFacts, saved: &str, deadline: &Deadline) -> Option<String> {
    let is_present = saved == facts.branch_name();
    let was_detached = saved.len() == 12 && is_hexadecimal(saved);
    if is_present || was_detached {
        return None;
    }
    let exists = head::has_branch(&facts.layout, saved, deadline)?;
    (!exists).then(|| format!("the branch `{saved}` no longer exists"))
}

/// What happened to the commit that was checked out.
fn commits(facts: &GitFacts, saved: &str, deadline: &Deadline) -> Option<String> {
    let is_known = saved.len() >= 7 && saved.len() <= 64 && is_hexadecimal(saved);
    if !is_known || facts.head.as_deref() == Some(saved) {
        return None;
    }
    let git = |args: &[&str]| deadline.git(facts.layout.folder(), args);
    let range = format!("{saved}...HEAD");
    if let Answer::Said(counts) = git(&["rev-list", "--left-right", "--count", &range, "--"]) {
        return compared(&counts, saved);
    }
    let found = git(&["rev-parse", "--quiet", "--verify", &format!("{saved}^{{commit}}")]);
    (found == Answer::Refused).then(|| format!("the commit `{}` no longer exists", short(saved)))
}

/// Reads `<only in the saved>\t<only in the present>`.
fn compared(counts: &str, saved: &str) -> Option<String> {
    let mut counts = counts.split_whitespace().map(|count| count.parse::<u64>().ok());
    let (left, added) = (counts.next()??, counts.next()??);
    match (left, added) {
        (0, 0) => None,
        (0, 1) => Some("1 commit was added".to_owned()),
        (0, added) => Some(format!("{added} commits were added")),
        (_, _) => Some(format!(
            "the commit `{}` is no longer part of the history, and {added} other commits are",
            short(saved)
        )),
    }
}

/// Changed and new files of the checkout, but for those of submodules, which have a configuration
/// of their own.
fn uncommitted(facts: &GitFacts, deadline: &Deadline) -> Option<String> {
    let folder = facts.worktree_root.as_deref()?;
    let off = filters::off(folder, deadline)?;
    let mut args: Vec<&str> = off.iter().map(String::as_str).collect();
    args.extend(["status", "--porcelain", "--ignore-submodules=all"]);
    let Answer::Said(list) = deadline.git(folder, &args) else { return None };
    match list.lines().count() {
        0 => None,
        1 => Some("1 file is not committed".to_owned()),
        files => Some(format!("{files} files are not committed")),
    }
}

fn is_hexadecimal(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn short(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}
