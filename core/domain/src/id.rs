//! ULIDs: minted by a clock elsewhere, or derived from a name where none was written.

use sha2::{Digest as _, Sha256};
use ulid::Ulid;

/// A ULID in its canonical form: 26 upper-case characters of Crockford's base 32.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(String);

impl Id {
    /// The id of the global store's project.
    pub const GLOBAL: &'static str = "00000000000000000000000000";

    /// Reads a ULID as people and files write it; lower case is fine, anything else is `None`.
    pub fn parse(text: &str) -> Option<Self> {
        let upper = text.trim().to_ascii_uppercase();
        let ulid = Ulid::from_string(&upper).ok()?;
        let canonical = ulid.to_string();
        (canonical == upper).then_some(Self(canonical))
    }

    /// A new id of this moment (milliseconds since the epoch) and these random bits.
    pub fn new(unix_millis: u64, random: u128) -> Self {
        Self(Ulid::from_parts(unix_millis, random).to_string())
    }

    /// The id of a file that carries none (or another file's): the first 128 bits of the SHA-256
    /// of store and relative path, so that it is the same after each rebuild.
    pub fn of_file(store: &str, path: &str) -> Self {
        Self::hashed(&[store.as_bytes(), b"\0", path.as_bytes()])
    }

    /// The id of a project: the first 128 bits of the SHA-256 of its absolute main root.
    pub fn of_project(root: &str) -> Self {
        Self::hashed(&[root.as_bytes()])
    }

    /// The id of a memory that another program kept: what it was read from, and its text, so that
    /// a second import knows it again.
    pub fn of_import(format: &str, place: &str, text: &str) -> Self {
        let (format, place) = (format.as_bytes(), place.as_bytes());
        Self::hashed(&[b"import\0", format, b"\0", place, b"\0", text.as_bytes()])
    }

    fn hashed(parts: &[&[u8]]) -> Self {
        let digest = parts.iter().fold(Sha256::new(), |hash, part| hash.chain_update(part));
        let mut bits = [0; 16];
        bits.copy_from_slice(&digest.finalize()[..16]);
        Self(Ulid::from(u128::from_be_bytes(bits)).to_string())
    }

    /// The 26 characters.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for Id {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// SHA-256 of some bytes, hexadecimal.
pub fn sha256(bytes: impl AsRef<[u8]>) -> String {
    hex::encode(Sha256::digest(bytes.as_ref()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ulids_parse() {
        let id = Id::new(1_749_463_872_000, 42);
        assert_eq!(Id::parse(id.as_str()), Some(id.clone()));
        assert_eq!(Id::parse(&id.as_str().to_lowercase()), Some(id));
        for bad in ["", "fact", "01J", "8ZZZZZZZZZZZZZZZZZZZZZZZZZ", "../../etc/passwd", "01JX\0"] {
            assert_eq!(Id::parse(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn derived_ids_are_stable_and_tell_apart() {
        let id = Id::of_file("global", "knowledge/a.md");
        assert_eq!(id, Id::of_file("global", "knowledge/a.md"));
        assert_ne!(id, Id::of_file("global", "knowledge/b.md"));
        assert_ne!(id, Id::of_file("globalk", "nowledge/a.md"));
        assert_eq!(Id::parse(id.as_str()), Some(id));
        // sha256("/home/dev/app") starts with these 128 bits; the design fixes the formula.
        let digest = sha256("/home/dev/app");
        let bits = u128::from_str_radix(&digest[..32], 16).unwrap();
        assert_eq!(Id::of_project("/home/dev/app").as_str(), Ulid::from(bits).to_string());
    }
}
