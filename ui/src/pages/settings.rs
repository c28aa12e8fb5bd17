//! Preferences, where everything lies, and whether it is well.

mod editor;
mod health;
mod place;
mod switches;

use leptos::prelude::*;

use crate::pages::settings::editor::Editor;
use crate::pages::settings::health::Health;
use crate::pages::settings::place::{Models, Place};
use crate::pages::settings::switches::Switches;
use crate::pages::store::Connect;
use crate::parts::shown::Shown;
use crate::parts::title::name_page;
use crate::shared::use_shared;

/// The page at `/settings`.
#[component]
pub(crate) fn SettingsPage() -> impl IntoView {
    name_page(|| "Settings".to_owned());
    let settings = use_shared().settings;
    view! {
        <header class="page-head"><h1>"Settings"</h1></header>
        <section class="card" aria-labelledby="general">
            <h2 id="general">"General"</h2>
            <Shown query=settings lines=4 let:settings>
                <Editor settings/>
                <Switches settings/>
            </Shown>
        </section>
        <Health/>
        <Place/>
        <section class="card" aria-labelledby="connect">
            <h2 id="connect">"Connect an agent"</h2>
            <Connect/>
        </section>
        <Models/>
    }
}
