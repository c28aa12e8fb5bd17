//! The viewer: a page that runs in the browser and talks to the loopback server only.
//!
//! It reads everything and edits no content: that is what the person's own editor is for.
//! Deliberately absent: storage in the browser, requests to anywhere else, and any way to show
//! text from a store as anything but text.

#![expect(unreachable_pub, reason = "the component macro of leptos writes `pub` items")]
#![expect(clippy::needless_pass_by_value, reason = "components own what they are given")]

mod address;
mod api;
mod app;
mod diff;
mod events;
mod failure;
mod format;
mod highlight;
mod job;
mod journal;
mod live;
mod markdown;
mod pages;
mod parts;
mod query;
mod session;
mod shared;
mod time;
mod wording;

fn main() {
    console_error_panic_hook::set_once();
    leptos::mount::mount_to_body(app::App);
}
