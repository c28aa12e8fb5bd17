//! The folders that a client says it works in, which it is asked for.
//!
//! A client may be slow to answer. The call that asks waits a moment, and goes on without; later
//! calls do not wait again, and find the answer when it has come. Only an answer is kept.

use std::path::PathBuf;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{ClientResult, ServerRequest};
use rmcp::service::{Peer, PeerRequestOptions, ServiceError};
use tokio::sync::{Mutex, watch};
use tokio::time::Instant;

use super::caller::file_uri;

/// How long calls wait for an answer, from when it was asked for.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long an answer may take until the question counts as lost and is asked again.
const LOST: Duration = Duration::from_secs(60);

/// What a client answered: the first of its folders, if any is on this machine.
type Answer = Option<PathBuf>;

/// The roots of one session.
#[derive(Debug, Default)]
pub(super) struct Roots(Mutex<Option<Asked>>);

/// A question that was asked.
#[derive(Debug, Clone)]
struct Asked {
    until: Instant,
    /// Closed without an answer when there will be none.
    answer: watch::Receiver<Option<Answer>>,
}

impl Asked {
    fn is_open_or_answered(&self) -> bool {
        self.answer.borrow().is_some() || self.answer.has_changed().is_ok()
    }
}

impl Roots {
    /// Forgets what was answered, because it has changed.
    pub(super) async fn forget(&self) {
        *self.0.lock().await = None;
    }

    /// The first root; `None` also while the client has not answered.
    pub(super) async fn first(&self, peer: &Peer<RoleServer>) -> Option<PathBuf> {
        self.answer(ask(peer)).await
    }

    async fn answer<F>(&self, ask: impl Future<Output = Option<F>>) -> Answer
    where
        F: Future<Output = Option<Answer>> + Send + 'static,
    {
        let Asked { until, mut answer } = self.asked(ask).await?;
        let came = tokio::time::timeout_at(until, answer.wait_for(Option::is_some)).await;
        came.ok()?.ok()?.clone().flatten()
    }

    /// The question that is open or answered, or else a new one.
    async fn asked<F>(&self, ask: impl Future<Output = Option<F>>) -> Option<Asked>
    where
        F: Future<Output = Option<Answer>> + Send + 'static,
    {
        let mut kept = self.0.lock().await;
        if let Some(asked) = kept.as_ref().filter(|asked| asked.is_open_or_answered()) {
            return Some(asked.clone());
        }
        let coming = ask.await?;
        let (sender, answer) = watch::channel(None);
        tokio::spawn(async move {
            if let Some(answer) = coming.await {
                sender.send_replace(Some(answer));
            }
        });
        Some(kept.insert(Asked { until: Instant::now() + PATIENCE, answer }).clone())
    }
}

/// Sends the question, as part of the call that is under way, by whose stream it travels; gives
/// what waits for the answer.
#[expect(deprecated, reason = "clients of the older revisions still answer with their roots")]
async fn ask(
    peer: &Peer<RoleServer>,
) -> Option<impl Future<Output = Option<Answer>> + Send + 'static> {
    let request = ServerRequest::ListRootsRequest(rmcp::model::ListRootsRequest::default());
    let options = PeerRequestOptions::with_timeout(LOST);
    let sent = peer.send_request_with_option(request, options).await.ok()?;
    Some(async move {
        match sent.await_response().await {
            Ok(ClientResult::ListRootsResult(said)) => {
                Some(said.roots.iter().find_map(|root| file_uri(&root.uri)))
            }
            // It has none to tell.
            Ok(_) | Err(ServiceError::McpError(_)) => Some(None),
            Err(_) => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use std::future::ready;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// A question whose answer takes a while; counts how often it is asked.
    async fn slow(
        asked: &AtomicUsize,
        takes: Duration,
        answer: Option<Answer>,
    ) -> Option<impl Future<Output = Option<Answer>> + Send + 'static> {
        asked.fetch_add(1, Ordering::Relaxed);
        Some(async move {
            tokio::time::sleep(takes).await;
            answer
        })
    }

    #[tokio::test]
    async fn a_slow_answer_is_used_when_it_has_come() {
        let (roots, asked) = (Roots::default(), AtomicUsize::new(0));
        let root = || Some(PathBuf::from("/app"));
        let ask = || slow(&asked, PATIENCE + Duration::from_millis(300), Some(root()));
        assert_eq!(roots.answer(ask()).await, None);
        let started = Instant::now();
        assert_eq!(roots.answer(ask()).await, None);
        assert!(started.elapsed() < PATIENCE / 4, "a second call waited again");
        tokio::time::sleep(Duration::from_millis(600)).await;
        assert_eq!(roots.answer(ask()).await, root());
        assert_eq!(asked.load(Ordering::Relaxed), 1);
        roots.forget().await;
        let other = || slow(&asked, Duration::ZERO, Some(None));
        assert_eq!(roots.answer(other()).await, None);
        assert_eq!(roots.answer(other()).await, None);
        assert_eq!(asked.load(Ordering::Relaxed), 2, "that there is no root is an answer");
    }

    #[tokio::test]
    async fn what_was_not_answered_is_asked_again() {
        let (roots, asked) = (Roots::default(), AtomicUsize::new(0));
        let lost = || slow(&asked, Duration::ZERO, None);
        assert_eq!((roots.answer(lost()).await, roots.answer(lost()).await), (None, None));
        assert_eq!(asked.load(Ordering::Relaxed), 2);
        let unsent = ready(None::<std::future::Ready<Option<Answer>>>);
        assert_eq!(roots.answer(unsent).await, None);
        let root = Some(PathBuf::from("/app"));
        assert_eq!(roots.answer(slow(&asked, Duration::ZERO, Some(root.clone()))).await, root);
    }
}
