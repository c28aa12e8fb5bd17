//! Which conversations of an agent are shown, and in which order. All of it is in the address.

use coffer_api::hidden;
use coffer_api::transcripts::{SortOrder, TranscriptSort, TranscriptsOut, TranscriptsQuery};
use leptos::prelude::*;

use crate::parts::choice::Choice;
use crate::parts::filter::{FilterBox, Held, Listing};
use crate::query::Query;
use crate::time;

/// Conversations a page.
pub(super) const PAGE: u32 = 50;

/// How each order is called in the address and on the page; the one without a name comes first.
const ORDERS: [(&str, &str, TranscriptSort, SortOrder); 5] = [
    ("active-first", "Longest inactive first", TranscriptSort::LastActivityAt, SortOrder::Asc),
    ("newest", "Newest first", TranscriptSort::StartedAt, SortOrder::Desc),
    ("oldest", "Oldest first", TranscriptSort::StartedAt, SortOrder::Asc),
    ("longest", "Most messages first", TranscriptSort::MessageCount, SortOrder::Desc),
    ("shortest", "Fewest messages first", TranscriptSort::MessageCount, SortOrder::Asc),
];

/// What is chosen.
#[derive(Clone, Copy)]
pub(super) struct Chosen {
    pub(super) listing: Listing,
    project: Held,
    from: Held,
    to: Held,
    order: Held,
}

impl Chosen {
    /// What the present address says.
    pub(super) fn new() -> Self {
        let listing = Listing::new();
        let held = |name| listing.choice(name);
        let (project, from, to) = (held("project"), held("from"), held("to"));
        Self { listing, project, from, to, order: held("order") }
    }

    /// Whether any are left out, followed.
    pub(super) fn is_filtered(self) -> bool {
        let chosen = [self.project, self.from, self.to];
        self.listing.is_filtered() || chosen.iter().any(|(chosen, _)| chosen.with(Option::is_some))
    }

    /// What the server is asked for, followed.
    pub(super) fn query(self) -> TranscriptsQuery {
        let order = self.order.0.get();
        let order = ORDERS.iter().find(|(word, ..)| order.as_deref() == Some(word));
        let day = |(day, _): Held, later| day.get().and_then(|day| time::begin_of_day(&day, later));
        TranscriptsQuery {
            limit: Some(PAGE),
            offset: Some(self.listing.page.get() * PAGE),
            q: self.listing.filter.get(),
            project: self.project.0.get(),
            started_after: day(self.from, 0),
            // The day itself belongs to it.
            started_before: day(self.to, 1),
            sort: order.map(|(_, _, sort, _)| *sort),
            order: order.map(|(_, _, _, order)| *order),
        }
    }
}

#[component]
pub(super) fn Filters(chosen: Chosen, found: Query<TranscriptsOut>) -> impl IntoView {
    let projects = Signal::derive(move || {
        let mut projects = found.latest().map(|found| found.projects.clone()).unwrap_or_default();
        // What the address names is shown, whether or not there is anything of it.
        let named = chosen.project.0.get().filter(|named| !projects.contains(named));
        projects.extend(named);
        let shown = |project: String| (project.clone(), hidden::expose(&project).into_owned());
        projects.into_iter().map(shown).collect::<Vec<_>>()
    });
    let orders = ORDERS.map(|(word, name, ..)| (word.to_owned(), name.to_owned())).to_vec();
    view! {
        <FilterBox listing=chosen.listing label="Filter by title or project"/>
        <div class="filters" data-testid="conversation-filters">
            <Choice
                label="Project"
                all="All projects"
                options=projects
                chosen=chosen.project.0
                choose=chosen.project.1
            />
            <Day id="from" label="Started from" held=chosen.from/>
            <Day id="to" label="to" held=chosen.to/>
            <Choice
                label="Order"
                all="Last active first"
                options=orders
                chosen=chosen.order.0
                choose=chosen.order.1
            />
        </div>
    }
}

/// A day, or none.
#[component]
fn Day(id: &'static str, label: &'static str, held: Held) -> impl IntoView {
    let (chosen, choose) = held;
    view! {
        <label class="day-choice">
            <span class="small">{label}</span>
            <input
                type="date"
                id=id
                prop:value=move || chosen.get().unwrap_or_default()
                on:change:target=move |event| {
                    let day = event.target().value();
                    choose.set((!day.is_empty()).then_some(day));
                }
            />
        </label>
    }
}
