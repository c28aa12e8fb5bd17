//! The system's secret service. It lives in another process and may ask a person for a password, so
//! that everything asked of it is asked on a thread of its own and waited for within bounds.
//!
//! Whether there is one is found out when it is first needed and remembered until the program ends.

use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use coffer_domain::credential::CredentialRef;
use coffer_env::{Home, vars};
use keyring_core::{CredentialStore, Entry, Error as Refusal};
use zeroize::Zeroizing;

use crate::error::{Error, Result};

/// The name that entries stand under.
const SERVICE: &str = "coffer";
/// How long the service may take to show that it is there.
const PROBE: Duration = Duration::from_secs(2);
/// How long it may take for one answer: a person may have to type a password.
const PATIENCE: Duration = Duration::from_secs(30);

/// Whether the secret service is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Where one answers.
    Auto,
    /// Always: without one nothing is kept.
    On,
    /// Never.
    Off,
}

type Opening = dyn Fn() -> keyring_core::Result<Arc<CredentialStore>> + Send + Sync;
type Task = Box<dyn FnOnce(&Arc<CredentialStore>) + Send>;

/// The secret service, as far as this home uses it.
pub(super) struct Keyring {
    mode: Mode,
    /// Homes share the service; their entries must not meet.
    home: String,
    open: Arc<Opening>,
    probe: Duration,
    patience: Duration,
    state: Mutex<State>,
}

enum State {
    Untried,
    Absent(String),
    Open(Sender<Task>),
}

impl Keyring {
    /// The system's own, as `COFFER_KEYRING` says.
    pub(super) fn of_system(home: &Home) -> Self {
        let said = vars::get(vars::KEYRING);
        let mode = match said.as_deref() {
            Some("on") => Mode::On,
            Some("off") => Mode::Off,
            None => Mode::Auto,
            Some(_) => {
                tracing::warn!("`{}` is neither `on` nor `off`", vars::KEYRING);
                Mode::Auto
            }
        };
        Self::new(home, mode, Arc::new(system))
    }

    pub(super) fn new(home: &Home, mode: Mode, open: Arc<Opening>) -> Self {
        let home = home.root().display().to_string();
        let state = Mutex::new(State::Untried);
        Self { mode, home, open, probe: PROBE, patience: PATIENCE, state }
    }

    /// The same with less patience, for tests.
    #[cfg(test)]
    pub(super) fn patient(self, probe: Duration, patience: Duration) -> Self {
        Self { probe, patience, ..self }
    }

    /// Keeps a value; `false` where there is no service to keep it.
    pub(super) fn put(&self, name: &CredentialRef, bytes: &[u8]) -> Result<bool> {
        match (self.write(name, bytes), self.mode) {
            (Ok(()), _) => Ok(true),
            (Err(reason), Mode::On) => Err(Self::failed(name, reason)),
            (Err(reason), Mode::Auto) => {
                tracing::info!("the keyring is not used: {reason}");
                Ok(false)
            }
            (Err(_), Mode::Off) => Ok(false),
        }
    }

    /// Puts another value in the place of one that is there.
    pub(super) fn replace(&self, name: &CredentialRef, bytes: &[u8]) -> Result<()> {
        self.write(name, bytes).map_err(|reason| Self::failed(name, reason))
    }

    /// A value that was kept.
    pub(super) fn get(&self, name: &CredentialRef) -> Result<Zeroizing<Vec<u8>>> {
        let found = self.ask(name, |entry| entry.get_secret().map(Zeroizing::new));
        match found {
            Ok(Ok(bytes)) => Ok(bytes),
            Ok(Err(refusal)) => Err(Self::failed(name, said(&refusal))),
            Err(reason) => Err(Self::failed(name, reason)),
        }
    }

    /// Removes a value; one that is gone already is removed.
    pub(super) fn remove(&self, name: &CredentialRef) -> Result<()> {
        match self.ask(name, Entry::delete_credential) {
            Ok(Ok(()) | Err(Refusal::NoEntry)) => Ok(()),
            Ok(Err(refusal)) => Err(Self::failed(name, said(&refusal))),
            Err(reason) => Err(Self::failed(name, reason)),
        }
    }

    fn write(&self, name: &CredentialRef, bytes: &[u8]) -> Result<(), String> {
        let bytes = Zeroizing::new(bytes.to_vec());
        let written = self.ask(name, move |entry| entry.set_secret(&bytes))?;
        written.map_err(|refusal| said(&refusal))
    }

    fn failed(name: &CredentialRef, reason: String) -> Error {
        Error::Keyring { name: name.to_string(), reason }
    }

    /// Asks on the service's thread. What does not answer in time is not asked again.
    fn ask<T: Send + 'static>(
        &self,
        name: &CredentialRef,
        question: impl FnOnce(&Entry) -> keyring_core::Result<T> + Send + 'static,
    ) -> Result<keyring_core::Result<T>, String> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*state, State::Untried) {
            *state = self.try_open();
        }
        let tasks = match &*state {
            State::Open(tasks) => tasks,
            State::Absent(reason) => return Err(reason.clone()),
            State::Untried => return Err("it was not asked".to_owned()),
        };
        let (answer, answered) = sync_channel(1);
        let user = format!("{name} {}", self.home);
        let task: Task = Box::new(move |store| {
            let asked = Entry::new_in_store(store, SERVICE, &user).and_then(|it| question(&it));
            // Whoever asked may have gone.
            let _ = answer.send(asked);
        });
        let sent = tasks.send(task).map_err(|_| ());
        sent.and_then(|()| answered.recv_timeout(self.patience).map_err(|_| ())).map_err(|()| {
            let reason = "it does not answer".to_owned();
            *state = State::Absent(reason.clone());
            reason
        })
    }

    fn try_open(&self) -> State {
        if self.mode == Mode::Off {
            return State::Absent(format!("`{}` is `off`", vars::KEYRING));
        }
        let (tasks, received) = channel();
        let (opened, answered) = sync_channel(1);
        let open = Arc::clone(&self.open);
        let worker = move || serve(&*open, &opened, &received);
        let spawned = std::thread::Builder::new().name("keyring".to_owned()).spawn(worker);
        if let Err(error) = spawned {
            return State::Absent(format!("no thread for it: {error}"));
        }
        match answered.recv_timeout(self.probe) {
            Ok(Ok(())) => State::Open(tasks),
            Ok(Err(reason)) => State::Absent(reason),
            Err(_) => State::Absent("it does not answer".to_owned()),
        }
    }
}

/// The thread's work: it ends with the keyring, or once a service that was stuck comes back.
fn serve(open: &Opening, opened: &SyncSender<Result<(), String>>, tasks: &Receiver<Task>) {
    let store = match open() {
        Ok(store) => store,
        Err(refusal) => {
            let _ = opened.send(Err(said(&refusal)));
            return;
        }
    };
    if opened.send(Ok(())).is_ok() {
        tasks.iter().for_each(|task| task(&store));
    }
}

/// What a refusal says. Some carry a value, which is left out.
fn said(refusal: &Refusal) -> String {
    match refusal {
        Refusal::BadEncoding(_) | Refusal::BadDataFormat(..) => "its answer is damaged".to_owned(),
        Refusal::NoEntry => "it has no such entry; set the credential again".to_owned(),
        Refusal::PlatformFailure(cause) | Refusal::NoStorageAccess(cause) => cause.to_string(),
        other => other.to_string(),
    }
}

#[cfg(target_os = "linux")]
fn system() -> keyring_core::Result<Arc<CredentialStore>> {
    let store = zbus_secret_service_keyring_store::Store::new()?;
    Ok(store)
}

/// Other systems' stores cannot be tried here yet.
#[cfg(not(target_os = "linux"))]
fn system() -> keyring_core::Result<Arc<CredentialStore>> {
    Err(Refusal::NoDefaultStore)
}
