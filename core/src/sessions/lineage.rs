//! What a session copied from earlier ones: agents write a resumed or forked conversation into a file of
//! its own, with the words that were said before at its head, under other ids and times.

use super::Session;
use crate::secrets::Custom;
use crate::transcripts::{Source, State, TranscriptReader};

/// So many earlier sessions are looked at: each copy holds what the one before it copied.
const ANCESTORS: usize = 8;
/// The same first words alone are no copy, unless the agent says that it is one.
const SHORTEST: usize = 2;

/// How many messages at a session's head an earlier session of its line holds.
pub(super) fn copied(reader: &dyn TranscriptReader, session: &Session, all: &[Session]) -> u64 {
    let ancestors = ancestors(session, all);
    if ancestors.is_empty() {
        return 0;
    }
    let own = keys(reader, &session.source);
    let runs = ancestors.into_iter().map(|(ancestor, is_named)| {
        let run = longest_run(&own, &keys(reader, &ancestor.source));
        let is_copy = run >= SHORTEST || is_named;
        if is_copy { run as u64 } else { 0 }
    });
    runs.max().unwrap_or(0)
}

/// Earlier sessions that it may have copied from, and whether it names them.
fn ancestors<'s>(session: &Session, all: &'s [Session]) -> Vec<(&'s Session, bool)> {
    let others = all.iter().filter(|other| {
        other.state == State::Read
            && other.source != session.source
            && other.source.root == session.source.root
    });
    let mut found: Vec<(&Session, bool)> = others
        .filter_map(|other| {
            let is_named =
                session.summary.forked_from.as_deref() == Some(&*other.summary.session_id);
            (is_named || is_alike(session, other)).then_some((other, is_named))
        })
        .collect();
    found.sort_by_key(|(other, is_named)| (!is_named, std::cmp::Reverse(other.summary.started_at)));
    found.truncate(ANCESTORS);
    found
}

/// Whether another session began before it, in the same project and with the same words.
fn is_alike(session: &Session, other: &Session) -> bool {
    let (own, other) = (&session.summary, &other.summary);
    own.opening.is_some()
        && own.opening == other.opening
        && own.project_path == other.project_path
        && (other.started_at, &other.session_id) < (own.started_at, &own.session_id)
}

fn keys(reader: &dyn TranscriptReader, source: &Source) -> Vec<u64> {
    let mut keys = Vec::new();
    reader.read(source, &Custom::default(), &mut |message| keys.push(message.position.key));
    keys
}

/// How far `own` goes on from its beginning as `other` does from anywhere.
fn longest_run(own: &[u64], other: &[u64]) -> usize {
    let Some(first) = own.first() else { return 0 };
    let starts = (0..other.len()).filter(|at| other[*at] == *first);
    let run = |at: usize| own.iter().zip(&other[at..]).take_while(|(a, b)| a == b).count();
    starts.map(run).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::longest_run;

    #[test]
    fn a_run_begins_anywhere_in_the_other() {
        for (own, other, run) in [
            (&[1, 2, 3][..], &[1, 2, 9][..], 2),
            (&[3, 4, 5], &[1, 2, 3, 4], 2),
            (&[1, 2], &[1, 9, 1, 2, 3], 2),
            (&[1, 2], &[2, 1], 1),
            (&[1], &[], 0),
            (&[], &[1], 0),
        ] {
            assert_eq!(longest_run(own, other), run, "{own:?} {other:?}");
        }
    }
}
