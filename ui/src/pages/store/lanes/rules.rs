//! The rules lane: how agents should behave, in the files a person keeps.

use std::sync::Arc;

use coffer_api::hidden;
use coffer_api::lanes::{RuleDeleteIn, RulesFileOut, RulesOut};
use coffer_api::routes;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::use_api;
use crate::format::count;
use crate::pages::store::tabs::lane_query;
use crate::parts::document::{Document, Opened, RulesText};
use crate::parts::empty::Empty;
use crate::parts::file_actions::PathRow;
use crate::parts::icon::Glyph;
use crate::parts::notices::use_notices;
use crate::parts::row::fingerprint;
use crate::parts::shown::Shown;
use crate::query::Query;

#[component]
pub(in crate::pages::store) fn Rules(name: String) -> impl IntoView {
    let query: Query<RulesOut> = lane_query(routes::RULES, &name);
    view! {
        <section aria-label="Rules" data-testid="lane-rules">
            <h2 class="offscreen">"Rules"</h2>
            <Shown query let:reply>
                <RulesFiles store=name.clone() reply/>
            </Shown>
        </section>
    }
}

#[component]
fn RulesFiles(store: String, reply: Signal<Arc<RulesOut>>) -> impl IntoView {
    let names = reply.with_untracked(|reply| reply.files.iter().map(name_of).collect::<Vec<_>>());
    let opened = Opened::with(names);
    let key = |file: &RulesFileOut| fingerprint((&file.name, &file.text));
    view! {
        <div class="docs">
            <For each=move || reply.get().files.clone() key let:file>
                <RulesFile store=store.clone() file opened/>
            </For>
        </div>
        <Show when=move || reply.with(|reply| reply.files.is_empty())>
            <Empty icon=Glyph::Rules title="No rules yet">
                "Rules tell every agent how to behave here; they are given to it when a session
                starts. Write them as Markdown files in the folder "<code>"rules"</code>
                " of this store."
            </Empty>
        </Show>
    }
}

fn name_of(file: &RulesFileOut) -> String {
    file.name.clone()
}

#[component]
fn RulesFile(store: String, file: RulesFileOut, opened: Opened) -> impl IntoView {
    let rules = file.text.lines().filter(|line| is_rule(line)).count() as u64;
    let summary = count(rules, "rule", "rules");
    let title = hidden::expose(&file.name).into_owned();
    let RulesFileOut { name, text, path, folder_path } = file;
    let delete = deletion(&store, name.clone());
    view! {
        <Document id=name icon=Glyph::Rules title summary opened>
            <RulesText markdown=text.clone() delete/>
            <Files path=path.clone() folder_path=folder_path.clone()/>
        </Document>
    }
}

/// Takes a rule out of a file; what it said stays among the versions from before.
fn deletion(store: &str, file: String) -> Callback<String> {
    let (api, notices) = (use_api(), use_notices());
    let address = routes::fill(routes::RULES_DELETE, &[store]);
    Callback::new(move |rule: String| {
        let (address, file) = (address.clone(), file.clone());
        spawn_local(async move {
            let reply = api.post::<_, ()>(&address, &RuleDeleteIn { file, rule }).await;
            notices.outcome(&reply, "Deleted. The version from before is kept: see Log.");
        });
    })
}

fn is_rule(line: &str) -> bool {
    ["- ", "* ", "+ "].iter().any(|bullet| line.starts_with(bullet))
}

/// The file and its folder, with what can be done with them.
#[component]
pub(super) fn Files(path: String, folder_path: String) -> impl IntoView {
    view! {
        <dl class="provenance">
            <div class="wide"><dt>"File"</dt><dd><PathRow path/></dd></div>
            <div class="wide"><dt>"Folder"</dt><dd><PathRow path=folder_path/></dd></div>
        </dl>
    }
}
