//! Secrets in texts: keys, tokens and passwords, found by a table of rules and taken away.
//!
//! Every text passes through [`scrub`] before a model or a remote service sees it, before it is
//! written to a journal, and when it is to be remembered. Each secret becomes a mark,
//! `[redacted: github-token]`, that keeps the sentence readable; scrubbing again changes nothing.
//! Callers fail closed: when `scrub` gives an error, they drop the text and count it.
//!
//! A secret is found only when it is whole: whoever cuts a text into chunks scrubs before the cut, and
//! whoever joins blocks, as those of a transcript, scrubs after it.
//!
//! A text is read as it is and as it reads decoded: escapes of JSON, URLs, HTML and Markdown, characters
//! that nobody sees, base64, words that the end of a line cut in two. Time is linear in its length.
//!
//! What a person adds to the table is held by [`Custom`], which the settings make.
//!
//! Deliberately absent: files, settings, and any judgment by a model. Texts come in and go out.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

mod chance;
mod custom;
mod decode;
mod families;
mod reference;
mod rule;
mod runs;
mod scan;
mod seams;
mod view;
mod wording;

pub use custom::Custom;
use view::View;

/// A text is encoded in base64 inside of base64 at most so many times.
const DEPTH: usize = 2;
/// How often escapes are undone: what a text still has after that is not read.
const QUOTATIONS: usize = 4;
/// What is taken away may lay bare something else; a text that does not come to rest is dropped.
const PASSES: usize = 8;
/// How marks begin: those of a scrub, and those of a purge.
const MARKS: [&[u8]; 3] = [b"[redacted: ", b"[purged]", b"(purged)"];

/// One secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What it is, as in `github-token`; small letters, digits and hyphens.
    pub kind: &'static str,
    /// Where it is, in bytes, on borders of characters.
    pub range: Range<usize>,
}

/// A text without its secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scrubbed<'a> {
    /// The text, with marks.
    pub text: Cow<'a, str>,
    /// How many of each kind were taken away, by the kind's name.
    pub found: BTreeMap<Cow<'static, str>, usize>,
}

/// Why a text could not be scrubbed; it must not go anywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unscrubbed {
    /// Each pass found more.
    #[error("the text still held secrets after {PASSES} passes; drop it")]
    Restless,
    /// A rule failed.
    #[error("a rule for secrets failed on the text; drop it")]
    Failed,
}

/// Takes every secret out of a text and puts a mark in its place.
///
/// # Errors
///
/// The text could not be scrubbed: the caller drops it.
pub fn scrub(text: &str) -> Result<Scrubbed<'_>, Unscrubbed> {
    scrub_by(find, text)
}

/// The secrets of a text, in order, none of which touch.
#[must_use]
pub fn find(text: &str) -> Vec<Finding> {
    let source = text.as_bytes();
    let mut hits = Vec::new();
    look_into(source, DEPTH, &mut hits);
    let joined = seams::joined(source);
    let mut over = Vec::new();
    look_into(&joined.view.bytes, DEPTH, &mut over);
    over.retain(|hit| joined.is_over_joint(&hit.whole));
    hits.extend(over.into_iter().map(|hit| hit.led_back(&joined.view)));
    merge(text, hits)
}

/// What was found by the rule of a rank, or by none, which is the last rank.
#[derive(Debug)]
struct Hit {
    rank: usize,
    kind: &'static str,
    /// The match: what names the secret may stand before it.
    whole: Range<usize>,
    /// The secret, in the match.
    range: Range<usize>,
}

impl Hit {
    /// The same in the text that a view was made of.
    fn led_back(self, view: &View<'_>) -> Self {
        Self { whole: view.source(&self.whole), range: view.source(&self.range), ..self }
    }
}

/// All hits in a text as it reads decoded. `depth` says how often base64 may still be undone.
fn look_into(source: &[u8], depth: usize, hits: &mut Vec<Hit>) {
    look_behind(source, QUOTATIONS, depth, hits);
}

/// Undoes escapes as long as there are some: a text may be quoted in JSON, and that in a URL.
fn look_behind(source: &[u8], quotations: usize, depth: usize, hits: &mut Vec<Hit>) {
    let view = decode::decode(source);
    let mut found = Vec::new();
    if view.is_changed() && quotations > 0 {
        look_behind(&view.bytes, quotations - 1, depth, &mut found);
    } else {
        scan::scan(&view.bytes, &mut found);
        runs::scan(&view.bytes, depth, &mut found);
    }
    hits.extend(found.into_iter().map(|hit| hit.led_back(&view)));
}

/// Hits that overlap are one secret, of the kind that ranks first.
fn merge(text: &str, mut hits: Vec<Hit>) -> Vec<Finding> {
    hits.sort_by_key(|hit| (hit.range.start, hit.rank));
    let mut merged: Vec<Hit> = Vec::new();
    for hit in hits {
        match merged.last_mut().filter(|last| hit.range.start < last.range.end) {
            Some(last) => {
                last.range.end = last.range.end.max(hit.range.end);
                if hit.rank < last.rank {
                    (last.rank, last.kind) = (hit.rank, hit.kind);
                }
            }
            None => merged.push(hit),
        }
    }
    let on_borders = |range: &Range<usize>| {
        text.floor_char_boundary(range.start)..text.ceil_char_boundary(range.end)
    };
    let findings =
        merged.iter().map(|hit| Finding { kind: hit.kind, range: on_borders(&hit.range) });
    findings.filter(|finding| !is_mark(text.as_bytes(), &finding.range)).collect()
}

/// A mark holds no secret, nor does what only goes around one.
fn is_mark(text: &[u8], range: &Range<usize>) -> bool {
    MARKS.iter().any(|mark| memchr::memmem::find(&text[range.clone()], mark).is_some())
}

fn scrub_by(find: fn(&str) -> Vec<Finding>, text: &str) -> Result<Scrubbed<'_>, Unscrubbed> {
    let mut scrubbed = Scrubbed { text: Cow::Borrowed(text), found: BTreeMap::new() };
    for _ in 0..PASSES {
        let look = AssertUnwindSafe(|| find(&scrubbed.text));
        let findings = catch_unwind(look).map_err(|_| Unscrubbed::Failed)?;
        if findings.is_empty() {
            return Ok(scrubbed);
        }
        scrubbed.text = Cow::Owned(marked(&scrubbed.text, &findings));
        for finding in findings {
            *scrubbed.found.entry(Cow::Borrowed(finding.kind)).or_default() += 1;
        }
    }
    Err(Unscrubbed::Restless)
}

/// The text with a mark in place of each finding.
fn marked(text: &str, findings: &[Finding]) -> String {
    let mut marked = String::with_capacity(text.len());
    let mut at = 0;
    for finding in findings {
        marked.push_str(&text[at..finding.range.start]);
        marked.extend(["[redacted: ", finding.kind, "]"]);
        at = finding.range.end;
    }
    marked.push_str(&text[at..]);
    marked
}

#[cfg(test)]
mod tests;
