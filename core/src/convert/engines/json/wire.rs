//! Any JSON at all.

/// The same value over several lines; nothing for what is none.
pub(super) fn spread(json: &str) -> Option<String> {
    let value: serde_json::Value = serde_json::from_str(json).ok()?;
    serde_json::to_string_pretty(&value).ok()
}
