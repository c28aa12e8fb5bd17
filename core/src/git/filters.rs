//! Switching filters off: the programs through which git reads a file of a checkout to see whether
//! it changed. A repository names its own, and they would run when one merely asks.
//!
//! All are switched off, also the person's own, because those may read settings of the repository
//! that name programs again. A file whose time changed may then count as changed without being so.

use std::collections::BTreeSet;
use std::path::Path;

use super::program::{Answer, Deadline};

/// Options of git that switch off each filter that is configured, wherever that is; `None` where
/// there may be one that cannot be switched off.
pub(super) fn off(folder: &Path, deadline: &Deadline) -> Option<Vec<String>> {
    let list = ["config", "--null", "--name-only", "--get-regexp", r"^filter\."];
    match deadline.git(folder, &list) {
        Answer::Said(keys) => options(&keys),
        Answer::Refused => Some(Vec::new()),
        Answer::None => None,
    }
}

/// Reads keys such as `filter.<name>.clean`, each with a NUL behind it.
fn options(keys: &str) -> Option<Vec<String>> {
    let named = |key| str::strip_prefix(key, "filter.")?.rsplit_once('.');
    let names: BTreeSet<&str> = keys.split('\0').filter_map(named).map(|(name, _)| name).collect();
    // An option ends its key at the first sign, and only UTF-8 comes through unchanged.
    if names.iter().any(|name| name.contains(['=', '\u{fffd}'])) {
        return None;
    }
    let settings = ["clean=", "smudge=", "process=", "required=false"];
    let each = names.iter().flat_map(|name| {
        settings.iter().flat_map(move |off| ["-c".to_owned(), format!("filter.{name}.{off}")])
    });
    Some(each.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_filter_is_switched_off_once() {
        for (keys, names) in [
            ("", Some(vec![])),
            ("filter.clean\0", Some(vec![])),
            ("filter.x.clean\0filter.x.process\0", Some(vec!["x"])),
            ("filter.A b.c.clean\0filter..smudge\0", Some(vec!["", "A b.c"])),
            ("filter.x.clean\0filter.a=b.clean\0", None),
            ("filter.\u{fffd}.clean\0", None),
        ] {
            let options = options(keys);
            let expected = names.map(|names| {
                let each = names.iter().flat_map(|name| {
                    ["clean=", "smudge=", "process=", "required=false"]
                        .map(|off| format!("filter.{name}.{off}"))
                });
                each.collect::<Vec<_>>()
            });
            let given = options
                .map(|options| options.into_iter().filter(|it| it != "-c").collect::<Vec<_>>());
            assert_eq!(given, expected, "{keys:?}");
        }
    }
}
