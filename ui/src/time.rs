//! Times, relative and exact, in the person's own time zone and language.
//!
//! The browser knows both; only what is decided by arithmetic is here in Rust.

use js_sys::{Date, Function, Object, Promise, Reflect};
use leptos::prelude::window;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

const MINUTE: f64 = 60_000.0;
const HOUR: f64 = 60.0 * MINUTE;
const DAY: f64 = 24.0 * HOUR;

/// Milliseconds since 1970 of an RFC 3339 time.
pub(crate) fn parse(time: &str) -> Option<f64> {
    let milliseconds = Date::parse(time);
    (!milliseconds.is_nan()).then_some(milliseconds)
}

/// Milliseconds since 1970, now.
pub(crate) fn now() -> f64 {
    Date::now()
}

/// Lets this many milliseconds pass.
pub(crate) async fn sleep(milliseconds: i32) {
    let mut wake = |resolve: Function, _| {
        // A window that cannot set a timer is closing.
        let _ =
            window().set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, milliseconds);
    };
    let _ = JsFuture::from(Promise::new(&mut wake)).await;
}

/// The begin of a day such as `2026-06-09` where the person is, some days later, as RFC 3339.
pub(crate) fn begin_of_day(day: &str, later: u32) -> Option<String> {
    let mut parts = day.split('-').map(str::parse::<u32>);
    let (year, month, date) = (parts.next()?.ok()?, parts.next()?.ok()?, parts.next()?.ok()?);
    let month = i32::try_from(month).ok()? - 1;
    let date = i32::try_from(date + later).ok()?;
    let begin = Date::new_with_year_month_day(year, month, date);
    (!begin.get_time().is_nan()).then(|| begin.to_iso_string().into())
}

/// `just now`, `5 min ago`, `3 h ago`, `yesterday`, `4 days ago`, then the date.
pub(crate) fn relative(then: f64, now: f64) -> String {
    ago(now - then).unwrap_or_else(|| local(then, &[("dateStyle", "medium")]))
}

/// Date, time and seconds.
pub(crate) fn exact(then: f64) -> String {
    local(then, &[("dateStyle", "full"), ("timeStyle", "medium")])
}

/// A day of UTC, such as `2026-06-09`, the way the person writes it: `Jun 9`.
pub(crate) fn day_name(day: &str) -> String {
    let options = [("month", "short"), ("day", "numeric"), ("timeZone", "UTC")];
    parse(day).map_or_else(|| day.to_owned(), |then| local(then, &options))
}

/// A day of UTC with weekday and year.
pub(crate) fn long_day_name(day: &str) -> String {
    let options = [("dateStyle", "full"), ("timeZone", "UTC")];
    parse(day).map_or_else(|| day.to_owned(), |then| local(then, &options))
}

fn local(then: f64, options: &[(&str, &str)]) -> String {
    let object = Object::new();
    for (name, value) in options {
        // Setting a property of a fresh plain object cannot fail.
        let _ = Reflect::set(&object, &JsValue::from_str(name), &JsValue::from_str(value));
    }
    Date::new(&JsValue::from_f64(then)).to_locale_string("default", &object).into()
}

#[expect(clippy::cast_possible_truncation, reason = "at most seven days of minutes")]
fn ago(passed: f64) -> Option<String> {
    let whole = |unit: f64| (passed / unit).floor() as i64;
    Some(match passed {
        _ if passed < MINUTE => "just now".to_owned(),
        _ if passed < HOUR => format!("{} min ago", whole(MINUTE)),
        _ if passed < DAY => format!("{} h ago", whole(HOUR)),
        _ if passed < 2.0 * DAY => "yesterday".to_owned(),
        _ if passed < 7.0 * DAY => format!("{} days ago", whole(DAY)),
        _ => return None,
    })
}

/// The last `count` days of UTC, oldest first, as `YYYY-MM-DD`; `now` in milliseconds since 1970.
#[expect(clippy::cast_possible_truncation, reason = "days since 1970 are a small number")]
pub(crate) fn last_days(count: i64, now: f64) -> Vec<String> {
    let today = (now / DAY).floor() as i64;
    (today - count + 1..=today).map(calendar_day).collect()
}

/// Days since 1970 to a date of the Gregorian calendar, counting years from March so that the leap
/// day comes last.
fn calendar_day(days: i64) -> String {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_week_is_told_in_words() {
        for (passed, words) in [
            (-5.0 * MINUTE, "just now"),
            (0.0, "just now"),
            (59_999.0, "just now"),
            (MINUTE, "1 min ago"),
            (HOUR - 1.0, "59 min ago"),
            (3.5 * HOUR, "3 h ago"),
            (DAY, "yesterday"),
            (2.0 * DAY, "2 days ago"),
            (6.9 * DAY, "6 days ago"),
        ] {
            assert_eq!(ago(passed).unwrap(), words);
        }
        assert_eq!(ago(7.0 * DAY), None);
    }

    #[test]
    fn days_follow_the_calendar() {
        for (days, date) in [
            (0, "1970-01-01"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (20_512, "2026-02-28"),
            (20_513, "2026-03-01"),
            (-1, "1969-12-31"),
        ] {
            assert_eq!(calendar_day(days), date);
        }
        let leap_year = last_days(3, 1_709_251_200_000.0);
        assert_eq!(leap_year, ["2024-02-28", "2024-02-29", "2024-03-01"]);
    }
}
