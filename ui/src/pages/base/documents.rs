//! The documents of a knowledge base, newest change first, fifty a page.

use coffer_api::kb::{DocumentOut, DocumentsOut, DocumentsQuery, SourceMode};
use coffer_api::{hidden, routes};
use leptos::prelude::*;

use crate::address;
use crate::api::{use_api, with_query};
use crate::live::use_live;
use crate::parts::empty::Empty;
use crate::parts::filter::{FilterBox, Listing};
use crate::parts::icon::Glyph;
use crate::parts::pager::Pager;
use crate::parts::place;
use crate::parts::row::{Row, fingerprint};
use crate::parts::shown::Shown;
use crate::parts::when::When;
use crate::query::Query;

/// Documents a page.
const PAGE: u32 = 50;
/// The list's element.
const LIST: &str = "documents";

#[component]
pub(super) fn Documents(name: String) -> impl IntoView {
    let listing = Listing::new();
    let documents = documents_query(&name, listing);
    let total = Signal::derive(move || documents.latest().map_or(0, |reply| reply.total));
    view! {
        <section aria-label="Documents" data-testid="base-documents">
            <h2 class="offscreen">"Documents"</h2>
            <Show when=move || listing.is_filtered() || (total.get() > 0)>
                <FilterBox listing/>
            </Show>
            <Shown query=documents lines=6 let:reply>
                <DocumentList reply listing/>
            </Shown>
            <Pager page=listing.page size=PAGE total go=listing.go()/>
        </section>
    }
}

fn documents_query(name: &str, listing: Listing) -> Query<DocumentsOut> {
    let (api, changes) = (use_api(), use_live().of_base(name.to_owned()));
    let route = routes::fill(routes::DOCUMENTS, &[name]);
    Query::at(api, move || {
        changes.follow();
        let (offset, q) = (listing.page.get() * PAGE, listing.filter.get());
        with_query(&route, &DocumentsQuery { limit: Some(PAGE), offset: Some(offset), q })
    })
}

#[component]
fn DocumentList(reply: Signal<std::sync::Arc<DocumentsOut>>, listing: Listing) -> impl IntoView {
    let documents = move || {
        place::keep(LIST);
        reply.get().documents.clone()
    };
    let key = |document: &DocumentOut| fingerprint((&document.id, &document.content_sha256));
    let is_empty = Memo::new(move |_| reply.get().documents.is_empty());
    view! {
        <ul class="docs rows" id=LIST>
            <For each=documents key let:document><DocumentRow document/></For>
        </ul>
        {move || is_empty.get().then(|| nothing(listing.is_filtered()))}
    }
}

#[component]
fn DocumentRow(document: DocumentOut) -> impl IntoView {
    let title = hidden::expose(&document.title).into_owned();
    let from = document.metadata.original_filename.as_deref().unwrap_or_default();
    let about = document.description.as_deref().filter(|text| !text.is_empty()).unwrap_or(from);
    // A title that is the file's name is not said twice.
    let about = if about == document.title { "" } else { about };
    let about = hidden::expose(about).into_owned();
    let format = document.metadata.original_format.clone();
    let edited = (document.source_mode == SourceMode::Edited).then_some("Edited · ");
    view! {
        <Row
            href=address::document(&document.resource_name, &document.id)
            id=document.id.clone()
            testid="base-document"
            icon=Glyph::Document
            title
            summary=about
        >
            <span class="who">{edited}{format}</span>
            <When time=document.updated_at/>
        </Row>
    }
}

fn nothing(is_filtered: bool) -> AnyView {
    if is_filtered {
        return view! {
            <Empty icon=Glyph::Search title="No title or description holds that">
                "The filter looks at titles and descriptions; the search above looks at everything."
            </Empty>
        }
        .into_any();
    }
    view! {
        <Empty icon=Glyph::Document title="No document yet">
            "Drop files here, or add a whole folder with " <code>"coffer kb add"</code> "."
        </Empty>
    }
    .into_any()
}
