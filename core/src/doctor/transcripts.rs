//! Transcripts that give nothing: an agent may write otherwise than this version of Coffer reads.

use std::path::Path;

use coffer_env::clock;

use super::checks::row;
use super::{Check, CheckState, Doctor};
use crate::index::{TranscriptTotals, ended, transcript_totals, unknown_transcripts};
use crate::vault::below;

/// What waits for so long may wait for ever, in microseconds.
const LONG: i64 = 3_600 * 1_000_000;
/// So many are named; the others are counted.
const NAMED: usize = 10;

impl Doctor {
    /// What lists of sessions found out so far; nothing where none was asked for.
    pub(super) fn transcripts(&self) -> Vec<Check> {
        let found =
            self.knowledge.read(|db| Ok((transcript_totals(db)?, unknown_transcripts(db)?)));
        // An index that cannot be read is a row of its own.
        let Ok((totals, unknown)) = found else { return Vec::new() };
        let named = unknown.iter().take(NAMED).map(|(root, path)| Check {
            fix: Some("Update Coffer; where that does not help, report the agent's version."),
            ..row(
                "transcripts",
                CheckState::Warning,
                &below(Path::new(root), path),
                "it holds records and no message: its format is not known",
            )
        });
        named.chain(sum(totals, unknown.len())).chain(self.waiting()).collect()
    }

    /// Sessions that ended and were to be distilled: those that an engine does not take wait long.
    fn waiting(&self) -> Option<Check> {
        let waiting = self.knowledge.read(ended).ok()?;
        let first = waiting.iter().map(|row| row.ended_at).min()?;
        let is_long = clock::now().micros() - first.micros() > LONG;
        let (count, since) = (waiting.len(), first.whole_second());
        Some(Check {
            check: "distill",
            state: if is_long { CheckState::Warning } else { CheckState::Ok },
            path: None,
            reason: format!("{count} sessions wait to be distilled, since {since}"),
            fix: is_long.then_some(
                "`coffer settings engine test` tells whether the engine answers, `coffer status` what the day has left.",
            ),
            fixable: false,
        })
    }
}

fn sum(totals: TranscriptTotals, unknown: usize) -> Option<Check> {
    let TranscriptTotals { sessions, passed_over } = totals;
    let state = if unknown == 0 { CheckState::Ok } else { CheckState::Warning };
    let said = [
        (true, format!("{sessions} sessions of agents are read")),
        (passed_over > 0, format!("{passed_over} records in them are of no known kind")),
        (unknown > NAMED, format!("{} more are of no known format", unknown.saturating_sub(NAMED))),
    ];
    let said = said.into_iter().filter_map(|(is_so, text)| is_so.then_some(text));
    let reason = said.collect::<Vec<_>>().join("; ");
    let check = "transcripts";
    (sessions > 0 || unknown > 0).then_some(Check {
        check,
        state,
        path: None,
        reason,
        fix: None,
        fixable: false,
    })
}
