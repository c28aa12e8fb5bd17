//! A day of the journal, entry by entry.

use coffer_api::hidden;
use leptos::prelude::*;
use pulldown_cmark::HeadingLevel;

use crate::journal::{self, Entry};
use crate::parts::document::Text;
use crate::parts::when::When;

/// All entries of a file.
#[component]
pub(crate) fn Entries(#[prop(into)] markdown: String) -> impl IntoView {
    let entries = journal::entries(&markdown).into_iter();
    entries.map(|entry| view! { <EntryText entry/> }).collect_view()
}

#[component]
fn EntryText(entry: Entry) -> impl IntoView {
    let Entry { time, title, origin, text } = entry;
    let title = hidden::expose(&title).into_owned();
    let origin = origin.map(|origin| hidden::expose(&origin).into_owned());
    let heading = move |time| {
        view! {
            <h4>
                {title}
                <span class="small"><When time/></span>
            </h4>
        }
    };
    view! {
        <section class="entry">
            {time.map(heading)}
            {origin.map(|origin| view! { <p class="small origin">{origin}</p> })}
            <Text markdown=text top=HeadingLevel::H5/>
        </section>
    }
}
