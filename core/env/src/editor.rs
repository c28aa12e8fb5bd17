//! The person's editor: a command line that is split as a shell would, without a shell.
//!
//! Deliberately absent: which editor it is, and starting it. A window's server lets go of it, a
//! command in a terminal waits for it.

use std::ffi::OsString;
use std::path::Path;

/// Stands for the file within an argument.
const PLACE: &str = "{}";

/// Program and arguments; `None` where the quotes do not match or there is no program. The file
/// takes the place of `{}` in each argument, or comes last. A command line that is itself the path
/// of a program is that program, blanks and all.
#[must_use]
pub fn command(line: &str, file: &Path) -> Option<(String, Vec<OsString>)> {
    let line = line.trim();
    let as_path = Path::new(line);
    if as_path.is_absolute() && as_path.is_file() {
        return Some((line.to_owned(), vec![file.into()]));
    }
    // There a backslash parts folders and escapes nothing.
    let escaped = if cfg!(windows) { line.replace('\\', "\\\\") } else { line.to_owned() };
    let mut words = shlex::split(&escaped)?.into_iter();
    let program = words.next().filter(|program| !program.is_empty())?;
    let mut is_placed = false;
    let mut arguments: Vec<OsString> = words
        .map(|word| {
            is_placed |= word.contains(PLACE);
            placed(&word, file)
        })
        .collect();
    if !is_placed {
        arguments.push(file.into());
    }
    Some((program, arguments))
}

fn placed(word: &str, file: &Path) -> OsString {
    let mut argument = OsString::new();
    for (at, part) in word.split(PLACE).enumerate() {
        if at > 0 {
            argument.push(file);
        }
        argument.push(part);
    }
    argument
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines() {
        let path = Path::new("/memory/a b.md");
        for (line, words) in [
            ("vim", vec!["vim", "/memory/a b.md"]),
            ("  code --wait  ", vec!["code", "--wait", "/memory/a b.md"]),
            ("code --goto {}:1 -n", vec!["code", "--goto", "/memory/a b.md:1", "-n"]),
            ("x {} {}{}", vec!["x", "/memory/a b.md", "/memory/a b.md/memory/a b.md"]),
            ("'my editor' \"a b\" c\\ d", vec!["my editor", "a b", "c d", "/memory/a b.md"]),
            (
                "x '$(touch y)' ; rm -rf",
                vec!["x", "$(touch y)", ";", "rm", "-rf", "/memory/a b.md"],
            ),
            ("x ''", vec!["x", "", "/memory/a b.md"]),
            ("/bin/no such editor", vec!["/bin/no", "such", "editor", "/memory/a b.md"]),
            ("編集 --新", vec!["編集", "--新", "/memory/a b.md"]),
        ] {
            let (program, arguments) = command(line, path).unwrap();
            let mut split = vec![OsString::from(program)];
            split.extend(arguments);
            assert_eq!(split, words, "{line}");
        }
        for bad in ["", "  ", "'open", "x \"y", "''", "x \\"] {
            assert_eq!(command(bad, path), None, "{bad:?}");
        }
    }

    #[test]
    fn a_program_whose_path_has_blanks_needs_no_quotes() {
        let temp = tempfile::tempdir().unwrap();
        let program = temp.path().join("my editor");
        std::fs::write(&program, "").unwrap();
        let line = program.to_str().unwrap();
        let (found, arguments) = command(line, Path::new("/a")).unwrap();
        assert_eq!((found.as_str(), arguments), (line, vec![OsString::from("/a")]));
    }
}
