//! Messages that the server sends by itself, over the session's own event stream.

use std::thread;
use std::time::Duration;

use coffer_api::routes;
use ureq::http::Method;

use super::bridge::Bridge;
use super::post::session_headers;
use super::reply;

/// An event stream shows signs of life every 15 seconds.
const SILENCE: Duration = Duration::from_secs(300);
/// How long to wait before a stream that ended is opened again.
const PAUSE: Duration = Duration::from_secs(1);

/// Passes on what comes, as long as the session lives. Never starts a server: an agent that is
/// idle does not keep one alive.
pub(super) fn listen(bridge: &Bridge) {
    let Ok(route) = bridge.link().route() else { return };
    if route.session.as_ref().is_none_or(|session| session.id.is_none()) {
        return;
    }
    let mut headers = session_headers(bridge.link().options(), route.session.as_ref());
    headers.push(("accept", "text/event-stream".to_owned()));
    loop {
        let response = match route.client.exchange(Method::GET, routes::MCP, &headers, "", SILENCE)
        {
            Ok(response) if response.status().is_success() => response,
            _ => return,
        };
        if !reply::is_event_stream(&response) {
            return;
        }
        let stream = response.into_body().into_reader();
        let _ = reply::events(stream, None, &mut |line| bridge.pass(line));
        thread::sleep(PAUSE);
    }
}
