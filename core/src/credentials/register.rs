//! `credentials.toml`: which credentials there are, and where the value of each is.
//!
//! A file that is not wholly understood is an error and never written over.

use std::collections::BTreeMap;

use coffer_domain::credential::CredentialRef;
use coffer_env::Home;
use toml_edit::{DocumentMut, Item, Table, TableLike, value};

use crate::error::{Error, Result};
use crate::vault::{Dir, Expect, File};

const NAME: &str = "credentials.toml";
const HEAD: &str = "# Written by Coffer. Values are encrypted under `master.key`, or in the system's \
                    keyring.\n";

const PLACE: &str = "place";
const SEALED: &str = "sealed";
const FILE: &str = "file";
const KEYRING: &str = "keyring";

/// Where a value is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entry {
    /// Here, encrypted.
    Sealed(String),
    /// In the secret service.
    Keyring,
}

/// The file as it was read, with changes to be written.
pub(super) struct Register {
    document: DocumentMut,
    /// The file as it was read; `None` where there was none.
    file: Option<File>,
    entries: BTreeMap<CredentialRef, Entry>,
}

impl Register {
    /// Reads the file of a home.
    pub(super) fn read(home: &Home) -> Result<Self> {
        let damaged = |reason| {
            let reason = format!("it is damaged, {reason}; mend it, or move it away");
            Error::Unavailable { action: "read", path: home.credentials_file(), reason }
        };
        let file = Dir::open(home.root())?.read(NAME)?;
        let bytes = file.as_ref().map(|file| file.bytes.as_slice()).unwrap_or_default();
        let text = std::str::from_utf8(bytes).map_err(|_| damaged("no UTF-8".to_owned()))?;
        let document = parse(text).map_err(damaged)?;
        let entries = entries(&document).map_err(damaged)?;
        Ok(Self { document, file, entries })
    }

    /// All names and where their values are, in order.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&CredentialRef, &Entry)> {
        self.entries.iter()
    }

    /// Where a value is.
    pub(super) fn get(&self, name: &CredentialRef) -> Option<&Entry> {
        self.entries.get(name)
    }

    /// Notes where a value is; gives what was noted before.
    pub(super) fn put(&mut self, name: &CredentialRef, entry: Entry) -> Option<Entry> {
        let mut table = Table::new();
        match &entry {
            Entry::Sealed(sealed) => {
                table.insert(PLACE, value(FILE));
                table.insert(SEALED, value(sealed));
            }
            Entry::Keyring => drop(table.insert(PLACE, value(KEYRING))),
        }
        self.document.insert(name.as_str(), Item::Table(table));
        self.entries.insert(name.clone(), entry)
    }

    /// Forgets a name.
    pub(super) fn remove(&mut self, name: &CredentialRef) {
        self.document.remove(name.as_str());
        self.entries.remove(name);
    }

    /// Writes the file, unless somebody changed it meanwhile.
    pub(super) fn write(&self, home: &Home) -> Result<()> {
        let text = self.document.to_string();
        let head = if self.file.is_some() { "" } else { HEAD };
        let text = format!("{head}{text}");
        let expect = Expect::as_read(self.file.as_ref());
        Dir::open(home.root())?.write(NAME, text.as_bytes(), expect).map(drop)
    }
}

/// The parser's words hold no part of the text, which may be a value that somebody put there.
fn parse(text: &str) -> Result<DocumentMut, String> {
    text.parse().map_err(|error: toml_edit::TomlError| {
        let at = error.span().map_or(0, |span| span.start);
        let line = text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1;
        format!("line {line} is no TOML")
    })
}

fn entries(document: &DocumentMut) -> Result<BTreeMap<CredentialRef, Entry>, String> {
    let mut entries = BTreeMap::new();
    for (name, item) in document.iter() {
        let known = CredentialRef::parse(name)
            .and_then(|name| Some((name, entry(item.as_table_like()?)?)))
            .ok_or_else(|| format!("entry {} is no credential", entries.len() + 1))?;
        entries.insert(known.0, known.1);
    }
    Ok(entries)
}

fn entry(table: &dyn TableLike) -> Option<Entry> {
    let place = table.get(PLACE)?.as_str()?;
    match (place, table.get(SEALED), table.len()) {
        (FILE, Some(sealed), 2) => Some(Entry::Sealed(sealed.as_str()?.to_owned())),
        (KEYRING, None, 1) => Some(Entry::Keyring),
        _ => None,
    }
}
