//! What can be typed.

use clap::{Parser, Subcommand};

use crate::cli::Cli;
use crate::commands::{
    agent, audit, auth, completions, credentials, doctor, export, handoff, import, jobs, kb, mcp,
    memory, models, open, purge, reindex, resume, scope, serve, settings, status, stop, transcript,
};
use crate::failure::Failure;

/// One shared memory for all your coding agents, in plain Markdown files.
#[derive(Debug, Parser)]
#[command(name = "coffer", version, propagate_version = true, max_term_width = 100)]
#[command(after_help = "Exit codes: 0 done, 1 failed, 2 wrong usage or input, 3 conflict, \
    4 not found, 5 Coffer or its files unavailable, 6 refused for safety.")]
pub(crate) struct Arguments {
    /// Print the API's JSON instead of text
    #[arg(long, global = true)]
    pub(crate) json: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run the server until it is stopped
    Serve(serve::Serve),
    /// What is running and what it holds
    Status,
    /// Open the viewer
    Open(open::Open),
    /// Stop the running server
    Stop,
    /// The memory stores and their facts
    #[command(subcommand)]
    Memory(memory::Memory),
    /// Knowledge bases: documents made of any file, searched
    #[command(subcommand)]
    Kb(kb::Kb),
    /// Save the working state of this project and branch
    Handoff(handoff::Handoff),
    /// Show the working state saved for this project and branch
    Resume,
    /// Which store this directory belongs to
    Scope,
    /// Preferences, and which models are used
    Settings(settings::Settings),
    /// Keys of models: set and deleted, never shown
    #[command(subcommand)]
    Credentials(credentials::Credentials),
    /// Connect coding agents, and disconnect them
    #[command(subcommand)]
    Agent(agent::Agent),
    /// What happened: changes, or calls by agents
    Audit(audit::Audit),
    /// What agents keep of their sessions
    #[command(subcommand)]
    Transcript(transcript::Transcript),
    /// Check that everything is in order
    Doctor(doctor::Doctor),
    /// Compare files with the index and heal what differs
    Reindex(reindex::Reindex),
    /// Write stores into an archive
    Export(export::Export),
    /// Take in an archive, or what another program remembers
    Import(import::Import),
    /// Embedding models of this machine
    #[command(subcommand)]
    Models(models::Models),
    /// Take a text out of everything that Coffer keeps
    Purge(purge::Purge),
    /// The server's token
    #[command(subcommand)]
    Auth(auth::Auth),
    /// Background work
    Jobs(jobs::Jobs),
    /// Serve an agent over stdin and stdout (MCP)
    Mcp(mcp::Mcp),
    /// Print completions for a shell
    Completions(completions::Completions),
}

impl Command {
    /// Does what was typed.
    pub(crate) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        match self {
            Self::Serve(serve) => serve.run(cli),
            Self::Status => status::run(cli),
            Self::Open(open) => open.run(cli),
            Self::Stop => stop::run(cli),
            Self::Memory(memory) => memory.run(cli),
            Self::Kb(kb) => kb.run(cli),
            Self::Handoff(handoff) => handoff.run(cli),
            Self::Resume => resume::run(cli),
            Self::Scope => scope::run(cli),
            Self::Settings(settings) => settings.run(cli),
            Self::Credentials(credentials) => credentials.run(cli),
            Self::Agent(agent) => agent.run(cli),
            Self::Audit(audit) => audit.run(cli),
            Self::Transcript(transcript) => transcript.run(cli),
            Self::Doctor(doctor) => doctor.run(cli),
            Self::Reindex(reindex) => reindex.run(cli),
            Self::Export(export) => export.run(cli),
            Self::Import(import) => import.run(cli),
            Self::Models(models) => models.run(cli),
            Self::Purge(purge) => purge.run(cli),
            Self::Auth(auth) => auth.run(cli),
            Self::Jobs(jobs) => jobs.run(cli),
            Self::Mcp(mcp) => mcp.run(cli),
            Self::Completions(completions) => completions.run(cli),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_definition_is_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn lines_that_are_understood() {
        for line in [
            "status --json",
            "--json status",
            "serve --port 0",
            "serve --detach",
            "open --browser",
            "open --print",
            "memory list",
            "memory describe",
            "memory describe global",
            "memory add we use jj here",
            "memory add - --global --title T --description D",
            "memory add x --store global",
            "memory facts --limit 5 --offset 5 -q jj",
            "memory get 01JXYZ01JXYZ01JXYZ01JXYZ01",
            "memory get global 01JXYZ01JXYZ01JXYZ01JXYZ01",
            "memory edit global 01J --text - --if-sha256 abc",
            "memory edit 01J --editor",
            "memory delete global 01J --yes",
            "memory clear --yes",
            "memory recall how do we test --scope both --mode keyword --top-k 3",
            "memory reindex",
            "memory rules global",
            "memory journal",
            "memory handoffs",
            "memory log",
            "memory label Work",
            "memory label global Work",
            "memory label --clear",
            "memory metrics",
            "memory config --default-mode grep --modes grep,keyword --max-fact-chars 4096",
            "handoff half done",
            "handoff -",
            "resume",
            "scope",
            "settings",
            "settings get serve_agents",
            "settings set auto_organize.enabled true",
            "settings embedding",
            "settings embedding show --json",
            "settings embedding set --provider ollama --model m --dimensions 768",
            "settings engine set --provider openai --model m --base-url https://a --credential k",
            "settings engine clear",
            "settings embedding test",
            "credentials list",
            "credentials set openai",
            "credentials delete openai",
            "agent list",
            "agent candidates --json",
            "agent connect claude_code --dry-run",
            "agent connect claude-code --name work --config-dir /x",
            "agent disconnect codex --dry-run",
            "agent show codex --json",
            "agent native-memory codex off",
            "agent native-memory codex restore --dry-run",
            "audit --limit 3 --event memory_added",
            "audit --calls",
            "transcript list claude-code -q parser --sort started_at --ascending --limit 3",
            "transcript show codex 01a2 --limit 3",
            "doctor --fix",
            "doctor --deep",
            "doctor --deep --fix",
            "reindex --all",
            "export --to x.tar.gz",
            "export global project-01JXYZ01JXYZ01JXYZ01JXYZ01 --to x.tar.gz --replace",
            "import x.tar.gz",
            "import notes --format markdown --store global --dry-run",
            "import memory.jsonl --format mcp-memory",
            "models list",
            "models add folder --name minilm",
            "models pull minilm --from https://example.org/minilm",
            "models pull minilm",
            "models remove minilm",
            "purge --match walnut --dry-run",
            "purge --match - --yes",
            "purge --match",
            "purge --regex wal.ut --yes",
            "purge --secrets",
            "auth rotate",
            "jobs",
            "jobs list",
            "jobs get 01J",
            "jobs cancel 01J",
            "mcp --agent codex",
            "completions bash",
        ] {
            let words = std::iter::once("coffer").chain(line.split(' '));
            Arguments::try_parse_from(words).unwrap_or_else(|error| panic!("{line}: {error}"));
        }
    }

    #[test]
    fn lines_about_knowledge_bases_that_are_understood() {
        for line in [
            "kb list",
            "kb create guide --description D --chunk-size 256 --auto-update-sources true",
            "kb describe guide",
            "kb config guide --modes keyword,vector --default-mode hybrid",
            "kb config guide --embedding-provider ollama --embedding-model m",
            "kb config guide --no-embedding",
            "kb add guide a.pdf folder --replace",
            "kb docs guide --limit 5 -q deploy",
            "kb get guide 01JXYZ01JXYZ01JXYZ01JXYZ01",
            "kb edit guide 01J --text -",
            "kb edit guide 01J --editor",
            "kb delete guide 01J --yes",
            "kb search guide how do we deploy --top-k 3",
            "kb grep guide de.loy --max-matches 5 --case-sensitive",
            "kb reconvert guide 01J",
            "kb update-source guide 01J",
            "kb check-sources guide",
            "kb watch guide --every 30",
            "kb reindex guide",
            "kb metrics guide",
            "kb enable guide",
            "kb disable guide",
            "kb drop guide --yes",
        ] {
            let words = std::iter::once("coffer").chain(line.split(' '));
            Arguments::try_parse_from(words).unwrap_or_else(|error| panic!("{line}: {error}"));
        }
    }

    #[test]
    fn lines_that_are_not() {
        for line in [
            "",
            "memory",
            "memory add",
            "memory add x --store global --global",
            "memory get",
            "memory get a b c",
            "memory edit global 01J",
            "memory edit 01J --text a --editor",
            "memory recall",
            "memory recall x --mode psychic",
            "memory recall x --scope elsewhere",
            "memory config --fusion sum",
            "memory label",
            "memory label --clear Work Old Other",
            "kb",
            "kb add guide",
            "kb edit guide 01J",
            "kb search guide",
            "kb watch guide --every 0",
            "kb config guide --embedding-provider ollama",
            "serve --port 65536",
            "serve --host 0.0.0.0",
            "settings set only_a_key",
            "settings embedding set --provider ollama",
            "settings embedding set --provider nobody --model m",
            "settings engine set --provider openai --model m --dimensions 3",
            "credentials",
            "credentials set",
            "credentials set openai sk-typed-where-others-read",
            "agent",
            "agent connect",
            "agent connect robot",
            "agent native-memory codex",
            "export",
            "export global",
            "import",
            "import x --format word",
            "models",
            "models add",
            "models remove",
            "purge",
            "purge --dry-run",
            "purge --secrets --match walnut",
            "audit --limit x",
            "jobs get",
            "completions vim",
            "auth",
        ] {
            let words = std::iter::once("coffer").chain(line.split(' ').filter(|w| !w.is_empty()));
            let error = Arguments::try_parse_from(words).expect_err(line);
            assert_eq!(error.exit_code(), 2, "{line}");
        }
    }
}
