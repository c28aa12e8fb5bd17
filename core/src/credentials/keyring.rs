//! The system's secret service. It lives in another process and may ask a person for a password, so
//! that everything asked of it is asked on a thread of its own and waited for within bounds.
//!
//! Whether there is one is found out when it is first needed. One that is not there, or is locked, is
//! let be for a minute, but for a value that is set, and always asked on the same thread while that
//! is stuck: an old write must not come after a new one.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use coffer_domain::credential::CredentialRef;
use coffer_env::{Home, clock, vars};
use keyring_core::{CredentialStore, Entry, Error as Refusal};
use zeroize::Zeroizing;

use crate::error::{Error, Result};

/// The name that entries stand under.
const SERVICE: &str = "coffer";
/// How long the service may take to show that it is there.
const PROBE: Duration = Duration::from_secs(2);
/// How long it may take for one answer: a person may have to type a password.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long one that does not answer is let be.
const REST: Duration = Duration::from_secs(60);
const SILENT: &str = "it does not answer";

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
    rest: Duration,
    state: Mutex<State>,
}

enum State {
    Untried,
    /// It does not answer, and when it is asked again; with its thread if that is stuck.
    Absent {
        reason: String,
        again: Instant,
        stuck: Option<Thread>,
    },
    Open(Thread),
}

/// The thread that asks the service.
struct Thread {
    tasks: Sender<Task>,
    /// Says whether the service could be opened.
    opened: Receiver<Result<(), String>>,
    is_open: bool,
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
        Self { mode, home, open, probe: PROBE, patience: PATIENCE, rest: REST, state }
    }

    /// The same with less patience, for tests.
    #[cfg(test)]
    pub(super) fn patient(self, probe: Duration, patience: Duration) -> Self {
        Self { probe, patience, ..self }
    }

    /// The same with another rest, for tests.
    #[cfg(test)]
    pub(super) fn resting(self, rest: Duration) -> Self {
        Self { rest, ..self }
    }

    /// Keeps a value; `false` where there is no service to keep it, which is found out anew.
    pub(super) fn put(&self, name: &CredentialRef, bytes: &[u8]) -> Result<bool> {
        if let State::Absent { again, .. } = &mut *self.lock() {
            *again = clock::instant();
        }
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

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks on the service's thread. What does not answer in time is not asked again for a while.
    fn ask<T: Send + 'static>(
        &self,
        name: &CredentialRef,
        question: impl FnOnce(&Entry) -> keyring_core::Result<T> + Send + 'static,
    ) -> Result<keyring_core::Result<T>, String> {
        let mut state = self.lock();
        self.settle(&mut state);
        let thread = match &*state {
            State::Open(thread) => thread,
            State::Absent { reason, .. } => return Err(reason.clone()),
            State::Untried => return Err("it was not asked".to_owned()),
        };
        let (answer, answered) = sync_channel(1);
        let user = format!("{name} {}", self.home);
        let asker = Arc::new(());
        let waits = Arc::downgrade(&asker);
        let task: Task = Box::new(move |store| {
            // What nobody waits for any more is not done late.
            if waits.upgrade().is_some() {
                let asked = Entry::new_in_store(store, SERVICE, &user).and_then(|it| question(&it));
                // Whoever asked may have gone.
                let _ = answer.send(asked);
            }
        });
        let sent = thread.tasks.send(task).map_err(|_| RecvTimeoutError::Disconnected);
        let answer = sent.and_then(|()| answered.recv_timeout(self.patience));
        answer.map_err(|failed| self.lose(&mut state, failed))
    }

    /// Opens what was not tried yet, and tries again what had its rest.
    fn settle(&self, state: &mut State) {
        let stuck = match state {
            State::Open(_) => return,
            State::Absent { again, .. } if clock::instant() < *again => return,
            State::Absent { stuck, .. } => stuck.take(),
            State::Untried => None,
        };
        *state = self.try_open(stuck);
    }

    fn try_open(&self, stuck: Option<Thread>) -> State {
        if self.mode == Mode::Off {
            return self.absent(format!("`{}` is `off`", vars::KEYRING), None);
        }
        let thread = match stuck.map_or_else(|| self.start(), Ok) {
            Ok(thread) if thread.is_open => return State::Open(thread),
            Ok(thread) => thread,
            Err(error) => return self.absent(format!("no thread for it: {error}"), None),
        };
        match thread.opened.recv_timeout(self.probe) {
            Ok(Ok(())) => State::Open(Thread { is_open: true, ..thread }),
            Ok(Err(reason)) => self.absent(reason, None),
            Err(RecvTimeoutError::Timeout) => self.absent(SILENT.to_owned(), Some(thread)),
            Err(RecvTimeoutError::Disconnected) => self.absent(SILENT.to_owned(), None),
        }
    }

    fn start(&self) -> std::io::Result<Thread> {
        let (tasks, received) = channel();
        let (opening, opened) = sync_channel(1);
        let open = Arc::clone(&self.open);
        let worker = move || serve(&*open, &opening, &received);
        std::thread::Builder::new().name("keyring".to_owned()).spawn(worker)?;
        Ok(Thread { tasks, opened, is_open: false })
    }

    /// Notes that a question was not answered, and says so.
    fn lose(&self, state: &mut State, failed: RecvTimeoutError) -> String {
        let stuck = match std::mem::replace(state, State::Untried) {
            // A thread that ended is replaced by another.
            State::Open(thread) if failed == RecvTimeoutError::Timeout => Some(thread),
            State::Open(_) | State::Absent { .. } | State::Untried => None,
        };
        *state = self.absent(SILENT.to_owned(), stuck);
        SILENT.to_owned()
    }

    fn absent(&self, reason: String, stuck: Option<Thread>) -> State {
        State::Absent { reason, again: clock::instant() + self.rest, stuck }
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
