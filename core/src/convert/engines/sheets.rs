//! Workbooks: each sheet a heading and a table of the range that is used.

use std::io::Cursor;

use calamine::{
    Data, ExcelDateTime, Ods, OdsError, Range, Reader as _, Sheets, Xls, XlsError, Xlsx,
};

use super::table::{self, Count};
use super::{Draft, Format, Rejected, container, xml};

pub(super) const ENGINE: &str = "calamine 0.38.0";

type Bytes = Cursor<Vec<u8>>;

pub(super) fn convert(format: Format, bytes: Vec<u8>) -> Result<Draft, Rejected> {
    let title = if format == Format::Xls { None } else { title(&bytes)? };
    let mut book = open(format, Cursor::new(bytes))?;
    let (mut markdown, mut count) = (String::new(), Count::default());
    for name in book.sheet_names() {
        let Ok(range) = book.worksheet_range(&name) else { continue };
        let rows = rows(&range, &mut count)?;
        let table = table::markdown(&rows);
        if !table.is_empty() {
            markdown.extend(["## ", name.trim(), "\n\n", &table, "\n"]);
        }
    }
    Ok(Draft { markdown, title, engine: ENGINE })
}

fn open(format: Format, bytes: Bytes) -> Result<Sheets<Bytes>, Rejected> {
    match format {
        Format::Xls => Xls::new(bytes).map(Sheets::Xls).map_err(|error| match error {
            XlsError::Password => Rejected::Encrypted,
            error => damaged(&error),
        }),
        Format::Ods => Ods::new(bytes).map(Sheets::Ods).map_err(|error| match error {
            OdsError::Password => Rejected::Encrypted,
            error => damaged(&error),
        }),
        _ => Xlsx::new(bytes.clone()).map(Sheets::Xlsx).or_else(|error| {
            // Its binary sister has the same name in the list of formats.
            calamine::Xlsb::new(bytes).map(Sheets::Xlsb).map_err(|_| damaged(&error))
        }),
    }
}

fn damaged(error: &impl std::fmt::Display) -> Rejected {
    Rejected::Malformed(error.to_string())
}

fn title(bytes: &[u8]) -> Result<Option<String>, Rejected> {
    let mut container = container::Container::open(bytes)?;
    for part in ["docProps/core.xml", "meta.xml"] {
        if let Some(text) = container.text(part)? {
            let document = xml::parse(part, &text)?;
            return Ok(xml::find(document.root(), "title").map(xml::text));
        }
    }
    Ok(None)
}

/// The rows with text between the first and the last, without the columns before the first one with text.
fn rows(range: &Range<Data>, count: &mut Count) -> Result<Vec<Vec<String>>, Rejected> {
    let mut rows = Vec::new();
    for row in range.rows() {
        let used = row.iter().rposition(|cell| *cell != Data::Empty).map_or(0, |last| last + 1);
        count.row(used)?;
        rows.push(row[..used].iter().map(text).collect::<Vec<_>>());
    }
    rows.retain(|row| row.iter().any(|cell| !cell.trim().is_empty()));
    Ok(rows)
}

fn text(cell: &Data) -> String {
    match cell {
        Data::Int(value) => value.to_string(),
        Data::Float(value) => value.to_string(),
        Data::String(text) | Data::DurationIso(text) => text.clone(),
        Data::Bool(true) => "TRUE".to_owned(),
        Data::Bool(false) => "FALSE".to_owned(),
        Data::DateTime(time) => date(time),
        Data::DateTimeIso(text) => iso(text),
        Data::Error(error) => error.to_string(),
        Data::Empty => String::new(),
    }
}

/// As `date` writes it.
fn iso(text: &str) -> String {
    let text = text.replace('T', " ");
    let text = text.trim_end_matches(" 00:00:00");
    // Seconds, when there are none.
    let is_even = text.len() > "00:00:00".len() && text.ends_with(":00");
    if is_even { text[..text.len() - 3].to_owned() } else { text.to_owned() }
}

/// A date, a time of day, or both.
fn date(time: &ExcelDateTime) -> String {
    let (year, month, day, hour, minute, second, _) = time.to_ymd_hms_milli();
    let clock = if second == 0 {
        format!("{hour:02}:{minute:02}")
    } else {
        format!("{hour:02}:{minute:02}:{second:02}")
    };
    let value = time.as_f64();
    match () {
        () if time.is_duration() => duration(value),
        () if value < 1.0 => clock,
        () if value.fract() == 0.0 => format!("{year:04}-{month:02}-{day:02}"),
        () => format!("{year:04}-{month:02}-{day:02} {clock}"),
    }
}

/// Days as hours, minutes and seconds.
fn duration(days: f64) -> String {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a duration of years is shown wrongly at worst"
    )]
    let seconds = (days * 86_400.0).round() as i64;
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
