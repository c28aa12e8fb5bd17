//! The forms in which one text stands in files: as it is, escaped in JSON, in YAML or in a URL,
//! encoded in base64, and as the part of a file's name that is made of it. Pure.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use coffer_domain::slug::slug;

/// Shorter pieces of base64 stand in other texts by chance.
const LEAST_BASE64: usize = 10;
/// Shorter parts of names do.
const LEAST_NAME: usize = 4;

/// All forms of a text, itself first.
pub(super) fn forms(text: &str) -> Vec<String> {
    let mut forms = vec![
        text.to_owned(),
        text.replace("\r\n", "\n"),
        text.replace("\r\n", "\n").replace('\n', "\r\n"),
        json(text),
        json(&json(text)),
        json_ascii(text, false),
        json_ascii(text, true),
        text.replace('\'', "''"),
        percent(text, true),
        percent(text, false),
        percent(text, true).replace("%20", "+"),
    ];
    forms.extend(base64(text.as_bytes()));
    let mut seen = std::collections::HashSet::new();
    forms.retain(|form| seen.insert(form.clone()));
    forms
}

/// The part of a file's name that a text becomes; none where that is too short to tell.
pub(super) fn in_name(text: &str) -> Option<String> {
    let name = slug(text, 4 * text.len() + 16);
    let is_made = text.chars().any(char::is_alphanumeric);
    (is_made && name.len() >= LEAST_NAME).then_some(name)
}

/// The text inside of a JSON string.
fn json(text: &str) -> String {
    let quoted = serde_json::to_string(text).unwrap_or_default();
    quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default().to_owned()
}

/// The same with escapes for all that is not ASCII, as many programs write it.
fn json_ascii(text: &str, capital: bool) -> String {
    let unit =
        |unit: &u16| if capital { format!("\\u{unit:04X}") } else { format!("\\u{unit:04x}") };
    let one = |one: char| match one {
        _ if one.is_ascii() => one.to_string(),
        _ => one.encode_utf16(&mut [0; 2]).iter().map(unit).collect(),
    };
    json(text).chars().map(one).collect()
}

fn percent(text: &str, capital: bool) -> String {
    let one = |byte: u8| match byte {
        _ if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) => {
            char::from(byte).to_string()
        }
        _ if capital => format!("%{byte:02X}"),
        _ => format!("%{byte:02x}"),
    };
    text.bytes().map(one).collect()
}

/// What of a longer text's base64 the text alone decides, for each of three places to begin at.
fn base64(text: &[u8]) -> Vec<String> {
    let mut forms = Vec::new();
    for before in 0..3 {
        let padded = [&vec![0; before][..], text].concat();
        // Letters that hold a bit of what stands before or behind are not the text's alone.
        let (first, last) = ((before * 8).div_ceil(6), padded.len() * 8 / 6);
        for encoded in [STANDARD_NO_PAD.encode(&padded), URL_SAFE_NO_PAD.encode(&padded)] {
            let own = encoded.get(first..last).unwrap_or_default();
            if own.len() >= LEAST_BASE64 {
                forms.push(own.to_owned());
            }
        }
    }
    forms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_met_in_every_dress() {
        let text = "it's \"部署\" & more";
        let forms = forms(text);
        let is_met = |dressed: &str| forms.iter().any(|form| dressed.contains(form.as_str()));
        for dressed in [
            text.to_owned(),
            serde_json::to_string(&format!("x {text} y")).unwrap(),
            serde_json::to_string(&serde_json::to_string(text).unwrap()).unwrap(),
            r#"it's \"\u90e8\u7f72\" & more"#.to_owned(),
            r#"it's \"\u90E8\u7F72\" & more"#.to_owned(),
            "title: 'it''s \"部署\" & more'".to_owned(),
            "?q=it%27s%20%22%E9%83%A8%E7%BD%B2%22%20%26%20more".to_owned(),
            "?q=it%27s+%22%E9%83%A8%E7%BD%B2%22+%26+more".to_owned(),
        ] {
            assert!(is_met(&dressed), "{dressed}");
        }
        for before in ["", "a", "ab", "abc"] {
            let whole = format!("{before}{text} and behind");
            assert!(is_met(&STANDARD_NO_PAD.encode(&whole)), "{before}");
            assert!(is_met(&URL_SAFE_NO_PAD.encode(&whole)), "{before}");
        }
        assert!(super::forms("a\nb").contains(&"a\r\nb".to_owned()));
        assert!(!is_met("something else & more"));
    }

    #[test]
    fn names_follow_from_texts() {
        assert_eq!(in_name("My Hunter2!").as_deref(), Some("my-hunter2"));
        assert_eq!(in_name("部署流程").as_deref(), Some("部署流程"));
        assert_eq!(in_name("!!!! --"), None);
        assert_eq!(in_name("a b"), None);
    }
}
