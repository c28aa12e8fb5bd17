//! Changing single keys of `config.toml`, leaving everything else as the person wrote it.

use toml_edit::{Document, DocumentMut, Item, Table, TableLike, Value};

use super::keys::{DEFAULTS, KEYS, Key};
use super::preferences::PreferencesPatch;
use crate::error::Error;

const BOM: char = '\u{feff}';

/// Why a change was not made.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// A value of the change is wrong.
    Invalid { field: &'static str, reason: String },
    /// The file's own form stands in the way.
    Form(String),
}

/// The text after a change; `None` if it says all of it already.
pub(super) fn edit(text: &str, patch: &PreferencesPatch) -> Result<Option<String>, Refused> {
    let mut document = parse(text)?;
    let mut is_changed = false;
    for key in KEYS {
        let value =
            key.give(patch).map_err(|reason| Refused::Invalid { field: key.name, reason })?;
        if let Some(value) = value {
            is_changed |= set(&mut document, key, value)?;
        }
    }
    Ok(is_changed.then(|| restore(text, &document)))
}

/// The text as a document that can be changed.
pub(super) fn parse(text: &str) -> Result<DocumentMut, Refused> {
    let document = Document::parse(text)
        .map_err(|error| Refused::Form(format!("it does not parse: {}", error.message())))?;
    Ok(document.into_mut())
}

/// Checks a change without a file.
pub(super) fn check(patch: &PreferencesPatch) -> Result<(), Error> {
    for key in KEYS {
        key.give(patch).map_err(|reason| Error::Invalid { field: key.name, reason })?;
    }
    Ok(())
}

/// Sets one key; whether that changed anything.
fn set(document: &mut DocumentMut, key: Key, value: Value) -> Result<bool, Refused> {
    let is_default = text_of(key, &DEFAULTS.1) == Some(plain(&value));
    let comment_only = document.as_table().is_empty();
    let (mut table, name): (&mut dyn TableLike, &str) = (document.as_table_mut(), key.name);
    let name = match name.split_once('.') {
        None => name,
        Some((folder, name)) => {
            if is_default && !table.contains_key(folder) {
                return Ok(false);
            }
            // A table with a header of its own; indexing would make an inline one.
            let below = table.entry(folder).or_insert_with(|| Item::Table(Table::new()));
            table = below
                .as_table_like_mut()
                .ok_or_else(|| Refused::Form(format!("`{folder}` in it is no table")))?;
            name
        }
    };
    match table.get_mut(name) {
        None if is_default => return Ok(false),
        None => {
            table.insert(name, Item::Value(value));
        }
        Some(Item::Value(present)) => {
            if is_same(key, present, &value) {
                return Ok(false);
            }
            let decor = present.decor().clone();
            *present = value;
            *present.decor_mut() = decor;
        }
        Some(_) => return Err(Refused::Form(format!("`{}` in it is a table", key.name))),
    }
    if comment_only {
        keep_comments_first(document);
    }
    Ok(true)
}

/// Comments of a file without any key stay above what is added.
pub(super) fn keep_comments_first(document: &mut DocumentMut) {
    let comments = document.trailing().as_str().unwrap_or_default().to_owned();
    document.set_trailing("");
    let table = document.as_table_mut();
    let Some(name) = table.iter().next().map(|(name, _)| name.to_owned()) else { return };
    if let Some(below) = table.get_mut(&name).and_then(Item::as_table_mut) {
        below.decor_mut().set_prefix(comments);
    } else if let Some(mut key) = table.key_mut(&name) {
        key.leaf_decor_mut().set_prefix(comments);
    }
}

fn is_same(key: Key, present: &Value, wanted: &Value) -> bool {
    let mut patch = PreferencesPatch::default();
    key.take(present, &mut patch).is_ok() && text_of(key, &patch) == Some(plain(wanted))
}

fn text_of(key: Key, patch: &PreferencesPatch) -> Option<String> {
    key.give(patch).ok().flatten().as_ref().map(plain)
}

fn plain(value: &Value) -> String {
    value.to_string().trim().to_owned()
}

/// Gives back what the TOML library drops: byte order mark, CRLF, a missing last line end.
pub(super) fn restore(original: &str, document: &DocumentMut) -> String {
    let mut text = document.to_string();
    if !original.is_empty() && !original.ends_with('\n') && text.ends_with('\n') {
        text.pop();
    }
    if original.contains("\r\n") {
        text = text.replace("\r\n", "\n").replace('\n', "\r\n");
    }
    if original.starts_with(BOM) && !text.starts_with(BOM) {
        text.insert(0, BOM);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{AutoOrganizePatch, DistillPatch};
    use coffer_domain::store::Fusion;

    fn editor(text: &str) -> PreferencesPatch {
        PreferencesPatch { preferred_editor: Some(text.to_owned()), ..Default::default() }
    }

    fn serve(on: bool) -> PreferencesPatch {
        PreferencesPatch { serve_agents: Some(on), ..Default::default() }
    }

    fn idle(seconds: u32) -> PreferencesPatch {
        let auto_organize = AutoOrganizePatch { idle_seconds: Some(seconds), enabled: None };
        PreferencesPatch { auto_organize, ..Default::default() }
    }

    #[test]
    fn only_what_changes_is_written() {
        for (before, patch, after) in [
            ("", serve(false), "serve_agents = false\n"),
            ("", serve(true), ""),
            ("serve_agents = true # on\n", serve(false), "serve_agents = false # on\n"),
            ("serve_agents   =true", serve(false), "serve_agents   =false"),
            ("serve_agents = false", serve(true), "serve_agents = true"),
            ("serve_agents = 3\n", serve(true), "serve_agents = true\n"),
            (
                "# mine\r\n\r\na = 1\r\n",
                serve(false),
                "# mine\r\n\r\na = 1\r\nserve_agents = false\r\n",
            ),
            ("\u{feff}a = 1\n", serve(false), "\u{feff}a = 1\nserve_agents = false\n"),
            ("# only words\n", serve(false), "# only words\nserve_agents = false\n"),
            ("# only words\n", idle(60), "# only words\n[auto_organize]\nidle_seconds = 60\n"),
            ("a = 1\n", idle(60), "a = 1\n\n[auto_organize]\nidle_seconds = 60\n"),
            ("", idle(900), ""),
            (
                "# top\n[auto_organize] # why\n# note\nenabled = true\n\n[x]\ny = 1\n",
                idle(60),
                "# top\n[auto_organize] # why\n# note\nenabled = true\nidle_seconds = 60\n\n[x]\ny = 1\n",
            ),
            (
                "auto_organize = { enabled = true } # c\n",
                idle(60),
                "auto_organize = { enabled = true , idle_seconds = 60 } # c\n",
            ),
            (
                "auto_organize.enabled = true\n",
                idle(60),
                "auto_organize.enabled = true\nauto_organize.idle_seconds = 60\n",
            ),
            ("auto_organize.idle_seconds = 1_000\n", idle(1000), ""),
            (
                "[x]\ny = 1\n\n[distill]\n",
                PreferencesPatch {
                    distill: DistillPatch { on_session_end: Some(true), sweep_enabled: None },
                    fusion: Some(Fusion::Rrf),
                    ..Default::default()
                },
                "fusion = \"rrf\"\n[x]\ny = 1\n\n[distill]\non_session_end = true\n",
            ),
            ("preferred_editor = 'vim'\n", editor("vim"), ""),
            ("preferred_editor = 'vim'\n", editor(""), "preferred_editor = \"\"\n"),
            ("", editor("C:\\a b\\\"x\" 編集"), "preferred_editor = 'C:\\a b\\\"x\" 編集'\n"),
        ] {
            let edited = edit(before, &patch).unwrap();
            assert_eq!(edited.as_deref().unwrap_or_default(), after, "{before:?}");
        }
    }

    #[test]
    fn what_stands_in_the_way_is_refused() {
        for (before, patch) in [
            ("auto_organize = 3\n", idle(60)),
            ("[serve_agents]\n", serve(false)),
            ("serve_agents = \n", serve(false)),
            ("a = 1\na = 2\n", serve(false)),
        ] {
            let refused = edit(before, &patch);
            assert!(matches!(&refused, Err(Refused::Form(_))), "{before:?}: {refused:?}");
        }
        let long = "x".repeat(1025);
        for (patch, field) in [
            (idle(4), "auto_organize.idle_seconds"),
            (idle(86_401), "auto_organize.idle_seconds"),
            (editor(&long), "preferred_editor"),
            (editor("a\nb"), "preferred_editor"),
            (
                PreferencesPatch { daily_token_cap: Some(u64::MAX), ..Default::default() },
                "daily_token_cap",
            ),
        ] {
            let refused = edit("", &patch);
            assert!(matches!(&refused, Err(Refused::Invalid { field: it, .. }) if *it == field));
            assert!(matches!(check(&patch), Err(Error::Invalid { field: it, .. }) if it == field));
        }
        for fine in [idle(5), idle(86_400), editor(&long[1..])] {
            edit("", &fine).unwrap();
        }
    }
}
