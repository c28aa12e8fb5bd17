//! JSON that acts on no terminal.

use std::fmt::Write as _;

use coffer_api::hidden;

/// Writes each hidden character of a JSON text as `\u200b`: the same JSON, harmless on a terminal.
pub(crate) fn escape(json: &str) -> String {
    let escaped = hidden::replace(json, |hidden, into| {
        for unit in hidden.encode_utf16(&mut [0; 2]) {
            let _ = write!(into, "\\u{unit:04x}");
        }
    });
    escaped.into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaped_json_means_the_same() {
        let value = "a\u{9b}b\u{202E}c\u{E0041}\u{7f}";
        let json = escape(&serde_json::to_string(value).unwrap());
        assert!(json.is_ascii(), "{json}");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), value);
    }
}
