//! From the text of `config.toml` to values and warnings. Nothing in it is fatal but its grammar.

use toml_edit::{Document, Item, Key as TomlKey, TableLike};

use super::keys::{DEFAULTS, KEYS};
use super::preferences::PreferencesPatch;
use super::secrets;
use crate::secrets::Custom;

/// What a file says.
#[derive(Debug, Default)]
pub(super) struct Read {
    /// The keys that it has and that are right.
    pub patch: PreferencesPatch,
    /// What it names as secrets.
    pub secrets: Custom,
    /// The others, each in a fragment that names line and key.
    pub warnings: Vec<String>,
}

/// A text that is not TOML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unparsable(pub String);

/// Reads a text.
pub(super) fn read(text: &str) -> Result<Read, Unparsable> {
    let document = Document::parse(text).map_err(|error| {
        let line = error.span().map_or(1, |span| line_of(text, span.start));
        Unparsable(format!("line {line}: {}", error.message().replace('\n', ", ")))
    })?;
    let mut read = Read::default();
    table(text, document.as_table(), "", &mut read);
    Ok(read)
}

fn table(text: &str, table: &dyn TableLike, prefix: &str, read: &mut Read) {
    for (name, item) in table.iter() {
        let place = || line_of(text, span(table.get_key_value(name)).unwrap_or(0));
        let full = format!("{prefix}{name}");
        let known = KEYS.iter().find(|key| key.name == full).filter(|_| !name.contains('.'));
        let folder = format!("{full}.");
        if let Some(key) = known {
            let taken = match item.as_value() {
                Some(value) => key.take(value, &mut read.patch),
                None => Err("must be a value, not a table".to_owned()),
            };
            if let Err(reason) = taken {
                let default = default_of(*key);
                let line = place();
                read.warnings
                    .push(format!("line {line}: `{full}` {reason}; the default {default} is used"));
            }
        } else if full == secrets::NAME && !name.contains('.') {
            let line = place();
            let (found, wrong) = secrets::read(item);
            read.secrets = found;
            read.warnings.extend(wrong.into_iter().map(|it| format!("line {line}: {it}")));
        } else if is_folder(&folder) {
            match item.as_table_like() {
                Some(below) => self::table(text, below, &folder, read),
                None => {
                    let line = place();
                    read.warnings.push(format!("line {line}: `{full}` must be a table"));
                }
            }
        } else {
            let line = place();
            read.warnings.push(format!("line {line}: `{full}` is no setting"));
        }
    }
}

/// Whether keys are below a name.
fn is_folder(folder: &str) -> bool {
    secrets::NAME.starts_with(folder) || KEYS.iter().any(|key| key.name.starts_with(folder))
}

/// The value that counts when the file's is refused, as the file would write it.
fn default_of(key: super::keys::Key) -> String {
    let value = key.give(&DEFAULTS.1).ok().flatten();
    value.map(|value| format!("`{}`", value.to_string().trim())).unwrap_or_default()
}

fn span(entry: Option<(&TomlKey, &Item)>) -> Option<usize> {
    let (key, item) = entry?;
    key.span().or_else(|| item.span()).map(|span| span.start)
}

fn line_of(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1
}
