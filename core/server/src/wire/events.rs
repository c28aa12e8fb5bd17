//! Live events.

use coffer_api::events::EventOut;
use coffer_api::jobs::{JobOut, JobResult};
use coffer_core::Event;
use coffer_core::kb::reference;

use super::jobs::job;

/// An event.
pub(crate) fn event(event: Event) -> EventOut {
    match event {
        Event::StoreChanged(store) => EventOut::StoreChanged { store: store.to_string() },
        Event::DocumentChanged(store, id) => {
            EventOut::DocumentChanged { store: store.to_string(), id: id.to_string() }
        }
        Event::BaseChanged(name) => EventOut::StoreChanged { store: reference(&name) },
        Event::BaseDocumentChanged(name, id) => {
            EventOut::DocumentChanged { store: reference(&name), id: id.to_string() }
        }
        Event::JobChanged(moved) => EventOut::Job { job: Box::new(without_words(job(*moved))) },
        Event::SettingsChanged => EventOut::SettingsChanged,
    }
}

/// Events say what changed, never the content: what a session taught is told to whoever asks for the job.
fn without_words(mut job: JobOut) -> JobOut {
    if let Some(JobResult::Distill(done)) = &mut job.result {
        done.insights.clear();
    }
    job
}

#[cfg(test)]
mod tests {
    use super::*;
    use coffer_core::distill::{Asked, DistillRequest, Distilled, Insight, Status};
    use coffer_core::jobs::{Job, JobOutput, JobRequest, JobState};
    use coffer_domain::id::Id;
    use coffer_domain::time::Timestamp;

    #[test]
    fn no_event_tells_what_a_session_taught() {
        let (agent, session) = ("codex".to_owned(), "s".to_owned());
        let request = DistillRequest { agent, session, asked: Asked::Person, preview: true };
        let word = || "walnut".to_owned();
        let insight = Insight { name: word(), description: word(), body: word() };
        let output = JobOutput::Distilled(Distilled {
            status: Status::Preview,
            session: "s".to_owned(),
            insights: vec![insight],
            journal_path: None,
            written: 0,
            left_out: 0,
            omitted_turns: 0,
            withheld_turns: 0,
            model: None,
            tokens: None,
            would_send: None,
            reason: None,
        });
        let at = Timestamp::from_micros(0);
        let job = Job {
            id: Id::of_file("a", "b"),
            request: JobRequest::Distill(request),
            state: JobState::Done,
            done: 1,
            total: None,
            output: Some(output),
            error: None,
            created_at: at,
            finished_at: Some(at),
        };
        let told = serde_json::to_string(&event(Event::JobChanged(Box::new(job)))).unwrap();
        assert!(told.contains("preview") && !told.contains("walnut"), "{told}");
    }
}
