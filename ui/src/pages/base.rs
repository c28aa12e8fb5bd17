//! A knowledge base: what it holds, taking files in, and its documents.

mod documents;
mod header;
mod intake;
mod outcomes;
mod work;

use leptos::prelude::*;
use leptos_router::hooks::use_params_map;

use crate::pages::base::documents::Documents;
use crate::pages::base::header::BaseHeader;
use crate::pages::base::intake::{DropZone, Intake};
use crate::pages::base::outcomes::Outcomes;
use crate::pages::base::work::FolderWork;
use crate::pages::missing::Missing;
use crate::parts::title::name_page;
use crate::shared::use_shared;

/// The page at `/bases/{name}`.
#[component]
pub(crate) fn BasePage() -> impl IntoView {
    let (params, shared) = (use_params_map(), use_shared());
    // Only a list that is there can say that a knowledge base is not.
    let known = Memo::new(move |_| {
        let name = params.read().get("name").unwrap_or_default();
        let is_unknown = shared.bases.latest().is_some() && shared.base(&name).is_none();
        (!is_unknown).then_some(name)
    });
    move || match known.get() {
        Some(name) => view! { <BaseView name/> }.into_any(),
        None => view! { <Missing what="knowledge base"/> }.into_any(),
    }
}

#[component]
fn BaseView(name: String) -> impl IntoView {
    let title = name.clone();
    name_page(move || title.clone());
    let intake = Intake::new(&name);
    let name = StoredValue::new(name);
    view! {
        <DropZone intake>
            <BaseHeader name=name.get_value() intake/>
            <Outcomes intake/>
            <FolderWork name=name.get_value()/>
            <Documents name=name.get_value()/>
        </DropZone>
    }
}
