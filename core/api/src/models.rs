//! Embedding models of this machine: what is installed, installing and removing.

use crate::{reply, request, words};

words! {
    /// What a model is.
    pub enum ModelKind {
        /// BERT or a relative.
        Bert,
        /// A table of vectors.
        Static,
    }

    /// Whether a model's files are those that were installed, by their names and sizes.
    pub enum ModelChecksum {
        /// They are.
        Recorded,
        /// Another file is there, or one is missing or has another size.
        Changed,
        /// Nobody knows: the folder was put there by hand.
        Unknown,
    }
}

request! {
    /// A model to copy. Over the socket, or with the server's own token.
    pub struct ModelIn {
        /// Its folder as Hugging Face has it, an absolute path.
        pub path: String,
        /// The name that it gets; absent: the folder's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub name: Option<String>,
    }

    /// A model to fetch. Over the socket, or with the server's own token.
    pub struct PullIn {
        /// The name that it gets.
        pub name: String,
        /// The address below which there are its files and their list `coffer-model.json`: `https`,
        /// or `http` of this machine.
        pub from: String,
    }
}

reply! {
    /// An installed model.
    pub struct ModelOut {
        /// Its name.
        pub name: String,
        /// What it is; null when it cannot be used.
        pub kind: Option<ModelKind>,
        /// How many numbers a vector of it has; null when it cannot be used.
        pub dimensions: Option<u64>,
        /// The size of its files.
        pub size_bytes: u64,
        /// The SHA-256 of its weights, as it was when the model was installed.
        pub sha256: Option<String>,
        /// Whether its files are those that were installed.
        pub checksum: ModelChecksum,
        /// Whether the settings name it.
        pub in_use: bool,
        /// Why it cannot be used.
        pub problem: Option<String>,
    }

    /// Models, by name.
    pub struct ModelsOut {
        /// The models.
        pub models: Vec<ModelOut>,
    }
}
