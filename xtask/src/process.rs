//! Starting other programs, and saying what is done and how long it took.

use anyhow::{Context as _, Result, bail, ensure};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Prints `what`, does `work`, and prints how long that took.
pub(crate) fn step<T>(what: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    eprintln!("xtask: {what} …");
    let start = Instant::now();
    let done = work().with_context(|| format!("{what}: failed"))?;
    eprintln!("xtask: {what}: {:.1} s", start.elapsed().as_secs_f64());
    Ok(done)
}

/// Runs `command` with this program's own input and output; any other end than success is an error.
pub(crate) fn succeed(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {}", line(command)))?;
    ensure!(status.success(), "`{}` ended with {status}", line(command));
    Ok(())
}

/// Runs `command` and returns what it printed; any other end than success is an error.
pub(crate) fn stdout(command: &mut Command) -> Result<String> {
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start {}", line(command)))?;
    if !output.status.success() {
        bail!("`{}` ended with {}", line(command), output.status);
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// Whether `command` can be started and succeeds; whatever it prints is thrown away.
pub(crate) fn works(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// The command as one would type it, for messages.
fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_program_is_an_error_that_names_the_command() {
        let error = succeed(Command::new("cargo").arg("--no-such-flag")).unwrap_err();
        assert!(error.to_string().contains("`cargo --no-such-flag` ended with"), "{error}");
        assert!(!works(Command::new("cargo").arg("--no-such-flag")));
        assert!(works(Command::new("cargo").arg("--version")));
        assert!(stdout(Command::new("cargo").arg("--version")).unwrap().starts_with("cargo "));
    }

    #[test]
    fn a_missing_program_is_an_error_that_names_it() {
        let error = succeed(&mut Command::new("no-such-program-here")).unwrap_err();
        assert!(error.to_string().contains("no-such-program-here"), "{error}");
    }
}
