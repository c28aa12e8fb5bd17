//! What is taken out of a text before it is written: no key or password reaches a store by Coffer's
//! own hand.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::Memory;
use crate::error::{Error, Result};

/// How many secrets of each kind were taken out, by the kind's name such as `github-token`.
pub type Redacted = BTreeMap<Cow<'static, str>, usize>;

impl Memory {
    /// A text without secrets; what was taken out is added to `redacted`.
    ///
    /// # Errors
    ///
    /// A text that cannot be scrubbed is refused: it may hold what must not be written.
    pub(super) fn redact(
        &self,
        field: &'static str,
        text: &str,
        redacted: &mut Redacted,
    ) -> Result<String> {
        let scrubbed = self.0.settings.secrets().scrub(text).map_err(|error| {
            let reason = format!("cannot be searched for secrets: {error}");
            Error::Invalid { field, reason }
        })?;
        for (kind, times) in scrubbed.found {
            *redacted.entry(kind).or_default() += times;
        }
        Ok(scrubbed.text.into_owned())
    }

    /// As `redact`, for a text that may be absent.
    pub(super) fn redact_any(
        &self,
        field: &'static str,
        text: Option<&str>,
        redacted: &mut Redacted,
    ) -> Result<Option<String>> {
        text.map(|text| self.redact(field, text, redacted)).transpose()
    }
}
