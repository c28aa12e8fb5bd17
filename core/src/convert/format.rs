//! What a file is: by its first bytes where they tell, else by what its name ends in.

use super::languages;

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Markdown.
    Markdown,
    /// Plain text.
    Text,
    /// Source code, configuration, markup: text in some language.
    Code,
    /// Rows, comma- or tab-separated.
    Csv,
    /// JSON.
    Json,
    /// A Jupyter notebook.
    Notebook,
    /// A web page.
    Html,
    /// PDF.
    Pdf,
    /// Word, since 2007.
    Docx,
    /// PowerPoint, since 2007.
    Pptx,
    /// Excel, since 2007.
    Xlsx,
    /// OpenDocument text.
    Odt,
    /// OpenDocument spreadsheet.
    Ods,
    /// OpenDocument presentation.
    Odp,
    /// Rich text.
    Rtf,
    /// A book.
    Epub,
    /// A mail.
    Mail,
    /// Mails in one file.
    Mbox,
    /// Word, before 2007.
    Doc,
    /// PowerPoint, before 2007.
    Ppt,
    /// Excel, before 2007.
    Xls,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 21] = [
        Self::Markdown,
        Self::Text,
        Self::Code,
        Self::Csv,
        Self::Json,
        Self::Notebook,
        Self::Html,
        Self::Pdf,
        Self::Docx,
        Self::Pptx,
        Self::Xlsx,
        Self::Odt,
        Self::Ods,
        Self::Odp,
        Self::Rtf,
        Self::Epub,
        Self::Mail,
        Self::Mbox,
        Self::Doc,
        Self::Ppt,
        Self::Xls,
    ];

    /// Its stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Markdown => "markdown",
            Self::Text => "text",
            Self::Code => "code",
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Notebook => "notebook",
            Self::Html => "html",
            Self::Pdf => "pdf",
            Self::Docx => "docx",
            Self::Pptx => "pptx",
            Self::Xlsx => "xlsx",
            Self::Odt => "odt",
            Self::Ods => "ods",
            Self::Odp => "odp",
            Self::Rtf => "rtf",
            Self::Epub => "epub",
            Self::Mail => "mail",
            Self::Mbox => "mbox",
            Self::Doc => "doc",
            Self::Ppt => "ppt",
            Self::Xls => "xls",
        }
    }

    /// The format of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// Whether this process reads it, as text that is nearly Markdown already.
    pub(super) fn passes_through(self) -> bool {
        matches!(self, Self::Markdown | Self::Text | Self::Code)
    }

    /// What a text is whose name ends so.
    pub(super) fn by_name(name: &str) -> Self {
        match languages::extension(name).as_str() {
            "md" | "markdown" | "mdown" | "mkd" | "mdx" => Self::Markdown,
            "csv" | "tsv" | "tab" => Self::Csv,
            "json" | "geojson" | "jsonld" | "webmanifest" => Self::Json,
            "ipynb" => Self::Notebook,
            "html" | "htm" | "xhtml" | "shtml" => Self::Html,
            "rtf" => Self::Rtf,
            "eml" => Self::Mail,
            "mbox" => Self::Mbox,
            _ if languages::of(name).is_some() => Self::Code,
            _ => Self::Text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_has_its_own_name() {
        for format in Format::ALL {
            assert_eq!(Format::parse(format.name()), Some(format));
        }
    }

    #[test]
    fn names_tell_texts_apart() {
        for (name, format) in [
            ("README.md", Format::Markdown),
            ("notes/todo.TXT", Format::Text),
            ("src/main.rs", Format::Code),
            ("Makefile", Format::Code),
            ("a.b/LICENSE", Format::Text),
            ("rows.tsv", Format::Csv),
            ("page.HTM", Format::Html),
        ] {
            assert_eq!(Format::by_name(name), format, "{name}");
        }
    }
}
