//! One document of a knowledge base: its text, and where it comes from.

use std::sync::Arc;

use coffer_api::kb::{DocumentOut, SourceMode};
use coffer_api::{hidden, routes};
use leptos::prelude::*;
use leptos_router::components::A;
use leptos_router::hooks::use_params_map;
use pulldown_cmark::HeadingLevel;
use serde::Deserialize;

use crate::address;
use crate::api::{Api, parse, use_api};
use crate::failure::Failure;
use crate::format::count;
use crate::live::{follows, use_live};
use crate::parts::document::Text;
use crate::parts::file_actions::PathRow;
use crate::parts::icon::{Glyph, Icon};
use crate::parts::shown::Shown;
use crate::parts::title::name_page;
use crate::parts::when::When;
use crate::query::Query;

/// The page at `/bases/{name}/documents/{id}`.
#[component]
pub(crate) fn DocumentPage() -> impl IntoView {
    let params = use_params_map();
    let of = move |name: &str| params.read().get(name).unwrap_or_default();
    let place = Memo::new(move |_| (of("name"), of("id")));
    move || {
        let (base, id) = place.get();
        view! { <DocumentView base id/> }
    }
}

/// A document with its text.
#[derive(Clone, PartialEq)]
struct Whole {
    document: DocumentOut,
    markdown: String,
}

#[derive(Deserialize)]
struct Markdown {
    markdown: String,
}

/// The reply holds both side by side. Read as one type they would need a second way of reading
/// every type below it.
async fn read(api: Api, address: String) -> Result<Whole, Failure> {
    let text = api.text(&address).await?;
    let Markdown { markdown } = parse(&text)?;
    Ok(Whole { document: parse(&text)?, markdown })
}

#[component]
fn DocumentView(base: String, id: String) -> impl IntoView {
    let (api, changes) = (use_api(), use_live().of_base(base.clone()));
    let route = routes::fill(routes::DOCUMENT, &[&base, &id]);
    let query = Query::new(follows(changes, route), move |address: String| read(api, address));
    let title = move || query.latest().map(|reply| reply.document.title.clone());
    name_page(move || title().unwrap_or_else(|| "Document".to_owned()));
    view! {
        <article class="fact-page" data-testid="document-page">
            <p class="back"><A href=address::base(&base)><Icon of=Glyph::Back/>{base.clone()}</A></p>
            <Shown query lines=6 let:reply>{move || whole(reply.get())}</Shown>
        </article>
    }
}

fn whole(reply: Arc<Whole>) -> impl IntoView {
    let Whole { document, markdown } = Arc::unwrap_or_clone(reply);
    let kind = match document.source_mode {
        SourceMode::Converted => "Converted",
        SourceMode::Edited => "Edited",
    };
    let about = document.description.as_deref().map(|text| hidden::expose(text).into_owned());
    view! {
        <header class="page-head">
            <h1>{hidden::expose(&document.title).into_owned()}</h1>
            <p class="lead"><span class="badge">{kind}</span>{about}</p>
        </header>
        <Text markdown title=document.title.clone() top=HeadingLevel::H2/>
        <Origin document/>
    }
}

/// The original, what made it Markdown, and the files.
#[component]
fn Origin(document: DocumentOut) -> impl IntoView {
    let DocumentOut { metadata, chunk_count, embed_pending, path, folder_path, .. } = document;
    let shown = |text: Option<String>| text.map(|text| hidden::expose(&text).into_owned());
    let row = |name: &'static str, text: Option<String>| {
        text.map(|text| view! { <div><dt>{name}</dt><dd>{text}</dd></div> })
    };
    let passages = count(chunk_count, "passage", "passages");
    let passages =
        if embed_pending { format!("{passages}, waiting for vectors") } else { passages };
    view! {
        <dl class="provenance" data-testid="origin">
            {row("Original", shown(metadata.original_filename))}
            {row("Format", metadata.original_format)}
            {row("Converted by", metadata.conversion_engine)}
            {metadata.converted_at.map(|time| view! {
                <div><dt>"Converted"</dt><dd><When time/></dd></div>
            })}
            <div><dt>"Indexed as"</dt><dd>{passages}</dd></div>
            <div><dt>"Added"</dt><dd><When time=document.created_at/></dd></div>
            <div><dt>"Updated"</dt><dd><When time=document.updated_at/></dd></div>
            {metadata.source_path.map(|source| view! {
                <div class="wide"><dt>"Source"</dt><dd><code class="path">
                    {hidden::expose(&source).into_owned()}
                </code></dd></div>
            })}
            <div class="wide"><dt>"File"</dt><dd><PathRow path/></dd></div>
            <div class="wide"><dt>"Folder"</dt><dd><PathRow path=folder_path/></dd></div>
        </dl>
    }
}
