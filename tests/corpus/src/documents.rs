//! Real documents of many programs, what they say, and how much of that a Markdown keeps. The same score is
//! computed for whatever converts them.

mod outline;
mod score;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

pub use outline::Outline;
pub use score::Score;

/// The manifest: what the documents are.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    content: BTreeMap<String, Content>,
    document: Vec<Entry>,
}

/// What a document says.
#[derive(Deserialize, Clone, Default)]
#[serde(deny_unknown_fields, default)]
pub struct Content {
    /// Headings, with as many `#` as they are deep.
    pub headings: Vec<String>,
    /// Items of lists, two spaces before them for each list around.
    pub items: Vec<String>,
    /// Rows of tables; cells that do not matter at a row's end are left out.
    pub rows: Vec<Vec<String>>,
    /// Sentences.
    pub text: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    file: String,
    content: String,
    format: String,
    made_by: String,
    title: Option<String>,
    #[serde(default)]
    kept: BTreeMap<String, f64>,
}

/// A document, and what is expected of its Markdown.
pub struct Document {
    /// Where it stands.
    pub path: PathBuf,
    /// Its name.
    pub file: String,
    /// The name of its format.
    pub format: String,
    /// The program that made it.
    pub made_by: String,
    /// The title that it names besides its text.
    pub title: Option<String>,
    /// What it says.
    pub content: Content,
    /// The share of `headings`, `items`, `cells` and `words` that is to be kept: all, unless the format
    /// itself has lost some.
    pub kept: BTreeMap<String, f64>,
}

/// The documents below tests/fixtures.
///
/// # Errors
///
/// A manifest that cannot be read, or that names what is not there.
pub fn all() -> Result<Vec<Document>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/documents");
    let manifest = folder.join("documents.toml");
    let text = std::fs::read_to_string(&manifest)
        .map_err(|error| format!("{}: {error}", manifest.display()))?;
    let manifest: Manifest = toml::from_str(&text).map_err(|error| error.to_string())?;
    manifest.document.into_iter().map(|entry| document(&folder, &manifest.content, entry)).collect()
}

fn document(
    folder: &Path,
    contents: &BTreeMap<String, Content>,
    entry: Entry,
) -> Result<Document, String> {
    let Entry { file, content, format, made_by, title, kept } = entry;
    let path = folder.join(&file);
    if !path.is_file() {
        return Err(format!("{} is missing", path.display()));
    }
    let content = contents.get(&content).cloned();
    let content = content.ok_or_else(|| format!("{file}: no such content"))?;
    Ok(Document { path, file, format, made_by, title, content, kept })
}
