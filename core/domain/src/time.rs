//! Points in time, to the microsecond, in UTC. The clock itself is elsewhere.

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use time::macros::format_description;

/// Microseconds since 1970, UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timestamp(i64);

impl Timestamp {
    /// From microseconds since 1970.
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// Microseconds since 1970.
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// Milliseconds since 1970; times before it are 0.
    pub fn unix_millis(self) -> u64 {
        u64::try_from(self.0 / 1_000).unwrap_or(0)
    }

    /// The whole second that this falls in: what files carry.
    pub const fn whole_second(self) -> Self {
        Self(self.0.div_euclid(1_000_000) * 1_000_000)
    }

    /// Reads RFC 3339, or a bare date as its first moment; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let full = OffsetDateTime::parse(text, &Rfc3339).ok().or_else(|| {
            let date = time::Date::parse(text, format_description!("[year]-[month]-[day]")).ok()?;
            Some(date.midnight().assume_utc())
        })?;
        i64::try_from(full.unix_timestamp_nanos() / 1_000).ok().map(Self)
    }

    /// `YYYY-MM-DD`, the UTC day: the name of a journal file.
    pub fn day(self) -> String {
        self.to_string().chars().take(10).collect()
    }

    /// `20260609T101112123456Z`: the time in names of retired versions.
    pub fn compact(self) -> String {
        self.format(format_description!(
            "[year][month][day]T[hour][minute][second][subsecond digits:6]Z"
        ))
    }

    /// Reads what `compact` writes.
    pub fn parse_compact(text: &str) -> Option<Self> {
        let shape =
            format_description!("[year][month][day]T[hour][minute][second][subsecond digits:6]Z");
        let time = time::PrimitiveDateTime::parse(text, shape).ok()?.assume_utc();
        i64::try_from(time.unix_timestamp_nanos() / 1_000).ok().map(Self)
    }

    fn format(self, shape: &[time::format_description::BorrowedFormatItem<'_>]) -> String {
        let shown = OffsetDateTime::from_unix_timestamp_nanos(i128::from(self.0) * 1_000)
            .unwrap_or(OffsetDateTime::UNIX_EPOCH);
        // These shapes name only parts that every date has.
        shown.format(shape).unwrap_or_default()
    }
}

/// RFC 3339 with `+00:00`; a fraction only where there is one.
impl std::fmt::Display for Timestamp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let shape = if self.0 % 1_000_000 == 0 {
            format_description!("[year]-[month]-[day]T[hour]:[minute]:[second]+00:00")
        } else {
            format_description!(
                "[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:6]+00:00"
            )
        };
        f.write_str(&self.format(shape))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_round_trip() {
        for (text, shown) in [
            ("2026-06-09T10:11:12+00:00", "2026-06-09T10:11:12+00:00"),
            ("2026-06-09T12:11:12.5+02:00", "2026-06-09T10:11:12.500000+00:00"),
            ("2026-06-09T10:11:12Z", "2026-06-09T10:11:12+00:00"),
            ("2026-06-09", "2026-06-09T00:00:00+00:00"),
            ("1969-12-31T23:59:59Z", "1969-12-31T23:59:59+00:00"),
        ] {
            let time = Timestamp::parse(text).unwrap();
            assert_eq!(time.to_string(), shown);
            assert_eq!(Timestamp::parse(shown), Some(time));
        }
        for bad in ["", "now", "2026-13-45", "12:30", "2026"] {
            assert_eq!(Timestamp::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn names_made_of_times() {
        let time = Timestamp::parse("2026-06-09T10:11:12.345678Z").unwrap();
        assert_eq!(time.day(), "2026-06-09");
        assert_eq!(time.compact(), "20260609T101112345678Z");
        assert_eq!(Timestamp::parse_compact("20260609T101112345678Z"), Some(time));
        assert_eq!(Timestamp::parse_compact("20260609T101112Z"), None);
        assert_eq!(time.whole_second().to_string(), "2026-06-09T10:11:12+00:00");
    }
}
