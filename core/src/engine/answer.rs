//! Reading the JSON of an answer. Models put fences and polite words around it; what is between is taken
//! as it is or not at all.

use serde::de::DeserializeOwned;

/// The most of an answer's words in a message, in characters.
const WORDS: usize = 80;

/// What stands around a model's thoughts, where the provider does not take them apart.
const THOUGHTS: (&str, &str) = ("<think>", "</think>");

/// The one value of an answer, or why there is none.
pub(super) fn read<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let text = text.trim().trim_start_matches('\u{feff}');
    let thought = text.strip_prefix(THOUGHTS.0).and_then(|rest| rest.split_once(THOUGHTS.1));
    let text = thought.map_or(text, |(_, answer)| answer);
    // Some providers keep the mark at the beginning to themselves.
    value(text).or_else(|reason| match text.rsplit_once(THOUGHTS.1) {
        Some((_, answer)) => value(answer),
        None => Err(reason),
    })
}

fn value<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let Some(start) = text.find(['{', '[']) else {
        return Err(format!(
            "it holds no JSON: `{}`",
            text.chars().take(WORDS).collect::<String>()
        ));
    };
    let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<T>();
    let value = match values.next() {
        Some(Ok(value)) => value,
        Some(Err(error)) => return Err(error.to_string()),
        None => return Err("it holds no JSON".to_owned()),
    };
    let rest = &text[start + values.byte_offset()..];
    if rest.contains(['{', '[']) {
        return Err("it holds more than one value".to_owned());
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize, PartialEq)]
    struct Verdict {
        action: String,
    }

    #[test]
    fn one_value_is_read_whatever_is_around_it() {
        for text in [
            r#"{"action":"keep"}"#,
            "  \n{\"action\": \"keep\"}\n",
            "```json\n{\"action\":\"keep\"}\n```",
            "Here it is:\n\n```\n{\"action\":\"keep\"}\n```\nI hope that helps!",
            "\u{feff}{\"action\":\"keep\",\"why\":\"new\"}",
            "<think>\nIs it [new]? {no}\n</think>\n\n{\"action\":\"keep\"}",
            "Is it [new]?</think>{\"action\":\"keep\"}",
            "{\"action\":\"keep\",\"why\":\"</think>\"}",
            "<think>\nIs it {\"action\": \"merge\"}? No.\n</think>\n\n{\"action\":\"keep\"}",
        ] {
            assert_eq!(read(text), Ok(Verdict { action: "keep".to_owned() }), "{text}");
        }
        assert_eq!(read::<Vec<u32>>("Nothing new.\n[]"), Ok(Vec::new()));
    }

    #[test]
    fn anything_else_says_why_not() {
        for (text, reason) in [
            ("", "it holds no JSON"),
            ("I cannot do that.", "it holds no JSON: `I cannot do that.`"),
            (r#"{"action":"ke"#, "EOF"),
            (r#"{"verb":"keep"}"#, "missing field `action`"),
            (r#"["keep"] {"action":"keep"}"#, "more than one value"),
            (r#"{"action":"keep"}{"action":"merge"}"#, "more than one value"),
            (r#"{"action":1}"#, "expected a string"),
            ("<think>Is it {", "EOF"),
            ("{action: keep}", "key must be a string"),
        ] {
            let said = read::<Verdict>(text).unwrap_err();
            assert!(said.contains(reason), "{text}: {said}");
        }
        assert!(read::<Verdict>(&"[".repeat(100_000)).is_err());
    }
}
