//! All knowledge bases, and making one.

use coffer_api::kb::{KnowledgeBaseIn, KnowledgeBaseOut, KnowledgeBasesOut};
use coffer_api::{hidden, routes};
use leptos::ev::SubmitEvent;
use leptos::html::Input;
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_router::hooks::use_navigate;

use crate::address;
use crate::api::use_api;
use crate::format::count;
use crate::parts::empty::Empty;
use crate::parts::icon::Glyph;
use crate::parts::notices::use_notices;
use crate::parts::row::Row;
use crate::parts::shown::Shown;
use crate::parts::title::name_page;
use crate::parts::when::When;
use crate::shared::use_shared;

/// The page at `/bases`.
#[component]
pub(crate) fn BasesPage() -> impl IntoView {
    name_page(|| "Knowledge bases".to_owned());
    let bases = use_shared().bases;
    view! {
        <header class="page-head">
            <h1>"Knowledge bases"</h1>
            <p class="lead">
                "Whole documents of any format, kept as Markdown that your agents can search."
            </p>
        </header>
        <Shown query=bases lines=3 let:reply>
            {move || view! { <BaseList reply=reply.get()/> }}
        </Shown>
        <CreateForm/>
    }
}

#[component]
fn BaseList(reply: std::sync::Arc<KnowledgeBasesOut>) -> impl IntoView {
    if reply.knowledge_bases.is_empty() {
        return view! {
            <Empty icon=Glyph::Base title="No knowledge base yet">
                "Make one below, then drop manuals, papers or notes onto its page."
            </Empty>
        }
        .into_any();
    }
    let rows = reply.knowledge_bases.iter().cloned().map(|base| view! { <BaseRow base/> });
    view! { <ul class="docs rows" data-testid="base-list">{rows.collect_view()}</ul> }.into_any()
}

#[component]
fn BaseRow(base: KnowledgeBaseOut) -> impl IntoView {
    let about = base.description.as_deref().map(|text| hidden::expose(text).into_owned());
    let off = (!base.enabled).then_some("Off · ");
    view! {
        <Row
            href=address::base(&base.name)
            id=base.name.clone()
            testid="base"
            icon=Glyph::Base
            title=base.name
            summary=about.unwrap_or_default()
        >
            <span class="who">{count(base.document_count, "document", "documents")}</span>
            <span>{off}<When time=base.updated_at/></span>
        </Row>
    }
}

#[component]
fn CreateForm() -> impl IntoView {
    let (api, notices, shared) = (use_api(), use_notices(), use_shared());
    let navigate = StoredValue::new(use_navigate());
    let (name, description) = (NodeRef::<Input>::new(), NodeRef::<Input>::new());
    let create = move |event: SubmitEvent| {
        event.prevent_default();
        let text = |field: NodeRef<Input>| {
            field.get_untracked().map_or_else(String::new, |field| field.value().trim().to_owned())
        };
        let (name, about) = (text(name), text(description));
        spawn_local(async move {
            let description = (!about.is_empty()).then_some(about);
            let body = KnowledgeBaseIn { name, description, config: None };
            match api.post::<_, KnowledgeBaseOut>(routes::KNOWLEDGE_BASES, &body).await {
                Ok(base) => {
                    shared.bases.again();
                    navigate.with_value(|go| go(&address::base(&base.name), Default::default()));
                }
                Err(failure) => notices.failed(&failure),
            }
        });
    };
    view! {
        <form class="card" on:submit=create data-testid="create-base">
            <h2>"New knowledge base"</h2>
            <div class="setting-field wide">
                <input
                    node_ref=name
                    id="base-name"
                    type="text"
                    aria-label="Name of the knowledge base"
                    placeholder="Name, such as manuals"
                    maxlength="64"
                    pattern="[a-z0-9][a-z0-9_\\-]*"
                    title="Small letters, digits, - and _"
                    required=true
                    autocomplete="off"
                    spellcheck="false"
                />
                <input
                    node_ref=description
                    id="base-description"
                    type="text"
                    aria-label="What it is for"
                    placeholder="What it is for: agents read this"
                    maxlength="200"
                    autocomplete="off"
                />
                <button type="submit" class="primary">"Make"</button>
            </div>
        </form>
    }
}
