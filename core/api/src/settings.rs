//! Preferences, as `config.toml` keeps them.

use crate::stores::Fusion;
use crate::{reply, request};

reply! {
    /// Organize a store after it was quiet.
    pub struct AutoOrganize {
        /// Default off.
        pub enabled: bool,
        /// How long it must be quiet, in seconds.
        pub idle_seconds: u32,
    }

    /// When finished sessions are distilled.
    pub struct Distill {
        /// In a catch-up sweep; default off.
        pub sweep_enabled: bool,
        /// When an agent says that a session ended; default off.
        pub on_session_end: bool,
    }

    /// All preferences.
    pub struct SettingsOut {
        /// The program that opens files; null: the system's.
        pub preferred_editor: Option<String>,
        /// Whether agents are served.
        pub serve_agents: bool,
        /// Organize a store after it was quiet.
        pub auto_organize: AutoOrganize,
        /// When finished sessions are distilled.
        pub distill: Distill,
        /// Tokens a day that all jobs together may use.
        pub daily_token_cap: u64,
        /// How keyword and vector lists are merged.
        pub fusion: Fusion,
        /// Whether the window's program starts at login.
        pub start_at_login: bool,
        /// Whether closing the window keeps the program in the tray.
        pub close_to_tray: bool,
    }
}

request! {
    /// A change of `auto_organize`.
    pub struct AutoOrganizePatch {
        /// See `AutoOrganize`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub enabled: Option<bool>,
        /// 5 to 86,400.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub idle_seconds: Option<u32>,
    }

    /// A change of `distill`.
    pub struct DistillPatch {
        /// See `Distill`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub sweep_enabled: Option<bool>,
        /// See `Distill`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub on_session_end: Option<bool>,
    }

    /// A change of preferences; absent fields stay.
    pub struct SettingsPatch {
        /// Up to 1,024 characters; empty: the system's program.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub preferred_editor: Option<String>,
        /// Whether agents are served.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub serve_agents: Option<bool>,
        /// Organize a store after it was quiet.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub auto_organize: Option<AutoOrganizePatch>,
        /// When finished sessions are distilled.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub distill: Option<DistillPatch>,
        /// Tokens a day that all jobs together may use.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub daily_token_cap: Option<u64>,
        /// How keyword and vector lists are merged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub fusion: Option<Fusion>,
        /// Whether the window's program starts at login.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub start_at_login: Option<bool>,
        /// Whether closing the window keeps the program in the tray.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub close_to_tray: Option<bool>,
    }
}
