//! Export and import: stores as one archive, and what other programs remember.

use std::collections::BTreeMap;

use crate::{reply, request, words};

words! {
    /// What an import reads.
    pub enum ImportFormat {
        /// An archive that an export wrote.
        Coffer,
        /// Claude Code's memory folder.
        #[serde(rename = "claude-code")]
        ClaudeCode,
        /// The folder `memories` of Codex.
        Codex,
        /// `memory.jsonl` of the reference MCP memory server.
        #[serde(rename = "mcp-memory")]
        McpMemory,
        /// A folder of Markdown notes, as basic-memory and Obsidian keep them.
        Markdown,
    }

    /// What becomes of a file.
    pub enum ImportOutcome {
        /// It is new.
        Added,
        /// It is there already.
        Same,
        /// Another one stands at its name, so that it goes beside it.
        Conflicting,
    }
}

request! {
    /// What to export. Over the socket, or with the server's own token.
    pub struct ExportIn {
        /// The archive, an absolute path outside of Coffer's folder.
        pub path: String,
        /// Stores, and knowledge bases as `knowledge_base:<name>`; absent or empty: all.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub stores: Vec<String>,
        /// Whether a file that stands there is replaced.
        #[serde(default)]
        pub replace: bool,
    }

    /// What to import. Over the socket, or with the server's own token.
    pub struct ImportIn {
        /// The file or folder, an absolute path outside of Coffer's folder.
        pub path: String,
        /// What it is; absent: judged by its files.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub format: Option<ImportFormat>,
        /// Of an archive: only this store, or `knowledge_base:<name>`. Else: the store that takes the
        /// memories.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub store: Option<String>,
        /// Where memories go when no store is named: the store of this folder; absent: global.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub cwd: Option<String>,
        /// Whether nothing is written.
        #[serde(default)]
        pub dry_run: bool,
    }
}

reply! {
    /// Something that was left out.
    pub struct SkippedOut {
        /// Its place in the source.
        pub path: String,
        /// Why.
        pub reason: String,
    }

    /// What an export wrote.
    pub struct ExportOut {
        /// The archive.
        pub path: String,
        /// How many stores and knowledge bases.
        pub stores: u64,
        /// How many files.
        pub files: u64,
        /// The archive's size.
        pub bytes: u64,
        /// What was left out although it lies in a store; the first thousand.
        pub skipped: Vec<SkippedOut>,
        /// How many more were left out.
        pub skipped_more: u64,
    }

    /// A file of an import.
    pub struct ImportedOut {
        /// Its place in the source.
        pub from: String,
        /// The store, or `knowledge_base:<name>`.
        pub store: String,
        /// The path relative to that; of a memory that is there already, its place in the
        /// source.
        pub path: String,
        /// What becomes of it.
        pub outcome: ImportOutcome,
    }

    /// What an import did, or would do.
    pub struct ImportOut {
        /// What the source is.
        pub format: ImportFormat,
        /// Whether nothing was written.
        pub dry_run: bool,
        /// Files that are new.
        pub added: u64,
        /// Files and memories that were there already.
        pub same: u64,
        /// Files that were put beside another one of their name.
        pub conflicting: u64,
        /// What was not taken; the first thousand.
        pub skipped: Vec<SkippedOut>,
        /// How many more were not taken.
        pub skipped_more: u64,
        /// Of a dry run: the first thousand files.
        pub files: Vec<ImportedOut>,
        /// How many more files there are.
        pub files_more: u64,
        /// How many secrets were taken out of memories of other programs, by the kind's name.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        pub redacted: BTreeMap<String, u64>,
    }
}
