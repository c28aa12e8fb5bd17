//! `coffer transcript`: what agents keep of their sessions.

mod distill;

use clap::{Args, Subcommand, ValueEnum};
use coffer_api::routes;
use coffer_api::transcripts::{
    TranscriptDetailOut, TranscriptOut, TranscriptState, TranscriptsOut, TurnRole,
};
use coffer_client::with_query;

use crate::cli::Cli;
use crate::failure::Failure;
use crate::progress::meanwhile;
use crate::render::moment;
use crate::words::{agent_name, word};
use distill::Distill;

/// What to do with transcripts.
#[derive(Debug, Subcommand)]
pub(crate) enum Transcript {
    /// The sessions of an agent, the latest first
    List(List),
    /// What was said in a session, without secrets
    Show(Show),
    /// Write down in its project's journal what a session taught
    Distill(Distill),
}

/// Which sessions.
#[derive(Debug, Args)]
pub(crate) struct List {
    /// The agent, such as `claude-code`
    #[arg(value_parser = agent_name())]
    agent: String,
    /// Part of the title or of the project's path
    #[arg(short, long)]
    query: Option<String>,
    /// Only sessions that began in this folder, or below it
    #[arg(long)]
    project: Option<String>,
    /// Only those that began then or later (RFC 3339, or a day)
    #[arg(long)]
    started_after: Option<String>,
    /// Only those that began before then
    #[arg(long)]
    started_before: Option<String>,
    /// What they are ordered by
    #[arg(long, value_enum)]
    sort: Option<Sort>,
    /// The smallest first
    #[arg(long)]
    ascending: bool,
    /// How many
    #[arg(long)]
    limit: Option<u32>,
    /// How many are left out at the beginning
    #[arg(long)]
    offset: Option<u32>,
}

/// Which session.
#[derive(Debug, Args)]
pub(crate) struct Show {
    /// The agent, such as `claude-code`
    #[arg(value_parser = agent_name())]
    agent: String,
    /// The session's id
    id: String,
    /// Only what stands after this position
    #[arg(long)]
    after: Option<String>,
    /// How many turns
    #[arg(long)]
    limit: Option<u32>,
}

/// As the API calls them.
#[derive(Debug, Clone, Copy, ValueEnum)]
#[value(rename_all = "snake_case")]
enum Sort {
    StartedAt,
    LastActivityAt,
    MessageCount,
}

impl Transcript {
    /// Does it.
    pub(crate) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        match self {
            Self::List(list) => list.run(cli),
            Self::Show(show) => show.run(cli),
            Self::Distill(distill) => distill.run(cli),
        }
    }
}

impl List {
    fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        let sort = self.sort.and_then(|sort| sort.to_possible_value());
        let query = [
            ("q", self.query),
            ("project", self.project),
            ("started_after", self.started_after),
            ("started_before", self.started_before),
            ("sort", sort.map(|sort| sort.get_name().to_owned())),
            ("order", self.ascending.then(|| "asc".to_owned())),
            ("limit", self.limit.map(|limit| limit.to_string())),
            ("offset", self.offset.map(|offset| offset.to_string())),
        ];
        let path = with_query(&routes::fill(routes::TRANSCRIPTS, &[&self.agent]), &query);
        let client = cli.client()?;
        let found: TranscriptsOut = meanwhile("reading transcripts", || client.get(&path))?;
        cli.screen.show(&found, |page| {
            let headers = ["session", "title", "project", "messages", "last activity"];
            page.table(headers, found.sessions.iter().map(row), "No session was found.");
            if found.total > found.sessions.len() as u64 {
                page.aside(format!("{} of {}", found.sessions.len(), found.total));
            }
            for unseen in &found.unseen {
                page.aside(format!("{}: {}", unseen.path, unseen.reason));
            }
        })
    }
}

fn row(session: &TranscriptOut) -> [String; 5] {
    let title = match session.state {
        TranscriptState::Read => session.title.clone().unwrap_or_default(),
        TranscriptState::FormatUnknown | TranscriptState::Unreadable => {
            format!("({})", word(&session.state).replace('_', " "))
        }
    };
    [
        session.session_id.clone(),
        title,
        session.project_path.clone().unwrap_or_default(),
        session.message_count.to_string(),
        session.last_activity_at.as_deref().map(moment).unwrap_or_default(),
    ]
}

impl Show {
    fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        let query = [("after", self.after), ("limit", self.limit.map(|limit| limit.to_string()))];
        let path = routes::fill(routes::TRANSCRIPT, &[&self.agent, &self.id]);
        let path = with_query(&path, &query);
        let client = cli.client()?;
        let shown: TranscriptDetailOut = meanwhile("reading the transcript", || client.get(&path))?;
        cli.screen.show(&shown, |page| {
            page.heading(shown.session.title.as_deref().unwrap_or(&shown.session.session_id));
            for turn in &shown.turns {
                let who = match turn.role {
                    TurnRole::Human => "you",
                    TurnRole::Assistant => "agent",
                };
                page.gap();
                page.aside(format!(
                    "{who} {}",
                    turn.time.as_deref().map(moment).unwrap_or_default()
                ));
                page.block(&turn.text);
            }
            if let Some(next) = &shown.next {
                page.gap();
                page.aside(format!("There is more: --after {next}"));
            }
        })
    }
}
