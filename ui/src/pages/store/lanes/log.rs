//! The consolidation log: what was retired, and by whom; and the versions that are kept.

use coffer_api::lanes::ConsolidationLogOut;
use leptos::prelude::*;
use pulldown_cmark::HeadingLevel;

use crate::pages::store::lanes::rules::Files;
use crate::pages::store::lanes::versions::Versions;
use crate::parts::document::Text;
use crate::parts::empty::Empty;
use crate::parts::icon::Glyph;
use crate::parts::shown::Shown;
use crate::query::Query;

#[component]
pub(in crate::pages::store) fn Log(
    name: String,
    query: Query<ConsolidationLogOut>,
) -> impl IntoView {
    view! {
        <section aria-label="Consolidation log" data-testid="lane-log">
            <h2 class="list-head">"Versions from before"</h2>
            <Versions name/>
            <h2 class="list-head">"Consolidation log"</h2>
            <Shown query let:reply>
                {move || text(&reply.get())}
            </Shown>
        </section>
    }
}

fn text(log: &ConsolidationLogOut) -> AnyView {
    let ConsolidationLogOut { text, path, folder_path } = log.clone();
    let Some(markdown) = text else {
        return view! {
            <Empty icon=Glyph::Log title="Nothing retired yet">
                "Every text that is replaced or deleted is kept, and noted here."
            </Empty>
        }
        .into_any();
    };
    view! {
        <Text markdown top=HeadingLevel::H3/>
        <Files path folder_path/>
    }
    .into_any()
}
