//! `run/server.json`: how clients find the server, and how it proves that it is Coffer.

use std::path::Path;

use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use subtle::ConstantTimeEq as _;

use crate::clock;

/// What a running server tells its clients; the file is readable by the owner only.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerFile {
    /// The server's process.
    pub pid: u32,
    /// Its loopback port.
    pub port: u16,
    /// 256 random bits, hexadecimal.
    pub token: String,
    /// Differs for each start.
    pub instance: String,
    /// The server's version.
    pub version: String,
    /// Which program runs the server.
    pub owner: Owner,
}

/// Which program runs the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Owner {
    /// `coffer serve`, which hands over to a window.
    Headless,
    /// The desktop program.
    Desktop,
}

impl ServerFile {
    /// Reads the file; a missing, torn or foreign one means that no server is known.
    pub fn read(path: &Path) -> Option<Self> {
        serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()
    }

    /// The answer to a challenge: `HMAC-SHA256(token, nonce ‖ port ‖ instance)`, hexadecimal.
    pub fn proof(&self, nonce: &[u8]) -> String {
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(self.token.as_bytes()) else {
            return String::new();
        };
        mac.update(nonce);
        mac.update(self.port.to_string().as_bytes());
        mac.update(self.instance.as_bytes());
        hex::encode(mac.finalize().into_bytes())
    }

    /// Whether somebody's answer shows that they hold the token; takes the same time either way.
    pub fn proven(&self, nonce: &[u8], answer: &str) -> bool {
        let wanted = self.proof(nonce);
        !wanted.is_empty() && bool::from(wanted.as_bytes().ct_eq(answer.as_bytes()))
    }
}

/// Never shows the token.
impl std::fmt::Debug for ServerFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ServerFile")
            .field("pid", &self.pid)
            .field("port", &self.port)
            .field("instance", &self.instance)
            .field("version", &self.version)
            .field("owner", &self.owner)
            .finish_non_exhaustive()
    }
}

/// A new token: 256 random bits, hexadecimal.
pub fn new_token() -> String {
    hex::encode(clock::random::<32>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(token: &str) -> ServerFile {
        ServerFile {
            pid: 1,
            port: 27411,
            token: token.into(),
            instance: "i".into(),
            version: "0.1.0".into(),
            owner: Owner::Headless,
        }
    }

    #[test]
    fn only_the_token_holder_can_answer() {
        let server = file(&new_token());
        let answer = server.proof(b"nonce");
        assert!(server.proven(b"nonce", &answer));
        assert!(!server.proven(b"other", &answer));
        assert!(!file(&new_token()).proven(b"nonce", &answer));
        assert!(!server.proven(b"nonce", ""));
    }

    #[test]
    fn the_token_is_never_shown() {
        let server = file("secret-token");
        assert!(!format!("{server:?}").contains("secret-token"));
    }
}
