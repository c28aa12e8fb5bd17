//! The table of time, memory and size, at several numbers of notes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use crate::corpus::Corpus;
use crate::mcp::Mcp;
use crate::process;
use crate::report::Report;
use crate::server::{Server, inbox};
use crate::spread::Spread;

/// What is answered without any store.
const STATUS: &str = "/api/v1/status";
const RECALL: &str = "/api/v1/memory_stores/global/recall";
const FACTS: &str = "/api/v1/memory_stores/global/facts";
const METRICS: &str = "/api/v1/memory_stores/global/metrics";
const WRITES: usize = 200;
/// Calls of all sorts, of which memory is watched.
const MIXED: usize = 10_000;
const QUESTIONS: usize = 300;

/// Measures and prints.
pub(crate) fn measure(coffer: &Path, notes: &[usize], seed: u64) -> anyhow::Result<()> {
    let mut report = Report::default();
    for &many in notes {
        eprint_step(many);
        report.column(format!("{many} notes"));
        one(coffer, many, seed, &mut report)?;
    }
    println!("seed {seed}\n");
    report.print();
    Ok(())
}

#[expect(clippy::print_stderr, reason = "progress of a long measurement")]
fn eprint_step(many: usize) {
    eprintln!("bench: {many} notes");
}

fn one(coffer: &Path, many: usize, seed: u64, report: &mut Report) -> anyhow::Result<()> {
    let temp = tempfile::tempdir()?;
    let home = temp.path().join("coffer");
    let mut corpus = Corpus::new(seed);
    let source = lay(&home, &mut corpus, many)?;
    let before = hashes(&inbox(&home))?;
    bulk(coffer, &home, many, report)?;
    report.add("files changed by indexing", "0", changed(&before, &home)?, "");
    cold(coffer, &home, report)?;
    let server = Server::start(coffer, &home)?;
    server.post(RECALL, &json!({"query": "warm up"}))?;
    size(&home, source, report)?;
    recalls(&server, &mut corpus, report)?;
    edits(&server, &home, report)?;
    writes(&server, &mut corpus, many, report)?;
    lists(&server, many, report)?;
    mixed(&server, &mut corpus, many, report)
}

/// Lays the notes as files; gives their bytes.
fn lay(home: &Path, corpus: &mut Corpus, many: usize) -> anyhow::Result<u64> {
    let folder = inbox(home);
    fs::create_dir_all(&folder)?;
    let mut bytes = 0;
    for number in 0..many {
        let text = format!("---\ntitle: note {number}\n---\n\n{}\n", corpus.note(number));
        bytes += text.len() as u64;
        fs::write(folder.join(format!("note-{number}.md")), text)?;
    }
    // What was laid just now is inside the racy window; a person's notes are older.
    std::thread::sleep(Duration::from_millis(2_100));
    Ok(bytes)
}

fn hashes(folder: &Path) -> anyhow::Result<BTreeMap<String, Vec<u8>>> {
    let mut hashes = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        hashes.insert(path.display().to_string(), Sha256::digest(fs::read(&path)?).to_vec());
    }
    Ok(hashes)
}

fn changed(before: &BTreeMap<String, Vec<u8>>, home: &Path) -> anyhow::Result<f64> {
    let after = hashes(&inbox(home))?;
    let same = before.iter().filter(|(path, hash)| after.get(*path) == Some(hash)).count();
    Ok(count(before.len().max(after.len()) - same))
}

#[expect(clippy::cast_precision_loss, reason = "counts of this program are small")]
fn count(number: usize) -> f64 {
    number as f64
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

fn cpu(server: &Server) -> anyhow::Result<Duration> {
    process::cpu(server.pid()).context("this system tells no CPU times")
}

/// From an empty index to the first answer.
fn bulk(coffer: &Path, home: &Path, many: usize, report: &mut Report) -> anyhow::Result<()> {
    let began = Instant::now();
    let server = Server::start(coffer, home)?;
    server.post(RECALL, &json!({"query": "deploy the database"}))?;
    report.add("bulk index, wall", "", ms(began.elapsed()), "ms");
    report.add("bulk index, CPU a note", "≤ 0.3 ms", ms(cpu(&server)?) / count(many), "ms");
    Ok(())
}

/// Starts over an index that is up to date: five times, the median.
fn cold(coffer: &Path, home: &Path, report: &mut Report) -> anyhow::Result<()> {
    let mut runs = Vec::new();
    for _ in 0..5 {
        let began = Instant::now();
        let server = Server::start(coffer, home)?;
        server.get(STATUS)?;
        let (up, spent) = (began.elapsed(), cpu(&server)?);
        server.post(RECALL, &json!({"query": "deploy the database"}))?;
        runs.push((began.elapsed(), up, spent, cpu(&server)?));
    }
    runs.sort_unstable();
    let (compared, up, spent, all) = runs[runs.len() / 2];
    report.add("start to first answer", "≤ 150 ms", ms(up), "ms");
    report.add("start to first answer, CPU", "≤ 50 ms", ms(spent), "ms");
    report.add("start to store compared", "≤ 300 ms", ms(compared), "ms");
    report.add("start to store compared, CPU", "", ms(all), "ms");
    Ok(())
}

fn recalls(server: &Server, corpus: &mut Corpus, report: &mut Report) -> anyhow::Result<()> {
    let questions: Vec<String> = (0..QUESTIONS).map(|_| corpus.question()).collect();
    let before = cpu(server)?;
    let rest = Spread::of(QUESTIONS, |at| {
        server.post(RECALL, &json!({"query": questions[at]})).map(|_| ())
    })?;
    let spent = cpu(server)? - before;
    report.add("recall over REST, p50", "≤ 3 ms", rest.ms(0.5), "ms");
    report.add("recall over REST, p99", "≤ 25 ms", rest.ms(0.99), "ms");
    report.add("recall over REST, CPU", "", ms(spent) / count(QUESTIONS), "ms");
    let mut mcp = Mcp::open(server)?;
    let calls = Spread::of(QUESTIONS, |at| {
        mcp.call("coffer__recall", &json!({"query": questions[at], "scope": "global"}))
    })?;
    report.add("recall over MCP, p50", "≤ 3 ms", calls.ms(0.5), "ms");
    report.add("recall over MCP, p99", "≤ 25 ms", calls.ms(0.99), "ms");
    let resident = process::resident(server.pid()).context("this system tells no memory")?;
    report.add("memory after these recalls", "≤ 60 MiB", resident, "MiB");
    let before = cpu(server)?;
    std::thread::sleep(Duration::from_secs(5));
    let idle = (cpu(server)? - before).as_secs_f64() / 5.0 * 100.0;
    report.add("idle CPU", "≤ 0.1 %", idle, "%");
    Ok(())
}

/// A file edited on disk, found by the next recall.
fn edits(server: &Server, home: &Path, report: &mut Report) -> anyhow::Result<()> {
    let spread = Spread::of(50, |at| {
        let file = inbox(home).join(format!("note-{at}.md"));
        fs::write(&file, format!("---\ntitle: edited\n---\n\nquokka{at} lives here\n"))?;
        let query = format!("quokka{at}");
        let reply = server.post(RECALL, &json!({"query": query}))?;
        let text = reply["hits"][0]["text"].as_str().unwrap_or_default();
        anyhow::ensure!(text.contains(&query), "an edit was not found: {reply}");
        Ok(())
    })?;
    report.add("edit on disk and recall of it, p50", "≤ 10 ms more", spread.ms(0.5), "ms");
    Ok(())
}

fn writes(
    server: &Server,
    corpus: &mut Corpus,
    many: usize,
    report: &mut Report,
) -> anyhow::Result<()> {
    let notes: Vec<String> = (0..2 * WRITES).map(|at| corpus.note(many + at)).collect();
    let rest =
        Spread::of(WRITES, |at| server.post(FACTS, &json!({"text": notes[at]})).map(|_| ()))?;
    report.add("remember over REST, p50", "≤ 3 ms", rest.ms(0.5), "ms");
    report.add("remember over REST, p99", "≤ 30 ms", rest.ms(0.99), "ms");
    let mut mcp = Mcp::open(server)?;
    let calls = Spread::of(WRITES, |at| {
        let text = &notes[WRITES + at];
        mcp.call("coffer__remember", &json!({"text": text, "scope": "global"}))
    })?;
    report.add("remember over MCP, p50", "≤ 3 ms", calls.ms(0.5), "ms");
    report.add("remember over MCP, p99", "≤ 30 ms", calls.ms(0.99), "ms");
    Ok(())
}

/// Pages of the list, and the counts of the store.
fn lists(server: &Server, many: usize, report: &mut Report) -> anyhow::Result<()> {
    let page = |at: usize| format!("{FACTS}?limit=50&offset={}", at * many / 100);
    let lists = Spread::of(100, |at| server.get(&page(at)).map(|_| ()))?;
    report.add("list of 50 facts, p50", "", lists.ms(0.5), "ms");
    report.add("list of 50 facts, p99", "", lists.ms(0.99), "ms");
    let metrics = Spread::of(20, |_| server.get(METRICS).map(|_| ()))?;
    report.add("metrics, p50", "", metrics.ms(0.5), "ms");
    Ok(())
}

/// Memory over many calls of all sorts: it must not grow.
fn mixed(
    server: &Server,
    corpus: &mut Corpus,
    many: usize,
    report: &mut Report,
) -> anyhow::Result<()> {
    for at in 0..MIXED {
        match at % 20 {
            0 => server.get(METRICS).map(|_| ())?,
            1 | 2 => server.get(&format!("{FACTS}?limit=50")).map(|_| ())?,
            3 => {
                let text = corpus.note(many + 2 * WRITES + at);
                let fact = server.post(FACTS, &json!({"text": text}))?;
                let id = fact["id"].as_str().context("a fact without an id")?;
                let path = format!("{FACTS}/{id}");
                server.patch(&path, &json!({"title": format!("changed {at}")}))?;
                server.delete(&path)?;
            }
            _ => server.post(RECALL, &json!({"query": corpus.question()})).map(|_| ())?,
        }
        if at + 1 == MIXED / 10 || at + 1 == MIXED {
            let resident = process::resident(server.pid()).context("no memory is told")?;
            report.add(&format!("memory after {} mixed calls", at + 1), "flat", resident, "MiB");
        }
    }
    Ok(())
}

fn size(home: &Path, source: u64, report: &mut Report) -> anyhow::Result<()> {
    let database = fs::metadata(home.join("coffer.db"))?.len();
    #[expect(clippy::cast_precision_loss, reason = "sizes of this program are small")]
    let ratio = database as f64 / source as f64;
    report.add("index size / source", "≤ 6", ratio, "×");
    Ok(())
}
