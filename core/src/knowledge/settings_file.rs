//! The YAML file that says what a store is: read with care, and changed key by key, so that
//! everything else stays as the person wrote it.

use coffer_domain::frontmatter;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{Error, Result};

/// What such a file says. Every key is optional; unknown ones are kept.
pub(crate) trait SettingsFile:
    Serialize + DeserializeOwned + Default + PartialEq + Clone
{
    /// Reads the file's text. The guards of the frontmatter reader come first, since the YAML
    /// parser itself takes quadratic time on hostile nesting.
    fn parse(text: &str) -> std::result::Result<Self, String> {
        let (_, problem) = frontmatter::parse(&format!("---\n{text}\n---\n"));
        match problem {
            Some(problem) => Err(problem.to_string()),
            None if text.trim().is_empty() => Ok(Self::default()),
            None => serde_yaml::from_str(text).map_err(|error| error.to_string()),
        }
    }

    /// As much of the file as can be read, and what is wrong with the rest: one odd value must not
    /// turn a store on that the person turned off.
    fn read(text: &str) -> (Self, Option<String>) {
        let problem = match Self::parse(text) {
            Ok(file) => return (file, None),
            Err(problem) => problem,
        };
        let all: serde_yaml::Mapping = match frontmatter::parse(&format!("---\n{text}\n---\n")) {
            (_, None) => serde_yaml::from_str(text).unwrap_or_default(),
            (_, Some(_)) => serde_yaml::Mapping::new(),
        };
        let alone = |key: &serde_yaml::Value, value: &serde_yaml::Value| {
            let one = serde_yaml::Mapping::from_iter([(key.clone(), value.clone())]);
            serde_yaml::from_value::<Self>(serde_yaml::Value::Mapping(one)).is_ok()
        };
        let good: serde_yaml::Mapping =
            all.into_iter().filter(|(key, value)| alone(key, value)).collect();
        let file = serde_yaml::from_value(serde_yaml::Value::Mapping(good)).unwrap_or_default();
        (file, Some(problem))
    }

    /// The file's text.
    fn render(&self) -> Result<String> {
        serde_yaml::to_string(self).map_err(|error| Error::Internal(error.to_string()))
    }

    /// The text of a file with the top-level keys that differ written anew: comments, order and
    /// quoting of all others stay as the person wrote them.
    fn spliced(text: &str, before: &Self, after: &Self) -> Result<String> {
        let whole = after.render()?;
        let (old, new) = (blocks(&before.render()?), blocks(&whole));
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
        Ok(if Self::parse(&spliced).as_ref() == Ok(after) { spliced } else { whole })
    }
}

/// The lines of each top-level key, in order; what belongs to none has an empty one.
fn blocks(text: &str) -> Vec<(String, String)> {
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
