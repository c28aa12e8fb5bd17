//! An address that leads nowhere.

use leptos::prelude::*;
use leptos_router::components::A;

use crate::address;
use crate::parts::empty::Empty;
use crate::parts::icon::Glyph;
use crate::parts::title::name_page;

/// Says that there is no such page or store, and leads back.
#[component]
pub(crate) fn Missing(
    /// What is not there.
    #[prop(default = "page")]
    what: &'static str,
) -> impl IntoView {
    name_page(|| "Not found".to_owned());
    view! {
        <Empty icon=Glyph::Alert title=format!("There is no such {what}")>
            "It may have been deleted or renamed. "
            <A href=address::store("global")>"Go to the global store"</A>"."
        </Empty>
    }
}
