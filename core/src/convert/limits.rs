//! What one conversion may take of the machine, and how the child is told.

use std::ffi::OsString;
use std::time::Duration;

/// What one conversion may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of address space.
    pub memory: u64,
    /// Seconds of computing.
    pub cpu: u64,
    /// From its start to its end.
    pub wall: Duration,
    /// Bytes of Markdown.
    pub output: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory: 2 << 30, cpu: 60, wall: Duration::from_secs(90), output: 64 << 20 }
    }
}

impl Limits {
    /// As arguments of the child, which never sees the other bounds: they are kept from outside.
    pub(super) fn arguments(&self) -> [String; 2] {
        [format!("--memory={}", self.memory), format!("--cpu={}", self.cpu)]
    }

    /// The limits that arguments set, defaults for others.
    pub(super) fn parse(arguments: &[OsString]) -> Self {
        let mut limits = Self::default();
        for argument in arguments.iter().filter_map(|argument| argument.to_str()) {
            match argument.split_once('=') {
                Some(("--memory", bytes)) => limits.memory = bytes.parse().unwrap_or(limits.memory),
                Some(("--cpu", seconds)) => limits.cpu = seconds.parse().unwrap_or(limits.cpu),
                _ => {}
            }
        }
        limits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_child_is_told_what_was_set() {
        let limits = Limits { memory: 5, cpu: 6, ..Limits::default() };
        let arguments = limits.arguments().map(OsString::from);
        assert_eq!(Limits::parse(&arguments), limits);
        assert_eq!(Limits::parse(&["--memory=much".into(), "x".into()]), Limits::default());
    }
}
