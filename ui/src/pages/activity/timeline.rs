//! A history that grows at both ends: new rows come by themselves, older ones when asked for.

use coffer_api::history::HistoryQuery;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::{use_api, with_query};
use crate::failure::Failure;
use crate::live::use_live;
use crate::parts::notices::use_notices;
use crate::query::Query;
use crate::time;

/// Rows a request.
const PAGE: u32 = 50;
/// Milliseconds between two looks at a history that no event announces.
const PACE: i32 = 3_000;

/// How one kind of row is read and ordered.
pub(super) struct Source<R: 'static, T: 'static> {
    pub(super) route: &'static str,
    pub(super) rows: fn(R) -> Vec<T>,
    pub(super) seq: fn(&T) -> i64,
    /// Whether to look again and again, because no event tells of new rows.
    pub(super) is_silent: bool,
}

impl<R, T> Clone for Source<R, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R, T> Copy for Source<R, T> {}

/// The rows that are shown, newest first.
pub(super) struct Timeline<T: Send + Sync + 'static> {
    pub(super) newest: Query<(HistoryQuery, Vec<T>)>,
    pub(super) rows: RwSignal<Vec<T>>,
    /// Whether the server may have older rows.
    pub(super) has_older: RwSignal<bool>,
    pub(super) load_older: Callback<()>,
}

/// Follows the history that `filter` narrows down.
pub(super) fn follow<R, T>(source: Source<R, T>, filter: Signal<HistoryQuery>) -> Timeline<T>
where
    R: serde::de::DeserializeOwned + 'static,
    T: Clone + PartialEq + Send + Sync + 'static,
{
    let newest = newest(source, filter);
    let (rows, has_older) = (RwSignal::new(Vec::new()), RwSignal::new(false));
    Effect::new(move |last: Option<Option<HistoryQuery>>| {
        let answer = newest.latest()?;
        let (of, page) = &*answer;
        let is_same = last.flatten().as_ref() == Some(of);
        let before = if is_same { rows.get_untracked() } else { Vec::new() };
        let (merged, is_gap) = merge(before, page.clone(), source.seq);
        if !is_same || is_gap {
            has_older.set(page.len() >= PAGE as usize);
        }
        rows.set(merged);
        Some(of.clone())
    });
    let load_older = older(source, filter, rows, has_older);
    Timeline { newest, rows, has_older, load_older }
}

fn newest<R, T>(source: Source<R, T>, filter: Signal<HistoryQuery>) -> Query<(HistoryQuery, Vec<T>)>
where
    R: serde::de::DeserializeOwned + 'static,
    T: PartialEq + Send + Sync + 'static,
{
    let (api, live) = (use_api(), use_live());
    let (stores, settings) = (live.of_any_store(), live.of_settings());
    let key = move || {
        stores.follow();
        settings.follow();
        filter.get()
    };
    let query = Query::new(key, move |of: HistoryQuery| async move {
        let reply: R = api.get(&with_query(source.route, &of)).await?;
        Ok((of, (source.rows)(reply)))
    });
    if source.is_silent {
        look_again(query);
    }
    query
}

fn look_again<T: PartialEq + Send + Sync + 'static>(query: Query<T>) {
    let is_gone = StoredValue::new(());
    spawn_local(async move {
        while !is_gone.is_disposed() {
            time::sleep(PACE).await;
            if !is_gone.is_disposed() && !document().hidden() {
                query.again();
            }
        }
    });
}

fn older<R, T>(
    source: Source<R, T>,
    filter: Signal<HistoryQuery>,
    rows: RwSignal<Vec<T>>,
    has_older: RwSignal<bool>,
) -> Callback<()>
where
    R: serde::de::DeserializeOwned + 'static,
    T: Clone + Send + Sync + 'static,
{
    let (api, notices) = (use_api(), use_notices());
    Callback::new(move |()| {
        let before = rows.with_untracked(|rows| rows.last().map(source.seq));
        let of = HistoryQuery { before, ..filter.get_untracked() };
        spawn_local(async move {
            let reply: Result<R, Failure> = api.get(&with_query(source.route, &of)).await;
            match reply.map(source.rows) {
                Ok(page) => {
                    has_older.try_set(page.len() >= PAGE as usize);
                    rows.try_update(|rows| rows.extend(page));
                }
                Err(failure) => notices.failed(&failure),
            }
        });
    })
}

/// Puts a new first page before the rows that are there already, and tells whether rows may be
/// missing between the two; then only the page is left.
fn merge<T: Clone>(before: Vec<T>, page: Vec<T>, seq: fn(&T) -> i64) -> (Vec<T>, bool) {
    let Some(newest_before) = before.first().map(seq) else { return (page, false) };
    let overlaps = page.iter().any(|row| seq(row) <= newest_before);
    if !overlaps && page.len() >= PAGE as usize {
        return (page, true);
    }
    let new = page.into_iter().filter(|row| seq(row) > newest_before);
    (new.chain(before).collect(), false)
}

/// The filter of a first page.
pub(super) fn filtered(
    event: Option<String>,
    store: Option<String>,
    agent: Option<String>,
) -> HistoryQuery {
    HistoryQuery { limit: Some(PAGE), before: None, event, store, agent }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(before: &[i64], page: &[i64]) -> (Vec<i64>, bool) {
        merge(before.to_vec(), page.to_vec(), |row| *row)
    }

    #[test]
    fn new_rows_come_first_and_once() {
        assert_eq!(merged(&[], &[3, 2]), (vec![3, 2], false));
        assert_eq!(merged(&[3, 2, 1], &[5, 4, 3]), (vec![5, 4, 3, 2, 1], false));
        assert_eq!(merged(&[3, 2], &[3, 2]), (vec![3, 2], false));
        assert_eq!(merged(&[3], &[]), (vec![3], false));
        assert_eq!(merged(&[3], &[5, 4]), (vec![5, 4, 3], false), "a short page has no gap below");
    }

    #[test]
    fn a_gap_drops_what_came_before() {
        let page: Vec<i64> = (100..150).rev().collect();
        assert_eq!(merged(&[3, 2], &page), (page.clone(), true));
    }
}
