//! The closed sets of words of the API, as arguments and as text, so that no second list of them
//! exists.

use clap::builder::{StringValueParser, TypedValueParser};
use serde::Serialize;
use serde::de::value::{Error, StrDeserializer};
use serde::de::{DeserializeOwned, IntoDeserializer as _};

/// Reads a word; the error names the words there are.
pub(crate) fn parse<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let word: StrDeserializer<'_, Error> = text.into_deserializer();
    T::deserialize(word).map_err(|error| error.to_string())
}

/// `1 item`, `2 items`.
pub(crate) fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// An agent's name, which a type's word means, too: `claude_code` is no other than `claude-code`.
pub(crate) fn agent_name() -> impl TypedValueParser<Value = String> {
    StringValueParser::new().map(|text| text.replace('_', "-"))
}

/// The word of a value.
pub(crate) fn word(value: &impl Serialize) -> String {
    let json = serde_json::to_string(value).unwrap_or_default();
    json.trim_matches('"').to_owned()
}

#[cfg(test)]
mod tests {
    use coffer_api::recall::Mode;

    use super::*;

    #[test]
    fn words_go_both_ways() {
        assert_eq!(parse::<Mode>("keyword"), Ok(Mode::Keyword));
        assert_eq!(word(&Mode::Keyword), "keyword");
        let error = parse::<Mode>("psychic").unwrap_err();
        assert!(error.contains("grep") && error.contains("hybrid"), "{error}");
    }
}
