//! What the kernel says of a process: CPU time and memory. Linux only; elsewhere there is nothing.

use std::time::Duration;

/// Clock ticks a second, as Linux reports CPU times.
const TICKS: u64 = 100;

/// User and system time so far, at a resolution of 10 ms.
pub(crate) fn cpu(pid: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: u64 = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
    Some(Duration::from_millis(ticks * 1_000 / TICKS))
}

/// Resident memory, MiB.
pub(crate) fn resident(pid: u32) -> Option<f64> {
    status(pid, "VmRSS:")
}

/// The most that was ever resident, MiB.
pub(crate) fn peak(pid: u32) -> Option<f64> {
    status(pid, "VmHWM:")
}

fn status(pid: u32, field: &str) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    Some(line.split_whitespace().next()?.parse::<f64>().ok()? / 1024.0)
}

/// User and system time of all processes that were started by this one and have ended.
pub(crate) fn cpu_of_children() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: u64 = fields.get(13)?.parse::<u64>().ok()? + fields.get(14)?.parse::<u64>().ok()?;
    Some(Duration::from_millis(ticks * 1_000 / TICKS))
}
