//! The list of a model's files: what a server offers, and what was installed.

use serde::{Deserialize, Serialize};

use crate::models::local::{FILES, NEEDED};
use crate::vault::Dir;

/// The file of the list.
pub(super) const MANIFEST: &str = "coffer-model.json";
/// The largest list.
pub(super) const MANIFEST_BYTES: u64 = 64 << 10;
/// The largest model: 4 GiB.
const LARGEST: u64 = 4 << 30;

/// A list of files, in the order of `FILES`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Manifest {
    /// The files.
    pub files: Vec<Entry>,
}

/// A file of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// One of `FILES`.
    pub name: &'static str,
    /// Bytes.
    pub size: u64,
    /// Hexadecimal.
    pub sha256: String,
}

#[derive(Serialize, Deserialize)]
struct ManifestFile {
    files: Vec<EntryFile>,
}

#[derive(Serialize, Deserialize)]
struct EntryFile {
    name: String,
    size: u64,
    sha256: String,
}

impl Manifest {
    /// The list of an installed model; none for one without, or with one that says nothing.
    pub(super) fn of(dir: &Dir) -> Option<Self> {
        dir.stat(MANIFEST).ok()?.filter(|stat| stat.size <= MANIFEST_BYTES)?;
        Self::parse(&dir.read(MANIFEST).ok()??.bytes).ok()
    }

    /// Reads a list, or says what is wrong with it. It can name a model's own files only, each once.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, String> {
        let read: ManifestFile = serde_json::from_slice(bytes)
            .map_err(|error| format!("`{MANIFEST}` cannot be understood: {error}"))?;
        let mut files = Vec::new();
        for EntryFile { name, size, sha256 } in read.files {
            let known = FILES.into_iter().find(|known| *known == name);
            let Some(name) = known.filter(|name| files.iter().all(|f: &Entry| f.name != *name))
            else {
                return Err(format!("`{MANIFEST}` names `{name}`, which is no file of a model"));
            };
            if sha256.len() != 64 || !sha256.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                return Err(format!("`{MANIFEST}` has no SHA-256 of `{name}`"));
            }
            files.push(Entry { name, size, sha256: sha256.to_ascii_lowercase() });
        }
        files.sort_by_key(|file| FILES.iter().position(|known| *known == file.name));
        Self { files }.whole()
    }

    /// The list, if it is that of a whole model of bearable size.
    pub(super) fn whole(self) -> Result<Self, String> {
        let has = |name: &str| self.files.iter().any(|file| file.name == name);
        if let Some(missing) = NEEDED.iter().find(|name| !has(name)) {
            return Err(format!("`{missing}` is missing"));
        }
        let size = self.files.iter().try_fold(0_u64, |sum, file| sum.checked_add(file.size));
        if size.is_none_or(|size| size > LARGEST) {
            return Err(format!("it is larger than {} GiB", LARGEST >> 30));
        }
        Ok(self)
    }

    /// The list as a file.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let files = self.files.iter().map(|file| EntryFile {
            name: file.name.to_owned(),
            size: file.size,
            sha256: file.sha256.clone(),
        });
        serde_json::to_vec_pretty(&ManifestFile { files: files.collect() }).unwrap_or_default()
    }

    /// Names and sizes.
    pub(super) fn sizes(&self) -> Vec<(&'static str, u64)> {
        self.files.iter().map(|file| (file.name, file.size)).collect()
    }

    /// The checksum of a file.
    pub(super) fn sha256(&self, name: &str) -> Option<String> {
        let file = self.files.iter().find(|file| file.name == name);
        file.map(|file| file.sha256.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(rows: &[(&str, u64, &str)]) -> Result<Manifest, String> {
        let rows: Vec<_> = rows
            .iter()
            .map(|(name, size, sha)| {
                format!(r#"{{"name": {name:?}, "size": {size}, "sha256": {sha:?}}}"#)
            })
            .collect();
        Manifest::parse(format!(r#"{{"files": [{}]}}"#, rows.join(",")).as_bytes())
    }

    #[test]
    fn a_list_names_a_models_files_and_nothing_else() {
        let sha = "A".repeat(64);
        let sha = sha.as_str();
        let whole =
            [("tokenizer.json", 1, sha), ("config.json", 2, sha), ("model.safetensors", 3, sha)];
        let read = list(&whole).unwrap();
        assert_eq!(read.files[0].name, "config.json");
        assert_eq!(Manifest::parse(&read.to_bytes()), Ok(read.clone()));
        assert_eq!(read.sha256("model.safetensors").unwrap(), "a".repeat(64));

        let with = |row: (&'static str, u64, &'static str)| list(&[&whole[..], &[row]].concat());
        let ones = "1111111111111111111111111111111111111111111111111111111111111111";
        assert!(with(("modules.json", 1, ones)).is_ok());
        for (row, said) in [
            (("../../config.toml", 1, ones), "`../../config.toml`"),
            (("/etc/passwd", 1, ones), "no file of a model"),
            (("config.json", 1, ones), "`config.json`"),
            (("modules.json", 1, "12"), "no SHA-256"),
            (("modules.json", 5 << 30, ones), "larger than 4 GiB"),
            (("modules.json", u64::MAX, ones), "larger than 4 GiB"),
        ] {
            let refused = with(row).unwrap_err();
            assert!(refused.contains(said), "{refused}");
        }
        assert!(list(&whole[..2]).unwrap_err().contains("`model.safetensors` is missing"));
        assert!(Manifest::parse(b"[").is_err() && Manifest::parse(b"").is_err());
    }
}
