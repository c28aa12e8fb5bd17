//! Files that are made or damaged to break what reads them: each gets a reason, soon, and nothing else breaks.

use std::path::Path;
use std::time::{Duration, Instant};

use coffer_corpus::hostile::{self, Hostile};
use coffer_corpus::{Numbers, documents};

pub(super) use coffer_corpus::hostile::{far_cells, slow_page};

use coffer_core::convert::{Converters, Limits};

use super::{convert, convert_bytes, converters, program};

/// What is wrong with what became of a file.
fn judge(hostile: &Hostile) -> Option<String> {
    let start = Instant::now();
    // Less than the product allows, so that what runs on and on is soon at its end.
    let limits = Limits { memory: 1 << 30, cpu: 5, ..Limits::default() };
    let converters = Converters::with_limits(program(), limits);
    let outcome = convert_bytes(&converters, &hostile.name, &hostile.bytes);
    let code = outcome.as_ref().map_or_else(|rejected| rejected.code(), |_| "ok");
    let took = start.elapsed();
    let what = match outcome {
        Ok(converted) if converted.markdown.contains("root:") => "it leaked a file".to_owned(),
        Err(rejected) if !hostile.outcomes.contains(&code) => format!("{code}: {rejected}"),
        Ok(_) if !hostile.outcomes.contains(&code) => "it was read".to_owned(),
        _ if took > Duration::from_secs(60) => format!("{took:?}"),
        _ => return None,
    };
    Some(format!("{} ({} bytes): {what}", hostile.name, hostile.bytes.len()))
}

#[test]
fn made_files_get_their_reasons() {
    let wrong: Vec<_> = hostile::made().iter().filter_map(judge).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn damaged_documents_get_a_reason_or_are_read_so_far() {
    let mut numbers = Numbers::new(20);
    let mut wrong = Vec::new();
    for document in documents::all().unwrap() {
        let bytes = std::fs::read(&document.path).unwrap();
        let damaged = hostile::damaged(&document.file, &bytes, &mut numbers);
        wrong.extend(damaged.iter().filter_map(judge));
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn passwords_are_asked_for() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/hostile");
    let code =
        |name| convert(&converters(), &folder.join(name)).map_err(|rejected| rejected.code());
    assert_eq!(code("password.pdf").unwrap_err(), "encrypted");
    assert_eq!(code("password.xlsx").unwrap_err(), "encrypted");
    // Anybody may read it; only changing it needs a password.
    assert!(code("owner-password.pdf").unwrap().markdown.contains("Linseed oil"));
}
