//! The child's bounds: each holds, and what breaks one ends the child only.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use coffer_core::convert::{Converters, Limits};
use coffer_corpus::documents;

use super::{convert, convert_bytes, converters, program, small_limits};

/// All that this kernel has; a list that it shows may say that it has no Landlock.
#[test]
fn all_bounds_hold() {
    let modules = std::fs::read_to_string("/sys/kernel/security/lsm");
    let has_none = modules.is_ok_and(|modules| !modules.contains("landlock"));
    let missing: &[_] = if has_none { &["Landlock"] } else { &[] };
    assert_eq!(converters().confinement().unwrap().missing(), missing);
}

#[test]
fn memory_is_bounded() {
    // Cells far apart: a table of all that lies between does not fit.
    let sheet = super::hostile::far_cells();
    let converters = Converters::with_limits(program(), small_limits());
    assert_eq!(convert_bytes(&converters, "far.xlsx", &sheet).unwrap_err().code(), "out_of_memory");
}

#[test]
fn time_is_bounded() {
    let limits = Limits { wall: Duration::from_millis(300), ..Limits::default() };
    let slow = super::hostile::slow_page();
    let start = Instant::now();
    let refused =
        convert_bytes(&Converters::with_limits(program(), limits), "slow.html", slow.as_bytes());
    assert_eq!(refused.err().map(|rejected| rejected.code()), Some("timed_out"));
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    let limits = Limits { cpu: 1, ..Limits::default() };
    let refused =
        convert_bytes(&Converters::with_limits(program(), limits), "slow.html", slow.as_bytes());
    assert_eq!(refused.err().map(|rejected| rejected.code()), Some("timed_out"));
}

#[test]
fn output_is_bounded() {
    let limits = Limits { output: 1000, ..Limits::default() };
    let page = format!("<p>{}</p>", "word ".repeat(1000));
    let refused =
        convert_bytes(&Converters::with_limits(program(), limits), "a.html", page.as_bytes());
    assert_eq!(refused.unwrap_err().code(), "too_large");
}

#[test]
fn a_conversion_can_be_cancelled() {
    let asked = AtomicUsize::new(0);
    let cancelled = || asked.fetch_add(1, Ordering::Relaxed) > 3;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("slow.html");
    std::fs::write(&path, super::hostile::slow_page()).unwrap();
    let original = coffer_core::convert::Original { name: "slow.html", path: &path };
    let start = Instant::now();
    assert_eq!(converters().convert(&original, &cancelled).unwrap_err().code(), "cancelled");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

/// A program that knows nothing of converting gives a reason too, and none at all as well.
#[test]
fn a_wrong_program_is_a_reason() {
    let document = &documents::all().unwrap().into_iter().find(|one| one.format == "pdf").unwrap();
    for (program, code) in
        [("/bin/true", "crashed"), ("/bin/false", "crashed"), ("/none", "unavailable")]
    {
        let refused = convert(&Converters::new(program.into()), &document.path).unwrap_err();
        assert_eq!(refused.code(), code, "{program}: {refused}");
    }
}

#[test]
fn what_is_no_file_is_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |path: &std::path::Path| convert(&converters(), path).unwrap_err();
    assert_eq!(refused(folder.path()).code(), "unavailable");
    let pipe = folder.path().join("pipe.pdf");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    assert_eq!(refused(&pipe).code(), "unavailable");
    assert_eq!(refused(&folder.path().join("none.pdf")).code(), "unavailable");
}
