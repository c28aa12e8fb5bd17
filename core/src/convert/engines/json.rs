//! JSON, as text that can be searched line by line.

mod wire;

use super::{Draft, Rejected, text};

pub(super) fn convert(bytes: &[u8]) -> Result<Draft, Rejected> {
    let json = text::decode(bytes)?;
    let json = json.trim_start_matches('\u{feff}').trim();
    if json.is_empty() {
        return Err(Rejected::Empty);
    }
    // Comments, several values, deep nesting: it is text all the same.
    let spread = if json.contains('\n') { None } else { wire::spread(json) };
    let markdown = text::fenced("json", spread.as_deref().unwrap_or(json));
    Ok(Draft { markdown, title: None, engine: "json" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_is_spread_and_others_stay() {
        let markdown = |json: &str| convert(json.as_bytes()).unwrap().markdown;
        assert_eq!(
            markdown("{\"b\":[1,2.50],\"a\":\"港\"}"),
            "```json\n{\n  \"b\": [\n    1,\n    2.5\n  ],\n  \"a\": \"港\"\n}\n```\n"
        );
        assert_eq!(markdown("{\n\"a\":   1}"), "```json\n{\n\"a\":   1}\n```\n");
        assert_eq!(markdown("{a: 1} // x"), "```json\n{a: 1} // x\n```\n");
        let deep = "[".repeat(100_000);
        assert_eq!(markdown(&deep), format!("```json\n{deep}\n```\n"));
    }
}
