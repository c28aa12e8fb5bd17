//! `coffer agent`: connecting coding agents to Coffer, and undoing it.

use clap::{Args, Subcommand, ValueEnum};
use coffer_api::agents::{
    AgentIn, AgentOut, AgentPatch, AgentTrialIn, AgentType, AgentsOut, CandidatesOut,
    InstallationOut,
};
use coffer_api::routes;
use coffer_client::Method;
use coffer_env::Surroundings;

use crate::cli::Cli;
use crate::failure::Failure;
use crate::here;
use crate::render::Page;
use crate::words::{agent_name, parse, word};

/// What to do with them.
#[derive(Debug, Subcommand)]
pub(crate) enum Agent {
    /// Show the registered agents
    List,
    /// Show agents of this machine that are not registered
    Candidates,
    /// Register an agent, and let it use Coffer's memory
    Connect(Connect),
    /// Undo all that connecting did, and forget the agent
    Disconnect {
        /// The agent's name
        #[arg(value_parser = agent_name())]
        name: String,
        /// Show what would change, and change nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Show an agent and what Coffer has in its files
    Show {
        /// The agent's name
        #[arg(value_parser = agent_name())]
        name: String,
    },
    /// Switch an agent's own memory off, or back to what it was
    NativeMemory {
        /// The agent's name
        #[arg(value_parser = agent_name())]
        name: String,
        /// Whether it is off or as it was
        switch: Switch,
        /// Show what would change, and change nothing
        #[arg(long)]
        dry_run: bool,
    },
}

/// Which agent to connect.
#[derive(Debug, Args)]
pub(crate) struct Connect {
    /// claude_code, codex, opencode, gemini, copilot or cursor
    #[arg(value_name = "TYPE", value_parser = agent_type)]
    kind: AgentType,
    /// Its name in Coffer; its type's when absent
    #[arg(long)]
    name: Option<String>,
    /// The folder of its settings; the usual one when absent
    #[arg(long, value_name = "FOLDER")]
    config_dir: Option<String>,
    /// Show what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
}

/// The two ways of an agent's own memory.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Switch {
    /// Coffer switches it off
    Off,
    /// It is as it was before
    Restore,
}

impl Agent {
    /// Does it.
    pub(crate) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        match self {
            Self::List => list(cli),
            Self::Candidates => candidates(cli),
            Self::Connect(connect) => connect.run(cli),
            Self::Disconnect { name, dry_run } => {
                let body = AgentTrialIn { dry_run };
                let gone: AgentOut = cli.client()?.call(Method::DELETE, &path(&name), &body)?;
                let said = format!("{name} is disconnected.");
                cli.screen.show(&gone, |page| changed(page, &gone.diff, &[], dry_run, &said))
            }
            Self::Show { name } => show(cli, &name),
            Self::NativeMemory { name, switch, dry_run } => {
                native_memory(cli, &name, switch, dry_run)
            }
        }
    }
}

impl Connect {
    fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        let Self { kind, name, config_dir, dry_run } = self;
        let config_dir = match (config_dir, moved(kind)) {
            (Some(typed), _) => Some(here::folder(&typed)?),
            (None, Some(moved)) => Some(here::absolute(&moved)?),
            (None, None) => None,
        };
        let body = AgentIn { kind, name, config_dir, connect: true, dry_run };
        let agent: AgentOut = cli.client()?.call(Method::POST, routes::AGENTS, &body)?;
        let said = format!("{} is connected.", agent.name);
        cli.screen.show(&agent, |page| changed(page, &agent.diff, &agent.notes, dry_run, &said))
    }
}

/// Where this shell's variables say that an agent's folder is; the server may not know them.
fn moved(kind: AgentType) -> Option<String> {
    let around = Surroundings::discover();
    let folder = match kind {
        AgentType::ClaudeCode => around.claude,
        AgentType::Codex => around.codex,
        AgentType::Copilot => around.copilot,
        AgentType::Gemini => around.gemini.is_some().then(|| around.gemini_folder()).flatten(),
        AgentType::OpenCode => {
            around.settings.is_some().then(|| around.in_settings("opencode")).flatten()
        }
        AgentType::Cursor => None,
    };
    folder.and_then(|folder| folder.into_os_string().into_string().ok())
}

fn list(cli: &mut Cli) -> Result<(), Failure> {
    let found: AgentsOut = cli.client()?.get(routes::AGENTS)?;
    cli.screen.show(&found, |page| {
        let rows = found.agents.iter().map(|agent| {
            let AgentOut { mcp_installed, hook_installed, disable_native_memory, .. } = agent;
            let memory = if *disable_native_memory { "off" } else { "its own" };
            [
                agent.name.clone(),
                yes(*mcp_installed),
                yes(*hook_installed),
                memory.to_owned(),
                agent.config_dir.clone(),
            ]
        });
        let none = "No agents. `coffer agent candidates` shows which could be connected.";
        page.table(["name", "mcp", "hook", "memory", "folder"], rows, none);
    })
}

fn candidates(cli: &mut Cli) -> Result<(), Failure> {
    let found: CandidatesOut = cli.client()?.get(routes::AGENT_CANDIDATES)?;
    cli.screen.show(&found, |page| {
        let rows = found
            .candidates
            .iter()
            .map(|it| [word(&it.kind), it.name.clone(), yes(it.executable), it.config_dir.clone()]);
        page.table(["type", "name", "program", "folder"], rows, "No further agents were found.");
    })
}

/// An agent and its two installations, as one answer.
#[derive(serde::Serialize)]
struct Shown {
    agent: AgentOut,
    mcp_install: InstallationOut,
    hook_install: InstallationOut,
}

fn show(cli: &mut Cli, name: &str) -> Result<(), Failure> {
    let client = cli.client()?;
    let shown = Shown {
        agent: client.get(&path(name))?,
        mcp_install: client.get(&routes::fill(routes::AGENT_MCP, &[name]))?,
        hook_install: client.get(&routes::fill(routes::AGENT_HOOK, &[name]))?,
    };
    cli.screen.show(&shown, |page| {
        let memory = if shown.agent.disable_native_memory { "switched off" } else { "its own" };
        page.fields(&[
            ("name", shown.agent.name.clone()),
            ("type", word(&shown.agent.kind)),
            ("folder", shown.agent.config_dir.clone()),
            ("detected", yes(shown.agent.detected)),
            ("memory", memory.to_owned()),
        ]);
        let parts = [("mcp", &shown.mcp_install), ("hook", &shown.hook_install)];
        let rows = parts.iter().flat_map(|(part, installation)| {
            installation
                .files
                .iter()
                .map(|it| [(*part).to_owned(), word(&it.state), it.path.clone()])
        });
        page.table(["part", "state", "file"], rows, "Nothing can be installed.");
        if parts.iter().any(|(_, installation)| installation.drift) {
            let again =
                format!("`coffer agent connect {}` puts it right.", word(&shown.agent.kind));
            page.line(format!("Somebody else changed what Coffer wrote. {again}"));
        }
    })
}

fn native_memory(cli: &mut Cli, name: &str, switch: Switch, dry_run: bool) -> Result<(), Failure> {
    let (disable, said) = match switch {
        Switch::Off => (true, "is switched off"),
        Switch::Restore => (false, "is as it was"),
    };
    let body = AgentPatch { disable_native_memory: Some(disable), dry_run };
    let agent: AgentOut = cli.client()?.call(Method::PATCH, &path(name), &body)?;
    let said = format!("The memory of {name} {said}.");
    cli.screen.show(&agent, |page| changed(page, &agent.diff, &agent.notes, dry_run, &said))
}

/// The diff of a trial, or that it is done.
fn changed(page: &mut Page, diff: &str, notes: &[String], dry_run: bool, said: &str) {
    match (dry_run, diff.is_empty()) {
        (true, true) => page.line("Nothing would change."),
        (true, false) => diff.lines().for_each(|line| page.line(line)),
        (false, _) => page.line(said),
    }
    for note in notes.iter().filter(|_| !dry_run) {
        page.line(note);
    }
}

fn path(name: &str) -> String {
    routes::fill(routes::AGENT, &[name])
}

fn yes(is: bool) -> String {
    if is { "yes" } else { "no" }.to_owned()
}

/// `claude-code`, as the agent's name is written, stands for its type too.
fn agent_type(text: &str) -> Result<AgentType, String> {
    parse(&text.replace('-', "_"))
}
