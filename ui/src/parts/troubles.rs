//! What was left out or went wrong, a row each, with the reason.

use coffer_api::hidden;
use leptos::prelude::*;

use crate::format::sentence;
use crate::parts::icon::{Glyph, Icon};
use crate::parts::prose::Prose;

/// So many are shown.
const MOST: usize = 200;

/// Whether it is a failure, what it is about, and why; nothing where there are none.
#[component]
pub(crate) fn Troubles(items: Vec<(bool, String, String)>) -> impl IntoView {
    let is_empty = items.is_empty();
    let rows = items.into_iter().take(MOST).map(|(is_failure, name, reason)| {
        let of = if is_failure { Glyph::Alert } else { Glyph::Warning };
        let name = hidden::expose(&name).into_owned();
        view! {
            <li class="check" class:error=is_failure data-testid="outcome">
                <span class="check-state"><Icon of/></span>
                <div class="outcome">
                    <span class="outcome-name">{name}</span>
                    <span class="small"><Prose text=sentence(&reason)/></span>
                </div>
            </li>
        }
    });
    let rows = rows.collect_view();
    (!is_empty).then(|| view! { <ul class="checks">{rows}</ul> })
}
