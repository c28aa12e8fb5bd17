//! Lists of agents' sessions: the first one, which reads every file, and those after it, which read
//! what changed. The files are made here, as Claude Code and Codex write them.

use std::fs;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use coffer_core::sessions::{Format, Query};
use coffer_core::{Coffer, Shelf};
use coffer_corpus::Numbers;
use coffer_env::Home;
use serde_json::{Value, json};

use crate::corpus::Corpus;
use crate::process;
use crate::spread::Spread;

/// How often lists are asked for again.
const LISTS: usize = 40;
/// Sessions of each project.
const PROJECT: usize = 25;
/// Bytes of what a tool gives, on average.
const TOOL: usize = 24 << 10;

/// Sizes and seed.
pub(crate) struct Setup {
    /// `claude_code` or `codex`.
    pub agent: String,
    /// How many sessions.
    pub sessions: usize,
    /// MiB of all of them.
    pub mib: usize,
    /// The seed of their words.
    pub seed: u64,
}

/// Prints the figures.
///
/// # Errors
///
/// Files that cannot be made, or a list that fails.
pub(crate) fn measure(setup: &Setup) -> anyhow::Result<()> {
    let format = Format::parse(&setup.agent)
        .filter(|format| *format != Format::OpenCode)
        .ok_or_else(|| anyhow::anyhow!("`{}`: claude_code or codex is needed", setup.agent))?;
    let temp = tempfile::tempdir()?;
    let (root, home) = (temp.path().join("agent"), Home::at(temp.path().join("home")));
    let bytes = make(&root, format, setup)?;
    println!("{} sessions, {:.2} GB of {}", setup.sessions, bytes as f64 / 1e9, format.name());
    let at_first = process::peak(std::process::id()).unwrap_or_default();
    let coffer = Coffer::open(&home, |_| {})?;
    let shelf = Shelf { format, roots: vec![root] };
    let query = Query { limit: 200, ..Query::default() };

    let (start, before) = (Instant::now(), cpu());
    let page = coffer.sessions.list(&shelf, &query, &|_, _| {})?;
    anyhow::ensure!(page.total == setup.sessions, "{} sessions are listed", page.total);
    let (took, spent) = (start.elapsed(), cpu().saturating_sub(before));
    println!("cold list: {:.2} s, {:.2} s of a processor", took.as_secs_f64(), spent.as_secs_f64());

    let before = cpu();
    let lists = Spread::of(LISTS, |number| {
        let query = Query { offset: number * 50 % setup.sessions, ..query.clone() };
        let page = coffer.sessions.list(&shelf, &query, &|_, _| {})?;
        anyhow::ensure!(page.total == setup.sessions, "{} sessions are listed", page.total);
        Ok(())
    })?;
    // On a busy machine the clock tells of others too.
    let spent = cpu().saturating_sub(before).as_secs_f64() * 1e3 / LISTS as f64;
    let (median, p95) = (lists.ms(0.5), lists.ms(0.95));
    println!("warm list: median {median:.1} ms, p95 {p95:.1} ms, {spent:.1} ms of a processor");
    let id = &page.sessions[0].summary.session_id;
    let reads = Spread::of(5, |_| {
        coffer.sessions.read(&shelf, id, &[], &mut |_, _| {})?;
        Ok(())
    })?;
    println!("one session read: median {:.1} ms", reads.ms(0.5));
    let peak = process::peak(std::process::id()).unwrap_or_default();
    println!("peak of memory: {peak:.0} MiB, {at_first:.0} MiB before the first list");
    coffer.close();
    Ok(())
}

fn cpu() -> Duration {
    process::cpu(std::process::id()).unwrap_or_default()
}

/// Makes the files, and returns how many bytes they have.
fn make(root: &Path, format: Format, setup: &Setup) -> anyhow::Result<u64> {
    let (mut corpus, mut numbers) = (Corpus::new(setup.seed), Numbers::new(setup.seed));
    let output = corpus.note(0).repeat(4 * TOOL / 700);
    let average = (setup.mib << 20) / setup.sessions.max(1);
    let mut total = 0;
    for number in 0..setup.sessions {
        // Half of them are a tenth of the average, a few are many times as long.
        let size = match numbers.below(20) {
            0..10 => average / 10,
            10..19 => average,
            _ => average * 10,
        };
        let id = format!("{:08x}-0000-4000-8000-{number:012x}", setup.seed);
        let (folder, name) = match format {
            Format::Codex => (
                format!("sessions/2026/11/{:02}", 1 + number % 28),
                format!("rollout-2026-11-01T00-00-00-{id}.jsonl"),
            ),
            Format::ClaudeCode | Format::OpenCode => {
                (format!("projects/-code-app{}", number / PROJECT), format!("{id}.jsonl"))
            }
        };
        fs::create_dir_all(root.join(&folder))?;
        let mut file = BufWriter::new(fs::File::create(root.join(folder).join(name))?);
        let mut session = Writer { format, id: &id, number, written: 0 };
        file.write_all(session.head().as_bytes())?;
        while session.written < size {
            let question = corpus.question();
            let answer = corpus.note(number);
            let tool = &output[..output.floor_char_boundary(numbers.below(2 * TOOL))];
            for line in session.turn(&question, &answer, tool) {
                file.write_all(line.as_bytes())?;
            }
        }
        file.flush()?;
        total += session.written as u64;
    }
    Ok(total)
}

/// Writes the lines of one session.
struct Writer<'a> {
    format: Format,
    id: &'a str,
    number: usize,
    written: usize,
}

impl Writer<'_> {
    fn head(&mut self) -> String {
        let cwd = format!("/code/app{}", self.number / PROJECT);
        match self.format {
            Format::Codex => self.line(json!({"type": "session_meta", "payload": {
                "id": self.id, "cwd": cwd, "cli_version": "0.171.0", "source": "cli",
                "base_instructions": {"text": "x".repeat(20_000)}}})),
            Format::ClaudeCode | Format::OpenCode => self.line(json!({
                "type": "file-history-snapshot", "snapshot": {"cwd": cwd}})),
        }
    }

    fn turn(&mut self, question: &str, answer: &str, tool: &str) -> Vec<String> {
        let values = match self.format {
            Format::Codex => vec![
                json!({"type": "response_item", "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": question}]}}),
                event("UserMessage", "text", question),
                json!({"type": "response_item", "payload": {"type": "function_call_output", "call_id": "c", "output": tool}}),
                event("AgentMessage", "Text", answer),
                json!({"type": "response_item", "payload": {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": answer}]}}),
            ],
            Format::ClaudeCode | Format::OpenCode => vec![
                self.claude("user", &json!(question)),
                self.claude("assistant", &json!([{"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": question}}])),
                self.claude("user", &json!([{"type": "tool_result", "tool_use_id": "t", "content": tool}])),
                self.claude("assistant", &json!([{"type": "text", "text": answer}])),
            ],
        };
        values.into_iter().map(|value| self.line(value)).collect()
    }

    fn claude(&self, kind: &str, content: &Value) -> Value {
        json!({"parentUuid": format!("{}-{}", self.id, self.written), "isSidechain": false,
            "userType": "external", "cwd": format!("/code/app{}", self.number / PROJECT),
            "sessionId": self.id, "version": "2.1.300", "gitBranch": "main", "type": kind,
            "message": {"role": kind, "content": content}})
    }

    /// One line, with an id and a time of its own.
    fn line(&mut self, mut value: Value) -> String {
        let minute = self.written / 4_096;
        value["uuid"] = json!(format!("{}-{}", self.id, self.written));
        value["timestamp"] = json!(format!(
            "2026-11-{:02}T{:02}:{:02}:{:02}.000Z",
            1 + self.number % 28,
            minute / 60 % 24,
            minute % 60,
            self.written % 60,
        ));
        let line = format!("{value}\n");
        self.written += line.len();
        line
    }
}

fn event(kind: &str, part: &str, text: &str) -> Value {
    json!({"type": "event_msg", "payload": {"type": "item_completed", "item": {
        "type": kind, "content": [{"type": part, "text": text}]}}})
}
