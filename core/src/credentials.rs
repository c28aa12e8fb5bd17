//! Credentials: secret values by name. Values go in and never out, but to the adapters of this crate.
//!
//! A value is kept in the system's secret service where one answers, else in `credentials.toml`,
//! encrypted under `master.key`. `credentials.toml` says of each name where its value is, so that the
//! one written last counts wherever an older one was left. With a value stands the place that it was
//! first used for; it is given for no other one. A trial binds nothing. Deliberately absent: `Debug`, logs, and messages that
//! hold a value.

mod held;
mod keyring;
mod master;
mod register;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use coffer_domain::credential::CredentialRef;
use coffer_domain::time::Timestamp;
use coffer_env::Home;
use secrecy::ExposeSecret as _;
use zeroize::Zeroizing;

use crate::error::{Error, Result};
use crate::index::{self, Index};
use held::Held;
use keyring::Keyring;
use master::MasterKey;
use register::{Entry, Register};

/// A text that nothing shows and that is wiped when it is dropped.
pub use secrecy::SecretString;

/// The longest value, in bytes.
const LONGEST: usize = 8192;

/// Where a value is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In `credentials.toml`, encrypted.
    File,
    /// In the system's secret service.
    Keyring,
}

/// A credential without its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credential {
    /// Its name.
    pub name: CredentialRef,
    /// Where its value is.
    pub place: Place,
}

/// Why an adapter does not get a value.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Withheld {
    #[error("there is no credential `{0}`; set it")]
    Missing(CredentialRef),
    #[error(
        "the credential `{name}` was set for `{bound}` and is not sent to `{asked}`; set the \
         credential again to use it there"
    )]
    Bound { name: CredentialRef, bound: String, asked: String },
    #[error(
        "the credential `{name}` was used nowhere yet, and a test alone does not send it to \
         `{asked}`; save these settings first, then test them"
    )]
    Untried { name: CredentialRef, asked: String },
    #[error(transparent)]
    Failed(#[from] Error),
}

/// What a value is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// For work: a value that is bound to no place yet is bound.
    Work,
    /// For a trial, which binds nothing, at a place that the person is known to mean, or not.
    Trial { is_known: bool },
}

/// The credentials of one home.
#[derive(Clone)]
pub struct Credentials(Arc<Inner>, Purpose);

struct Inner {
    home: Home,
    index: Arc<Index>,
    keyring: Keyring,
    on_change: Box<dyn Fn() + Send + Sync>,
    /// One change at a time.
    changing: Mutex<()>,
}

impl Credentials {
    /// The credentials of a home; nothing is read or asked yet. `on_change` is called after a value
    /// was set or deleted.
    pub(crate) fn open(
        home: &Home,
        index: Arc<Index>,
        on_change: impl Fn() + Send + Sync + 'static,
    ) -> Self {
        Self::with_keyring(home, index, Keyring::of_system(home), on_change)
    }

    /// Those of a home that uses no secret service, for tests of other modules.
    #[cfg(test)]
    pub(crate) fn without_keyring(home: &Home, index: Arc<Index>) -> Self {
        let absent = Arc::new(|| Err(keyring_core::Error::NoDefaultStore));
        Self::with_keyring(home, index, Keyring::new(home, keyring::Mode::Off, absent), || {})
    }

    fn with_keyring(
        home: &Home,
        index: Arc<Index>,
        keyring: Keyring,
        on_change: impl Fn() + Send + Sync + 'static,
    ) -> Self {
        let (on_change, changing) = (Box::new(on_change), Mutex::new(()));
        let inner = Inner { home: home.clone(), index, keyring, on_change, changing };
        Self(Arc::new(inner), Purpose::Work)
    }

    /// The same for a trial: what is revealed is not bound, and a value that was used nowhere yet is
    /// revealed only for a known place.
    pub(crate) fn for_trial(&self, is_known: bool) -> Self {
        Self(Arc::clone(&self.0), Purpose::Trial { is_known })
    }

    /// All names, in order.
    ///
    /// # Errors
    ///
    /// `Unavailable` for a `credentials.toml` that cannot be read or is damaged.
    pub fn list(&self) -> Result<Vec<Credential>> {
        let register = Register::read(&self.0.home)?;
        Ok(register.entries().map(|(name, entry)| credential(name, entry)).collect())
    }

    /// Keeps a value, in place of one that was there, and forgets what that one was used for.
    ///
    /// # Errors
    ///
    /// `Invalid` for a value that no key is; `Unavailable` for damaged files, which stay as they are;
    /// `Keyring` when `COFFER_KEYRING` is `on` and no secret service answers.
    pub fn set(
        &self,
        name: &CredentialRef,
        value: SecretString,
        now: Timestamp,
    ) -> Result<Credential> {
        check(value.expose_secret())?;
        let entry = {
            let _one = self.0.lock();
            let mut register = Register::read(&self.0.home)?;
            self.0.keep(&mut register, name, &Held::new(value))?
        };
        self.0.tell("credential_set", name, now);
        Ok(credential(name, &entry))
    }

    /// Deletes a value, wherever it is.
    ///
    /// # Errors
    ///
    /// `CredentialNotFound`; `Keyring` when it is in a secret service that does not answer;
    /// `Unavailable` for a damaged file. It is still there then.
    pub fn delete(&self, name: &CredentialRef, now: Timestamp) -> Result<()> {
        {
            let _one = self.0.lock();
            let mut register = Register::read(&self.0.home)?;
            match register.get(name) {
                None => return Err(Error::CredentialNotFound(name.to_string())),
                Some(Entry::Keyring) => self.0.keyring.remove(name)?,
                Some(Entry::Sealed(_)) => {}
            }
            register.remove(name);
            register.write(&self.0.home)?;
        }
        self.0.tell("credential_deleted", name, now);
        Ok(())
    }

    /// The value, for an adapter that sends it to a place; the first one that asks binds it, unless
    /// it is a trial.
    pub(crate) fn reveal(
        &self,
        name: &CredentialRef,
        asked: &str,
    ) -> Result<SecretString, Withheld> {
        let _one = self.0.lock();
        let mut register = Register::read(&self.0.home)?;
        let held = self.0.held(&register, name)?;
        match (held.bound(), self.1) {
            (Some(bound), _) if bound == asked => {}
            (Some(bound), _) => {
                let (name, bound) = (name.clone(), bound.to_owned());
                return Err(Withheld::Bound { name, bound, asked: asked.to_owned() });
            }
            (None, Purpose::Work) => self.0.bind(&mut register, name, &held.bound_to(asked))?,
            (None, Purpose::Trial { is_known: true }) => {}
            (None, Purpose::Trial { is_known: false }) => {
                return Err(Withheld::Untried { name: name.clone(), asked: asked.to_owned() });
            }
        }
        Ok(held.into_value())
    }
}

impl Inner {
    fn lock(&self) -> MutexGuard<'_, ()> {
        self.changing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn held(&self, register: &Register, name: &CredentialRef) -> Result<Held, Withheld> {
        let bytes = match register.get(name) {
            None => return Err(Withheld::Missing(name.clone())),
            Some(Entry::Keyring) => self.keyring.get(name)?,
            Some(Entry::Sealed(sealed)) => self.open(name, sealed)?,
        };
        Held::from_bytes(&bytes).ok_or_else(|| Withheld::Failed(damaged(&self.home, name)))
    }

    fn open(&self, name: &CredentialRef, sealed: &str) -> Result<Zeroizing<Vec<u8>>> {
        let missing = || MasterKey::refused(&self.home, "it is missing; bring it back".to_owned());
        let key = MasterKey::read(&self.home)?.ok_or_else(missing)?;
        key.open(name, sealed).ok_or_else(|| damaged(&self.home, name))
    }

    /// Puts a value where values go now, and notes where that is. An older one elsewhere is removed
    /// as far as that can be done; it counts no more.
    fn keep(&self, register: &mut Register, name: &CredentialRef, held: &Held) -> Result<Entry> {
        let bytes = held.to_bytes();
        let entry = if self.keyring.put(name, &bytes)? {
            Entry::Keyring
        } else {
            Entry::Sealed(self.key(register, name)?.seal(name, &bytes))
        };
        let was = register.put(name, entry.clone());
        if was.as_ref() != Some(&entry) {
            register.write(&self.home)?;
        }
        if was == Some(Entry::Keyring)
            && entry != Entry::Keyring
            && let Err(error) = self.keyring.remove(name)
        {
            tracing::warn!(%error, "an older value of credential `{name}` stays in the keyring");
        }
        Ok(entry)
    }

    /// Notes what a value is used for, where it is.
    fn bind(&self, register: &mut Register, name: &CredentialRef, held: &Held) -> Result<()> {
        let bytes = held.to_bytes();
        if register.get(name) == Some(&Entry::Keyring) {
            return self.keyring.replace(name, &bytes);
        }
        let sealed = self.key(register, name)?.seal(name, &bytes);
        register.put(name, Entry::Sealed(sealed));
        register.write(&self.home)
    }

    /// The key, made where there is none yet. A lost one is not replaced while others need it.
    fn key(&self, register: &Register, name: &CredentialRef) -> Result<MasterKey> {
        if let Some(key) = MasterKey::read(&self.home)? {
            return Ok(key);
        }
        let is_other = |(other, entry): (&CredentialRef, &Entry)| {
            other != name && matches!(entry, Entry::Sealed(_))
        };
        if register.entries().any(is_other) {
            let reason = "it is missing, and other credentials are encrypted under it; bring it \
                          back, or delete them";
            return Err(MasterKey::refused(&self.home, reason.to_owned()));
        }
        MasterKey::make(&self.home)
    }

    fn tell(&self, event: &str, name: &CredentialRef, now: Timestamp) {
        index::tell(&self.index, event, vec![name.to_string()], now);
        (self.on_change)();
    }
}

fn credential(name: &CredentialRef, entry: &Entry) -> Credential {
    let place = match entry {
        Entry::Sealed(_) => Place::File,
        Entry::Keyring => Place::Keyring,
    };
    Credential { name: name.clone(), place }
}

fn check(value: &str) -> Result<()> {
    let is_fine = (1..=LONGEST).contains(&value.len())
        && value.trim() == value
        && value.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    if is_fine {
        return Ok(());
    }
    let reason =
        format!("must be 1 to {LONGEST} ASCII characters on one line, without spaces around it");
    Err(Error::Invalid { field: "value", reason })
}

fn damaged(home: &Home, name: &CredentialRef) -> Error {
    let reason = format!(
        "`{name}` does not open with `master.key`: one of the two is damaged or of another home; \
         set the credential again"
    );
    Error::Unavailable { action: "decrypt", path: home.credentials_file(), reason }
}
