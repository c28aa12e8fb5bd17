//! Purging.

use coffer_api::purge::{PurgeIn, PurgeOut, PurgedPlaceOut, UnreachableOut};
use coffer_core::purge::{Emptied, Purged, Wanted};

use crate::error::Failure;

/// What to purge, and whether nothing is changed.
pub(crate) fn purge_in(body: PurgeIn) -> Result<(Wanted, bool), Failure> {
    let PurgeIn { text, regex, secrets, dry_run } = body;
    let wanted = match (text, regex, secrets) {
        (Some(text), None, false) => Wanted::Text(text),
        (None, Some(pattern), false) => Wanted::Pattern(pattern),
        (None, None, true) => Wanted::Secrets,
        _ => {
            let reason = "is needed, or else one of `regex` and `secrets`, and only one of them";
            return Err(Failure::field("match", reason));
        }
    };
    Ok((wanted, dry_run))
}

/// What a purge did, or would do.
pub(crate) fn purged(done: Purged) -> PurgeOut {
    let Purged { dry_run, places, remaining, unreachable } = done;
    let places = places.into_iter().map(place).collect();
    let unreachable = unreachable.into_iter();
    let unreachable = unreachable.map(|(path, reason)| UnreachableOut { path, reason }).collect();
    PurgeOut { dry_run, places, remaining, unreachable }
}

fn place(row: Emptied) -> PurgedPlaceOut {
    let Emptied { place, files, occurrences, is_deleted } = row;
    PurgedPlaceOut { place, files, occurrences, deleted: is_deleted }
}
