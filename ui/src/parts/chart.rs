//! Recalls and writes by day, as bars.

use std::collections::BTreeMap;

use coffer_api::history::UsageRowOut;
use leptos::prelude::*;

use crate::format::{count, number};
use crate::time;

/// Days in the chart.
const DAYS: i64 = 30;
/// Width of a day and height of the field, in units of the drawing.
const DAY: u64 = 24;
const HEIGHT: u64 = 96;
const BAR: u64 = 8;

/// What happened on one day.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Day {
    date: String,
    recalls: u64,
    writes: u64,
}

/// Sums over all agents, a bar pair a day.
#[component]
pub(crate) fn UsageChart(rows: Vec<UsageRowOut>) -> impl IntoView {
    let days = by_day(&rows, &time::last_days(DAYS, time::now()));
    let most = days.iter().map(|day| day.recalls.max(day.writes)).max().unwrap_or(0);
    let (recalls, writes) = totals(&days);
    let told = if recalls + writes == 0 {
        format!("Nothing recalled or written in the last {DAYS} days")
    } else {
        let (recalls, writes) = counts(recalls, writes);
        format!("{recalls} and {writes} in the last {DAYS} days")
    };
    let (first, last) = (days.first().cloned(), days.last().cloned());
    let bars = days.into_iter().enumerate();
    let bars = bars.map(|(index, day)| view! { <Bars index day most/> }).collect_view();
    let name = |day: Option<Day>| day.map(|day| time::day_name(&day.date));
    let width = DAY * DAYS.unsigned_abs();
    view! {
        <figure class="chart" data-testid="usage-chart">
            <figcaption>
                <span>{told.clone()}</span>
                <span class="legend small">
                    <span class="key recalls"></span>
                    "Recalls"
                    <span class="key writes"></span>
                    "Writes"
                </span>
            </figcaption>
            <div class="chart-field">
                <span class="small chart-most">{(most > 0).then(|| number(most))}</span>
                <svg
                    viewBox=format!("0 0 {width} {HEIGHT}")
                    preserveAspectRatio="none"
                    role="img"
                    aria-label=told
                >
                    {bars}
                </svg>
            </div>
            <div class="chart-days small"><span>{name(first)}</span><span>{name(last)}</span></div>
        </figure>
    }
}

/// The bars of one day, with a field around them that tells the numbers on hover.
#[component]
fn Bars(index: usize, day: Day, most: u64) -> impl IntoView {
    let left = DAY * index as u64;
    let (recalls, writes) = counts(day.recalls, day.writes);
    let told = format!("{}: {recalls}, {writes}", time::long_day_name(&day.date));
    let bar = |class: &'static str, x: u64, value: u64| {
        let height = height(value, most);
        view! { <rect class=class x=x y=HEIGHT - height width=BAR height=height></rect> }
    };
    view! {
        <g class="day">
            <title>{told}</title>
            <rect class="day-field" x=left y="0" width=DAY height=HEIGHT></rect>
            {bar("recalls", left + 3, day.recalls)}
            {bar("writes", left + 4 + BAR, day.writes)}
        </g>
    }
}

fn counts(recalls: u64, writes: u64) -> (String, String) {
    (count(recalls, "recall", "recalls"), count(writes, "write", "writes"))
}

/// In proportion, but never so low that something looks like nothing.
fn height(value: u64, most: u64) -> u64 {
    if value == 0 { 0 } else { (HEIGHT * value / most).max(2) }
}

fn by_day(rows: &[UsageRowOut], dates: &[String]) -> Vec<Day> {
    let mut sums: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for row in rows {
        let (recalls, writes) = sums.entry(&row.day).or_default();
        *recalls += row.recalls;
        *writes += row.writes;
    }
    let day = |date: &String| {
        let (recalls, writes) = sums.get(date.as_str()).copied().unwrap_or_default();
        Day { date: date.clone(), recalls, writes }
    };
    dates.iter().map(day).collect()
}

fn totals(days: &[Day]) -> (u64, u64) {
    days.iter().fold((0, 0), |(recalls, writes), day| (recalls + day.recalls, writes + day.writes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(day: &str, agent: &str, recalls: u64, writes: u64) -> UsageRowOut {
        UsageRowOut { day: day.into(), agent: agent.into(), recalls, writes, injections: 0 }
    }

    #[test]
    fn agents_are_summed_and_missing_days_are_empty() {
        let rows = [
            row("2026-01-02", "a", 3, 1),
            row("2026-01-02", "b", 2, 0),
            row("2025-01-01", "a", 9, 9),
        ];
        let dates = ["2026-01-01".to_owned(), "2026-01-02".to_owned()];
        let days = by_day(&rows, &dates);
        assert_eq!(days[0], Day { date: "2026-01-01".into(), recalls: 0, writes: 0 });
        assert_eq!(days[1], Day { date: "2026-01-02".into(), recalls: 5, writes: 1 });
        assert_eq!(totals(&days), (5, 1));
    }

    #[test]
    fn a_small_value_is_still_seen() {
        assert_eq!(height(0, 1000), 0);
        assert_eq!(height(1, 1000), 2);
        assert_eq!(height(1000, 1000), HEIGHT);
    }
}
