//! The list at an archive's end.

use serde::{Deserialize, Serialize};

/// What every list says that it is.
const FORMAT: &str = "coffer-export";
/// The version of the archive's layout.
const VERSION: u32 = 1;

/// The list.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    format: String,
    version: u32,
    /// RFC 3339.
    pub created_at: String,
    /// The files, in the archive's order.
    pub files: Vec<Listed>,
}

/// A file of the list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Listed {
    /// Its name in the archive.
    pub path: String,
    /// SHA-256 of its bytes, hexadecimal.
    pub sha256: String,
    /// When it last changed, in nanoseconds since 1970.
    pub modified_ns: i64,
}

impl Manifest {
    /// A list of this version.
    pub(super) fn new(created_at: String, files: Vec<Listed>) -> Self {
        Self { format: FORMAT.to_owned(), version: VERSION, created_at, files }
    }

    /// Reads a list.
    ///
    /// # Errors
    ///
    /// Says what is wrong with it.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, String> {
        /// What lists of all versions say.
        #[derive(Deserialize)]
        struct Head {
            format: String,
            version: u32,
        }
        let no_list = |error: serde_json::Error| format!("its list cannot be read: {error}");
        let head: Head = serde_json::from_slice(bytes).map_err(no_list)?;
        if head.format != FORMAT {
            return Err("its list is another program's".to_owned());
        }
        if head.version != VERSION {
            let version = head.version;
            return Err(format!("it has version {version}, and this program knows {VERSION}"));
        }
        serde_json::from_slice(bytes).map_err(no_list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lists_of_this_version_are_read() {
        let list = Manifest::new("2026-06-09T10:11:12+00:00".to_owned(), Vec::new());
        let text = serde_json::to_string(&list).unwrap();
        assert_eq!(Manifest::parse(text.as_bytes()), Ok(list));
        for bad in [
            "",
            "{}",
            "[]",
            r#"{"format":"x","version":1}"#,
            r#"{"format":"coffer-export","version":2,"news":[]}"#,
            r#"{"format":"coffer-export","version":1,"created_at":"x","files":[{}]}"#,
        ] {
            assert!(Manifest::parse(bad.as_bytes()).is_err(), "{bad}");
        }
    }
}
