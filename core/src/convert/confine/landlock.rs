//! No file and no port, where the kernel has Landlock: every right is given up, and none is granted back.
//! What the child reads is open already.

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, Ruleset, RulesetAttr as _, RulesetError, RulesetStatus,
};

/// Whether no file can be opened any more.
pub(super) fn landlocked() -> bool {
    restrict().is_ok_and(|status| status != RulesetStatus::NotEnforced)
}

fn restrict() -> Result<RulesetStatus, RulesetError> {
    let ruleset = Ruleset::default()
        .handle_access(AccessFs::from_all(ABI::V5))?
        .handle_access(AccessNet::from_all(ABI::V5))?
        .create()?;
    Ok(ruleset.restrict_self()?.ruleset)
}
