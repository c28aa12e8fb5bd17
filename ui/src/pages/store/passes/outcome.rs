//! What came of a pass, as sentences, with the one thing to do.

use coffer_api::hidden;
use coffer_api::jobs::{JobKind, JobState};
use coffer_api::organize::SkippedOut;
use leptos::prelude::*;
use leptos_router::components::A;

use crate::address;
use crate::format::{count, sentence};
use crate::job::{self, Job, PassStatus, Passed};
use crate::parts::icon::{Glyph, Icon};
use crate::parts::troubles::Troubles;
use crate::wording::LaneTab;

/// So many of the words that got lost are named.
const NAMED: usize = 40;

/// What is left to the person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Remedy {
    Nothing,
    /// Choose a model.
    Model,
    /// Look whether the model answers.
    Try,
    /// Raise the limit, or wait.
    Limit,
    /// Look at the versions from before.
    Versions,
}

/// One line on a pass.
pub(super) fn told(job: &Job) -> String {
    let is_organize = job.kind == JobKind::Organize;
    let given = job.result.as_ref();
    let organize = given.and_then(|given| given.organize.as_ref());
    let reorg = given.and_then(|given| given.reorg.as_ref());
    match (job.state, organize, reorg) {
        (_, Some(done), _) => organized(done),
        (_, _, Some(done)) => reorganized(done),
        (JobState::Queued, ..) if is_organize => "The inbox waits to be organized".to_owned(),
        (JobState::Queued, ..) => "The topics wait to be tidied".to_owned(),
        (JobState::Running, ..) if is_organize => {
            format!("Organizing the inbox: {}", job::told(&job.progress, ["item", "items"]))
        }
        (JobState::Running, ..) => {
            format!("Tidying the topics: {}", job::told(&job.progress, ["step", "steps at most"]))
        }
        (JobState::Cancelled, ..) => "Stopped: what was done by then stays".to_owned(),
        (JobState::Done | JobState::Failed, ..) => {
            sentence(job.error.as_deref().unwrap_or("the pass gave no result"))
        }
    }
}

fn organized(done: &Passed) -> String {
    let parts = [
        (done.topics_created, "topic created", "topics created"),
        (done.topics_updated, "topic updated", "topics updated"),
        (done.rules_appended, "rule added", "rules added"),
        (done.rules_files_split, "long file of rules split", "long files of rules split"),
        (done.skipped, "item skipped", "items skipped"),
    ];
    let parts = parts.into_iter().filter(|(many, ..)| *many > 0);
    let parts: Vec<_> = parts.map(|(many, one, more)| count(many, one, more)).collect();
    let filed = count(done.items_processed, "item looked at", "items looked at");
    let what = match parts.as_slice() {
        [] => filed,
        parts => format!("{filed}: {}", parts.join(", ")),
    };
    match done.status {
        PassStatus::Organized | PassStatus::Reorganized => format!("{what}."),
        PassStatus::Empty => "The inbox is empty: there was nothing to organize.".to_owned(),
        PassStatus::NoModel => "No language model is set: nothing was done.".to_owned(),
        PassStatus::Budget => {
            format!("The tokens of today are used up. Before that: {what}.")
        }
        PassStatus::Unavailable => {
            format!("The language model could not be reached. Before that: {what}.")
        }
    }
}

fn reorganized(done: &Passed) -> String {
    let what = format!(
        "{} before, {} now: {} written, {} retired.",
        count(done.topics_before, "topic", "topics"),
        done.topics_after,
        done.topics_written,
        done.topics_superseded
    );
    match done.status {
        PassStatus::Reorganized if done.topics_written + done.topics_superseded == 0 => {
            "The topics are in order: nothing was changed.".to_owned()
        }
        PassStatus::Reorganized | PassStatus::Organized => what,
        PassStatus::Empty => "There are no topics yet: there was nothing to tidy.".to_owned(),
        PassStatus::NoModel => "No language model is set: nothing was done.".to_owned(),
        PassStatus::Budget => format!("The tokens of today are used up. Before that: {what}"),
        PassStatus::Unavailable => {
            format!("The language model did not do what it was asked. Before that: {what}")
        }
    }
}

/// What there is to say of a pass that is over.
pub(super) fn came_of(job: &Job) -> AnyView {
    let Some(given) = &job.result else { return ().into_any() };
    let store = job.store.clone().unwrap_or_default();
    let Some(done) = given.organize.as_ref().or(given.reorg.as_ref()) else { return ().into_any() };
    view! {
        <Lost words=done.lost.clone()/>
        <Todo remedy=remedy(done) store/>
        <Troubles items=skipped(&done.problems)/>
    }
    .into_any()
}

fn skipped(problems: &[SkippedOut]) -> Vec<(bool, String, String)> {
    let row = |it: &SkippedOut| (false, it.item.clone(), it.reason.clone());
    problems.iter().map(row).collect()
}

const fn remedy(done: &Passed) -> Remedy {
    if !done.lost.is_empty() {
        return Remedy::Versions;
    }
    match done.status {
        PassStatus::Organized | PassStatus::Reorganized | PassStatus::Empty => Remedy::Nothing,
        PassStatus::NoModel => Remedy::Model,
        PassStatus::Budget => Remedy::Limit,
        PassStatus::Unavailable => Remedy::Try,
    }
}

/// Names, numbers, paths and code that stand in no topic any more.
#[component]
fn Lost(words: Vec<String>) -> impl IntoView {
    let more = words.len().saturating_sub(NAMED) as u64;
    let is_empty = words.is_empty();
    let named = words.into_iter().take(NAMED).map(|word| {
        let word = hidden::expose(&word).into_owned();
        view! { <code>{word}</code>" " }
    });
    let named = named.collect_view();
    (!is_empty).then(|| {
        view! {
            <p class="note" data-testid="pass-lost">
                <Icon of=Glyph::Warning/>
                <span>
                    "In no topic any more: "{named}
                    {(more > 0).then(|| format!("and {more} more"))}
                </span>
            </p>
        }
    })
}

#[component]
fn Todo(remedy: Remedy, store: String) -> impl IntoView {
    let settings = || address::SETTINGS.to_owned();
    let (href, link, rest) = match remedy {
        Remedy::Nothing => return None,
        Remedy::Model => (settings(), "Choose a language model in the settings", "."),
        Remedy::Try => (
            settings(),
            "Test the language model in the settings",
            ", then begin again: what was not reached stays as it was.",
        ),
        Remedy::Limit => (
            settings(),
            "Raise the limit of tokens in the settings",
            ", or go on tomorrow: the day ends at midnight UTC. What was not reached stays as it was.",
        ),
        Remedy::Versions => (
            address::lane(&store, LaneTab::Log),
            "Look at the versions from before",
            ", which have all of it, and put back those that you miss.",
        ),
    };
    Some(view! {
        <p class="check-fix" data-testid="pass-todo">
            <Icon of=Glyph::Mend/><span><A href>{link}</A>{rest}</span>
        </p>
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    use coffer_api::organize::{OrganizeOut, OrganizeStatus, ReorgOut, ReorgStatus};

    /// What the server says, as the viewer reads it.
    fn passed(done: &impl serde::Serialize) -> Passed {
        serde_json::from_value(serde_json::to_value(done).unwrap()).unwrap()
    }

    fn organize(status: OrganizeStatus) -> Passed {
        passed(&OrganizeOut {
            status,
            items_processed: 3,
            topics_created: 1,
            topics_updated: 0,
            rules_appended: 2,
            rules_files_split: 0,
            skipped: 1,
            problems: Vec::new(),
            model: None,
        })
    }

    #[test]
    fn a_pass_over_the_inbox_is_a_sentence() {
        let what = "3 items looked at: 1 topic created, 2 rules added, 1 item skipped.";
        let of = |status| organized(&organize(status));
        assert_eq!(of(OrganizeStatus::Organized), what);
        let budget = format!("The tokens of today are used up. Before that: {what}");
        assert_eq!(of(OrganizeStatus::Budget), budget);
        assert!(of(OrganizeStatus::Unavailable).contains("could not be reached"));
        assert!(of(OrganizeStatus::Empty).contains("inbox is empty"));
        assert!(of(OrganizeStatus::NoModel).starts_with("No language model"));
    }

    #[test]
    fn a_pass_over_the_topics_is_a_sentence_and_what_got_lost_comes_first() {
        let mut done = passed(&ReorgOut {
            status: ReorgStatus::Reorganized,
            topics_before: 2,
            topics_after: 1,
            topics_written: 1,
            topics_superseded: 1,
            lost: Vec::new(),
            problems: Vec::new(),
            model: None,
        });
        assert_eq!(reorganized(&done), "2 topics before, 1 now: 1 written, 1 retired.");
        assert_eq!(remedy(&done), Remedy::Nothing);
        done.status = PassStatus::Budget;
        assert_eq!(remedy(&done), Remedy::Limit);
        done.lost.push("8080".into());
        assert_eq!(remedy(&done), Remedy::Versions);
        (done.status, done.topics_written, done.topics_superseded) =
            (PassStatus::Reorganized, 0, 0);
        assert!(reorganized(&done).contains("nothing was changed"));
    }
}
