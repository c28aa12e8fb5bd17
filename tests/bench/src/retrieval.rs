//! nDCG@10 and recall@10 through the REST API: each document of a set is laid as a file, each
//! question asked with `top_k` 20, hits counted once a document.
//!
//! A set is a folder of three files of JSON lines: `corpus.jsonl` (`id`, `text`, `title`?),
//! `queries.jsonl` (`id`, `text`), `qrels.jsonl` (`qid`, `docid`, `rel`?). nDCG as in Järvelin and
//! Kekäläinen (2002) with linear gain.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use serde_json::{Value, json};

use crate::server::{Server, inbox};

/// Ranks that count.
const AT: usize = 10;
/// The store that holds the documents.
const STORE: &str = "/api/v1/memory_stores/global";
/// A query has at most so many characters.
const QUERY: usize = 4_096;

/// How long a set's documents may take to be embedded.
const PATIENCE: Duration = Duration::from_secs(3_600);
/// Name of the model in the home.
const MODEL: &str = "measured";

/// What every set is measured with.
pub(crate) struct Setup {
    pub(crate) coffer: PathBuf,
    pub(crate) limit: Option<usize>,
    pub(crate) model: Option<PathBuf>,
}

/// Evaluates and prints each set.
pub(crate) fn evaluate(setup: &Setup, sets: &[impl AsRef<Path>]) -> anyhow::Result<()> {
    println!("| set | by | documents | questions | nDCG@10 | R@10 | empty | p50 ms |");
    println!("|---|---|---|---|---|---|---|---|");
    for set in sets {
        let set = set.as_ref();
        let name = set.file_name().unwrap_or_default().to_string_lossy().into_owned();
        one(setup, set, &name).with_context(|| format!("data set {name}"))?;
    }
    Ok(())
}

/// A way to ask.
#[derive(Clone, Copy)]
struct Way {
    name: &'static str,
    mode: &'static str,
    fusion: &'static str,
}

/// By terms; and with a model by meaning, and by both in either way of merging.
const WAYS: [Way; 4] = [
    Way { name: "keyword", mode: "keyword", fusion: "mix" },
    Way { name: "vector", mode: "vector", fusion: "mix" },
    Way { name: "hybrid, mix", mode: "hybrid", fusion: "mix" },
    Way { name: "hybrid, rrf", mode: "hybrid", fusion: "rrf" },
];

#[derive(Default)]
struct Score {
    questions: usize,
    ndcg: f64,
    recall: f64,
    empty: usize,
    times: Vec<Duration>,
}

fn one(setup: &Setup, set: &Path, name: &str) -> anyhow::Result<()> {
    let Setup { coffer, limit, model } = setup;
    let temp = tempfile::tempdir()?;
    let home = temp.path().join("coffer");
    let corpus = lines(&set.join("corpus.jsonl"))?;
    let files = lay(&home, &corpus)?;
    if let Some(model) = model {
        install(&home, model)?;
    }
    let relevant = judgements(&lines(&set.join("qrels.jsonl"))?);
    let queries = lines(&set.join("queries.jsonl"))?;
    let judged: Vec<&Value> =
        queries.iter().filter(|query| relevant.contains_key(&text(&query["id"]))).collect();
    let step = limit.map_or(1, |limit| judged.len().div_ceil(limit.max(1))).max(1);
    let server = Server::start(coffer, &home)?;
    if model.is_some() {
        await_vectors(&server)?;
    }
    for way in &WAYS[..if model.is_some() { WAYS.len() } else { 1 }] {
        server.patch(STORE, &json!({"fusion": way.fusion}))?;
        let mut score = Score::default();
        for query in judged.iter().step_by(step) {
            let began = Instant::now();
            let found = ask(&server, &text(&query["text"]), way.mode, &files)?;
            score.times.push(began.elapsed());
            score.take(&found, &relevant[&text(&query["id"])]);
        }
        score.print(name, way.name, corpus.len());
    }
    Ok(())
}

impl Score {
    fn take(&mut self, found: &[String], wanted: &HashMap<String, f64>) {
        self.questions += 1;
        self.empty += usize::from(found.is_empty());
        self.ndcg += ndcg(found, wanted);
        let hit = found.iter().take(AT).filter(|document| wanted.contains_key(*document)).count();
        self.recall += count(hit) / count(wanted.len());
    }

    fn print(mut self, name: &str, way: &str, documents: usize) {
        self.times.sort_unstable();
        let median = self.times.get(self.times.len() / 2).copied().unwrap_or_default();
        let Self { questions, ndcg, recall, empty, .. } = self;
        let (ndcg, recall) = (ndcg / count(questions), recall / count(questions));
        println!(
            "| {name} | {way} | {documents} | {questions} | {ndcg:.3} | {recall:.3} | {empty} | {:.1} |",
            median.as_secs_f64() * 1e3
        );
    }
}

/// Copies a model into a home and turns vectors on.
fn install(home: &Path, model: &Path) -> anyhow::Result<()> {
    let folder = home.join("models").join(MODEL);
    fs::create_dir_all(&folder)?;
    for entry in fs::read_dir(model).with_context(|| model.display().to_string())? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs::copy(entry.path(), folder.join(entry.file_name()))?;
        }
    }
    let settings = format!("[embedding]\nprovider = \"local\"\nmodel = \"{MODEL}\"\n");
    Ok(fs::write(home.join("config.toml"), settings)?)
}

/// Waits until every document has its vectors.
fn await_vectors(server: &Server) -> anyhow::Result<()> {
    let until = Instant::now() + PATIENCE;
    while Instant::now() < until {
        let metrics = server.get(&format!("{STORE}/metrics"))?;
        let modes = metrics["indexed_modes"].as_array();
        if modes.is_some_and(|modes| modes.contains(&json!("hybrid")))
            && metrics["documents_degraded"] == 0
        {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(200));
    }
    bail!("the documents were not embedded in an hour")
}

fn lines(path: &Path) -> anyhow::Result<Vec<Value>> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    text.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}

/// A value's text; numbers as they are written.
fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Lays the documents as files; gives the document of each path.
fn lay(home: &Path, corpus: &[Value]) -> anyhow::Result<HashMap<String, String>> {
    let folder = inbox(home);
    fs::create_dir_all(&folder)?;
    let mut files = HashMap::new();
    for (number, document) in corpus.iter().enumerate() {
        let path = folder.join(format!("d{number}.md"));
        let title = document["title"].as_str().filter(|title| !title.is_empty());
        let title = title.map_or_else(|| format!("d{number}"), str::to_owned);
        let body = text(&document["text"]);
        fs::write(&path, format!("---\ntitle: {}\n---\n\n{body}\n", Value::from(title)))?;
        files.insert(path.display().to_string(), text(&document["id"]));
    }
    Ok(files)
}

fn judgements(rows: &[Value]) -> HashMap<String, HashMap<String, f64>> {
    let mut relevant: HashMap<String, HashMap<String, f64>> = HashMap::new();
    for row in rows {
        let gain = row["rel"].as_f64().unwrap_or(1.0);
        relevant.entry(text(&row["qid"])).or_default().insert(text(&row["docid"]), gain);
    }
    relevant
}

/// The documents that a question finds, each once, best first.
fn ask(
    server: &Server,
    question: &str,
    mode: &str,
    files: &HashMap<String, String>,
) -> anyhow::Result<Vec<String>> {
    // A set may hold a question without words; the API refuses it, and nothing answers it.
    if question.trim().is_empty() {
        return Ok(Vec::new());
    }
    let query: String = question.chars().take(QUERY).collect();
    let body = json!({"query": query, "top_k": 20, "mode": mode});
    let reply = server.post(&format!("{STORE}/recall"), &body)?;
    let mut found: Vec<String> = Vec::new();
    for hit in reply["hits"].as_array().into_iter().flatten() {
        let source = hit["source"].as_str().unwrap_or_default();
        let path = source.split_once(':').map_or("", |(_, path)| path);
        if let Some(document) = files.get(path)
            && !found.contains(document)
        {
            found.push(document.clone());
        }
    }
    Ok(found)
}

fn ndcg(found: &[String], wanted: &HashMap<String, f64>) -> f64 {
    let discounted = |at: usize, gain: f64| gain / (count(at) + 2.0).log2();
    let gained: f64 = found
        .iter()
        .take(AT)
        .enumerate()
        .map(|(at, document)| discounted(at, wanted.get(document).copied().unwrap_or(0.0)))
        .sum();
    let mut gains: Vec<f64> = wanted.values().copied().collect();
    gains.sort_by(|a, b| b.total_cmp(a));
    let ideal: f64 =
        gains.iter().take(AT).enumerate().map(|(at, gain)| discounted(at, *gain)).sum();
    if ideal > 0.0 { gained / ideal } else { 0.0 }
}

#[expect(clippy::cast_precision_loss, reason = "counts of this program are small")]
fn count(number: usize) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_measure_is_the_textbook_one() {
        let wanted = HashMap::from([("a".to_owned(), 1.0), ("b".to_owned(), 1.0)]);
        let found =
            |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert!((ndcg(&found(&["a", "b", "c"]), &wanted) - 1.0).abs() < 1e-9);
        assert_eq!(ndcg(&found(&["c"]), &wanted), 0.0);
        let second = ndcg(&found(&["c", "a"]), &wanted);
        assert!((second - 0.630_93 / 1.630_93).abs() < 1e-4, "{second}");
    }
}
