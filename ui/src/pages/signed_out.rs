//! The page without a session: why, and how to get one.

use leptos::prelude::*;

use crate::parts::icon::{Glyph, Icon};
use crate::parts::prose::Prose;
use crate::parts::title::name_page;
use crate::session::Closed;

const WAY_IN: &str =
    "Open it from Coffer's tray icon, or run `coffer open --browser` in a terminal.";

/// Explains, in place of everything else.
#[component]
pub(crate) fn SignedOut(why: Closed) -> impl IntoView {
    name_page(|| "Not signed in".to_owned());
    let (title, reason) = match why {
        Closed::NoToken => (
            "This page needs a key",
            "Your memory is shown only to pages that Coffer itself opened; the key is not kept \
             when a page is reloaded.",
        ),
        Closed::CodeRefused => {
            ("This link has been used up", "A link into the viewer works once, for a minute.")
        }
        Closed::Ended => (
            "This session is over",
            "Coffer was restarted or its access token was replaced since this page was opened.",
        ),
        Closed::Unreachable => ("Coffer does not answer", "It was probably closed."),
    };
    view! {
        <main class="signed-out" data-testid="signed-out">
            <div class="state">
                <Icon of=Glyph::Key/>
                <h1>{title}</h1>
                <p>{reason}</p>
                <p><Prose text=WAY_IN/></p>
            </div>
        </main>
    }
}
