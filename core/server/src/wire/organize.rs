//! Passes of the engine over a store.

use coffer_api::organize::{
    OrganizeOut, OrganizeRehearsalOut, OrganizeStatus, ReorgOut, ReorgStatus, SkippedOut,
    WouldSendOut,
};
use coffer_core::organize::{Organized, PassState, Question, Reorganized, Skipped};

/// A pass over the inbox.
pub(crate) fn organized(pass: Organized) -> OrganizeOut {
    let Organized {
        state,
        items_processed,
        topics_created,
        topics_updated,
        rules_appended,
        rules_files_split,
        skipped,
        problems,
        model,
    } = pass;
    OrganizeOut {
        status: match state {
            PassState::Done | PassState::Cancelled => OrganizeStatus::Organized,
            PassState::Empty => OrganizeStatus::Empty,
            PassState::NoModel => OrganizeStatus::NoModel,
            PassState::Budget => OrganizeStatus::Budget,
            PassState::Unavailable => OrganizeStatus::Unavailable,
        },
        items_processed,
        topics_created,
        topics_updated,
        rules_appended,
        rules_files_split,
        skipped,
        problems: skips(problems),
        model,
    }
}

/// A pass over the topics.
pub(crate) fn reorganized(pass: Reorganized) -> ReorgOut {
    let Reorganized {
        state,
        topics_before,
        topics_after,
        topics_written,
        topics_superseded,
        lost,
        problems,
        model,
    } = pass;
    ReorgOut {
        status: match state {
            PassState::Done | PassState::Cancelled => ReorgStatus::Reorganized,
            PassState::Empty => ReorgStatus::Empty,
            PassState::NoModel => ReorgStatus::NoModel,
            PassState::Budget => ReorgStatus::Budget,
            PassState::Unavailable => ReorgStatus::Unavailable,
        },
        topics_before,
        topics_after,
        topics_written,
        topics_superseded,
        lost,
        problems: skips(problems),
        model,
    }
}

/// What would be sent.
pub(crate) fn rehearsed(questions: Vec<Question>) -> OrganizeRehearsalOut {
    let tokens = questions.iter().map(|question| question.tokens).sum();
    let would_send = questions.into_iter().map(|question| {
        let Question { item, topics, material, tokens } = question;
        WouldSendOut { item, topics, text: material, tokens }
    });
    OrganizeRehearsalOut { would_send: would_send.collect(), tokens }
}

fn skips(problems: Vec<Skipped>) -> Vec<SkippedOut> {
    problems.into_iter().map(|Skipped { item, reason }| SkippedOut { item, reason }).collect()
}
