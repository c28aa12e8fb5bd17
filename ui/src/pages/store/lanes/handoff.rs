//! The handoff lane: where the work stands, a row for each branch.

use std::sync::Arc;

use coffer_api::hidden;
use coffer_api::lanes::{HandoffLaneOut, HandoffSceneOut};
use leptos::prelude::*;

use crate::pages::store::lanes::rules::Files;
use crate::parts::document::{Document, Opened, Text};
use crate::parts::empty::Empty;
use crate::parts::icon::Glyph;
use crate::parts::row::fingerprint;
use crate::parts::shown::Shown;
use crate::parts::when::When;
use crate::query::Query;

#[component]
pub(in crate::pages::store) fn Handoff(query: Query<HandoffLaneOut>) -> impl IntoView {
    view! {
        <section aria-label="Handoff" data-testid="lane-handoff">
            <h2 class="offscreen">"Handoff"</h2>
            <Shown query let:reply>
                <Scenes reply/>
            </Shown>
        </section>
    }
}

#[component]
fn Scenes(reply: Signal<Arc<HandoffLaneOut>>) -> impl IntoView {
    let branches = reply.with_untracked(|reply| {
        reply.scenes.iter().map(|scene| scene.branch.clone()).collect::<Vec<_>>()
    });
    let opened = Opened::with(branches);
    let key =
        |scene: &HandoffSceneOut| fingerprint((&scene.branch, &scene.updated_at, &scene.text));
    view! {
        <div class="docs">
            <For each=move || reply.get().scenes.clone() key let:scene>
                <Scene scene opened/>
            </For>
        </div>
        <Show when=move || reply.with(|reply| reply.scenes.is_empty())>
            <Empty icon=Glyph::Handoff title="Nothing handed off">
                "An agent saves its working state here before it stops, one for each branch; the
                next one resumes from it."
            </Empty>
        </Show>
    }
}

#[component]
fn Scene(scene: HandoffSceneOut, opened: Opened) -> impl IntoView {
    let HandoffSceneOut { branch, text, updated_at, path, folder_path } = scene;
    let title = hidden::expose(&branch).into_owned();
    let side = move || view! { <When time=updated_at.clone()/> };
    view! {
        <Document id=branch icon=Glyph::Handoff title side opened>
            <Text markdown=text.clone()/>
            <Files path=path.clone() folder_path=folder_path.clone()/>
        </Document>
    }
}
