//! Who is who: the viewer's session token, the server's proof, rotation.

use crate::{reply, request};

request! {
    /// A one-time code, from the address that `coffer open` made.
    pub struct SessionIn {
        /// The code.
        pub code: String,
    }

    /// A challenge: whoever holds the token can answer it.
    pub struct ProveIn {
        /// 16 to 64 bytes, hexadecimal.
        #[cfg_attr(feature = "schema", schema(pattern = "^([0-9a-fA-F]{2}){16,64}$"))]
        pub nonce: String,
    }
}

reply! {
    /// A token for the viewer; dies with the server.
    pub struct SessionOut {
        /// Send it as `Authorization: Bearer`.
        pub token: String,
    }

    /// A one-time code for a browser.
    pub struct SessionCodeOut {
        /// Good for 60 seconds, once.
        pub code: String,
        /// The address to open, code included.
        pub url: String,
    }

    /// The answer to a challenge.
    pub struct ProofOut {
        /// `HMAC-SHA256(token, nonce ‖ port ‖ instance)`, hexadecimal.
        pub proof: String,
        /// The server's instance id.
        pub instance: String,
    }

    /// The new token is in `run/server.json`.
    pub struct RotatedOut {
        /// Always true.
        pub rotated: bool,
    }
}
