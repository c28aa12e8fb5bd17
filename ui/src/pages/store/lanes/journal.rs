//! The journal lane: what happened, a row for each day.

use std::sync::Arc;

use coffer_api::lanes::{JournalFileOut, JournalOut};
use coffer_api::routes;
use leptos::prelude::*;

use crate::format::count;
use crate::journal::entries;
use crate::pages::store::lanes::rules::Files;
use crate::pages::store::tabs::lane_query;
use crate::parts::document::{Document, Opened};
use crate::parts::empty::Empty;
use crate::parts::entries::Entries;
use crate::parts::icon::Glyph;
use crate::parts::row::fingerprint;
use crate::parts::shown::Shown;
use crate::query::Query;
use crate::time;

/// Days that are shown at first, and with every further click.
const STEP: usize = 60;

#[component]
pub(in crate::pages::store) fn Journal(name: String) -> impl IntoView {
    let query: Query<JournalOut> = lane_query(routes::JOURNAL, &name);
    view! {
        <section aria-label="Journal" data-testid="lane-journal">
            <h2 class="offscreen">"Journal"</h2>
            <Shown query let:reply>
                <Days reply/>
            </Shown>
        </section>
    }
}

#[component]
fn Days(reply: Signal<Arc<JournalOut>>) -> impl IntoView {
    let newest = reply.with_untracked(|reply| reply.files.first().map(|day| day.period.clone()));
    let opened = Opened::with(newest);
    let shown = RwSignal::new(STEP);
    let days = move || reply.get().files.iter().take(shown.get()).cloned().collect::<Vec<_>>();
    let key = |day: &JournalFileOut| fingerprint((&day.period, &day.text));
    let has_older = move || reply.with(|reply| reply.files.len()) > shown.get();
    view! {
        <div class="docs">
            <For each=days key let:day>
                <Day day opened/>
            </For>
        </div>
        <Show when=has_older>
            <button on:click=move |_| shown.update(|shown| *shown += STEP)>
                "Show older days"
            </button>
        </Show>
        <Show when=move || reply.with(|reply| reply.files.is_empty())>
            <Empty icon=Glyph::Journal title="No journal yet">
                "What happened is kept here, one file a day. Entries are only ever added."
            </Empty>
        </Show>
    }
}

#[component]
fn Day(day: JournalFileOut, opened: Opened) -> impl IntoView {
    let JournalFileOut { period, text, path, folder_path } = day;
    let timed = entries(&text).iter().filter(|entry| entry.time.is_some()).count();
    let summary = count(timed as u64, "entry", "entries");
    let title = time::long_day_name(&period);
    view! {
        <Document id=period icon=Glyph::Journal title summary opened>
            <Entries markdown=text.clone()/>
            <Files path=path.clone() folder_path=folder_path.clone()/>
        </Document>
    }
}
