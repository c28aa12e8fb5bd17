//! System packages on Debian and its relatives. Other systems get a list to read, not a guess.

use crate::process::{self, step};
use anyhow::{Result, bail};
use std::process::Command;

/// What `cargo build` needs: a C compiler for SQLite, GTK and WebKitGTK for the window. The tray's
/// library is loaded at run time, so its development package is not needed.
pub(crate) const BUILD: &[&str] = &[
    "build-essential",
    "ca-certificates",
    "libayatana-appindicator3-1",
    "libdbus-1-dev",
    "libwebkit2gtk-4.1-dev",
    "pkg-config",
];

/// What the tests drive: an X server, a private session bus, a window manager, both web drivers,
/// fonts for screenshots, `strace` for the order of system calls.
pub(crate) const TEST: &[&str] = &[
    "chromium",
    "chromium-driver",
    "dbus",
    "dbus-x11",
    "desktop-file-utils",
    "fonts-dejavu-core",
    "fonts-noto-cjk",
    "git",
    "imagemagick",
    "libglib2.0-bin",
    "openbox",
    "procps",
    "strace",
    "webkit2gtk-driver",
    "wmctrl",
    "x11-utils",
    "xauth",
    "xdg-utils",
    "xdotool",
    "xvfb",
];

/// Installs those of `packages` that are missing; on a system without apt it only names them.
pub(crate) fn install(packages: &[&str]) -> Result<()> {
    if !is_here() {
        eprintln!(
            "xtask: this system has no apt; install by hand what these Debian packages hold:"
        );
        eprintln!("xtask:   {}", packages.join(" "));
        return Ok(());
    }
    let missing = missing(packages, &installed(packages)?);
    if missing.is_empty() {
        return Ok(());
    }
    step(&format!("installing {}", missing.join(" ")), || {
        get(&["update"])?;
        get(&[&["install", "--no-install-recommends"], missing.as_slice()].concat())
    })
}

/// Whether this system is managed by apt.
pub(crate) fn is_here() -> bool {
    process::works(Command::new("apt-get").arg("--version"))
        && process::works(Command::new("dpkg-query").arg("--version"))
}

/// Runs `apt-get`, as root: directly, or through sudo. Waits for another apt to finish.
pub(crate) fn get(args: &[&str]) -> Result<()> {
    let mut command = as_root(&["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"])?;
    command.args(["-qq", "--yes", "-o", "DPkg::Lock::Timeout=900", "-o", "Acquire::Retries=3"]);
    process::succeed(command.args(args))
}

fn as_root(words: &[&str]) -> Result<Command> {
    let is_root = process::stdout(Command::new("id").arg("-u"))?.trim() == "0";
    let words = if is_root {
        words.to_vec()
    } else if process::works(Command::new("sudo").arg("--version")) {
        [&["sudo"], words].concat()
    } else {
        bail!("installing packages needs root, and there is no sudo: run this once as root");
    };
    let mut command = Command::new(words[0]);
    command.args(&words[1..]);
    Ok(command)
}

/// One line per known package: state, blank, name. Unknown ones make dpkg-query fail, but it lists
/// the rest all the same, so its exit code says nothing.
fn installed(packages: &[&str]) -> Result<String> {
    let mut query = Command::new("dpkg-query");
    query.args(["--show", "--showformat", "${db:Status-Abbrev}${Package}\\n"]).args(packages);
    Ok(String::from_utf8(query.output()?.stdout)?)
}

fn missing<'a>(wanted: &[&'a str], listing: &str) -> Vec<&'a str> {
    let installed = |name: &str| {
        let mut rows = listing.lines().filter_map(|row| row.split_once(' '));
        rows.any(|(state, package)| state == "ii" && package.trim() == name)
    };
    wanted.iter().copied().filter(|name| !installed(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_missing_unless_dpkg_calls_it_installed() {
        let listing = "ii xvfb\nrc dbus\nun chromium\nii xvfb-extra\n";
        assert_eq!(
            missing(&["xvfb", "dbus", "chromium", "git"], listing),
            ["dbus", "chromium", "git"]
        );
        assert!(missing(&["xvfb"], listing).is_empty());
    }

    #[test]
    fn the_lists_are_sorted_and_name_nothing_twice() {
        let all = [BUILD, TEST].concat();
        let unique: std::collections::BTreeSet<_> = all.iter().collect();
        assert_eq!(unique.len(), all.len());
        assert!(BUILD.is_sorted() && TEST.is_sorted());
    }
}
