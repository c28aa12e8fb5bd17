//! Search: one question to one knowledge base, in the mode that its settings say.

use coffer_domain::id::Id;
use coffer_domain::kb::KbName;
use coffer_domain::store::Mode;
use coffer_domain::time::Timestamp;

use super::{KnowledgeBases, Opened};
use crate::error::Result;
use crate::knowledge::{Ask, Passage, Question};

/// A passage that answers.
#[derive(Debug, Clone, PartialEq)]
pub struct KbPassage {
    /// Its document.
    pub document: Id,
    /// The document's title.
    pub title: String,
    /// The text.
    pub text: String,
    /// Higher is better; comparable within one knowledge base only.
    pub score: f64,
    /// Which passage of the document it is, from 0.
    pub position: u32,
    /// Headings above it, `A > B`.
    pub heading_path: String,
    /// The document's file, relative to the knowledge base.
    pub path: String,
    /// First and last line in the file, from 1.
    pub lines: (u32, u32),
    /// When the document last changed.
    pub updated_at: Timestamp,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Searched {
    /// Best first.
    pub passages: Vec<KbPassage>,
    /// Why the answer is partial or empty, when it is.
    pub note: Option<String>,
}

impl KnowledgeBases {
    /// The best `top` passages. One that is turned off gives none.
    ///
    /// # Errors
    ///
    /// No such knowledge base; files or an index that cannot be read.
    pub fn search(&self, name: &KbName, query: &str, top: u32) -> Result<Searched> {
        let opened = self.open(name)?;
        if !opened.is_enabled {
            return Ok(Searched { passages: Vec::new(), note: Some(turned_off(name)) });
        }
        let Opened { at, config, .. } = opened;
        let ask = match config.default_mode {
            Mode::Grep => Ask::Grep,
            Mode::Keyword => Ask::Keyword,
            Mode::Vector => Ask::Vector,
            Mode::Hybrid => Ask::Hybrid(self.0.settings.get().fusion),
        };
        let question = Question::new(query);
        let found = self.knowledge().search(&at, &question, ask, top as usize)?;
        let cut_off =
            found.cut_off.then(|| "it was not searched to its end: it took too long".to_owned());
        let lag = self.knowledge().lag(&at).map(|why| format!("it may have newer texts: {why}"));
        let notes: Vec<String> = cut_off.into_iter().chain(lag).collect();
        Ok(Searched {
            passages: found.passages.into_iter().map(passage).collect(),
            note: (!notes.is_empty()).then(|| notes.join("; ")),
        })
    }
}

/// Why a search of a knowledge base gives nothing.
pub(super) fn turned_off(name: &KbName) -> String {
    format!("disabled: {name}")
}

fn passage(passage: Passage) -> KbPassage {
    let Passage {
        document,
        path,
        title,
        text,
        position,
        heading_path,
        lines,
        score,
        updated_at,
        metadata: _,
    } = passage;
    KbPassage { document, title, text, score, position, heading_path, path, lines, updated_at }
}
