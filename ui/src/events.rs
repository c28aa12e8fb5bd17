//! Follows the server's live events while the session is open and the page is in sight.
//!
//! The browser's own `EventSource` cannot send the token, so the stream is read by hand.

mod frames;
mod sight;
pub(crate) mod told;

use coffer_api::routes;
use js_sys::{Reflect, Uint8Array};
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, AbortSignal, ReadableStreamDefaultReader};

use crate::api::{Api, parse};
use crate::events::frames::Frames;
use crate::events::told::Told;
use crate::failure::Failure;
use crate::live::{Connection, Live};
use crate::time;

/// Milliseconds before the first new try, doubled up to [`LONGEST_WAIT`].
const FIRST_WAIT: i32 = 250;
const LONGEST_WAIT: i32 = 4_000;

/// What ends the present stream; none before the first.
type Ending = StoredValue<Option<AbortController>, LocalStorage>;

/// Listens for as long as the caller's part of the page is there.
pub(crate) fn follow(api: Api, live: Live) {
    let ending: Ending = StoredValue::new_local(None);
    let end = move || {
        // Gone together with what it would end.
        ending.try_with_value(|ending| ending.iter().for_each(AbortController::abort));
    };
    let listener = window_event_listener(leptos::ev::visibilitychange, move |_| {
        if document().hidden() {
            end();
        }
    });
    on_cleanup(move || {
        listener.remove();
        end();
    });
    spawn_local(keep_listening(api, live, ending));
}

/// Connects again whenever the stream ends, until the server refuses the session. Only in sight: a
/// browser lends a site six connections, of which tabs in the background, and pages that are kept
/// for going back to them, would hold one each.
async fn keep_listening(api: Api, live: Live, ending: Ending) {
    let mut wait = FIRST_WAIT;
    loop {
        sight::gained().await;
        let Ok(stream) = AbortController::new() else { return };
        let until = stream.signal();
        if ending.try_set_value(Some(stream)).is_some() {
            return;
        }
        match listen(api, live, &until).await {
            Ok(()) => wait = FIRST_WAIT,
            Err(Failure::SignedOut) => return,
            Err(_) => {}
        }
        if until.aborted() {
            continue;
        }
        if live.connection.try_set(Connection::Retrying).is_some() {
            return;
        }
        time::sleep(wait).await;
        wait = (wait * 2).min(LONGEST_WAIT);
    }
}

/// Ends with `Ok` when a stream that was there breaks off.
async fn listen(api: Api, live: Live, until: &AbortSignal) -> Result<(), Failure> {
    let response = api.stream(routes::EVENTS, until).await?;
    let reader = response.body().map(|stream| stream.get_reader()).ok_or(Failure::Unreadable)?;
    let reader: ReadableStreamDefaultReader = reader.unchecked_into();
    live.connection.try_set(Connection::Live);
    // Whatever happened before the stream was there was missed.
    live.note_everything();
    let mut frames = Frames::default();
    while let Some(bytes) = next(&reader).await {
        // An event of a later version is passed over.
        let events = frames.feed(&bytes).into_iter().filter_map(|data| parse::<Told>(&data).ok());
        events.for_each(|event| live.note(&event));
    }
    Ok(())
}

/// The next piece of the stream; `None` at its end, however it comes.
async fn next(reader: &ReadableStreamDefaultReader) -> Option<Vec<u8>> {
    let piece = JsFuture::from(reader.read()).await.ok()?;
    let value = Reflect::get(&piece, &JsValue::from_str("value")).ok()?;
    value.dyn_into::<Uint8Array>().ok().map(|bytes| bytes.to_vec())
}
