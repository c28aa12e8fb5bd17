//! Questions to knowledge bases, and answers.

use coffer_api::kb::{GrepHitOut, GrepIn, GrepOut, PassageOut, PassagesOut};
use coffer_core::kb::{GrepHit, GrepRequest, Grepped, KbPassage, Searched};

use super::recall::checked_query;
use crate::error::Failure;
use crate::extract::within;

/// A pattern within its bounds.
pub(crate) fn grep_in(body: GrepIn) -> Result<GrepRequest, Failure> {
    let GrepIn { pattern, max_matches, case_sensitive } = body;
    let max_matches = within("max_matches", max_matches, 1..=1000, 100)?;
    Ok(GrepRequest { pattern: checked_query("pattern", pattern)?, max_matches, case_sensitive })
}

/// What a search found.
pub(crate) fn searched(found: Searched) -> PassagesOut {
    let Searched { passages, note } = found;
    PassagesOut { passages: passages.into_iter().map(passage).collect(), note }
}

fn passage(passage: KbPassage) -> PassageOut {
    let KbPassage { document, title, text, score, position, heading_path, path, lines, .. } =
        passage;
    let (line_start, line_end) = lines;
    PassageOut {
        document_id: document.to_string(),
        title,
        text,
        score,
        position,
        heading_path,
        path,
        line_start,
        line_end,
    }
}

/// What a grep found.
pub(crate) fn grepped(found: Grepped) -> GrepOut {
    let Grepped { hits, truncated, note } = found;
    let hits = hits.into_iter().map(|GrepHit { path, line_number, line }| GrepHitOut {
        path,
        line_number,
        line,
    });
    GrepOut { hits: hits.collect(), truncated, note }
}
