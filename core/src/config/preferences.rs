//! The preferences and a change of them, as plain types.

use coffer_domain::store::Fusion;

use super::keys;

/// All preferences, each with a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preferences {
    /// The command line that opens files; `None`: what the system opens them with.
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
    /// Whether the desktop program starts at login.
    pub start_at_login: bool,
    /// Whether closing the window keeps the program in the tray.
    pub close_to_tray: bool,
}

/// Organize a store after it was quiet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AutoOrganize {
    /// Whether that happens.
    pub enabled: bool,
    /// How long it must be quiet: 5 to 86,400 seconds.
    pub idle_seconds: u32,
}

/// When finished sessions are distilled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Distill {
    /// In a sweep that catches up.
    pub sweep_enabled: bool,
    /// When an agent says that a session ended.
    pub on_session_end: bool,
}

/// A change of preferences: what is `None` stays.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PreferencesPatch {
    /// Up to 1,024 characters without control characters; blank: the system's program.
    pub preferred_editor: Option<String>,
    /// See `Preferences`.
    pub serve_agents: Option<bool>,
    /// See `AutoOrganize`.
    pub auto_organize: AutoOrganizePatch,
    /// See `Distill`.
    pub distill: DistillPatch,
    /// See `Preferences`.
    pub daily_token_cap: Option<u64>,
    /// See `Preferences`.
    pub fusion: Option<Fusion>,
    /// See `Preferences`.
    pub start_at_login: Option<bool>,
    /// See `Preferences`.
    pub close_to_tray: Option<bool>,
}

/// A change of `AutoOrganize`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AutoOrganizePatch {
    /// See `AutoOrganize`.
    pub enabled: Option<bool>,
    /// 5 to 86,400.
    pub idle_seconds: Option<u32>,
}

/// A change of `Distill`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DistillPatch {
    /// See `Distill`.
    pub sweep_enabled: Option<bool>,
    /// See `Distill`.
    pub on_session_end: Option<bool>,
}

impl Preferences {
    /// The preferences of a patch in which nothing is missing.
    pub(super) fn whole(patch: PreferencesPatch) -> Option<Self> {
        let PreferencesPatch { auto_organize, distill, preferred_editor, .. } = patch;
        Some(Self {
            preferred_editor: preferred_editor.and_then(editor),
            serve_agents: patch.serve_agents?,
            auto_organize: AutoOrganize {
                enabled: auto_organize.enabled?,
                idle_seconds: auto_organize.idle_seconds?,
            },
            distill: Distill {
                sweep_enabled: distill.sweep_enabled?,
                on_session_end: distill.on_session_end?,
            },
            daily_token_cap: patch.daily_token_cap?,
            fusion: patch.fusion?,
            start_at_login: patch.start_at_login?,
            close_to_tray: patch.close_to_tray?,
        })
    }
}

impl Preferences {
    /// These preferences with a patch over them.
    pub(super) fn with(self, patch: PreferencesPatch) -> Self {
        let PreferencesPatch {
            preferred_editor,
            serve_agents,
            auto_organize,
            distill,
            daily_token_cap,
            fusion,
            start_at_login,
            close_to_tray,
        } = patch;
        Self {
            preferred_editor: preferred_editor.map_or(self.preferred_editor, editor),
            serve_agents: serve_agents.unwrap_or(self.serve_agents),
            auto_organize: AutoOrganize {
                enabled: auto_organize.enabled.unwrap_or(self.auto_organize.enabled),
                idle_seconds: auto_organize.idle_seconds.unwrap_or(self.auto_organize.idle_seconds),
            },
            distill: Distill {
                sweep_enabled: distill.sweep_enabled.unwrap_or(self.distill.sweep_enabled),
                on_session_end: distill.on_session_end.unwrap_or(self.distill.on_session_end),
            },
            daily_token_cap: daily_token_cap.unwrap_or(self.daily_token_cap),
            fusion: fusion.unwrap_or(self.fusion),
            start_at_login: start_at_login.unwrap_or(self.start_at_login),
            close_to_tray: close_to_tray.unwrap_or(self.close_to_tray),
        }
    }
}

impl Default for Preferences {
    /// What the embedded `defaults.toml` says.
    fn default() -> Self {
        keys::DEFAULTS.0.clone()
    }
}

/// A blank command line stands for the system's program.
fn editor(command_line: String) -> Option<String> {
    (!command_line.trim().is_empty()).then_some(command_line)
}
