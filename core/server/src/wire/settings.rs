//! Preferences.

use coffer_api::settings::{AutoOrganize, Distill, SettingsOut, SettingsPatch};
use coffer_core::config::{AutoOrganizePatch, DistillPatch, Preferences, PreferencesPatch};

use super::stores::{fusion, fusion_in};

/// All preferences.
pub(crate) fn preferences(preferences: Preferences) -> SettingsOut {
    let Preferences {
        preferred_editor,
        serve_agents,
        auto_organize: coffer_core::config::AutoOrganize { enabled, idle_seconds },
        distill: coffer_core::config::Distill { sweep_enabled, on_session_end },
        daily_token_cap,
        fusion: merges,
        start_at_login,
        close_to_tray,
    } = preferences;
    SettingsOut {
        preferred_editor,
        serve_agents,
        auto_organize: AutoOrganize { enabled, idle_seconds },
        distill: Distill { sweep_enabled, on_session_end },
        daily_token_cap,
        fusion: fusion(merges),
        start_at_login,
        close_to_tray,
    }
}

/// A change of preferences.
pub(crate) fn patch_in(patch: SettingsPatch) -> PreferencesPatch {
    let SettingsPatch {
        preferred_editor,
        serve_agents,
        auto_organize,
        distill,
        daily_token_cap,
        fusion: merges,
        start_at_login,
        close_to_tray,
    } = patch;
    let organize = auto_organize.unwrap_or_default();
    let coffer_api::settings::AutoOrganizePatch { enabled, idle_seconds } = organize;
    let distill = distill.unwrap_or_default();
    let coffer_api::settings::DistillPatch { sweep_enabled, on_session_end } = distill;
    PreferencesPatch {
        preferred_editor,
        serve_agents,
        auto_organize: AutoOrganizePatch { enabled, idle_seconds },
        distill: DistillPatch { sweep_enabled, on_session_end },
        daily_token_cap,
        fusion: merges.map(fusion_in),
        start_at_login,
        close_to_tray,
    }
}
