//! How the vectors of a text's tokens become the vector of the text.

use serde::Deserialize;

/// The ways that are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pooling {
    /// The mean of all tokens.
    Mean,
    /// The first token.
    First,
}

/// `1_Pooling/config.json`.
#[derive(Deserialize)]
#[serde(default)]
pub(super) struct PoolingFile {
    pooling_mode_mean_tokens: bool,
    pooling_mode_cls_token: bool,
    pooling_mode_max_tokens: bool,
    pooling_mode_mean_sqrt_len_tokens: bool,
    pooling_mode_weightedmean_tokens: bool,
    pooling_mode_lasttoken: bool,
}

impl Default for PoolingFile {
    fn default() -> Self {
        Self {
            pooling_mode_mean_tokens: true,
            pooling_mode_cls_token: false,
            pooling_mode_max_tokens: false,
            pooling_mode_mean_sqrt_len_tokens: false,
            pooling_mode_weightedmean_tokens: false,
            pooling_mode_lasttoken: false,
        }
    }
}

impl PoolingFile {
    /// The one way that is switched on. A mean over the root of the length points where the mean
    /// does, and vectors are made of length 1 in any case.
    pub(super) fn pooling(&self) -> Result<Pooling, &'static str> {
        let others = self.pooling_mode_max_tokens
            || self.pooling_mode_weightedmean_tokens
            || self.pooling_mode_lasttoken;
        let mean = self.pooling_mode_mean_tokens || self.pooling_mode_mean_sqrt_len_tokens;
        match (mean, self.pooling_mode_cls_token, others) {
            (true, false, false) => Ok(Pooling::Mean),
            (false, true, false) => Ok(Pooling::First),
            _ => Err("asks for another pooling than that of the mean or of the first token"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_way_is_chosen_or_none() {
        let of = |text: &str| serde_json::from_str::<PoolingFile>(text).unwrap().pooling();
        assert_eq!(of("{}"), Ok(Pooling::Mean));
        let first = r#"{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false}"#;
        assert_eq!(of(first), Ok(Pooling::First));
        assert!(of(r#"{"pooling_mode_cls_token": true}"#).is_err());
        assert!(of(r#"{"pooling_mode_max_tokens": true}"#).is_err());
        assert!(of(r#"{"pooling_mode_mean_tokens": false}"#).is_err());
    }
}
