//! From the text of `config.toml` to values and warnings. Nothing in it is fatal but its grammar.

use toml_edit::{Document, Item, Key as TomlKey, TableLike};

use super::keys::{DEFAULTS, KEYS};
use super::model::{EmbeddingConfig, EngineConfig};
use super::model_tables::{self, EMBEDDING, ENGINE, ReadTable};
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
    /// The model that embeds.
    pub embedding: Option<EmbeddingConfig>,
    /// The model that writes.
    pub engine: Option<EngineConfig>,
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
    for (name, item) in document.as_table() {
        match name {
            EMBEDDING => {
                read.embedding =
                    model(text, name, item, model_tables::embedding, &mut read.warnings);
            }
            ENGINE => {
                read.engine = model(text, name, item, model_tables::engine, &mut read.warnings);
            }
            _ => key(text, document.as_table(), "", (name, item), &mut read),
        }
    }
    Ok(read)
}

/// Reads a table that names a model.
fn model<T>(
    text: &str,
    name: &str,
    item: &Item,
    take: fn(&dyn TableLike) -> ReadTable<T>,
    warnings: &mut Vec<String>,
) -> Option<T> {
    let whole = || item.span().map_or(1, |span| line_of(text, span.start));
    let Some(table) = item.as_table_like() else {
        warnings.push(format!("line {}: `{name}` must be a table", whole()));
        return None;
    };
    let ReadTable { model, wrong } = take(table);
    for (key, reason) in wrong {
        let line = span(table.get_key_value(&key)).map_or_else(whole, |at| line_of(text, at));
        warnings.push(format!("line {line}: `{name}.{key}` {reason}"));
    }
    model
}

fn key(
    text: &str,
    table: &dyn TableLike,
    prefix: &str,
    (name, item): (&str, &Item),
    read: &mut Read,
) {
    let line = || line_of(text, span(table.get_key_value(name)).unwrap_or(0));
    let full = format!("{prefix}{name}");
    let known = KEYS.iter().find(|key| key.name == full).filter(|_| !name.contains('.'));
    let folder = format!("{full}.");
    if let Some(key) = known {
        let taken = match item.as_value() {
            Some(value) => key.take(value, &mut read.patch),
            None => Err("must be a value, not a table".to_owned()),
        };
        if let Err(reason) = taken {
            let (line, default) = (line(), default_of(*key));
            read.warnings
                .push(format!("line {line}: `{full}` {reason}; the default {default} is used"));
        }
    } else if full == secrets::NAME && !name.contains('.') {
        let line = line();
        let (found, wrong) = secrets::read(item);
        read.secrets = found;
        read.warnings.extend(wrong.into_iter().map(|it| format!("line {line}: {it}")));
    } else if is_folder(&folder) {
        match item.as_table_like() {
            Some(below) => {
                for entry in below.iter() {
                    self::key(text, below, &folder, entry, read);
                }
            }
            None => read.warnings.push(format!("line {}: `{full}` must be a table", line())),
        }
    } else {
        read.warnings.push(format!("line {}: `{full}` is no setting", line()));
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
