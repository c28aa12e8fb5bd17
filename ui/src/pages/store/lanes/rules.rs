//! The rules lane: how agents should behave, in the files a person keeps.

use std::sync::Arc;

use coffer_api::hidden;
use coffer_api::lanes::{RulesFileOut, RulesOut};
use coffer_api::routes;
use leptos::prelude::*;

use crate::format::count;
use crate::pages::store::tabs::lane_query;
use crate::parts::document::{Document, Opened, RulesText};
use crate::parts::empty::Empty;
use crate::parts::file_actions::PathRow;
use crate::parts::icon::Glyph;
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
                <RulesFiles reply/>
            </Shown>
        </section>
    }
}

#[component]
fn RulesFiles(reply: Signal<Arc<RulesOut>>) -> impl IntoView {
    let names = reply.with_untracked(|reply| reply.files.iter().map(name_of).collect::<Vec<_>>());
    let opened = Opened::with(names);
    let key = |file: &RulesFileOut| fingerprint((&file.name, &file.text));
    view! {
        <div class="docs">
            <For each=move || reply.get().files.clone() key let:file>
                <RulesFile file opened/>
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
fn RulesFile(file: RulesFileOut, opened: Opened) -> impl IntoView {
    let rules = file.text.lines().filter(|line| is_rule(line)).count() as u64;
    let summary = count(rules, "rule", "rules");
    let title = hidden::expose(&file.name).into_owned();
    let RulesFileOut { name, text, path, folder_path } = file;
    view! {
        <Document id=name icon=Glyph::Rules title summary opened>
            <RulesText markdown=text.clone()/>
            <Files path=path.clone() folder_path=folder_path.clone()/>
        </Document>
    }
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
