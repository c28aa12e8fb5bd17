//! `master.key`: 32 random bytes in hexadecimal that encrypt the values of `credentials.toml`.
//!
//! It is made once and never written again: whatever stands at its name and is no key is an error.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chacha20poly1305::aead::{Aead as _, KeyInit as _, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use coffer_domain::credential::CredentialRef;
use coffer_env::{Home, clock};
use zeroize::Zeroizing;

use crate::error::{Error, Result};
use crate::vault::{Dir, Expect};

const NAME: &str = "master.key";
const NONCE_BYTES: usize = 24;

/// The key.
pub(super) struct MasterKey(XChaCha20Poly1305);

impl MasterKey {
    /// The key of a home; `None` where there is no file.
    pub(super) fn read(home: &Home) -> Result<Option<Self>> {
        let Some(file) = Dir::open(home.root())?.read(NAME)? else { return Ok(None) };
        let text = Zeroizing::new(file.bytes);
        let mut key = Zeroizing::new([0; 32]);
        hex::decode_to_slice(text.trim_ascii_end(), &mut *key).map_err(|_| {
            let reason = "it is not 64 hexadecimal digits; bring the right one back, or move it \
                          away and set the credentials again";
            Self::refused(home, reason.to_owned())
        })?;
        Ok(Some(Self::of(&key)))
    }

    /// Makes the key of a home; one that somebody made meanwhile counts instead.
    pub(super) fn make(home: &Home) -> Result<Self> {
        let key = Zeroizing::new(clock::random::<32>());
        let mut text = Zeroizing::new(vec![0; 2 * key.len() + 1]);
        let digits = 2 * key.len();
        text[digits] = b'\n';
        hex::encode_to_slice(*key, &mut text[..digits])
            .map_err(|error| Error::Internal(format!("no key in hexadecimal: {error}")))?;
        match Dir::open(home.root())?.write(NAME, &text, Expect::Absent) {
            Ok(_) => Ok(Self::of(&key)),
            Err(error) => Self::read(home)?.ok_or(error),
        }
    }

    /// A key file that cannot be used.
    pub(super) fn refused(home: &Home, reason: String) -> Error {
        Error::Unavailable { action: "use", path: home.master_key(), reason }
    }

    /// Encrypts the value of a name: base64 of a random nonce and the sealed bytes.
    pub(super) fn seal(&self, name: &CredentialRef, bytes: &[u8]) -> String {
        let nonce = clock::random::<NONCE_BYTES>();
        let payload = Payload { msg: bytes, aad: &label(name) };
        let sealed = self.0.encrypt(&XNonce::from(nonce), payload);
        #[expect(clippy::expect_used, reason = "only texts of 256 GiB fail")]
        let sealed = sealed.expect("a credential is short");
        STANDARD.encode([nonce.as_slice(), &sealed].concat())
    }

    /// Decrypts it; `None` where key, name or bytes are others.
    pub(super) fn open(&self, name: &CredentialRef, sealed: &str) -> Option<Zeroizing<Vec<u8>>> {
        let bytes = STANDARD.decode(sealed).ok()?;
        let (nonce, sealed) = bytes.split_first_chunk::<NONCE_BYTES>()?;
        let payload = Payload { msg: sealed, aad: &label(name) };
        self.0.decrypt(&XNonce::from(*nonce), payload).ok().map(Zeroizing::new)
    }

    fn of(key: &[u8; 32]) -> Self {
        Self(XChaCha20Poly1305::new(key.into()))
    }
}

/// What a sealed value is tied to: its form and its name.
fn label(name: &CredentialRef) -> Vec<u8> {
    format!("coffer credential 1 {name}").into_bytes()
}
