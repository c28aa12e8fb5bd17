//! An address that leads nowhere.

use leptos::prelude::*;
use leptos_router::components::A;

use crate::address;
use crate::parts::icon::{Glyph, Icon};
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
        <div class="state" data-testid="missing">
            <Icon of=Glyph::Alert/>
            <h1>{format!("There is no such {what}")}</h1>
            <p>
                "It may have been deleted or renamed. "
                <A href=address::store("global")>"Go to the global store"</A>"."
            </p>
        </div>
    }
}
