//! Credentials, by name and place.

use coffer_api::credentials::{CredentialOut, CredentialPlace, CredentialsOut};
use coffer_core::credentials::{Credential, Place};

/// All credentials.
pub(crate) fn credentials(found: Vec<Credential>) -> CredentialsOut {
    CredentialsOut { credentials: found.into_iter().map(credential).collect() }
}

fn credential(credential: Credential) -> CredentialOut {
    let Credential { name, place } = credential;
    let place = match place {
        Place::File => CredentialPlace::File,
        Place::Keyring => CredentialPlace::Keyring,
    };
    CredentialOut { name: name.to_string(), place }
}
