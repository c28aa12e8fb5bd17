//! Rows of values: comma-, semicolon- or tab-separated.

use super::table::{self, Count};
use super::{Draft, Rejected, text};

pub(super) const ENGINE: &str = "csv 1.4.0";

/// So many bytes are looked at for what separates values.
const SAMPLE: usize = 8 << 10;

pub(super) fn convert(name: &str, bytes: &[u8]) -> Result<Draft, Rejected> {
    let text = text::decode(bytes)?;
    let separator = separator(name, &text);
    let mut reader = csv::ReaderBuilder::new();
    reader.has_headers(false).flexible(true).delimiter(separator);
    let mut reader = reader.from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    let (mut rows, mut count) = (Vec::new(), Count::default());
    for record in reader.records() {
        let record = record.map_err(|error| Rejected::Malformed(error.to_string()))?;
        count.row(record.len())?;
        rows.push(record.iter().map(str::to_owned).collect::<Vec<_>>());
    }
    Ok(Draft { markdown: table::markdown(&rows), title: None, engine: ENGINE })
}

/// The separator that stands most evenly in the first lines, outside of quotes.
fn separator(name: &str, text: &str) -> u8 {
    if name.to_lowercase().ends_with(".tsv") || name.to_lowercase().ends_with(".tab") {
        return b'\t';
    }
    let sample = &text[..text.floor_char_boundary(SAMPLE)];
    let first = sample.lines().find(|line| !line.trim().is_empty()).unwrap_or("");
    let outside = first.split('"').step_by(2);
    let counts = [b',', b';', b'\t'].map(|separator| {
        let found = outside.clone().flat_map(str::bytes).filter(|byte| *byte == separator).count();
        (found, separator)
    });
    // The first of those that stand most often.
    let best = counts.into_iter().rev().max_by_key(|(found, _)| *found);
    best.filter(|(found, _)| *found > 0).map_or(b',', |(_, separator)| separator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_bars_and_ragged_rows() {
        let csv = "a,b\n\"x, y\",\"p|q\"\n\"two\nlines\"\n1,2,3\n";
        let draft = convert("t.csv", csv.as_bytes()).unwrap();
        insta::assert_snapshot!(draft.markdown, @r"
        | a | b |  |
        | --- | --- | --- |
        | x, y | p\|q |  |
        | two lines |  |  |
        | 1 | 2 | 3 |
        ");
    }

    #[test]
    fn separators_are_told_apart() {
        for (name, text, wanted) in [
            ("a.csv", "a,b;c,d", b','),
            ("a.csv", "a;b;\"1,5,6,7\"", b';'),
            ("a.csv", "a\tb,\tc", b'\t'),
            ("a.tsv", "a,b", b'\t'),
            ("a.csv", "one", b','),
        ] {
            assert_eq!(separator(name, text), wanted, "{text}");
        }
    }

    #[test]
    fn tables_of_a_program_are_refused() {
        let wide = vec!["1"; 50_000].join(",");
        let refused = convert("w.csv", wide.as_bytes()).err().unwrap();
        assert!(refused.to_string().contains("50000 columns"), "{refused}");
    }
}
