//! Follows the server's live events for as long as the session is open.
//!
//! The browser's own `EventSource` cannot send the token, so the stream is read by hand.

mod frames;

use coffer_api::routes;
use js_sys::{Reflect, Uint8Array};
use leptos::prelude::*;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::ReadableStreamDefaultReader;

use crate::api::Api;
use crate::events::frames::Frames;
use crate::failure::Failure;
use crate::live::{Connection, Live};
use crate::time;

/// Milliseconds before the first new try, doubled up to [`LONGEST_WAIT`].
const FIRST_WAIT: i32 = 250;
const LONGEST_WAIT: i32 = 4_000;

/// Listens, and connects again whenever the stream ends, until the server refuses the session.
pub(crate) async fn follow(api: Api, live: Live) {
    let mut wait = FIRST_WAIT;
    loop {
        match listen(api, live).await {
            Ok(()) => wait = FIRST_WAIT,
            Err(Failure::SignedOut) => return,
            Err(_) => {}
        }
        if live.connection.try_set(Connection::Retrying).is_some() {
            return;
        }
        time::sleep(wait).await;
        wait = (wait * 2).min(LONGEST_WAIT);
    }
}

/// Ends with `Ok` when a stream that was there breaks off.
async fn listen(api: Api, live: Live) -> Result<(), Failure> {
    let response = api.stream(routes::EVENTS).await?;
    let reader = response.body().map(|stream| stream.get_reader()).ok_or(Failure::Unreadable)?;
    let reader: ReadableStreamDefaultReader = reader.unchecked_into();
    live.connection.try_set(Connection::Live);
    // Whatever happened before the stream was there was missed.
    live.note_everything();
    let mut frames = Frames::default();
    while let Some(bytes) = next(&reader).await {
        frames.feed(&bytes).iter().for_each(|event| live.note(event));
    }
    Ok(())
}

/// The next piece of the stream; `None` at its end, however it comes.
async fn next(reader: &ReadableStreamDefaultReader) -> Option<Vec<u8>> {
    let piece = JsFuture::from(reader.read()).await.ok()?;
    let value = Reflect::get(&piece, &JsValue::from_str("value")).ok()?;
    value.dyn_into::<Uint8Array>().ok().map(|bytes| bytes.to_vec())
}
