//! A local embedding model: how long it takes to open, a question and passages, and its memory.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use coffer_core::models::local::{LocalEmbedder, open};
use coffer_core::models::{Embedder as _, Role};

use crate::process;

/// Questions that are timed.
const QUERIES: usize = 50;
/// Passages that are timed.
const PASSAGES: usize = 64;
/// Words of a passage: about 183 tokens of English BERT.
const WORDS: usize = 95;
/// What passages are made of.
const TEXTS: [&str; 4] = [
    include_str!("../../../docs/api.md"),
    include_str!("../../../docs/cli.md"),
    include_str!("../../../docs/security.md"),
    include_str!("../../../docs/storage.md"),
];

/// Prints the figures of the model in a folder.
///
/// # Errors
///
/// No model, or one that does not work.
pub(crate) fn measure(folder: &Path) -> anyhow::Result<()> {
    let name = folder.file_name().and_then(|name| name.to_str()).context("a folder is needed")?;
    let before = resident();
    let start = Instant::now();
    let model = open(folder.parent().unwrap_or(folder), name)?;
    println!("open: {:.0} ms, {} dimensions", ms(start.elapsed()), model.dimensions());
    println!("resident: {before:.0} MiB before, {:.0} MiB after", resident());
    questions(&model)?;
    passages(&model)?;
    let before = cpu();
    std::thread::sleep(Duration::from_secs(2));
    println!("idle: {:.0} ms of a processor in 2 s", ms(cpu().saturating_sub(before)));
    Ok(())
}

fn questions(model: &LocalEmbedder) -> anyhow::Result<()> {
    let mut times = Vec::new();
    for question in parts(8).take(QUERIES) {
        let start = Instant::now();
        model.embed(&[question], Role::Query, soon())?;
        times.push(start.elapsed());
    }
    times.sort_unstable();
    let (median, worst) = (times[times.len() / 2], times[times.len() - 1]);
    println!("question: median {:.1} ms, worst {:.1} ms", ms(median), ms(worst));
    Ok(())
}

fn passages(model: &LocalEmbedder) -> anyhow::Result<()> {
    let passages: Vec<String> = parts(WORDS).take(PASSAGES).collect();
    let (start, before) = (Instant::now(), cpu());
    model.embed(&passages, Role::Passage, soon())?;
    let (took, cpu) = (start.elapsed().as_secs_f64(), cpu().saturating_sub(before));
    let count = PASSAGES as f64;
    println!(
        "passages of {WORDS} words: {:.1} a second, {:.3} s of a processor each, {:.2} processors",
        count / took,
        cpu.as_secs_f64() / count,
        cpu.as_secs_f64() / took
    );
    println!(
        "resident: {:.0} MiB, at most {:.0} MiB",
        resident(),
        process::peak(std::process::id()).unwrap_or(0.0)
    );
    Ok(())
}

/// Texts of so many words, without end.
fn parts(count: usize) -> impl Iterator<Item = String> {
    let mut words = TEXTS.iter().flat_map(|text| text.split_whitespace()).cycle();
    std::iter::repeat_with(move || words.by_ref().take(count).collect::<Vec<_>>().join(" "))
}

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(600)
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn resident() -> f64 {
    process::resident(std::process::id()).unwrap_or(0.0)
}

fn cpu() -> Duration {
    process::cpu(std::process::id()).unwrap_or_default()
}
