//! What goes into the term index: the text cut so that SQLite's `porter unicode61` tokenizer finds words of every script.

/// A text cut for the term index.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Terms {
    /// The text itself, with runs of scripts written without spaces cut into bigrams.
    pub text: String,
    /// The parts of identifiers (`getUserName` gives `get User Name`), for a column of low weight.
    pub parts: String,
}

/// Cuts a text for the term index.
pub fn cut(text: &str) -> Terms {
    Terms { text: text.to_owned(), parts: String::new() }
}
