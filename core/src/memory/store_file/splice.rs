//! Changing single keys of `store.yaml`, leaving everything else as the person wrote it.

use super::{StoreFile, render};
use crate::error::Result;

/// The text of a file with the top-level keys that differ written anew: comments, order and quoting
/// of all others stay as the person wrote them.
pub(super) fn spliced(text: &str, before: &StoreFile, after: &StoreFile) -> Result<String> {
    let whole = render(after)?;
    let blocks = |text: &str| -> Vec<(String, String)> {
        let mut blocks: Vec<(String, String)> = Vec::new();
        for line in text.split_inclusive('\n') {
            match (top_level_key(line), blocks.last_mut()) {
                (None, Some((key, block))) if !key.is_empty() && is_inside(line) => {
                    block.push_str(line);
                }
                (key, _) => blocks.push((key.unwrap_or_default().to_owned(), line.to_owned())),
            }
        }
        blocks
    };
    let (old, new) = (blocks(&render(before)?), blocks(&whole));
    let same = |key: &str| {
        let of = |all: &[(String, String)]| all.iter().find(|(name, _)| name == key).cloned();
        of(&old) == of(&new)
    };
    let standing = blocks(text);
    let mut spliced = String::with_capacity(text.len() + 64);
    for (key, block) in &standing {
        if key.is_empty() || same(key) {
            spliced.push_str(block);
        } else if let Some((_, block)) = new.iter().find(|(name, _)| name == key) {
            spliced.push_str(block);
        }
        if !spliced.is_empty() && !spliced.ends_with('\n') {
            spliced.push('\n');
        }
    }
    let is_new = |key: &str| !standing.iter().any(|(name, _)| name == key);
    for (_, block) in new.iter().filter(|(key, _)| is_new(key) && !same(key)) {
        spliced.push_str(block);
    }
    // Flow style, anchors and the like are beyond lines: then the whole is written anew.
    Ok(if StoreFile::parse(&spliced).as_ref() == Ok(after) { spliced } else { whole })
}

/// The key that begins at the left margin of a line.
fn top_level_key(line: &str) -> Option<&str> {
    let (key, _) = line.split_once(':')?;
    let plain = |key: &str| {
        !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    Some(key).filter(|key| plain(key))
}

/// Whether a line goes on with the key above it: indented, or an entry of its list.
fn is_inside(line: &str) -> bool {
    line.starts_with([' ', '-', '\t'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_leaves_the_rest_of_the_file_as_it_was_written() {
        let text = "# mine\nlabel: 'Old' # why\nconfig:\n  # long notes\n  max_fact_chars: 100\n\
                    # the end\nenabled:   true\nmerged_identities:\n- a\n- b";
        let before = StoreFile::parse(text).unwrap();
        let mut after = before.clone();
        after.label = Some("New".into());
        after.description = Some("more".into());
        assert_eq!(
            spliced(text, &before, &after).unwrap(),
            "# mine\nlabel: New\nconfig:\n  # long notes\n  max_fact_chars: 100\n# the end\n\
             enabled:   true\nmerged_identities:\n- a\n- b\ndescription: more\n"
        );
        after.label = None;
        after.enabled = None;
        let less = spliced(text, &before, &after).unwrap();
        assert!(!less.contains("label") && !less.contains("enabled") && less.contains("# the end"));
        let flow = "{label: a, config: {later: x}}";
        let before = StoreFile::parse(flow).unwrap();
        let after = StoreFile { label: Some("b".into()), ..before.clone() };
        let whole = spliced(flow, &before, &after).unwrap();
        assert_eq!(StoreFile::parse(&whole).unwrap(), after);
    }
}
