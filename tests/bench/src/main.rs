//! Figures of the whole program, and the quality of its answers: real server process, real files,
//! real HTTP. Started by `cargo xtask bench`, `bases`, `retrieval`, `convert` and `transcripts`; the
//! figures of the scrubber of secrets by `cargo run --release --package coffer-bench secrets`, those of
//! an embedding model by `… embedding --model FOLDER`.
//!
//! Deliberately absent: anything of the engine but these three, which no client can reach by itself.
//! What is measured is what a client sees.

#![expect(clippy::print_stdout, reason = "a report is what this program is for")]
#![expect(
    clippy::disallowed_methods,
    reason = "a measuring program starts programs and lays files"
)]

mod bases;
mod convert;
mod corpus;
mod embedding;
mod figures;
mod mcp;
mod process;
mod report;
mod retrieval;
mod secrets;
mod server;
mod spread;
mod transcripts;

use std::path::PathBuf;

use clap::Parser;

/// What to measure.
#[derive(Parser)]
enum Task {
    /// Time, memory and size at several numbers of notes.
    Figures {
        /// The program, as `cargo build --release` made it.
        #[arg(long)]
        coffer: PathBuf,
        /// Numbers of notes.
        #[arg(long, value_delimiter = ',', default_value = "1000,10000,100000")]
        notes: Vec<usize>,
        /// The seed of the corpus.
        #[arg(long, default_value_t = 20)]
        seed: u64,
    },
    /// A knowledge base: a folder of pages taken in, searched, grepped, deleted.
    Bases {
        /// The program, as `cargo build --release` made it.
        #[arg(long)]
        coffer: PathBuf,
        /// How many pages.
        #[arg(long, default_value_t = 5_000)]
        pages: usize,
        /// The seed of the corpus.
        #[arg(long, default_value_t = 20)]
        seed: u64,
    },
    /// nDCG@10 and recall@10 of data sets: folders with corpus.jsonl, queries.jsonl, qrels.jsonl.
    Retrieval {
        /// The program, as `cargo build --release` made it.
        #[arg(long)]
        coffer: PathBuf,
        /// At most so many queries a set, evenly spread.
        #[arg(long)]
        limit: Option<usize>,
        /// The folder of a local embedding model: terms, meaning and both are measured side by side.
        #[arg(long)]
        model: Option<PathBuf>,
        /// The folders.
        #[arg(required = true)]
        sets: Vec<PathBuf>,
    },
    /// Time and memory of a local embedding model, such as `cargo xtask model` fetches.
    Embedding {
        /// The model's folder.
        #[arg(long)]
        model: PathBuf,
    },
    /// What is kept of real documents when they are converted.
    Convert {
        /// The program, as `cargo build --release` made it.
        #[arg(long)]
        coffer: PathBuf,
        /// A Python with markitdown, to be measured as well.
        #[arg(long)]
        peer: Option<PathBuf>,
    },
    /// Secrets that are found, lines that are wrongly changed, and megabytes a second.
    Secrets {
        /// Texts of each kind in each form.
        #[arg(long, default_value_t = 20)]
        samples: u64,
        /// The seed of the corpus.
        #[arg(long, default_value_t = 20)]
        seed: u64,
    },
    /// Time and memory of lists of agents' sessions, over files that are made for it.
    Transcripts {
        /// `claude_code` or `codex`.
        #[arg(long, default_value = "claude_code")]
        agent: String,
        /// How many sessions.
        #[arg(long, default_value_t = 5_000)]
        sessions: usize,
        /// MiB of all of them.
        #[arg(long, default_value_t = 1_907)]
        mib: usize,
        /// The seed of their words.
        #[arg(long, default_value_t = 20)]
        seed: u64,
    },
}

fn main() -> anyhow::Result<()> {
    match Task::parse() {
        Task::Figures { coffer, notes, seed } => figures::measure(&coffer, &notes, seed),
        Task::Bases { coffer, pages, seed } => bases::measure(&coffer, pages, seed),
        Task::Retrieval { coffer, limit, model, sets } => {
            retrieval::evaluate(&retrieval::Setup { coffer, limit, model }, &sets)
        }
        Task::Convert { coffer, peer } => convert::measure(&coffer, peer.as_deref()),
        Task::Embedding { model } => embedding::measure(&model),
        Task::Secrets { samples, seed } => secrets::measure(samples, seed),
        Task::Transcripts { agent, sessions, mib, seed } => {
            transcripts::measure(&transcripts::Setup { agent, sessions, mib, seed })
        }
    }
}
