//! What the child gives up before it reads a byte of a file: memory, time, files, network, programs.

#[cfg(target_os = "linux")]
mod landlock;
#[cfg(target_os = "linux")]
mod seccomp;

use super::Limits;

/// Which bounds hold for a conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Confinement {
    /// So much address space and no more.
    pub memory: bool,
    /// So much computing and no more.
    pub cpu: bool,
    /// No file written, few open.
    pub output: bool,
    /// A process group of its own, which ends with this program.
    pub group: bool,
    /// No file opened, no port used: by Landlock.
    pub landlock: bool,
    /// No program started, no socket made, nothing but computing: by seccomp.
    pub seccomp: bool,
}

impl Confinement {
    /// The same after a try: what the kernel promised counts only when it keeps it.
    pub(super) fn tried(self) -> Self {
        let (landlock, seccomp) = (self.landlock, self.seccomp);
        let keeps = !(landlock || seccomp) || !opens_files();
        Self { landlock: landlock && keeps, seccomp: seccomp && keeps && !makes_sockets(), ..self }
    }

    /// What does not hold, in words.
    pub fn missing(self) -> Vec<&'static str> {
        let Self { memory, cpu, output, group, landlock, seccomp } = self;
        let rows = [
            (memory, "a limit of memory"),
            (cpu, "a limit of computing time"),
            (output, "a limit of files"),
            (group, "a process group of its own"),
            (landlock, "Landlock"),
            (seccomp, "seccomp"),
        ];
        rows.into_iter().filter(|(holds, _)| !holds).map(|(_, what)| what).collect()
    }
}

#[expect(clippy::disallowed_methods, reason = "it is tried whether that fails")]
fn opens_files() -> bool {
    std::fs::File::open("/").is_ok()
}

fn makes_sockets() -> bool {
    std::net::UdpSocket::bind(("127.0.0.1", 0)).is_ok()
}

/// Gives up what can be given up on this system.
#[cfg(unix)]
pub(super) fn confine(limits: &Limits) -> Confinement {
    use rustix::process::{Resource, Rlimit, setrlimit};

    let limit = |resource, most| {
        // Who reaches the harder one is killed without a word, and time would look like memory.
        let rlimit = Rlimit { current: Some(most), maximum: Some(most.saturating_add(1)) };
        setrlimit(resource, rlimit).is_ok()
    };
    _ = rustix::process::nice(10);
    Confinement {
        group: group(),
        cpu: limit(Resource::Cpu, limits.cpu),
        output: limit(Resource::Fsize, 0) & limit(Resource::Core, 0) & limit(Resource::Nofile, 32),
        memory: limit(Resource::As, limits.memory),
        landlock: landlocked(),
        seccomp: filtered(),
    }
}

#[cfg(not(unix))]
pub(super) fn confine(_: &Limits) -> Confinement {
    Confinement::default()
}

/// Whether it leads its own group, and on Linux also ends when who started it does.
#[cfg(unix)]
fn group() -> bool {
    #[cfg(target_os = "linux")]
    let ends_with_parent = {
        use rustix::process::{Signal, getppid, set_parent_process_death_signal};
        let is_told = set_parent_process_death_signal(Some(Signal::KILL)).is_ok();
        // Without a parent it ended before that.
        is_told && getppid().is_some()
    };
    #[cfg(not(target_os = "linux"))]
    let ends_with_parent = true;
    let leads = rustix::process::getpgrp() == rustix::process::getpid();
    leads && ends_with_parent
}

#[cfg(all(unix, target_os = "linux"))]
use landlock::landlocked;
#[cfg(all(unix, target_os = "linux"))]
use seccomp::filtered;

#[cfg(all(unix, not(target_os = "linux")))]
fn landlocked() -> bool {
    false
}

#[cfg(all(unix, not(target_os = "linux")))]
fn filtered() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named() {
        let all = Confinement {
            memory: true,
            cpu: true,
            output: true,
            group: true,
            landlock: true,
            seccomp: true,
        };
        assert!(all.missing().is_empty());
        let some = Confinement { landlock: false, seccomp: false, ..all };
        assert_eq!(some.missing(), ["Landlock", "seccomp"]);
    }
}
