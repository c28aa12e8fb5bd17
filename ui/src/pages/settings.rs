//! Preferences, models and their keys, where everything lies, and whether it is well.

mod credentials;
mod editor;
mod health;
mod models;
mod place;
mod switches;

use coffer_api::credentials::CredentialsOut;
use coffer_api::routes;
use leptos::prelude::*;

use crate::api::use_api;
use crate::live::{follows, use_live};
use crate::pages::settings::credentials::Credentials;
use crate::pages::settings::editor::Editor;
use crate::pages::settings::health::Health;
use crate::pages::settings::models::Models;
use crate::pages::settings::place::Place;
use crate::pages::settings::switches::Switches;
use crate::pages::store::Connect;
use crate::parts::shown::Shown;
use crate::parts::title::name_page;
use crate::query::Query;
use crate::shared::use_shared;

/// The page at `/settings`.
#[component]
pub(crate) fn SettingsPage() -> impl IntoView {
    name_page(|| "Settings".to_owned());
    let settings = use_shared().settings;
    let (api, changes) = (use_api(), use_live().of_settings());
    let credentials = Query::<CredentialsOut>::at(api, follows(changes, routes::CREDENTIALS));
    view! {
        <header class="page-head"><h1>"Settings"</h1></header>
        <section class="card" aria-labelledby="general">
            <h2 id="general">"General"</h2>
            <Shown query=settings lines=4 let:settings>
                <Editor settings/>
                <Switches settings/>
            </Shown>
        </section>
        <Models credentials/>
        <Credentials query=credentials/>
        <Health/>
        <Place/>
        <section class="card" aria-labelledby="connect">
            <h2 id="connect">"Connect an agent"</h2>
            <Connect/>
        </section>
    }
}
