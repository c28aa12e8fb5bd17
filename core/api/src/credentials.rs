//! Keys of models. Values go in and never out: no reply has a place for one.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _};

use crate::{reply, request, words};

words! {
    /// Where a value is kept.
    pub enum CredentialPlace {
        /// In `credentials.toml`, encrypted.
        File,
        /// In the system's secret service.
        Keyring,
    }
}

reply! {
    /// A credential without its value.
    pub struct CredentialOut {
        /// Its name.
        #[serde(rename = "ref")]
        pub name: String,
        /// Where its value is.
        pub place: CredentialPlace,
    }

    /// All credentials, by name.
    pub struct CredentialsOut {
        /// By name.
        pub credentials: Vec<CredentialOut>,
    }
}

request! {
    /// A new value.
    pub struct CredentialIn {
        /// 1 to 8,192 ASCII characters on one line.
        // Said so, a missing one is told from one that is no text.
        #[serde(deserialize_with = "Deserialize::deserialize")]
        pub value: SecretIn,
    }
}

/// A text that is not shown, not even when something is debugged.
#[derive(Clone, PartialEq, Default, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema, schemars::JsonSchema))]
#[serde(transparent)]
pub struct SecretIn(String);

impl SecretIn {
    /// The text, for whoever keeps it.
    pub fn into_inner(self) -> String {
        self.0
    }
}

impl From<String> for SecretIn {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl fmt::Debug for SecretIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretIn")
    }
}

impl<'de> Deserialize<'de> for SecretIn {
    /// What is no text is refused without being repeated.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer);
        text.map(Self).map_err(|_| D::Error::custom("a text is needed"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_shown_by_nothing() {
        let body: CredentialIn = serde_json::from_str(r#"{"value": "sk-1"}"#).unwrap();
        assert_eq!(format!("{body:?}"), "CredentialIn { value: SecretIn }");
        assert_eq!(body.value.into_inner(), "sk-1");
        let error = serde_json::from_str::<CredentialIn>(r#"{"value": 123456}"#).unwrap_err();
        assert!(!error.to_string().contains("123456"), "{error}");
        let error = serde_json::from_str::<CredentialIn>("{}").unwrap_err();
        assert!(error.to_string().starts_with("missing field `value`"), "{error}");
    }
}
