//! The tables `[embedding]` and `[engine]`: between `config.toml` and the types.

use coffer_domain::credential::{self, CredentialRef};
use toml_edit::{DocumentMut, Item, Table, TableLike, Value};

use super::edit::{self, Refused};
use super::model::{EmbeddingConfig, EngineConfig, ModelSource, Wrong};
use super::provider::Provider;

/// The table of the model that embeds.
pub(super) const EMBEDDING: &str = "embedding";
/// The table of the model that writes.
pub(super) const ENGINE: &str = "engine";

const SOURCE_KEYS: [&str; 4] = ["provider", "model", "base_url", "credential_ref"];
const DIMENSIONS: &str = "dimensions";

/// What a table says, key by key.
#[derive(Default)]
struct Said {
    texts: [Option<String>; 4],
    dimensions: Option<i64>,
}

/// What is read of a table: its model if it is whole, and the keys that are wrong, each with what is
/// wrong with it. A table without a known key is none.
pub(super) struct ReadTable<T> {
    pub model: Option<T>,
    pub wrong: Vec<(String, String)>,
}

/// Reads `[embedding]`.
pub(super) fn embedding(table: &dyn TableLike) -> ReadTable<EmbeddingConfig> {
    read(table, true, |said| {
        // Too wide for the type is too wide for a model.
        let dimensions = said.dimensions.map(|width| u32::try_from(width).unwrap_or(0));
        let config = EmbeddingConfig { source: source(said.texts)?, dimensions };
        config.judge().map(|()| config)
    })
}

/// Reads `[engine]`.
pub(super) fn engine(table: &dyn TableLike) -> ReadTable<EngineConfig> {
    read(table, false, |said| {
        let config = EngineConfig { source: source(said.texts)? };
        config.judge().map(|()| config)
    })
}

fn read<T>(
    table: &dyn TableLike,
    has_dimensions: bool,
    build: impl FnOnce(Said) -> Result<T, Wrong>,
) -> ReadTable<T> {
    let mut said = Said::default();
    let mut wrong = Vec::new();
    let mut is_whole = true;
    let mut is_said = false;
    for (name, item) in table.iter() {
        let place = SOURCE_KEYS.iter().position(|key| *key == name);
        if place.is_none() && !(has_dimensions && name == DIMENSIONS) {
            wrong.push((name.to_owned(), "is no setting".to_owned()));
            continue;
        }
        is_said = true;
        let taken = match place {
            Some(place) => {
                said.texts[place] = item.as_str().map(str::to_owned);
                said.texts[place].is_some().then_some(()).ok_or("must be a text")
            }
            None => {
                said.dimensions = item.as_integer();
                said.dimensions.map(drop).ok_or("must be a whole number, 1 to 8192")
            }
        };
        if let Err(reason) = taken {
            is_whole = false;
            wrong.push((name.to_owned(), format!("{reason}; no model is used")));
        }
    }
    let model = (is_said && is_whole).then(|| build(said)).and_then(|built| match built {
        Ok(model) => Some(model),
        Err((field, reason)) => {
            wrong.push((field.to_owned(), format!("{reason}; no model is used")));
            None
        }
    });
    ReadTable { model, wrong }
}

fn source(texts: [Option<String>; 4]) -> Result<ModelSource, Wrong> {
    let [provider, model, base_url, credential_ref] = texts;
    let name = provider.ok_or_else(|| ("provider", "is missing".to_owned()))?;
    let provider = Provider::parse(&name).ok_or_else(|| {
        let names: Vec<&str> = Provider::all().map(Provider::name).collect();
        ("provider", format!("must be one of {}", names.join(", ")))
    })?;
    let credential_ref = match credential_ref {
        None => None,
        Some(name) => Some(
            CredentialRef::parse(&name)
                .ok_or_else(|| ("credential_ref", credential::FORM.to_owned()))?,
        ),
    };
    let model = model.ok_or_else(|| ("model", "is missing".to_owned()))?;
    Ok(ModelSource { provider, model, base_url, credential_ref })
}

/// The text with another embedding model, or none; `None` if it says so already.
pub(super) fn edit_embedding(
    text: &str,
    config: Option<&EmbeddingConfig>,
) -> Result<Option<String>, Refused> {
    let [provider, model, base_url, key] = source_values(config.map(|config| &config.source));
    let width = config.and_then(|config| config.dimensions).map(|width| i64::from(width).into());
    edit_table(text, EMBEDDING, [provider, model, base_url, key, (DIMENSIONS, width)])
}

/// The text with another engine, or none; `None` if it says so already.
pub(super) fn edit_engine(
    text: &str,
    config: Option<&EngineConfig>,
) -> Result<Option<String>, Refused> {
    edit_table(text, ENGINE, source_values(config.map(|config| &config.source)))
}

type Entry = (&'static str, Option<Value>);

fn source_values(source: Option<&ModelSource>) -> [Entry; 4] {
    let [provider, model, base_url, key] = SOURCE_KEYS;
    let Some(source) = source else {
        return SOURCE_KEYS.map(|key| (key, None));
    };
    let ModelSource { provider: whose, model: name, base_url: address, credential_ref } = source;
    [
        (provider, Some(whose.name().into())),
        (model, Some(name.as_str().into())),
        (base_url, address.as_deref().map(Value::from)),
        (key, credential_ref.as_ref().map(|name| name.as_str().into())),
    ]
}

fn edit_table<const N: usize>(
    text: &str,
    name: &str,
    entries: [Entry; N],
) -> Result<Option<String>, Refused> {
    let mut document = edit::parse(text)?;
    let is_empty = document.as_table().is_empty();
    let is_cleared = entries.iter().all(|(_, value)| value.is_none());
    if is_cleared && !document.contains_key(name) {
        return Ok(None);
    }
    // A table with a header of its own; indexing would make an inline one.
    let below = document.entry(name).or_insert_with(|| Item::Table(Table::new()));
    let table = below
        .as_table_like_mut()
        .ok_or_else(|| Refused::Form(format!("`{name}` in it is no table")))?;
    let mut is_changed = false;
    for (key, value) in entries {
        is_changed |= put(table, key, value)
            .map_err(|key| Refused::Form(format!("`{name}.{key}` in it is a table")))?;
    }
    if is_cleared && is_changed {
        drop_empty(&mut document, name);
    }
    if is_empty {
        edit::keep_comments_first(&mut document);
    }
    Ok(is_changed.then(|| edit::restore(text, &document)))
}

/// Sets or removes one key; whether that changed anything.
fn put(
    table: &mut dyn TableLike,
    key: &'static str,
    value: Option<Value>,
) -> Result<bool, &'static str> {
    match (table.get_mut(key), value) {
        (None, None) => Ok(false),
        (Some(Item::Value(_)), None) => Ok(table.remove(key).is_some()),
        (None, Some(value)) => {
            table.insert(key, Item::Value(value));
            Ok(true)
        }
        (Some(Item::Value(present)), Some(value)) => {
            let is_same =
                (present.as_str(), present.as_integer()) == (value.as_str(), value.as_integer());
            if !is_same {
                let decor = present.decor().clone();
                *present = value;
                *present.decor_mut() = decor;
            }
            Ok(!is_same)
        }
        (Some(_), _) => Err(key),
    }
}

/// Takes the header away when nothing is left below it, not even a comment above it.
fn drop_empty(document: &mut DocumentMut, name: &str) {
    let is_bare = document.get(name).is_some_and(|item| {
        let header = item.as_table().and_then(|table| table.decor().prefix()?.as_str());
        item.as_table_like().is_some_and(TableLike::is_empty)
            && header.is_none_or(|text| text.trim().is_empty())
    });
    if is_bare {
        document.remove(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn openai(dimensions: Option<u32>) -> EmbeddingConfig {
        let source = ModelSource {
            provider: Provider::OpenAi,
            model: "small".to_owned(),
            base_url: None,
            credential_ref: CredentialRef::parse("key"),
        };
        EmbeddingConfig { source, dimensions }
    }

    #[test]
    fn a_change_touches_only_its_own_keys() {
        let whole = "[embedding]\nprovider = \"openai\"\nmodel = \"small\"\n\
                     credential_ref = \"key\"\ndimensions = 8\n";
        let inline = "embedding = { provider = \"openai\", model = \"small\", \
                      credential_ref = \"key\", dimensions = 0x8 }\n";
        let config = openai(Some(8));
        let set = Some(&config);
        for (before, wanted, after) in [
            ("", set, Some(whole)),
            (whole, set, None),
            (inline, set, None),
            (whole, None, Some("")),
            ("# only words\n", set, Some(&*format!("# only words\n{whole}"))),
            ("a = 1\n", set, Some(&*format!("a = 1\n\n{whole}"))),
            ("a = 1\n", None, None),
            ("a = 1\n\n[embedding]\nmodel = \"x\"\n", None, Some("a = 1\n")),
            ("[embedding]\nmodel = \"x\"\nb = 1 # my\n", None, Some("[embedding]\nb = 1 # my\n")),
            ("# why\n[embedding]\nmodel = \"x\"\n", None, Some("# why\n[embedding]\n")),
            ("embedding.model = \"x\"\n", None, Some("")),
            (
                "[embedding]\r\nprovider = \"jina\" # was\r\nmodel = 'small'\r\n\
                 base_url = \"https://a\"\r\n",
                set,
                Some(
                    "[embedding]\r\nprovider = \"openai\" # was\r\nmodel = 'small'\r\n\
                     credential_ref = \"key\"\r\ndimensions = 8\r\n",
                ),
            ),
        ] {
            assert_eq!(edit_embedding(before, wanted).unwrap().as_deref(), after, "{before:?}");
        }
        for before in ["embedding = 3\n", "[embedding.model]\n", "a = \n"] {
            let refused = edit_embedding(before, set);
            assert!(matches!(refused, Err(Refused::Form(_))), "{before:?}: {refused:?}");
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let config = openai(Some(8));
        let text = edit_embedding("", Some(&config)).unwrap().unwrap();
        let document: DocumentMut = text.parse().unwrap();
        let found = embedding(document[EMBEDDING].as_table_like().unwrap());
        assert_eq!((found.model, found.wrong), (Some(config.clone()), vec![]));
        let writes = EngineConfig { source: config.source };
        let text = edit_engine("", Some(&writes)).unwrap().unwrap();
        let document: DocumentMut = text.parse().unwrap();
        let found = engine(document[ENGINE].as_table_like().unwrap());
        assert_eq!((found.model, found.wrong), (Some(writes), vec![]));
    }
}
