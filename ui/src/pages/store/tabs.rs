//! The lanes of a store, with what each holds.

use coffer_api::hooks::InjectionOut;
use coffer_api::lanes::{ConsolidationLogOut, HandoffLaneOut};
use coffer_api::routes;
use coffer_api::stores::StoreMetricsOut;
use leptos::prelude::*;
use leptos_router::components::A;

use crate::address;
use crate::api::use_api;
use crate::format::number;
use crate::live::{follows, use_live};
use crate::parts::icon::{Glyph, Icon};
use crate::query::Query;
use crate::wording::LaneTab;

/// What the counts of all lanes come from.
#[derive(Clone, Copy)]
pub(super) struct LaneReads {
    pub(super) metrics: Query<StoreMetricsOut>,
    pub(super) handoff: Query<HandoffLaneOut>,
    pub(super) log: Query<ConsolidationLogOut>,
    pub(super) start: Query<InjectionOut>,
}

impl LaneReads {
    pub(super) fn new(store: &str) -> Self {
        Self {
            metrics: lane_query(routes::STORE_METRICS, store),
            handoff: lane_query(routes::STORE_HANDOFF, store),
            log: lane_query(routes::CONSOLIDATION_LOG, store),
            start: start_query(store),
        }
    }

    /// How much a lane holds, once known.
    fn count(self, lane: LaneTab) -> Option<u64> {
        let metrics = || self.metrics.latest();
        match lane {
            LaneTab::Knowledge => metrics().map(|metrics| metrics.fact_count),
            LaneTab::Rules => metrics().map(|metrics| metrics.rules_count),
            LaneTab::Journal => metrics().map(|metrics| metrics.journal_days),
            LaneTab::Handoff => self.handoff.latest().map(|lane| lane.scenes.len() as u64),
            LaneTab::Log => self.log.latest().map(|log| entries(log.text.as_deref())),
            LaneTab::Start => self.start.latest().map(|told| told.rules),
        }
    }
}

/// What an agent is told holds the global rules too, and nothing of a store that is off.
fn start_query(store: &str) -> Query<InjectionOut> {
    let (api, stores) = (use_api(), use_live().of_any_store());
    let route = routes::fill(routes::STORE_INJECTION, &[store]);
    Query::at(api, follows(stores, route))
}

/// A read of one store that follows its changes; `route` takes the store's name.
pub(super) fn lane_query<T>(route: &str, store: &str) -> Query<T>
where
    T: serde::de::DeserializeOwned + PartialEq + Send + Sync + 'static,
{
    let (api, changes) = (use_api(), use_live().of_store(store.to_owned()));
    let route = routes::fill(route, &[store]);
    Query::at(api, follows(changes, route))
}

/// Entries of the log: its list items.
fn entries(log: Option<&str>) -> u64 {
    log.unwrap_or_default().lines().filter(|line| line.starts_with("- ")).count() as u64
}

const fn icon(lane: LaneTab) -> Glyph {
    match lane {
        LaneTab::Knowledge => Glyph::Topic,
        LaneTab::Rules => Glyph::Rules,
        LaneTab::Journal => Glyph::Journal,
        LaneTab::Handoff => Glyph::Handoff,
        LaneTab::Log => Glyph::Log,
        LaneTab::Start => Glyph::Start,
    }
}

#[component]
pub(super) fn Tabs(name: String, reads: LaneReads) -> impl IntoView {
    let tabs = LaneTab::ALL.into_iter().map(|lane| {
        let shown = move || reads.count(lane).map_or_else(|| "–".to_owned(), number);
        // The first tab's address begins all others', so it must match as a whole.
        view! {
            <A
                href=address::lane(&name, lane)
                exact=true
                attr:class="tab"
                attr:data-lane=lane.word()
            >
                <Icon of=icon(lane)/>
                <span>{lane.name()}</span>
                <span class="count">{shown}</span>
            </A>
        }
    });
    view! { <nav class="tabs" aria-label="Lanes" data-testid="lanes">{tabs.collect_view()}</nav> }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logs_entries_are_its_list_items() {
        assert_eq!(entries(None), 0);
        assert_eq!(entries(Some("# Log\n\n- one\n- two\n  more\n")), 2);
    }
}
