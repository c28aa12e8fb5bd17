//! A value and what it is used for, as they are kept together.

use secrecy::{ExposeSecret as _, SecretString};
use zeroize::Zeroizing;

/// A value, and the place that it is bound to. No `Debug`: nothing shows it by accident.
pub(super) struct Held {
    bound: Option<String>,
    value: SecretString,
}

impl Held {
    /// A new value, not used yet.
    pub(super) const fn new(value: SecretString) -> Self {
        Self { bound: None, value }
    }

    /// What it is used for, if it was used.
    pub(super) fn bound(&self) -> Option<&str> {
        self.bound.as_deref()
    }

    /// The same value, used for a place.
    pub(super) fn bound_to(&self, place: &str) -> Self {
        Self { bound: Some(place.to_owned()), value: self.value.clone() }
    }

    pub(super) fn into_value(self) -> SecretString {
        self.value
    }

    /// `<place>\n<value>`; the place is empty where there is none.
    pub(super) fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let value = self.value.expose_secret();
        let bound = self.bound.as_deref().unwrap_or_default();
        // Of the right size at once: growing would leave copies behind.
        let mut bytes = Zeroizing::new(Vec::with_capacity(bound.len() + 1 + value.len()));
        bytes.extend_from_slice(bound.as_bytes());
        bytes.push(b'\n');
        bytes.extend_from_slice(value.as_bytes());
        bytes
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (bound, value) = std::str::from_utf8(bytes).ok()?.split_once('\n')?;
        let bound = (!bound.is_empty()).then(|| bound.to_owned());
        (!value.is_empty()).then(|| Self { bound, value: value.into() })
    }
}
