//! Which of Debian's packages hold a compiler, by asking apt: `rustc-web` moves on with security
//! updates, and the names of what it needs carry its version.

use crate::apt;
use crate::process;
use anyhow::{Context as _, Result, bail, ensure};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The oldest minor version that takes this workspace (`rust-version` in Cargo.toml).
const MIN_MINOR: u32 = 95;

/// The packages whose names change; the rest of the set is fixed.
pub(super) struct Packages {
    /// Debian's version of the compiler.
    pub(super) version: String,
    /// LLVM's library, such as `libllvm22`.
    pub(super) llvm: String,
    driver: String,
}

impl Packages {
    /// Asks apt, and has it update its lists once when they know nothing.
    pub(super) fn find() -> Result<Self> {
        let version = match candidate("rustc-web")? {
            Some(version) => version,
            None => {
                apt::get(&["update"])?;
                candidate("rustc-web")?.context("this Debian has no package `rustc-web`")?
            }
        };
        ensure!(
            minor(&version) >= Some(MIN_MINOR),
            "Debian's `rustc-web` {version} is too old (1.{MIN_MINOR} or newer is needed): are its \
             security updates among apt's sources?"
        );
        let driver = dependency("libstd-rust-web-dev", "libstd-rust-web-")?;
        let llvm = dependency(&driver, "libllvm")?;
        Ok(Self { version, llvm, driver })
    }

    /// The number in LLVM's names.
    pub(super) fn llvm_major(&self) -> &str {
        self.llvm.trim_start_matches("libllvm")
    }

    /// Downloads the packages into `work` and unpacks them there, which makes `work/usr`.
    pub(super) fn unpack(&self, work: &Path) -> Result<()> {
        let linker = format!("lld-{}", self.llvm_major());
        let fixed = ["rustc-web", "libstd-rust-web-dev", "rust-web-src"];
        let mut download = Command::new("apt-get");
        download.args(["download", "-qq", "-o", "APT::Sandbox::User=root"]);
        download.args(["-o", "Acquire::Retries=3"]).args(fixed);
        download.args([&self.driver, &self.llvm, &linker]).current_dir(work);
        if process::succeed(&mut download).is_err() {
            // Lists older than the archive name files that are gone.
            apt::get(&["update"])?;
            process::succeed(&mut download)?;
        }
        for file in fs::read_dir(work)? {
            let file = file?.path();
            if file.extension().is_some_and(|extension| extension == "deb") {
                process::succeed(Command::new("dpkg-deb").arg("-x").arg(&file).arg(work))?;
            }
        }
        Ok(())
    }
}

fn candidate(package: &str) -> Result<Option<String>> {
    let policy = process::stdout(Command::new("apt-cache").args(["policy", package]))?;
    Ok(field(&policy, "Candidate").filter(|version| *version != "(none)").map(str::to_owned))
}

/// The package among `package`'s dependencies whose name begins with `prefix`.
fn dependency(package: &str, prefix: &str) -> Result<String> {
    let mut show = Command::new("apt-cache");
    let record = process::stdout(show.args(["show", "--no-all-versions", package]))?;
    let Some(name) = field(&record, "Depends").and_then(|list| name_with(list, prefix)) else {
        bail!("`{package}` depends on no package named `{prefix}…`");
    };
    Ok(name.to_owned())
}

fn field<'a>(record: &'a str, name: &str) -> Option<&'a str> {
    let mut lines = record.lines().map(str::trim_start);
    lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}

fn name_with<'a>(dependencies: &'a str, prefix: &str) -> Option<&'a str> {
    let mut names = dependencies.split(", ").filter_map(|item| item.split(' ').next());
    names.find(|name| name.starts_with(prefix))
}

fn minor(version: &str) -> Option<u32> {
    version.split('.').nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: &str = "Package: libstd-rust-web-1.96\nVersion: 1.96.0+dfsg1-1~deb12u2\n\
        Pre-Depends: x\nDepends: libc6 (>= 2.34), libllvm22, libstdc++6 (>= 11)\n";

    #[test]
    fn fields_and_names_are_read_from_a_record() {
        assert_eq!(field(RECORD, "Version"), Some("1.96.0+dfsg1-1~deb12u2"));
        assert_eq!(field("rustc-web:\n  Candidate: (none)\n", "Candidate"), Some("(none)"));
        assert_eq!(field(RECORD, "Suggests"), None);
        let dependencies = field(RECORD, "Depends").unwrap();
        assert_eq!(name_with(dependencies, "libllvm"), Some("libllvm22"));
        assert_eq!(name_with(dependencies, "lld"), None);
    }

    #[test]
    fn the_minor_version_decides() {
        assert_eq!(minor("1.96.0+dfsg1-1~deb12u2"), Some(96));
        assert!(minor("1.85.0+dfsg1") < Some(MIN_MINOR));
        assert!(minor("nonsense") < Some(MIN_MINOR));
    }
}
