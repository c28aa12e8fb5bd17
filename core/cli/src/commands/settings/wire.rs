//! Preferences as names and values, read off the wire types so that no second list exists.

use coffer_api::settings::{SettingsOut, SettingsPatch};
use serde_json::{Map, Value};

/// One preference.
#[derive(Debug, PartialEq)]
pub(super) struct Row {
    /// Dotted.
    pub(super) name: String,
    /// For people; null is `-`.
    pub(super) value: String,
    /// For programs.
    pub(super) json: Value,
}

/// All preferences in their order.
pub(super) fn rows(settings: &SettingsOut) -> Vec<Row> {
    let mut rows = Vec::new();
    if let Ok(Value::Object(settings)) = serde_json::to_value(settings) {
        collect("", settings, &mut rows);
    }
    rows
}

fn collect(prefix: &str, settings: Map<String, Value>, rows: &mut Vec<Row>) {
    for (key, json) in settings {
        let name = format!("{prefix}{key}");
        let value = match json {
            Value::Object(inner) => {
                collect(&format!("{name}."), inner, rows);
                continue;
            }
            Value::Null => "-".to_owned(),
            Value::String(ref text) => text.clone(),
            ref other => other.to_string(),
        };
        rows.push(Row { name, value, json });
    }
}

/// The change of one preference. A value that is no JSON, or would be of the wrong type as JSON,
/// is taken as text.
pub(super) fn patch(key: &str, value: &str) -> Result<SettingsPatch, String> {
    let text = Value::String(value.to_owned());
    let read = serde_json::from_str(value).unwrap_or_else(|_| text.clone());
    let patch = serde_json::from_value(nested(key, read));
    patch.or_else(|error| {
        serde_json::from_value(nested(key, text))
            .map_err(|_| format!("`{key}` cannot be `{value}`: {error}"))
    })
}

fn nested(key: &str, value: Value) -> Value {
    key.rsplit('.').fold(value, |inner, name| Value::from(Map::from_iter([(name.into(), inner)])))
}

#[cfg(test)]
mod tests {
    use coffer_api::settings::{AutoOrganize, Distill};
    use coffer_api::stores::Fusion;

    use super::*;

    #[test]
    fn every_preference_has_a_name() {
        let settings = SettingsOut {
            preferred_editor: None,
            serve_agents: true,
            auto_organize: AutoOrganize { enabled: false, idle_seconds: 600 },
            distill: Distill { sweep_enabled: false, on_session_end: false },
            daily_token_cap: 5,
            fusion: Fusion::Mix,
            start_at_login: false,
            close_to_tray: true,
        };
        let rows = rows(&settings);
        let shown: Vec<(&str, &str)> =
            rows.iter().map(|row| (row.name.as_str(), row.value.as_str())).collect();
        assert_eq!(
            shown,
            [
                ("preferred_editor", "-"),
                ("serve_agents", "true"),
                ("auto_organize.enabled", "false"),
                ("auto_organize.idle_seconds", "600"),
                ("distill.sweep_enabled", "false"),
                ("distill.on_session_end", "false"),
                ("daily_token_cap", "5"),
                ("fusion", "mix"),
                ("start_at_login", "false"),
                ("close_to_tray", "true"),
            ]
        );
        // Each can be set to what it is; null is the exception, and empty text stands for it.
        for row in rows.iter().filter(|row| !row.json.is_null()) {
            patch(&row.name, &row.value).unwrap();
        }
    }

    #[test]
    fn values_take_the_type_that_fits() {
        let patch = |key, value| patch(key, value).unwrap();
        assert_eq!(patch("preferred_editor", "42").preferred_editor.as_deref(), Some("42"));
        assert_eq!(patch("preferred_editor", "").preferred_editor.as_deref(), Some(""));
        assert_eq!(patch("fusion", "rrf").fusion, Some(Fusion::Rrf));
        let organize = patch("auto_organize.idle_seconds", "30").auto_organize.unwrap();
        assert_eq!((organize.enabled, organize.idle_seconds), (None, Some(30)));
    }

    #[test]
    fn unknown_names_and_wrong_values_are_refused() {
        for (key, value) in
            [("nope", "1"), ("serve_agents", "perhaps"), ("auto_organize", "true"), ("a.b.c", "1")]
        {
            let error = patch(key, value).unwrap_err();
            assert!(error.contains(key), "{error}");
        }
    }
}
