//! Reading one session: from where it was left off, to the journal and the ledger.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use coffer_domain::fact::Author;
use coffer_domain::id::sha256;
use coffer_domain::journal::Origin;
use coffer_domain::store::StoreName;
use coffer_domain::time::Timestamp;
use coffer_env::clock;

use super::answer::{self, Insight, Named};
use super::ledger::Part;
use super::window::Window;
use super::{Asked, Distill, DistillRequest, Distilled, Status};
use crate::engine::{ANSWER, EngineFailure, Writer, estimated};
use crate::error::{Error, Result};
use crate::index::DistilledRow;
use crate::memory::{Entries, EntryIn, Resolved};
use crate::sessions::{Position, Session, Shelf};

/// What the model is told to do.
const PROMPT: &str = include_str!("prompts/distill.md");
/// A session is given so many tokens at most, and so large a part of a day's.
const TOKENS: u64 = 20_000;
const PART_OF_DAY: u64 = 4;
/// An answer that cannot be used is asked for once more.
const ATTEMPTS: usize = 2;
/// The places of so many turns are noted: a session may lose its last ones again.
const PLACES: usize = 32;

/// A session as it was read.
struct Read<'r> {
    agent: &'r str,
    session: Session,
    /// The store that its insights go into.
    place: Resolved,
    known: Vec<Part>,
    window: Window,
    /// Where its last turns stand.
    positions: VecDeque<Position>,
    /// Of the turns.
    sha256: String,
    /// Just before it was read.
    began: Timestamp,
}

impl Distill {
    /// Distills a session. `cwd` stands in where its transcript names no folder; `go_on` is asked
    /// while the model works.
    ///
    /// # Errors
    ///
    /// `TranscriptNotFound`; `Cancelled`; files or an index that cannot be used. What a model does
    /// wrong is a status.
    pub fn run(
        &self,
        shelf: &Shelf,
        request: &DistillRequest,
        cwd: Option<&Path>,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Distilled> {
        let DistillRequest { agent, session, asked, preview } = request;
        let _claim = self.0.claims.take(agent, session);
        let nothing = |status| Ok(Distilled::nothing(session, status));
        if *asked == Asked::Ended && !self.0.settings.get().distill.on_session_end {
            return nothing(Status::Off);
        }
        let writer = match self.0.engine.writer() {
            Ok(Some(writer)) => writer,
            Ok(None) => return nothing(Status::NoModel),
            Err(Error::EngineUnavailable(reason)) => {
                let nothing = Distilled::nothing(session, Status::Unavailable);
                return Ok(Distilled { reason: Some(reason), ..nothing });
            }
            Err(error) => return Err(error),
        };
        let found = self.0.sessions.find(shelf, session)?;
        let place = self.place(&found, cwd)?;
        if place.store == StoreName::Global && *asked != Asked::Person {
            return nothing(Status::NotAProject);
        }
        let read = self.read(shelf, agent, session, place, go_on)?;
        if let Some(status) = self.needs_nothing(&read)? {
            if !preview && read.session.summary.message_count > 0 {
                self.noted(&read, 0);
            }
            return Ok(Distilled {
                status,
                journal_path: None,
                omitted_turns: 0,
                ..self.about(&read)?
            });
        }
        self.ask_about(&read, &writer, *preview, go_on)
    }

    /// What would be sent of a session, and how much that is; asks no model and writes nothing.
    ///
    /// # Errors
    ///
    /// As `run`.
    pub fn dry_run(&self, shelf: &Shelf, agent: &str, session: &str) -> Result<Distilled> {
        let found = self.0.sessions.find(shelf, session)?;
        let place = self.place(&found, None)?;
        let read = self.read(shelf, agent, session, place, &|| true)?;
        if let Some(status) = self.needs_nothing(&read)? {
            return Ok(Distilled::nothing(session, status));
        }
        let material = read.window.material();
        // As it is right before it leaves: a secret may go over two turns.
        let Ok(scrubbed) = self.0.settings.secrets().scrub(&material) else {
            let reason =
                "it holds secrets that cannot be taken out of it, and stays here".to_owned();
            let (status, reason) = (Status::Refused, Some(reason));
            return Ok(Distilled { status, reason, ..self.about(&read)? });
        };
        let would_send = format!("{PROMPT}\n{}", scrubbed.text);
        Ok(Distilled {
            status: Status::DryRun,
            tokens: Some(estimated(&would_send)),
            would_send: Some(would_send),
            model: self.0.settings.engine().map(|engine| engine.source.model),
            ..self.about(&read)?
        })
    }

    /// The store of the folder that a session was in.
    fn place(&self, session: &Session, cwd: Option<&Path>) -> Result<Resolved> {
        let own = session.summary.project_path.as_deref().map(Path::new);
        // A folder that is not named is in no project.
        self.0.memory.scope(own.or(cwd).unwrap_or_else(|| Path::new("/")))
    }

    fn read<'r>(
        &self,
        shelf: &Shelf,
        agent: &'r str,
        session: &str,
        place: Resolved,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Read<'r>> {
        let known = self.known(agent, session, &place.store)?;
        let before: Vec<Position> = known.iter().flat_map(|part| part.positions.clone()).collect();
        let cap = self.0.settings.get().daily_token_cap;
        let mut window = Window::new(TOKENS.min(cap / PART_OF_DAY));
        let (mut positions, mut keys) = (VecDeque::new(), String::new());
        let mut goes_on = true;
        let began = clock::now();
        let session = self.0.sessions.read(shelf, session, &before, &mut |message, clean| {
            // To look for secrets in a long session takes longest.
            goes_on = goes_on && go_on();
            if !goes_on {
                return;
            }
            positions.push_back(message.position);
            if positions.len() > PLACES {
                positions.pop_front();
            }
            if message.text.trim().is_empty() {
                return;
            }
            keys.extend([message.position.key.to_string(), "\n".to_owned()]);
            match clean.next(&message) {
                Ok(text) => window.add(message.role, &text),
                Err(_) => window.withheld += 1,
            }
        })?;
        if !goes_on {
            return Err(Error::Cancelled);
        }
        let sha256 = sha256(keys);
        Ok(Read { agent, session, place, known, window, positions, sha256, began })
    }

    /// Why no model need be asked about a session.
    fn needs_nothing(&self, read: &Read<'_>) -> Result<Option<Status>> {
        if read.window.is_empty() {
            // What holds words and told none of them has only an earlier session's.
            let is_known = read.session.summary.message_count > 0
                && (read.positions.is_empty() || !read.known.is_empty());
            return Ok(Some(if is_known { Status::AlreadyDistilled } else { Status::Empty }));
        }
        Ok(self.is_content_known(&read.sha256)?.then_some(Status::AlreadyDistilled))
    }

    fn ask_about(
        &self,
        read: &Read<'_>,
        writer: &Writer,
        preview: bool,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Distilled> {
        let material = read.window.material();
        let about = Distilled {
            model: Some(writer.name().to_owned()),
            tokens: Some(estimated(PROMPT) + estimated(&material)),
            ..self.about(read)?
        };
        let named = match ask(writer, &material, go_on) {
            Ok(named) => named,
            Err(EngineFailure::Cancelled) => return Err(Error::Cancelled),
            Err(failure) => return Ok(failed(about, failure)),
        };
        let (insights, left_out) = answer::taken(named, &self.0.settings.secrets());
        if preview {
            return Ok(Distilled { status: Status::Preview, insights, left_out, ..about });
        }
        let (journal_path, written) = self.write(read, &insights)?;
        self.noted(read, insights.len() as u64);
        let journal_path = journal_path.or(about.journal_path);
        Ok(Distilled { insights, left_out, journal_path, written, ..about })
    }

    /// All insights in one write: a crash leaves all of them, or none.
    fn write(&self, read: &Read<'_>, insights: &[Insight]) -> Result<(Option<PathBuf>, u64)> {
        if insights.is_empty() {
            return Ok((None, 0));
        }
        let origin = Origin {
            agent: Some(read.agent.to_owned()),
            session: Some(read.session.summary.session_id.clone()),
            sha256: Some(read.sha256.clone()),
            upto: read.positions.back().map(ToString::to_string),
        };
        let entries = insights.iter().map(|insight| EntryIn {
            title: &insight.name,
            description: &insight.description,
            body: &insight.body,
            origin: origin.clone(),
        });
        let entries = Entries {
            at: ended_at(&read.session),
            project_root: read.place.root.as_deref(),
            entries: entries.collect(),
        };
        let author = Author::agent(read.agent);
        let store = &read.place.store;
        let done = self.0.memory.append_journal(store, entries, &author, clock::now())?;
        Ok((Some(done.path), done.added as u64))
    }

    /// Notes what was read; where that is nothing new, that the part before is still the last one.
    fn noted(&self, read: &Read<'_>, insights: u64) {
        let summary = &read.session.summary;
        let row = |sha256: &str, positions: Vec<Position>, insights| DistilledRow {
            agent: read.agent.to_owned(),
            session_id: summary.session_id.clone(),
            content_sha256: sha256.to_owned(),
            positions: positions.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
            distilled_at: read.began,
            insights,
        };
        self.note(&match read.known.last() {
            Some(Part { positions, sha256, insights }) if read.positions.is_empty() => {
                row(sha256, positions.clone(), *insights)
            }
            // Of a mere copy no message was told: only that there are so many.
            None if read.positions.is_empty() => {
                let end = Position { ordinal: summary.message_count, key: 0 };
                row(&read.sha256, vec![end], insights)
            }
            _ => row(&read.sha256, read.positions.iter().copied().collect(), insights),
        });
    }

    /// What can be said before the model answers.
    fn about(&self, read: &Read<'_>) -> Result<Distilled> {
        let path = self.0.memory.journal_path(&read.place.store, ended_at(&read.session))?;
        Ok(Distilled {
            journal_path: Some(path),
            omitted_turns: read.window.omitted,
            withheld_turns: read.window.withheld,
            ..Distilled::nothing(&read.session.summary.session_id, Status::Distilled)
        })
    }
}

/// Asks for insights; an answer that cannot be used is asked for once more.
fn ask(
    writer: &Writer,
    material: &str,
    go_on: &dyn Fn() -> bool,
) -> Result<Vec<Named>, EngineFailure> {
    let mut answer = writer.ask(PROMPT, material, go_on);
    for _ in 1..ATTEMPTS {
        if matches!(answer, Err(EngineFailure::Malformed(_))) {
            answer = writer.ask(PROMPT, material, go_on);
        }
    }
    answer
}

/// What a model did wrong. Its own words may hold those of the transcript, and are not passed on.
fn failed(about: Distilled, failure: EngineFailure) -> Distilled {
    let (status, reason) = match failure {
        EngineFailure::Budget { .. } => (Status::Budget, failure.to_string()),
        EngineFailure::Malformed(_) => {
            let reason = format!(
                "the model's answer is no JSON array of insights, or longer than {ANSWER} tokens"
            );
            (Status::Malformed, reason)
        }
        EngineFailure::Unavailable(reason) => (Status::Unavailable, without_quote(&reason)),
        EngineFailure::Refused(reason) => (Status::Refused, without_quote(&reason)),
        EngineFailure::Cancelled => (Status::Unavailable, failure.to_string()),
    };
    Distilled { status, reason: Some(reason), journal_path: None, ..about }
}

/// A failure up to where the provider's own words begin.
fn without_quote(reason: &str) -> String {
    let end = reason.find("answered").and_then(|at| Some(at + reason[at..].find(": ")?));
    reason[..end.unwrap_or(reason.len())].to_owned()
}

/// When a session ended: its last record, else its file's last change. No clock makes it end later than
/// now.
fn ended_at(session: &Session) -> Timestamp {
    let told = session.summary.last_activity_at.unwrap_or_else(|| session.changed_at());
    told.min(clock::now())
}
