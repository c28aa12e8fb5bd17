//! A store's settings, label and switch.

use coffer_domain::fact::Author;
use coffer_domain::store::{Fusion, Mode, StoreName};
use coffer_domain::time::Timestamp;

use super::store_file::{DIMENSIONS, FACT_CHARS, StoreFile};
use super::{Memory, Store, audit_row};
use crate::error::{Error, Result};

/// The most characters of a label.
const LABEL_CHARS: usize = 200;

/// A change of a store's settings; what is absent stays.
#[derive(Debug, Clone, Default)]
pub struct ConfigPatch {
    /// Modes that recall may use.
    pub retrieval_modes: Option<Vec<Mode>>,
    /// The mode of a recall that names none.
    pub default_mode: Option<Mode>,
    /// The most characters of a fact.
    pub max_fact_chars: Option<u32>,
    /// How keyword and vector lists are merged.
    pub fusion: Option<Fusion>,
    /// Kept for older clients: provider, model, base URL, credential.
    pub embedding: [Option<String>; 4],
    /// Kept for older clients.
    pub embedding_dimensions: Option<u32>,
}

impl Memory {
    /// Changes a store's settings.
    ///
    /// # Errors
    ///
    /// No such store; a value that cannot be; a `store.yaml` that does not parse.
    pub fn configure(
        &self,
        store: &StoreName,
        patch: &ConfigPatch,
        author: &Author,
        now: Timestamp,
    ) -> Result<Store> {
        let present = self.config_of(store)?;
        check(patch, &present.retrieval_modes, present.default_mode)?;
        self.rewrite(store, author, now, |file| write_patch(patch, file))
    }

    /// Names a store, or takes its name away.
    ///
    /// # Errors
    ///
    /// No such store; a label that is too long or holds control characters.
    pub fn label(
        &self,
        store: &StoreName,
        label: Option<&str>,
        author: &Author,
        now: Timestamp,
    ) -> Result<Store> {
        let label = label.map(str::trim).filter(|label| !label.is_empty());
        if let Some(label) = label {
            let bad = label.chars().any(char::is_control) || label.chars().count() > LABEL_CHARS;
            if bad {
                let reason = "must be one line of at most 200 characters".to_owned();
                return Err(Error::Invalid { field: "label", reason });
            }
        }
        self.rewrite(store, author, now, |file| file.label = label.map(str::to_owned))
    }

    /// Lets recall, search and injection use a store, or leave it out.
    ///
    /// # Errors
    ///
    /// No such store; a `store.yaml` that does not parse.
    pub fn set_enabled(
        &self,
        store: &StoreName,
        enabled: bool,
        author: &Author,
        now: Timestamp,
    ) -> Result<Store> {
        let store_now = self.rewrite(store, author, now, |file| {
            file.enabled = (!enabled).then_some(false);
        })?;
        let event = if enabled { "resource_enabled" } else { "resource_disabled" };
        self.audit(&audit_row(event, author, store, &[], now));
        Ok(store_now)
    }

    fn rewrite(
        &self,
        store: &StoreName,
        author: &Author,
        now: Timestamp,
        change: impl FnOnce(&mut StoreFile),
    ) -> Result<Store> {
        self.store(store).or_else(|error| match (error, store) {
            // The global store always exists for people; its folder comes with its first write.
            (Error::StoreNotFound(_), StoreName::Global) => {
                self.provision(store, None, author, now)?;
                self.store(store)
            }
            (error, _) => Err(error),
        })?;
        let file = self.change_store_file(store, now, change)?;
        self.mirror(store, &file, now);
        self.changed(store);
        self.store(store)
    }
}

fn check(patch: &ConfigPatch, modes: &[Mode], default_mode: Mode) -> Result<()> {
    let invalid = |field, reason: String| Err(Error::Invalid { field, reason });
    if patch.max_fact_chars.is_some_and(|chars| !FACT_CHARS.contains(&chars)) {
        return invalid("max_fact_chars", "must be 64 to 32768".to_owned());
    }
    if patch.embedding_dimensions.is_some_and(|width| !DIMENSIONS.contains(&width)) {
        return invalid("embedding_dimensions", "must be 1 to 8192".to_owned());
    }
    let modes = patch.retrieval_modes.as_deref().unwrap_or(modes);
    if modes.is_empty() {
        return invalid("retrieval_modes", "must name at least one mode".to_owned());
    }
    let default_mode = patch.default_mode.unwrap_or(default_mode);
    if !modes.contains(&default_mode) {
        let word = default_mode.as_str();
        return invalid("default_mode", format!("`{word}` must be one of `retrieval_modes`"));
    }
    Ok(())
}

fn write_patch(patch: &ConfigPatch, file: &mut StoreFile) {
    fn set<T>(slot: &mut Option<T>, value: Option<T>) {
        if value.is_some() {
            *slot = value;
        }
    }
    let config = &mut file.config;
    let words = |modes: &Vec<Mode>| modes.iter().map(|mode| mode.as_str().to_owned()).collect();
    set(&mut config.retrieval_modes, patch.retrieval_modes.as_ref().map(words));
    set(&mut config.default_mode, patch.default_mode.map(|mode| mode.as_str().to_owned()));
    set(&mut config.max_fact_chars, patch.max_fact_chars);
    let fusion = patch.fusion.map(|fusion| match fusion {
        Fusion::Mix => "mix".to_owned(),
        Fusion::Rrf => "rrf".to_owned(),
    });
    set(&mut config.fusion, fusion);
    let [provider, model, base_url, credential_ref] = patch.embedding.clone();
    set(&mut config.embedding_provider, provider);
    set(&mut config.embedding_model, model);
    set(&mut config.embedding_base_url, base_url);
    set(&mut config.embedding_credential_ref, credential_ref);
    set(&mut config.embedding_dimensions, patch.embedding_dimensions);
}
