//! JSON of other programs, as loosely as it has to be read: a value of another kind than the one that
//! is asked for is nothing, and no reason to give up its record. What is not asked for is not kept.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// Any value. `T` is what lists are made of, and what objects are.
#[derive(Debug, Default)]
pub(super) enum Json<'a, T = IgnoredAny> {
    /// Absent, or null.
    #[default]
    Nothing,
    Flag(bool),
    Number(i64),
    Text(Cow<'a, str>),
    List(Vec<T>),
    Object(T),
}

impl<'a, T> Json<'a, T> {
    /// The text, if it is one and not empty.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) if !text.is_empty() => Some(text),
            _ => None,
        }
    }

    /// As `text`, owned.
    pub(super) fn owned(&self) -> Option<String> {
        self.text().map(str::to_owned)
    }

    pub(super) fn is_true(&self) -> bool {
        matches!(self, Self::Flag(true))
    }

    /// Whether there is anything but null and `false`.
    pub(super) fn is_set(&self) -> bool {
        !matches!(self, Self::Nothing | Self::Flag(false))
    }

    pub(super) fn number(&self) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    pub(super) fn object(&self) -> Option<&T> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    pub(super) fn list(&self) -> &[T] {
        match self {
            Self::List(list) => list,
            _ => &[],
        }
    }
}

impl<'de: 'a, 'a, T: Deserialize<'de>> Deserialize<'de> for Json<'a, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any(PhantomData))
    }
}

struct Any<'a, T>(PhantomData<(&'a (), T)>);

impl<'de: 'a, 'a, T: Deserialize<'de>> Visitor<'de> for Any<'a, T> {
    type Value = Json<'a, T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Json::Flag(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(Json::Number(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(Json::Number(i64::try_from(value).unwrap_or(i64::MAX)))
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "a cast of a float to an integer saturates"
    )]
    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        Ok(Json::Number(value as i64))
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Self::Value, E> {
        Ok(Json::Text(Cow::Borrowed(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
        Ok(Json::Text(Cow::Owned(value.to_owned())))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Json::Nothing)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Self::Value, A::Error> {
        let mut list = Vec::new();
        while let Some(value) = from.next_element()? {
            list.push(value);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, from: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(from)).map(Json::Object)
    }
}

/// Reads one record. What only breaks the rules of UTF-8, or holds bare control characters, is mended
/// in `mended`; `None` for what is no object.
pub(super) fn record<'l, T: Deserialize<'l>>(line: &'l [u8], mended: &'l mut Vec<u8>) -> Option<T> {
    if line.first() != Some(&b'{') {
        return None;
    }
    match serde_json::from_slice(line) {
        Ok(record) => Some(record),
        Err(error) if error.is_eof() => None,
        Err(_) => {
            *mended = mend(line)?;
            serde_json::from_slice(mended).ok()
        }
    }
}

/// The line with a sign in place of what is no UTF-8, and blanks in place of control characters;
/// `None` where it has neither.
fn mend(line: &[u8]) -> Option<Vec<u8>> {
    let text = String::from_utf8_lossy(line);
    let is_bare = |byte: u8| byte < b' ';
    if matches!(text, Cow::Borrowed(_)) && !text.bytes().any(is_bare) {
        return None;
    }
    let mut bytes = text.into_owned().into_bytes();
    bytes.iter_mut().filter(|byte| is_bare(**byte)).for_each(|byte| *byte = b' ');
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Default, Deserialize)]
    #[serde(default)]
    struct Sample<'a> {
        #[serde(borrow)]
        text: Json<'a>,
        inner: Json<'a, Json<'a, Inner<'a>>>,
    }

    #[derive(Debug, Default, Deserialize)]
    #[serde(default)]
    struct Inner<'a> {
        #[serde(borrow)]
        name: Json<'a>,
    }

    fn shown(line: &[u8]) -> Option<String> {
        let mut mended = Vec::new();
        let sample: Sample<'_> = record(line, &mut mended)?;
        let names = sample.inner.list().iter().map(|inner| match inner {
            Json::Object(inner) => inner.name.text().unwrap_or("-").to_owned(),
            other => other.text().unwrap_or("-").to_uppercase(),
        });
        Some(format!("{} {:?}", sample.text.text().unwrap_or("-"), names.collect::<Vec<_>>()))
    }

    #[test]
    fn a_value_of_another_kind_costs_only_itself() {
        for (line, wanted) in [
            (
                &br#"{"text":"a","inner":[{"name":"b"},"c",4,[],{"name":5}]}"#[..],
                "a [\"b\", \"C\", \"-\", \"-\", \"-\"]",
            ),
            (br#"{"text":{"deep":[1,{}]},"other":1e999,"inner":7}"#, "- []"),
            (br#"{"text":"caf\u00e9","inner":null}"#, "café []"),
            (b"{\"text\":\"a\xffb\0c\td\"}", "a\u{fffd}b c d []"),
            (br#"{"text":18446744073709551615}"#, "- []"),
        ] {
            assert_eq!(shown(line).as_deref(), Some(wanted), "{}", String::from_utf8_lossy(line));
        }
    }

    #[test]
    fn what_is_no_object_is_no_record() {
        for line in ["42", "[1]", "\"x\"", "null", "{", "{\"text\":\"a", "{\"text\":}", "text", ""]
        {
            assert_eq!(shown(line.as_bytes()), None, "{line}");
        }
    }
}
