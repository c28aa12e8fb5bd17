//! Live events, server-sent.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use coffer_api::events::EventOut;
use coffer_api::routes;
use coffer_core::kb::{KnowledgeBases, reference};
use coffer_core::memory::Memory;
use futures_util::{Stream, StreamExt as _, stream};
use tokio_stream::wrappers::BroadcastStream;
use tokio_util::sync::CancellationToken;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::Auth;
use crate::blocking::blocking;
use crate::feed::Feed;

/// How often a silent stream shows that it is alive.
const ALIVE: Duration = Duration::from_secs(15);

/// The routes of this file.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(events))
}

/// What changes from now on; the name of each event is its type. Ends with the server, or when
/// the token that opened it is replaced.
#[utoipa::path(get, path = routes::EVENTS, tag = "events",
    responses((status = 200, body = EventOut, content_type = "text/event-stream")))]
async fn events(
    State(feed): State<Feed>,
    State(memory): State<Memory>,
    State(kb): State<KnowledgeBases>,
    State(auth): State<Arc<Auth>>,
    State(stop): State<CancellationToken>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let replaced = auth.generation();
    let events = BroadcastStream::new(feed.listen())
        .then(move |told| all_of(told.ok(), memory.clone(), kb.clone()))
        .flat_map(stream::iter)
        .filter_map(|told| async move { sent(&told).map(Ok) })
        .take_until(async move {
            tokio::select! {
                () = stop.cancelled() => {}
                () = replaced.cancelled() => {}
            }
        });
    Sse::new(events).keep_alive(KeepAlive::new().interval(ALIVE))
}

/// An event; for those that a slow listener missed, a change of every store.
async fn all_of(told: Option<EventOut>, memory: Memory, kb: KnowledgeBases) -> Vec<EventOut> {
    if let Some(told) = told {
        return vec![told];
    }
    let found = blocking(move || Ok::<_, coffer_core::Error>((memory.stores()?, kb.all()?)));
    let (stores, bases) = found.await.unwrap_or_default();
    let stores = stores.into_iter().map(|store| store.name.to_string());
    let changed = stores.chain(bases.into_iter().map(|base| reference(&base.name)));
    changed
        .map(|store| EventOut::StoreChanged { store })
        .chain([EventOut::SettingsChanged])
        .collect()
}

fn sent(told: &EventOut) -> Option<Event> {
    Event::default().event(told.name()).json_data(told).ok()
}
