//! nDCG@10 and recall@10 through the REST API: each document of a set is laid as a file, each
//! question asked with `top_k` 20, hits counted once a document.
//!
//! A set is a folder of three files of JSON lines: `corpus.jsonl` (`id`, `text`, `title`?),
//! `queries.jsonl` (`id`, `text`), `qrels.jsonl` (`qid`, `docid`, `rel`?). nDCG as in Järvelin and
//! Kekäläinen (2002) with linear gain.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use anyhow::Context as _;
use serde_json::{Value, json};

use crate::server::{Server, inbox};

/// Ranks that count.
const AT: usize = 10;
/// A query has at most so many characters.
const QUERY: usize = 4_096;

/// Evaluates and prints each set.
pub(crate) fn evaluate(
    coffer: &Path,
    limit: Option<usize>,
    sets: &[impl AsRef<Path>],
) -> anyhow::Result<()> {
    println!("| set | documents | questions | nDCG@10 | R@10 | empty |");
    println!("|---|---|---|---|---|---|");
    for set in sets {
        let set = set.as_ref();
        let name = set.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let score = one(coffer, set, limit).with_context(|| format!("data set {name}"))?;
        let Score { documents, questions, ndcg, recall, empty } = score;
        println!("| {name} | {documents} | {questions} | {ndcg:.3} | {recall:.3} | {empty} |");
    }
    Ok(())
}

struct Score {
    documents: usize,
    questions: usize,
    ndcg: f64,
    recall: f64,
    empty: usize,
}

fn one(coffer: &Path, set: &Path, limit: Option<usize>) -> anyhow::Result<Score> {
    let temp = tempfile::tempdir()?;
    let home = temp.path().join("coffer");
    let corpus = lines(&set.join("corpus.jsonl"))?;
    let files = lay(&home, &corpus)?;
    let relevant = judgements(&lines(&set.join("qrels.jsonl"))?);
    let queries = lines(&set.join("queries.jsonl"))?;
    let judged: Vec<&Value> =
        queries.iter().filter(|query| relevant.contains_key(&text(&query["id"]))).collect();
    let step = limit.map_or(1, |limit| judged.len().div_ceil(limit.max(1))).max(1);
    let server = Server::start(coffer, &home)?;
    let mut score =
        Score { documents: corpus.len(), questions: 0, ndcg: 0.0, recall: 0.0, empty: 0 };
    for query in judged.into_iter().step_by(step) {
        let wanted = &relevant[&text(&query["id"])];
        let found = ask(&server, &text(&query["text"]), &files)?;
        score.questions += 1;
        score.empty += usize::from(found.is_empty());
        score.ndcg += ndcg(&found, wanted);
        let hit = found.iter().take(AT).filter(|document| wanted.contains_key(*document)).count();
        score.recall += count(hit) / count(wanted.len());
    }
    score.ndcg /= count(score.questions);
    score.recall /= count(score.questions);
    Ok(score)
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
    files: &HashMap<String, String>,
) -> anyhow::Result<Vec<String>> {
    // A set may hold a question without words; the API refuses it, and nothing answers it.
    if question.trim().is_empty() {
        return Ok(Vec::new());
    }
    let query: String = question.chars().take(QUERY).collect();
    let body = json!({"query": query, "top_k": 20});
    let reply = server.post("/api/v1/memory_stores/global/recall", &body)?;
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
