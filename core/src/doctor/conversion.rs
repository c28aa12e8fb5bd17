//! Converting files: which bounds hold for the child that does it, tried by one.

use std::path::Path;

use coffer_env::program;

use super::checks::row;
use super::{Check, CheckState, Doctor};
use crate::convert::{Confinement, Converters};

const CHECK: &str = "conversion";

impl Doctor {
    /// Whether files can be converted, and how confined that is.
    pub(super) fn conversion() -> Check {
        let program = program::own();
        match Converters::new(program.clone()).confinement() {
            Ok(confinement) => confined(&program, confinement),
            Err(why) => Check {
                fix: Some(
                    "Install Coffer again, and see that no file of it is replaced while it runs.",
                ),
                ..row(CHECK, CheckState::Warning, &program, &why.to_string())
            },
        }
    }
}

fn confined(program: &Path, confinement: Confinement) -> Check {
    let missing = confinement.missing();
    if missing.is_empty() {
        return row(
            CHECK,
            CheckState::Ok,
            program,
            "files are converted by a child that is confined",
        );
    }
    let reason = format!("files are converted by a child without {}", missing.join(", "));
    // Either of the two alone keeps it from files and network.
    let Confinement { memory, cpu, output, group, landlock, seccomp } = confinement;
    if memory && cpu && output && group && (landlock || seccomp) {
        return row(CHECK, CheckState::Ok, program, &reason);
    }
    Check {
        fix: Some("Convert only files that you trust here; a newer kernel of Linux confines them."),
        ..row(CHECK, CheckState::Warning, program, &reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_hold_is_said() {
        let all = Confinement {
            memory: true,
            cpu: true,
            output: true,
            group: true,
            landlock: true,
            seccomp: true,
        };
        let state = |confinement| confined(Path::new("coffer"), confinement).state;
        assert_eq!(state(all), CheckState::Ok);
        let old = Confinement { landlock: false, ..all };
        assert_eq!(state(old), CheckState::Ok);
        assert!(confined(Path::new("coffer"), old).reason.ends_with("without Landlock"));
        assert_eq!(state(Confinement { seccomp: false, ..old }), CheckState::Warning);
        assert_eq!(state(Confinement { memory: false, ..all }), CheckState::Warning);
    }
}
