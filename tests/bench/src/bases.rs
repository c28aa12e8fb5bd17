//! Figures of a knowledge base: a folder of pages taken in, searched, grepped beside ripgrep, deleted.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};

use crate::corpus::Corpus;
use crate::process;
use crate::report::Report;
use crate::server::Server;
use crate::spread::Spread;

const BASE: &str = "/api/v1/knowledge_bases/pages";
const QUESTIONS: usize = 300;
/// Each pattern is looked for so often, so that ticks of 10 ms tell something.
const ROUNDS: u32 = 20;
const PATTERNS: [&str; 6] =
    ["deadlock", "cache(buffer|queue)", r"\btimeout\b.*retry", "部署", "^# Page 49", "qqqzzz"];

/// Measures and prints.
pub(crate) fn measure(coffer: &Path, pages: usize, seed: u64) -> anyhow::Result<()> {
    let temp = tempfile::tempdir()?;
    let (home, folder) = (temp.path().join("coffer"), temp.path().join("pages"));
    let mut corpus = Corpus::new(seed);
    let bytes = lay(&folder, &mut corpus, pages)?;
    let mut report = Report::default();
    report.column(format!("{pages} pages, {} MB", bytes / 1_000_000));
    let server = Server::start(coffer, &home)?;
    ingest(&server, &folder, pages, &mut report)?;
    search(&server, &mut corpus, &mut report)?;
    grep(&server, &home.join("knowledge/pages/docs"), &mut report)?;
    delete(&server, &home, &mut report)?;
    println!("seed {seed}\n");
    report.print();
    Ok(())
}

/// Pages of about 4.6 kB under headings, in folders of a hundred; their bytes.
fn lay(folder: &Path, corpus: &mut Corpus, pages: usize) -> anyhow::Result<usize> {
    let mut bytes = 0;
    for page in 0..pages {
        let mut text = format!("# Page {page}\n");
        for section in 0..6 {
            write!(text, "\n## Section {section}\n\n{}\n", corpus.note(page))?;
        }
        let place = folder.join((page / 100).to_string());
        fs::create_dir_all(&place)?;
        fs::write(place.join(format!("{page}.md")), &text)?;
        bytes += text.len();
    }
    Ok(bytes)
}

fn ingest(server: &Server, folder: &Path, pages: usize, report: &mut Report) -> anyhow::Result<()> {
    server.post("/api/v1/knowledge_bases", &json!({"name": "pages"}))?;
    let before = process::cpu(server.pid()).context("this system tells no CPU times")?;
    let began = Instant::now();
    let route = format!("{BASE}/documents?wait=0");
    let started = server.post(&route, &json!({"path": folder}))?;
    let id = started["job"]["id"].as_str().context("no job was started")?.to_owned();
    let job = loop {
        let job = server.get(&format!("/api/v1/jobs/{id}"))?;
        if !matches!(job["state"].as_str(), Some("queued" | "running")) {
            break job;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    ensure!(job["result"]["ingest"]["ingested"] == pages, "not all were taken in: {job}");
    report.add("folder taken in, wall", "≤ 15 s", began.elapsed().as_secs_f64(), "s");
    let spent = process::cpu(server.pid()).context("no CPU times")? - before;
    report.add("folder taken in, CPU", "", spent.as_secs_f64(), "s");
    let again = Instant::now();
    let same = server.post(&format!("{BASE}/documents?wait=600"), &json!({"path": folder}))?;
    let unchanged = &same["unchanged"];
    ensure!(*unchanged == pages, "the second time changed something: {same}");
    report.add("the same once more, wall", "", again.elapsed().as_secs_f64(), "s");
    let resident = process::peak(server.pid()).context("this system tells no memory")?;
    report.add("memory, the most", "", resident, "MiB");
    Ok(())
}

fn search(server: &Server, corpus: &mut Corpus, report: &mut Report) -> anyhow::Result<()> {
    let questions: Vec<String> = (0..QUESTIONS).map(|_| corpus.question()).collect();
    let route = format!("{BASE}/search");
    let spread = Spread::of(QUESTIONS, |at| {
        server.post(&route, &json!({"query": questions[at]})).map(|_| ())
    })?;
    report.add("search, p50", "≤ 4 ms", spread.ms(0.5), "ms");
    report.add("search, p99", "", spread.ms(0.99), "ms");
    Ok(())
}

/// CPU time of all patterns, here and by ripgrep where it is installed.
fn grep(server: &Server, docs: &Path, report: &mut Report) -> anyhow::Result<()> {
    let route = format!("{BASE}/grep");
    let ask = |pattern: &str| {
        let body = json!({"pattern": pattern, "max_matches": 1000, "case_sensitive": true});
        server.post(&route, &body)
    };
    // Both begin with files that the system has in memory.
    for pattern in PATTERNS {
        ask(pattern)?;
    }
    let before = process::cpu(server.pid()).context("no CPU times")?;
    let began = Instant::now();
    for _ in 0..ROUNDS {
        PATTERNS.iter().try_for_each(|pattern| ask(pattern).map(|_| ()))?;
    }
    let wall = began.elapsed();
    let ours = process::cpu(server.pid()).context("no CPU times")? - before;
    let greps = ROUNDS * u32::try_from(PATTERNS.len())?;
    report.add("grep, wall", "", (wall / greps).as_secs_f64() * 1e3, "ms");
    report.add("grep, CPU", "", (ours / greps).as_secs_f64() * 1e3, "ms");
    let before = process::cpu_of_children().context("no CPU times")?;
    for _ in 0..ROUNDS {
        for pattern in PATTERNS {
            let Some(hits) = ripgrep(pattern, docs)? else { return Ok(()) };
            let reply = lines_of(&ask(pattern)?);
            ensure!(hits.min(1000) == reply, "`{pattern}`: {reply} lines, ripgrep has {hits}");
        }
    }
    let theirs = process::cpu_of_children().context("no CPU times")? - before;
    report.add("ripgrep, CPU", "", (theirs / greps).as_secs_f64() * 1e3, "ms");
    report.add("grep / ripgrep, CPU", "≤ 1.3", ours.as_secs_f64() / theirs.as_secs_f64(), "×");
    Ok(())
}

fn lines_of(reply: &Value) -> usize {
    reply["hits"].as_array().map_or(0, Vec::len)
}

/// How many lines ripgrep finds; `None` where there is none.
fn ripgrep(pattern: &str, docs: &Path) -> anyhow::Result<Option<usize>> {
    let mut command = Command::new("rg");
    command.args(["--no-config", "--line-number", "--no-heading", pattern]).arg(docs);
    match command.stdin(Stdio::null()).output() {
        Ok(output) => Ok(Some(output.stdout.split(|byte| *byte == b'\n').count() - 1)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).context("cannot start rg"),
    }
}

/// Deletes it; no file of it may be left.
fn delete(server: &Server, home: &Path, report: &mut Report) -> anyhow::Result<()> {
    let began = Instant::now();
    server.delete(BASE)?;
    report.add("deleted, wall", "", began.elapsed().as_secs_f64(), "s");
    ensure!(!home.join("knowledge/pages").exists(), "its folder is still there");
    let status = server.get("/api/v1/status")?;
    ensure!(status["documents"] == 0, "documents are left: {status}");
    Ok(())
}
