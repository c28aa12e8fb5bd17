//! What converters keep of real documents, in which time and with how much memory: ours, and a peer's side by
//! side. The peer is markitdown in a Python that has it; its figures are without the seconds that it takes to
//! start.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow};
use coffer_corpus::documents::{self, Document, Score};

use crate::process;

/// Prints one Markdown, and then what it cost: seconds, and the most memory in KiB.
const PEER: &str = "\
import resource, sys, time
from markitdown import MarkItDown
converter = MarkItDown()
start = time.monotonic()
try:
    markdown = converter.convert(sys.argv[1]).text_content
except Exception as error:
    markdown = ''
took = time.monotonic() - start
sys.stdout.buffer.write(markdown.encode('utf-8', 'replace'))
print(took, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
";
/// How often a child's memory is looked at.
const PAUSE: Duration = Duration::from_micros(500);

/// One document by one converter.
struct Outcome {
    score: Score,
    seconds: f64,
    /// MiB.
    peak: f64,
}

/// Sums of outcomes.
#[derive(Default)]
struct Sum {
    documents: u32,
    shares: BTreeMap<&'static str, (f64, u32)>,
    seconds: f64,
    peak: f64,
}

/// Prints a table by format, of ours and of the peer's.
///
/// # Errors
///
/// A program that cannot be started.
pub(crate) fn measure(coffer: &Path, peer: Option<&Path>) -> anyhow::Result<()> {
    let (mut ours, mut theirs) = (BTreeMap::new(), BTreeMap::new());
    for document in documents::all().map_err(|error| anyhow!(error))? {
        let outcome = by_us(coffer, &document).with_context(|| document.file.clone())?;
        add(&mut ours, &document, &outcome);
        if let Some(python) = peer {
            let outcome = by_peer(python, &document).with_context(|| document.file.clone())?;
            add(&mut theirs, &document, &outcome);
        }
    }
    println!("| format | of | headings | items | cells | words | ms each | MiB at most |");
    println!("|---|---|---|---|---|---|---|---|");
    for (format, sum) in &ours {
        row(format, sum, theirs.get(format));
    }
    if peer.is_some() {
        println!("\nEach: ours / the peer's.");
    }
    Ok(())
}

fn by_us(coffer: &Path, document: &Document) -> anyhow::Result<Outcome> {
    let ending = document.path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let start = Instant::now();
    let mut child = Command::new(coffer)
        .args(["__convert".to_owned(), format!("--ending={ending}")])
        .stdin(File::open(&document.path)?)
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| coffer.display().to_string())?;
    let mut out = child.stdout.take().context("its output is a pipe")?;
    let reader = std::thread::spawn(move || {
        let mut printed = String::new();
        out.read_to_string(&mut printed).map(|_| printed)
    });
    let peak = peak(&mut child)?;
    let seconds = start.elapsed().as_secs_f64();
    let printed = reader.join().map_err(|_| anyhow!("its output cannot be read"))??;
    let markdown = printed.split_once('\n').map_or("", |(_, markdown)| markdown);
    Ok(Outcome { score: Score::of(&document.content, markdown), seconds, peak })
}

/// Waits for a child; the most memory that was seen.
fn peak(child: &mut Child) -> anyhow::Result<f64> {
    let mut peak: f64 = 0.0;
    while child.try_wait()?.is_none() {
        peak = peak.max(process::peak(child.id()).unwrap_or(0.0));
        std::thread::sleep(PAUSE);
    }
    Ok(peak)
}

fn by_peer(python: &Path, document: &Document) -> anyhow::Result<Outcome> {
    let output = Command::new(python).args(["-c", PEER]).arg(&document.path).output()?;
    let words = String::from_utf8_lossy(&output.stderr);
    let cost = words.lines().last().and_then(|line| line.split_once(' '));
    let (seconds, peak) = cost.ok_or_else(|| anyhow!("markitdown: {words}"))?;
    let markdown = String::from_utf8_lossy(&output.stdout);
    let score = Score::of(&document.content, &markdown);
    Ok(Outcome { score, seconds: seconds.parse()?, peak: peak.parse::<f64>()? / 1024.0 })
}

/// Counts an outcome for its format, and for all.
fn add(sums: &mut BTreeMap<String, Sum>, document: &Document, outcome: &Outcome) {
    for format in [document.format.as_str(), "~all"] {
        let sum = sums.entry(format.to_owned()).or_default();
        sum.documents += 1;
        sum.seconds += outcome.seconds;
        sum.peak = sum.peak.max(outcome.peak);
        for (name, share) in outcome.score.shares() {
            if let Some(share) = share {
                let (total, count) = sum.shares.entry(name).or_default();
                *total += share;
                *count += 1;
            }
        }
    }
}

fn row(format: &str, ours: &Sum, theirs: Option<&Sum>) {
    let both = |figure: &dyn Fn(&Sum) -> String| {
        let theirs = theirs.map(|sum| format!(" / {}", figure(sum)));
        figure(ours) + &theirs.unwrap_or_default()
    };
    let share = |name: &'static str| {
        both(&|sum| {
            let share = sum.shares.get(name);
            share.map_or("–".to_owned(), |(total, count)| {
                format!("{:.2}", total / f64::from(*count))
            })
        })
    };
    println!(
        "| {} | {} | {} | {} | {} | {} | {} | {} |",
        format.trim_start_matches('~'),
        ours.documents,
        share("headings"),
        share("items"),
        share("cells"),
        share("words"),
        both(&|sum| format!("{:.0}", sum.seconds * 1000.0 / f64::from(sum.documents))),
        both(&|sum| format!("{:.0}", sum.peak)),
    );
}
