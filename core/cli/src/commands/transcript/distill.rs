//! `coffer transcript distill`: what a session taught goes into the journal of its project.

use clap::{ArgGroup, Args};
use coffer_api::agents::AgentsOut;
use coffer_api::distill::{DistillIn, DistillMode, DistillOut, DistillStatus};
use coffer_api::error::ErrorCode;
use coffer_api::jobs::JobResult;
use coffer_api::routes;
use coffer_api::transcripts::{TranscriptDetailOut, TranscriptsOut};
use coffer_client::{Client, ClientError, with_query};

use crate::cli::Cli;
use crate::failure::Failure;
use crate::here;
use crate::progress::{self, meanwhile};
use crate::render::Page;
use crate::words::{agent_name, word};

/// Which session, and how far it goes.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("which").required(true).args(["session", "project"])))]
pub(crate) struct Distill {
    /// The session's id
    session: Option<String>,
    /// The session that was active last in this folder, or below it
    #[arg(long, value_name = "PATH")]
    project: Option<String>,
    /// The agent, such as `claude-code`; the one that has the session when absent
    #[arg(long, value_name = "NAME", value_parser = agent_name())]
    agent: Option<String>,
    /// Show what the model would be sent, and ask nobody
    #[arg(long, conflicts_with = "preview")]
    dry_run: bool,
    /// Ask the model, show what it says, and write nothing
    #[arg(long)]
    preview: bool,
}

impl Distill {
    /// Runs it to its end.
    pub(crate) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        let client = cli.client()?;
        let mode = match (self.dry_run, self.preview) {
            (true, _) => DistillMode::DryRun,
            (false, true) => DistillMode::Preview,
            (false, false) => DistillMode::Run,
        };
        let project = self.project.as_deref().map(here::absolute).transpose()?;
        let body = DistillIn { session_id: self.session, project_path: project, mode: Some(mode) };
        let agent = match self.agent {
            Some(agent) => agent,
            None => meanwhile("looking for the session", || agent_of(&client, &body))?,
        };
        let path = routes::fill(routes::DISTILL, &[&agent]);
        let work =
            meanwhile("reading the transcript", || client.work_on(&path, &body, progress::FIRST))?;
        let done: DistillOut = progress::follow(&client, work, |result| {
            if let JobResult::Distill(done) = result { Some(done) } else { None }
        })?;
        cli.screen.show(&done, |page| {
            show(page, &done);
            page.aside(format!("Session {} of {agent}.", done.session_id));
        })?;
        if is_well(done.status) { Ok(()) } else { Err(Failure::Unwell) }
    }
}

/// The registered agent that has the session that is meant.
fn agent_of(client: &Client, body: &DistillIn) -> Result<String, Failure> {
    let agents: AgentsOut = client.get(routes::AGENTS)?;
    let readable = agents.agents.into_iter().filter(|agent| agent.capabilities.transcripts);
    let mut names = readable.map(|agent| agent.name).collect::<Vec<_>>();
    if names.len() == 1 {
        return Ok(names.remove(0));
    }
    let mut having: Vec<(String, String)> = Vec::new();
    for name in names {
        let last_activity = match body {
            DistillIn { session_id: Some(id), .. } => has(client, &name, id)?,
            DistillIn { project_path, .. } => latest(client, &name, project_path.clone())?,
        };
        having.extend(last_activity.map(|time| (time, name)));
    }
    let is_session = body.session_id.is_some();
    match having.iter().max() {
        None => Err(Failure::Missing(
            "no registered agent has such a session; `coffer agent list` shows who is, and \
             `coffer agent connect` registers one"
                .to_owned(),
        )),
        Some(_) if is_session && having.len() > 1 => Err(Failure::Usage {
            message: "several agents have a session of this id".to_owned(),
            hint: Some("Name one with `--agent`.".to_owned()),
        }),
        Some((_, name)) => Ok(name.clone()),
    }
}

/// When the session was active last, if the agent has it.
fn has(client: &Client, agent: &str, id: &str) -> Result<Option<String>, Failure> {
    let path = routes::fill(routes::TRANSCRIPT, &[agent, id]);
    let path = with_query(&path, &[("limit", Some("1".to_owned()))]);
    match client.get::<TranscriptDetailOut>(&path) {
        Ok(found) => Ok(Some(found.session.last_activity_at.unwrap_or_default())),
        Err(ClientError::Api { error, .. })
            if error.code == ErrorCode::TranscriptSessionNotFound =>
        {
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

/// When the agent was active last in a project.
fn latest(
    client: &Client,
    agent: &str,
    project: Option<String>,
) -> Result<Option<String>, Failure> {
    let query = [("project", project), ("limit", Some("1".to_owned()))];
    let path = with_query(&routes::fill(routes::TRANSCRIPTS, &[agent]), &query);
    let found: TranscriptsOut = client.get(&path)?;
    let session = found.sessions.into_iter().next();
    Ok(session.map(|session| session.last_activity_at.unwrap_or_default()))
}

const fn is_well(status: DistillStatus) -> bool {
    match status {
        DistillStatus::Distilled
        | DistillStatus::Preview
        | DistillStatus::DryRun
        | DistillStatus::AlreadyDistilled
        | DistillStatus::Empty
        | DistillStatus::NoModel
        | DistillStatus::NotAProject
        | DistillStatus::Off => true,
        DistillStatus::Budget
        | DistillStatus::Unavailable
        | DistillStatus::Refused
        | DistillStatus::Malformed => false,
    }
}

fn show(page: &mut Page, done: &DistillOut) {
    if let Some(would_send) = &done.would_send {
        page.block(would_send);
        page.gap();
        page.aside(format!("About {} tokens. Nothing was sent.", done.tokens.unwrap_or_default()));
        return;
    }
    for insight in &done.insights {
        page.heading(&insight.name);
        page.line(&insight.description);
        if !insight.body.is_empty() {
            page.gap();
            page.block(&insight.body);
        }
        page.gap();
    }
    page.line(said(done));
    for (count, what) in [
        (done.omitted_turns, "earlier turns were more than the model is given"),
        (done.withheld_turns, "turns could not be searched for secrets, and were held back"),
        (done.left_out, "more that the model named were left out"),
    ] {
        if count > 0 {
            page.aside(format!("{count} {what}."));
        }
    }
}

fn said(done: &DistillOut) -> String {
    let journal = done.journal_path.as_deref().unwrap_or_default();
    let reason = done.reason.clone().unwrap_or_else(|| word(&done.status));
    match done.status {
        DistillStatus::Distilled if done.insights.is_empty() => {
            "The session taught nothing worth keeping.".to_owned()
        }
        DistillStatus::Distilled => format!("{} written to {journal}", done.written),
        DistillStatus::Preview => "Nothing was written.".to_owned(),
        DistillStatus::DryRun => "Nothing was sent.".to_owned(),
        DistillStatus::AlreadyDistilled => "The session was distilled already.".to_owned(),
        DistillStatus::Empty => "Nothing was said in the session.".to_owned(),
        DistillStatus::NoModel => {
            "No engine is set; `coffer settings engine set` sets one.".to_owned()
        }
        DistillStatus::NotAProject => "The session was in no git project.".to_owned(),
        DistillStatus::Off => "Sessions that end are not distilled any more.".to_owned(),
        DistillStatus::Budget
        | DistillStatus::Unavailable
        | DistillStatus::Refused
        | DistillStatus::Malformed => format!("Nothing was written: {reason}"),
    }
}
