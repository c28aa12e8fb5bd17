//! One fact: its text, and where it comes from.

use coffer_api::facts::{Actor, FactOut};
use coffer_api::hidden;
use leptos::prelude::*;
use leptos_router::components::A;
use pulldown_cmark::HeadingLevel;

use crate::address;
use crate::parts::document::{Document, Opened, Text};
use crate::parts::file_actions::PathRow;
use crate::parts::icon::Glyph;
use crate::parts::when::When;
use crate::wording;

/// A fact as a row that opens in place.
#[component]
pub(crate) fn FactRow(fact: FactOut, opened: Opened) -> impl IntoView {
    let title = hidden::expose(&fact.title).into_owned();
    let summary = wording::summary(&fact);
    let icon = if wording::is_inbox(&fact) { Glyph::Inbox } else { Glyph::Topic };
    let (who, time) = (wording::who(&fact), fact.updated_at.clone());
    let description = fact.description.as_deref().map(|text| hidden::expose(text).into_owned());
    let side = move || view! { <span class="who">{who.clone()}</span><When time=time.clone()/> };
    view! {
        <Document id=fact.id.clone() icon title summary side opened>
            {description.clone().map(|text| view! { <p class="lead">{text}</p> })}
            <FactText fact=fact.clone()/>
            <Provenance fact=fact.clone() is_page=false/>
        </Document>
    }
}

/// The text alone.
#[component]
pub(crate) fn FactText(
    fact: FactOut,
    /// The level of its highest headings.
    #[prop(default = HeadingLevel::H4)]
    top: HeadingLevel,
) -> impl IntoView {
    view! { <Text markdown=fact.text title=fact.title top/> }
}

/// Who wrote it, in which session, when, and the file.
#[component]
pub(crate) fn Provenance(
    fact: FactOut,
    /// Whether this is the fact's own page already.
    is_page: bool,
) -> impl IntoView {
    let written_by = match fact.actor {
        Actor::User => "You".to_owned(),
        Actor::Agent => wording::who(&fact),
    };
    let session = fact.origin_session_id.as_deref().map(hidden::expose).map(|id| id.into_owned());
    let page = (!is_page).then(|| address::fact(&fact.store_name, &fact.id));
    view! {
        <dl class="provenance" data-testid="provenance">
            <div><dt>"Written by"</dt><dd>{written_by}</dd></div>
            {session.map(|id| view! { <div><dt>"Session"</dt><dd><code>{id}</code></dd></div> })}
            <div><dt>"Created"</dt><dd><When time=fact.created_at/></dd></div>
            <div><dt>"Updated"</dt><dd><When time=fact.updated_at/></dd></div>
            <div class="wide"><dt>"File"</dt><dd><PathRow path=fact.path/></dd></div>
            <div class="wide"><dt>"Folder"</dt><dd><PathRow path=fact.folder_path/></dd></div>
            {page.map(|href| view! {
                <div class="wide">
                    <dt>"Page"</dt>
                    <dd><A href>"Open on a page of its own"</A></dd>
                </div>
            })}
        </dl>
    }
}
