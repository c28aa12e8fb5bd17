//! The scrubber of secrets against its corpus: how many of each kind go in each form, how many lines
//! without a secret it changes, and how fast it is.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use coffer_core::secrets::{find, scrub};
use coffer_corpus::secrets::{FORMS, KINDS, cases, lines};

use crate::corpus::Corpus;
use crate::process;

/// Lines without a secret.
const BENIGN: usize = 20_000;
/// Bytes of each text that is timed.
const TIMED: usize = 8 << 20;
/// So often it is timed.
const RUNS: usize = 5;

/// Prints the three tables.
///
/// # Errors
///
/// A text could not be scrubbed.
pub(crate) fn measure(samples: u64, seed: u64) -> anyhow::Result<()> {
    recall(samples, seed)?;
    false_hits(seed);
    speed(seed);
    Ok(())
}

/// Secrets that are gone, kinds by forms.
fn recall(samples: u64, seed: u64) -> anyhow::Result<()> {
    let mut gone = [[0_u64; FORMS.len()]; KINDS.len()];
    for case in (0..samples).flat_map(|sample| cases(seed.wrapping_add(sample))) {
        let is_gone = case.remains(&scrub(&case.text)?.text).is_none();
        let kind = KINDS.iter().position(|kind| *kind == case.kind).unwrap_or(0);
        let form = FORMS.iter().position(|form| *form == case.form).unwrap_or(0);
        gone[kind][form] += u64::from(is_gone);
    }
    println!("Gone, of {samples} each:\n\n| kind | {} |", FORMS.join(" | "));
    println!("|---|{}", "---|".repeat(FORMS.len()));
    for (kind, row) in KINDS.iter().zip(&gone) {
        println!("| {kind} | {} |", row.map(|count| count.to_string()).join(" | "));
    }
    let total: u64 = gone.iter().flatten().sum();
    let cases = samples * (KINDS.len() * FORMS.len()) as u64;
    println!("\n{total} of {cases} ({:.2} %)", percent(total as f64, cases as f64));
    Ok(())
}

/// Lines that are changed, alone and as one text.
fn false_hits(seed: u64) {
    let all = lines(seed, BENIGN);
    let alone = all.iter().filter(|line| !find(&line.text).is_empty()).count();
    let text: String = all.iter().map(|line| format!("{}\n", line.text)).collect();
    let together = find(&text).len();
    println!("\nOf {BENIGN} lines without a secret:");
    println!("changed alone {alone} ({:.2} %)", percent(alone as f64, BENIGN as f64));
    println!("findings in one text {together} ({:.2} %)", percent(together as f64, BENIGN as f64));
}

/// Megabytes a second of one core, of notes and of the lines that are hardest to tell from secrets.
fn speed(seed: u64) {
    let mut corpus = Corpus::new(seed);
    let notes = (0..).map(|number| corpus.note(number));
    let sources = [
        ("notes", filled(notes)),
        ("code", filled(code())),
        ("benign lines", filled(benign(seed))),
    ];
    println!();
    for (name, text) in sources {
        let start = clock();
        (0..RUNS).for_each(|_| drop(std::hint::black_box(find(&text))));
        let took = (clock() - start).as_secs_f64();
        let bytes = (text.len() * RUNS) as f64;
        println!("{name}: {:.0} MB/s", bytes / took / 1e6);
    }
}

/// Time of a processor, where the system tells; else time.
fn clock() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    process::cpu(std::process::id()).unwrap_or_else(|| START.elapsed())
}

/// Sources of this repository, over and over.
fn code() -> impl Iterator<Item = String> {
    let files = [
        include_str!("figures.rs"),
        include_str!("retrieval.rs"),
        include_str!("../../../core/src/grep.rs"),
        include_str!("../../../core/src/error.rs"),
        include_str!("../../../Cargo.lock"),
    ];
    files.into_iter().cycle().map(str::to_owned)
}

fn benign(seed: u64) -> impl Iterator<Item = String> {
    lines(seed, 4 * BENIGN).into_iter().map(|line| line.text)
}

/// As many texts as make [`TIMED`] bytes.
fn filled(texts: impl Iterator<Item = String>) -> String {
    let mut all = String::new();
    for text in texts {
        all.push_str(&text);
        all.push('\n');
        if all.len() >= TIMED {
            break;
        }
    }
    all
}

fn percent(part: f64, whole: f64) -> f64 {
    100.0 * part / whole
}
