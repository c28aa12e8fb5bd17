//! Health.

use coffer_api::doctor::{CheckOut, CheckState};
use coffer_core::doctor::Check;

/// A check.
pub(crate) fn check(row: Check) -> CheckOut {
    let Check { check, state: stands, path, reason, fix, fixable } = row;
    CheckOut {
        check: check.to_owned(),
        state: state(stands),
        path,
        reason,
        fix: fix.map(str::to_owned),
        fixable,
    }
}

fn state(state: coffer_core::doctor::CheckState) -> CheckState {
    match state {
        coffer_core::doctor::CheckState::Ok => CheckState::Ok,
        coffer_core::doctor::CheckState::Warning => CheckState::Warning,
        coffer_core::doctor::CheckState::Error => CheckState::Error,
    }
}
