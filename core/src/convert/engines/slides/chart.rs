//! A chart as the table of its data.

use std::collections::BTreeMap;

use roxmltree::Node;

use crate::convert::engines::container::Container;
use crate::convert::engines::markup::{Cell, Inline, Markup};
use crate::convert::engines::{Rejected, xml};

/// More points are no chart for a reader.
const MOST_POINTS: usize = 1_000;

pub(super) fn write(
    container: &mut Container<'_>,
    markup: &mut Markup,
    part: &str,
) -> Result<(), Rejected> {
    let Some(text) = container.text(part)? else { return Ok(()) };
    let document = xml::parse(part, &text)?;
    let title = xml::find(document.root(), "chart").and_then(|chart| {
        let title = xml::children(chart).find(|node| xml::is(*node, "title"))?;
        let texts = title.descendants().filter(|node| xml::is(*node, "t")).map(xml::text);
        Some(texts.collect::<String>())
    });
    markup.paragraph(&Inline::of(&title.unwrap_or_default()));
    let series: Vec<_> = document.descendants().filter(|node| xml::is(*node, "ser")).collect();
    markup.table(&table(&series));
    Ok(())
}

/// A column for each series, a row for each category.
fn table(series: &[Node<'_, '_>]) -> Vec<Vec<Cell>> {
    let points = |node: &Node<'_, '_>, names: &[&str]| {
        let found = xml::children(*node).find(|node| names.contains(&node.tag_name().name()));
        found.map(points).unwrap_or_default()
    };
    let categories =
        series.first().map(|first| points(first, &["cat", "xVal"])).unwrap_or_default();
    let values: Vec<_> = series.iter().map(|one| points(one, &["val", "yVal"])).collect();
    let mut head = vec![String::new()];
    head.extend(series.iter().map(|one| points(one, &["tx"]).into_values().collect::<String>()));
    let last = values.iter().filter_map(|values| values.keys().next_back()).max();
    let mut rows = vec![head];
    for at in 0..last.map_or(0, |last| (last + 1).min(MOST_POINTS)) {
        let mut row = vec![categories.get(&at).cloned().unwrap_or_default()];
        row.extend(values.iter().map(|values| values.get(&at).cloned().unwrap_or_default()));
        rows.push(row);
    }
    let cells = |row: Vec<String>| row.iter().map(|text| Cell::new(Inline::of(text))).collect();
    rows.into_iter().map(cells).collect()
}

/// The points of a series, by their place.
fn points(node: Node<'_, '_>) -> BTreeMap<usize, String> {
    let points = node.descendants().filter(|node| xml::is(*node, "pt"));
    let points = points.filter_map(|point| {
        let place = point.attribute("idx")?.parse().ok()?;
        Some((place, xml::text(xml::find(point, "v")?)))
    });
    points.collect()
}
