//! A model as the index keeps it beside its vectors: what makes them comparable, and how to reach the
//! model again.

use coffer_domain::credential::CredentialRef;
use serde::{Deserialize, Serialize};

use super::ModelFailure;
use crate::config::{EmbeddingConfig, ModelSource, Provider};

/// How texts are laid before the model: another number makes all vectors anew.
const TEXT_VERSION: u32 = 1;

/// Which model, and how to reach it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ModelRef {
    /// What makes vectors comparable: those of one identity are.
    pub identity: String,
    /// How to reach it, JSON.
    pub settings: String,
}

#[derive(Serialize)]
struct Identity<'a> {
    provider: &'a str,
    model: &'a str,
    base_url: Option<&'a str>,
    dimensions: Option<u32>,
    weights: Option<&'a str>,
    text: u32,
}

#[derive(Serialize, Deserialize)]
struct Kept {
    provider: String,
    model: String,
    base_url: Option<String>,
    credential_ref: Option<String>,
    dimensions: Option<u32>,
    weights: Option<String>,
}

impl ModelRef {
    /// The model of the settings; of one of this machine, `weights` tells its files from others of the
    /// same name.
    pub(crate) fn of(config: &EmbeddingConfig, weights: Option<String>) -> Self {
        let EmbeddingConfig { source, dimensions } = config;
        let ModelSource { provider, model, base_url, credential_ref } = source;
        let identity = Identity {
            provider: provider.name(),
            model,
            base_url: base_url.as_deref(),
            dimensions: *dimensions,
            weights: weights.as_deref(),
            text: TEXT_VERSION,
        };
        let identity = json(&identity);
        let kept = Kept {
            provider: provider.name().to_owned(),
            model: model.clone(),
            base_url: base_url.clone(),
            credential_ref: credential_ref.as_ref().map(ToString::to_string),
            dimensions: *dimensions,
            weights,
        };
        Self { identity, settings: json(&kept) }
    }

    /// How to reach the model, and its weights as they were.
    ///
    /// # Errors
    ///
    /// What another version kept.
    pub(crate) fn config(&self) -> Result<(EmbeddingConfig, Option<String>), ModelFailure> {
        let unknown = || ModelFailure::Refused("the vectors are of an unknown model".to_owned());
        let kept: Kept = serde_json::from_str(&self.settings).map_err(|_| unknown())?;
        let credential_ref = match kept.credential_ref.as_deref() {
            Some(name) => Some(CredentialRef::parse(name).ok_or_else(unknown)?),
            None => None,
        };
        let source = ModelSource {
            provider: Provider::parse(&kept.provider).ok_or_else(unknown)?,
            model: kept.model,
            base_url: kept.base_url,
            credential_ref,
        };
        Ok((EmbeddingConfig { source, dimensions: kept.dimensions }, kept.weights))
    }
}

/// Strings and numbers always have a form.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_under_another_name_makes_no_other_model() {
        let source = ModelSource {
            provider: Provider::OpenAi,
            model: "m".to_owned(),
            base_url: Some("https://example.org/v1".to_owned()),
            credential_ref: CredentialRef::parse("one"),
        };
        let config = EmbeddingConfig { source, dimensions: Some(8) };
        let of = |config: &EmbeddingConfig| ModelRef::of(config, None);
        let one = of(&config);
        assert_eq!(one.config(), Ok((config.clone(), None)));
        let others = ModelRef::of(&config, Some("1-2".to_owned()));
        assert_ne!(others.identity, one.identity);
        assert_eq!(others.config(), Ok((config.clone(), Some("1-2".to_owned()))));
        let mut other = config.clone();
        other.source.credential_ref = CredentialRef::parse("two");
        let two = of(&other);
        assert!(one.identity == two.identity && one.settings != two.settings);
        for change in [
            |config: &mut EmbeddingConfig| config.dimensions = None,
            |config: &mut EmbeddingConfig| config.source.model = "n".to_owned(),
            |config: &mut EmbeddingConfig| config.source.base_url = None,
            |config: &mut EmbeddingConfig| config.source.provider = Provider::Jina,
        ] {
            let mut other = config.clone();
            change(&mut other);
            assert_ne!(of(&other).identity, one.identity);
        }
        let odd = ModelRef { identity: String::new(), settings: "{}".to_owned() };
        assert!(matches!(odd.config(), Err(ModelFailure::Refused(_))));
    }
}
