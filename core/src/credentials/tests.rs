//! Credentials over real files, and over a secret service in memory.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use keyring_core::mock::Store as Mock;
use keyring_core::{CredentialStore, Error as Refusal};

use super::keyring::Mode;
use super::*;
use crate::index::{HistoryFilter, audit};

const NOW: Timestamp = Timestamp::from_micros(1_780_000_000_000_000);
const VALUE: &str = "sk-a-value-that-stands-nowhere";
const PLACE: &str = "https://api.example.com";

struct Ground {
    _temp: tempfile::TempDir,
    home: Home,
    index: Arc<Index>,
    changes: Arc<AtomicUsize>,
}

impl Ground {
    fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let home = Home::at(temp.path());
        let index = Arc::new(Index::open(&home.database(), NOW).unwrap());
        Self { _temp: temp, home, index, changes: Arc::default() }
    }

    fn with(&self, keyring: Keyring) -> Credentials {
        let changes = Arc::clone(&self.changes);
        let count = move || {
            changes.fetch_add(1, Ordering::SeqCst);
        };
        Credentials::with_keyring(&self.home, Arc::clone(&self.index), keyring, count)
    }

    /// Without a secret service.
    fn plain(&self) -> Credentials {
        let absent = || Err(Refusal::NoDefaultStore);
        self.with(Keyring::new(&self.home, Mode::Auto, Arc::new(absent)))
    }

    fn keyed(&self, store: &Arc<Mock>) -> Credentials {
        self.with(Keyring::new(&self.home, Mode::Auto, opening(store)))
    }

    fn register(&self) -> String {
        fs::read_to_string(self.home.credentials_file()).unwrap()
    }

    /// Every byte below the home.
    fn bytes(&self) -> Vec<u8> {
        fn gather(folder: &std::path::Path, bytes: &mut Vec<u8>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    gather(&path, bytes);
                } else {
                    bytes.extend(fs::read(&path).unwrap());
                }
            }
        }
        let mut bytes = Vec::new();
        gather(self.home.root(), &mut bytes);
        bytes
    }
}

fn opening(
    store: &Arc<Mock>,
) -> Arc<dyn Fn() -> keyring_core::Result<Arc<CredentialStore>> + Send + Sync> {
    let store = Arc::clone(store);
    Arc::new(move || Ok(Arc::clone(&store) as Arc<CredentialStore>))
}

fn name(text: &str) -> CredentialRef {
    CredentialRef::parse(text).unwrap()
}

fn value(credentials: &Credentials, text: &str) -> Result<String, Withheld> {
    let value = credentials.reveal(&name(text), PLACE)?;
    Ok(value.expose_secret().to_owned())
}

fn listed(credentials: &Credentials) -> Vec<(String, Place)> {
    let all = credentials.list().unwrap();
    all.into_iter().map(|it| (it.name.to_string(), it.place)).collect()
}

fn set(credentials: &Credentials, text: &str, value: &str) -> Result<Place> {
    credentials.set(&name(text), value.into(), NOW).map(|it| it.place)
}

#[test]
fn what_is_set_is_kept_encrypted_listed_by_name_and_deleted() {
    let ground = Ground::new();
    let credentials = ground.plain();
    assert_eq!(listed(&credentials), []);
    assert_eq!(set(&credentials, "openai", VALUE).unwrap(), Place::File);
    assert_eq!(set(&credentials, "a-2", "other").unwrap(), Place::File);
    assert_eq!(
        listed(&credentials),
        [("a-2".to_owned(), Place::File), ("openai".to_owned(), Place::File)]
    );
    assert_eq!(value(&ground.plain(), "openai").unwrap(), VALUE);
    for file in [ground.home.credentials_file(), ground.home.master_key()] {
        assert_eq!(fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let everywhere = ground.bytes();
    let base64 = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, VALUE);
    for form in [VALUE.to_owned(), hex::encode(VALUE), base64[..32].to_owned()] {
        assert!(memchr::memmem::find(&everywhere, form.as_bytes()).is_none(), "{form}");
    }
    credentials.delete(&name("openai"), NOW).unwrap();
    assert!(matches!(value(&credentials, "openai"), Err(Withheld::Missing(_))));
    let again = credentials.delete(&name("openai"), NOW);
    assert!(matches!(again, Err(Error::CredentialNotFound(it)) if it == "openai"));
    assert_eq!(value(&credentials, "a-2").unwrap(), "other");
    assert_eq!(ground.changes.load(Ordering::SeqCst), 3);
    let filter = HistoryFilter { limit: 10, ..HistoryFilter::default() };
    let rows = ground.index.read(|db| audit(db, &filter)).unwrap();
    let rows: Vec<_> = rows.into_iter().map(|row| (row.event, row.ids)).collect();
    let row = |event: &str, name: &str| (event.to_owned(), vec![name.to_owned()]);
    assert_eq!(
        rows,
        [
            row("credential_deleted", "openai"),
            row("credential_set", "a-2"),
            row("credential_set", "openai")
        ]
    );
}

#[test]
fn the_same_value_is_sealed_differently_each_time_and_only_for_its_name() {
    let ground = Ground::new();
    let credentials = ground.plain();
    set(&credentials, "a", VALUE).unwrap();
    let first = ground.register();
    set(&credentials, "a", VALUE).unwrap();
    assert_ne!(ground.register(), first);
    fs::write(ground.home.credentials_file(), first.replace("[a]", "[b]")).unwrap();
    let error = value(&credentials, "b").unwrap_err();
    assert!(error.to_string().contains("`b` does not open"), "{error}");
}

#[test]
fn a_value_is_bound_to_where_it_was_first_used() {
    let ground = Ground::new();
    let store = Mock::new().unwrap();
    for credentials in [ground.plain(), ground.keyed(&store)] {
        set(&credentials, "key", VALUE).unwrap();
        assert_eq!(value(&credentials, "key").unwrap(), VALUE);
        assert_eq!(value(&credentials, "key").unwrap(), VALUE);
        let elsewhere = credentials.reveal(&name("key"), "https://evil.example.com");
        let error = elsewhere.map(drop).unwrap_err().to_string();
        for part in [PLACE, "https://evil.example.com", "`key`", "set the credential again"] {
            assert!(error.contains(part), "{error}");
        }
        assert!(!error.contains(VALUE));
        set(&credentials, "key", VALUE).unwrap();
        credentials.reveal(&name("key"), "https://evil.example.com").unwrap();
        assert!(matches!(value(&credentials, "key"), Err(Withheld::Bound { .. })));
    }
}

#[test]
fn a_trial_binds_nothing_and_sends_a_fresh_value_to_known_places_only() {
    let ground = Ground::new();
    let store = Mock::new().unwrap();
    for credentials in [ground.plain(), ground.keyed(&store)] {
        set(&credentials, "key", VALUE).unwrap();
        let (known, unknown) = (credentials.for_trial(true), credentials.for_trial(false));
        let refused = value(&unknown, "key").unwrap_err();
        assert!(matches!(refused, Withheld::Untried { .. }), "{refused}");
        assert!(refused.to_string().contains("save these settings first"), "{refused}");
        assert_eq!(value(&known, "key").unwrap(), VALUE);
        // Nothing is bound: work may begin elsewhere, and decides for trials as well.
        let elsewhere = "https://elsewhere.example.com";
        credentials.reveal(&name("key"), elsewhere).unwrap();
        assert!(matches!(value(&known, "key"), Err(Withheld::Bound { .. })));
        unknown.reveal(&name("key"), elsewhere).unwrap();
    }
}

#[test]
fn a_key_that_is_wrong_damaged_or_lost_is_said_and_never_overwritten() {
    let ground = Ground::new();
    let credentials = ground.plain();
    set(&credentials, "a", VALUE).unwrap();
    let right = fs::read(ground.home.master_key()).unwrap();
    let register = ground.register();
    for (bytes, reason) in [
        (&b""[..], "64 hexadecimal digits"),
        (&b"xyz"[..], "64 hexadecimal digits"),
        (&right[..60], "64 hexadecimal digits"),
        (&b"\xff\xfe"[..], "64 hexadecimal digits"),
    ] {
        fs::write(ground.home.master_key(), bytes).unwrap();
        for failed in [value(&credentials, "a").map(drop).unwrap_err().to_string()]
            .into_iter()
            .chain([set(&credentials, "b", "x").unwrap_err().to_string()])
        {
            assert!(failed.contains(reason) && failed.contains("master.key"), "{failed}");
        }
        assert_eq!(fs::read(ground.home.master_key()).unwrap(), bytes);
    }
    fs::write(ground.home.master_key(), "0".repeat(64)).unwrap();
    let wrong = value(&credentials, "a").unwrap_err().to_string();
    assert!(wrong.contains("`a` does not open"), "{wrong}");

    fs::remove_file(ground.home.master_key()).unwrap();
    let lost = value(&credentials, "a").unwrap_err().to_string();
    assert!(lost.contains("master.key") && lost.contains("missing"), "{lost}");
    let other = set(&credentials, "b", "x").unwrap_err().to_string();
    assert!(other.contains("encrypted under it"), "{other}");
    assert!(!ground.home.master_key().exists());
    assert_eq!(ground.register(), register);
    // The one that is lost itself may be set again, under a new key.
    set(&credentials, "a", "new").unwrap();
    assert_eq!(value(&credentials, "a").unwrap(), "new");
}

#[test]
fn a_damaged_register_is_said_and_never_rewritten() {
    let ground = Ground::new();
    let credentials = ground.plain();
    for text in [
        "a = ",
        "a = 1\n",
        "[a]\n",
        "[a]\nplace = \"file\"\n",
        "[a]\nplace = \"keyring\"\nsealed = \"AA\"\n",
        "[a]\nplace = \"cloud\"\n",
        "[a]\nplace = \"file\"\nsealed = 1\n",
        "[a]\nplace = \"keyring\"\nmore = 1\n",
        "[\"A b\"]\nplace = \"keyring\"\n",
        "x = \"sk-pasted-here",
    ] {
        fs::write(ground.home.credentials_file(), text).unwrap();
        let failures = [
            credentials.list().map(drop).unwrap_err(),
            set(&credentials, "b", "x").unwrap_err(),
            credentials.delete(&name("a"), NOW).unwrap_err(),
        ];
        for failure in failures {
            let said = failure.to_string();
            assert!(said.contains("credentials.toml") && said.contains("damaged"), "{said}");
            assert!(!said.contains("sk-pasted"), "{said}");
        }
        assert_eq!(ground.register(), text);
    }
    fs::write(ground.home.credentials_file(), b"\xff").unwrap();
    assert!(credentials.list().is_err());
    // A value that is no sealed one.
    for sealed in ["", "AA", "no base64", &"A".repeat(80)] {
        let text = format!("[a]\nplace = \"file\"\nsealed = \"{sealed}\"\n");
        fs::write(ground.home.credentials_file(), &text).unwrap();
        fs::write(ground.home.master_key(), "0".repeat(64)).unwrap();
        assert!(value(&credentials, "a").unwrap_err().to_string().contains("does not open"));
    }
}

#[test]
fn values_that_no_key_is_are_refused_without_being_repeated() {
    let ground = Ground::new();
    let credentials = ground.plain();
    let long = "x".repeat(8193);
    for text in ["", " a", "a\n", "a\nb", "a\tb", "ä", "\u{200b}a", long.as_str()] {
        let refused = set(&credentials, "a", text).unwrap_err();
        assert!(matches!(refused, Error::Invalid { field: "value", .. }), "{refused}");
        assert!(text.is_empty() || text.len() < 4 || !refused.to_string().contains(text));
    }
    set(&credentials, "a", &long[1..]).unwrap();
    assert!(value(&credentials, "a").unwrap() == long[1..]);
}

#[test]
fn changes_at_once_lose_none() {
    let ground = Ground::new();
    let credentials = ground.plain();
    thread::scope(|scope| {
        for writer in 0..2 {
            let credentials = credentials.clone();
            scope.spawn(move || {
                for number in 0..20 {
                    let (name, value) = (format!("w{writer}-{number}"), format!("v{number}"));
                    set(&credentials, &name, &value).unwrap();
                }
            });
        }
    });
    assert_eq!(listed(&credentials).len(), 40);
    for writer in 0..2 {
        for number in 0..20 {
            assert_eq!(
                value(&credentials, &format!("w{writer}-{number}")).unwrap(),
                format!("v{number}")
            );
        }
    }
}

#[test]
fn a_secret_service_is_preferred_and_the_place_written_last_counts() {
    let ground = Ground::new();
    let store = Mock::new().unwrap();
    set(&ground.plain(), "key", "of the file").unwrap();
    let keyed = ground.keyed(&store);
    assert_eq!(value(&keyed, "key").unwrap(), "of the file");
    assert_eq!(set(&keyed, "key", VALUE).unwrap(), Place::Keyring);
    assert_eq!(ground.register().matches("sealed").count(), 0);
    assert_eq!(listed(&keyed), [("key".to_owned(), Place::Keyring)]);
    assert_eq!(value(&keyed, "key").unwrap(), VALUE);
    // Another home of the same person does not see it.
    let other = Ground::new();
    fs::copy(ground.home.credentials_file(), other.home.credentials_file()).unwrap();
    let missed = value(&other.keyed(&store), "key").unwrap_err().to_string();
    assert!(missed.contains("no such entry"), "{missed}");
    // Back into the file: the older value goes from the keyring.
    let off = ground.with(Keyring::new(&ground.home, Mode::Off, opening(&store)));
    let unreachable = value(&off, "key").unwrap_err().to_string();
    assert!(unreachable.contains("`COFFER_KEYRING` is `off`"), "{unreachable}");
    assert!(matches!(off.delete(&name("key"), NOW), Err(Error::Keyring { .. })));
    assert_eq!(set(&off, "key", "back").unwrap(), Place::File);
    assert_eq!(value(&off, "key").unwrap(), "back");
    set(&keyed, "key", VALUE).unwrap();
    keyed.delete(&name("key"), NOW).unwrap();
    assert_eq!(listed(&keyed), []);
    let left = store.inner.lock().unwrap();
    assert!(left.borrow().iter().all(|it| it.inner.lock().unwrap().borrow().secret.is_none()));
}

#[test]
fn a_service_that_is_stuck_holds_nobody_up() {
    let ground = Ground::new();
    let (bit, second) = (Duration::from_millis(50), Duration::from_secs(1));
    let stuck = || {
        thread::sleep(Duration::from_secs(3));
        Err(Refusal::NoDefaultStore)
    };
    let begun = std::time::Instant::now();
    let keyring = Keyring::new(&ground.home, Mode::Auto, Arc::new(stuck)).patient(bit, bit);
    let credentials = ground.with(keyring);
    assert_eq!(set(&credentials, "a", VALUE).unwrap(), Place::File);
    assert_eq!(set(&credentials, "b", VALUE).unwrap(), Place::File);
    assert!(begun.elapsed() < second, "{:?}", begun.elapsed());
    // `on` insists.
    let keyring = Keyring::new(&ground.home, Mode::On, Arc::new(stuck)).patient(bit, bit);
    let refused = set(&ground.with(keyring), "c", VALUE).unwrap_err();
    assert!(matches!(refused, Error::Keyring { .. }), "{refused}");
    assert_eq!(listed(&credentials).len(), 2);
}

#[test]
fn a_service_that_was_locked_is_asked_again_after_a_while_and_when_a_value_is_set() {
    let ground = Ground::new();
    let store = Mock::new().unwrap();
    set(&ground.keyed(&store), "key", VALUE).unwrap();
    let with = |rest| {
        let (open, is_asked) = (opening(&store), AtomicUsize::new(0));
        let locked_at_first = move || match is_asked.fetch_add(1, Ordering::SeqCst) {
            0 => Err(Refusal::NoDefaultStore),
            _ => open(),
        };
        let keyring = Keyring::new(&ground.home, Mode::Auto, Arc::new(locked_at_first));
        ground.with(keyring.resting(rest))
    };
    let (bit, long) = (Duration::from_millis(50), Duration::from_secs(3600));
    let credentials = with(bit);
    value(&credentials, "key").unwrap_err();
    thread::sleep(bit);
    assert_eq!(value(&credentials, "key").unwrap(), VALUE);

    let credentials = with(long);
    value(&credentials, "key").unwrap_err();
    value(&credentials, "key").unwrap_err();
    assert_eq!(set(&credentials, "other", "new").unwrap(), Place::Keyring);
    assert_eq!(value(&credentials, "key").unwrap(), VALUE);
}

#[test]
fn a_service_that_was_stuck_is_waited_for_on_its_one_thread() {
    let ground = Ground::new();
    let store = Mock::new().unwrap();
    set(&ground.keyed(&store), "key", VALUE).unwrap();
    let (open, opened) = (opening(&store), Arc::new(AtomicUsize::new(0)));
    let count = Arc::clone(&opened);
    let slow = move || {
        count.fetch_add(1, Ordering::SeqCst);
        thread::sleep(Duration::from_millis(400));
        open()
    };
    let bit = Duration::from_millis(20);
    let keyring = Keyring::new(&ground.home, Mode::Auto, Arc::new(slow));
    let credentials = ground.with(keyring.patient(bit, Duration::from_secs(10)).resting(bit));
    value(&credentials, "key").unwrap_err();
    thread::sleep(bit);
    value(&credentials, "key").unwrap_err();
    thread::sleep(Duration::from_millis(600));
    assert_eq!(value(&credentials, "key").unwrap(), VALUE);
    assert_eq!(opened.load(Ordering::SeqCst), 1);
}
