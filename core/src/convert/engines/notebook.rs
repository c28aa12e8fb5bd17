//! Jupyter notebooks: text as it is, code fenced by the kernel's language, outputs that are text.

use serde::Deserialize;

use super::{Draft, Rejected, text};

#[derive(Deserialize)]
struct Notebook {
    #[serde(default)]
    cells: Vec<Cell>,
    /// Before version 4, cells stood in sheets.
    #[serde(default)]
    worksheets: Vec<Sheet>,
    #[serde(default)]
    metadata: Metadata,
}

#[derive(Deserialize)]
struct Sheet {
    #[serde(default)]
    cells: Vec<Cell>,
}

#[derive(Deserialize, Default)]
struct Metadata {
    title: Option<String>,
    #[serde(default)]
    kernelspec: Language,
    #[serde(default)]
    language_info: Language,
}

#[derive(Deserialize, Default)]
struct Language {
    language: Option<String>,
    name: Option<String>,
}

#[derive(Deserialize)]
struct Cell {
    cell_type: String,
    #[serde(default, alias = "input")]
    source: Lines,
    #[serde(default)]
    outputs: Vec<Output>,
}

#[derive(Deserialize)]
struct Output {
    #[serde(default)]
    text: Lines,
    #[serde(default)]
    data: Shown,
    ename: Option<String>,
    evalue: Option<String>,
}

/// Of all that an output shows, what is text.
#[derive(Deserialize, Default)]
struct Shown {
    #[serde(default, rename = "text/markdown")]
    markdown: Lines,
    #[serde(default, rename = "text/plain")]
    plain: Lines,
}

/// A text, whole or by its lines.
#[derive(Deserialize)]
#[serde(untagged)]
enum Lines {
    Whole(String),
    Parts(Vec<String>),
}

impl Default for Lines {
    fn default() -> Self {
        Self::Parts(Vec::new())
    }
}

impl Lines {
    fn text(&self) -> String {
        match self {
            Self::Whole(text) => text.clone(),
            Self::Parts(parts) => parts.concat(),
        }
    }
}

pub(super) fn convert(bytes: &[u8]) -> Result<Draft, Rejected> {
    let json = text::decode(bytes)?;
    let notebook: Notebook = serde_json::from_str(json.trim_start_matches('\u{feff}'))
        .map_err(|error| Rejected::Malformed(format!("it is no notebook: {error}")))?;
    let metadata = notebook.metadata;
    let language = metadata.language_info.name.or(metadata.kernelspec.language);
    let language = language.unwrap_or_default();
    let sheets = notebook.worksheets.into_iter().flat_map(|sheet| sheet.cells);
    let cells = notebook.cells.into_iter().chain(sheets);
    let parts: Vec<_> = cells.map(|cell| markdown(&cell, &language)).collect();
    Ok(Draft { markdown: parts.join("\n\n"), title: metadata.title, engine: "notebook" })
}

fn markdown(cell: &Cell, language: &str) -> String {
    let source = cell.source.text();
    if cell.cell_type != "code" {
        return source;
    }
    let mut parts = Vec::new();
    if !source.trim().is_empty() {
        parts.push(text::fenced(language, &source));
    }
    parts.extend(cell.outputs.iter().filter_map(output));
    parts.join("\n")
}

fn output(output: &Output) -> Option<String> {
    let markdown = output.data.markdown.text();
    if !markdown.trim().is_empty() {
        return Some(markdown);
    }
    let error = output
        .ename
        .as_ref()
        .map(|name| format!("{name}: {}", output.evalue.as_deref().unwrap_or_default()));
    let plain = [output.text.text(), output.data.plain.text(), error.unwrap_or_default()].concat();
    (!plain.trim().is_empty()).then(|| text::fenced("text", &plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_their_text_are_kept() {
        let json = r##"{"cells": [
            {"cell_type": "markdown", "source": ["# A\n", "b"]},
            {"cell_type": "code", "source": "print(1)", "outputs": [
                {"output_type": "stream", "text": "1\n"},
                {"data": {"image/png": "aGk=", "text/plain": ["<Figure>"]}},
                {"ename": "ValueError", "evalue": "bad", "traceback": ["x"]}
            ]}
        ], "metadata": {"language_info": {"name": "python"}}}"##;
        insta::assert_snapshot!(convert(json.as_bytes()).unwrap().markdown, @r"
        # A
        b

        ```python
        print(1)
        ```

        ```text
        1
        ```

        ```text
        <Figure>
        ```

        ```text
        ValueError: bad
        ```
        ");
        assert_eq!(convert(b"{\"cells\": 1}").err().unwrap().code(), "malformed");
    }
}
