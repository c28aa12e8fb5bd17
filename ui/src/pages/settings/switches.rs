//! Preferences that are on or off.

use std::sync::Arc;

use coffer_api::routes;
use coffer_api::settings::{SettingsOut, SettingsPatch};
use gloo_net::http::Method;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::use_api;
use crate::parts::notices::use_notices;
use crate::parts::switch::Switch;
use crate::shared::use_shared;

#[component]
pub(super) fn Switches(settings: Signal<Arc<SettingsOut>>) -> impl IntoView {
    let patch = use_patch();
    let of =
        |read: fn(&SettingsOut) -> bool| Signal::derive(move || settings.with(|all| read(all)));
    let change = move |set: fn(&mut SettingsPatch, bool)| {
        Callback::new(move |on| {
            let mut change = SettingsPatch::default();
            set(&mut change, on);
            patch.run(change);
        })
    };
    view! {
        <Switch
            id="serve-agents"
            label="Serve agents"
            hint="Off: agents are told that Coffer is paused. This page and the CLI go on."
            on=of(|all| all.serve_agents)
            change=change(|patch, on| patch.serve_agents = Some(on))
        />
        <Switch
            id="close-to-tray"
            label="Keep running in the tray"
            hint="Closing the window leaves Coffer at work."
            on=of(|all| all.close_to_tray)
            change=change(|patch, on| patch.close_to_tray = Some(on))
        />
        <Switch
            id="start-at-login"
            label="Start at login"
            hint="The desktop app starts in the tray when you log in."
            on=of(|all| all.start_at_login)
            change=change(|patch, on| patch.start_at_login = Some(on))
        />
    }
}

/// Sends a change of preferences and shows what became of it.
pub(super) fn use_patch() -> Callback<SettingsPatch> {
    let (api, notices, settings) = (use_api(), use_notices(), use_shared().settings);
    Callback::new(move |patch: SettingsPatch| {
        spawn_local(async move {
            match api.with_body::<_, SettingsOut>(Method::PUT, routes::SETTINGS, &patch).await {
                Ok(all) => {
                    settings.settle(Ok(all));
                    notices.done("Saved.");
                }
                Err(failure) => notices.failed(&failure),
            }
        });
    })
}
