//! What can be wrong with a header, said with the line of the file so that a person finds it.

use thiserror::Error;

/// What is wrong with a header; lines count from 1 in the whole file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FrontmatterError {
    /// The first line is a fence, but no closing one follows within the limit.
    #[error("line 1: the frontmatter is not closed by a `---` line within {limit} bytes")]
    Unclosed {
        /// How far the closing line was looked for, in bytes.
        limit: usize,
    },
    /// Lists and maps nested deeper than the limit.
    #[error("line {line}: nested deeper than {limit} levels")]
    TooDeep {
        /// Where the limit was passed.
        line: u32,
        /// The limit.
        limit: usize,
    },
    /// Aliases (`*name`) unfold to more than the limit.
    #[error("line {line}: the aliases unfold to more than {limit} bytes")]
    TooLarge {
        /// Where the limit was passed.
        line: u32,
        /// The limit, in bytes.
        limit: usize,
    },
    /// One key twice in one map.
    #[error("line {line}: the key `{key}` is there twice")]
    DuplicateKey {
        /// Where the key is for the second time.
        line: u32,
        /// The key.
        key: String,
    },
    /// Something else than keys and values.
    #[error("line {line}: expected `key: value`")]
    NotAMap {
        /// Where the other thing is.
        line: u32,
    },
    /// Not YAML.
    #[error("line {line}: {message}")]
    Syntax {
        /// Where the parser stopped.
        line: u32,
        /// What the parser said.
        message: String,
    },
    /// The key is written in a way that a change of it would alter others.
    #[error("line {line}: `{key}` cannot be changed without changing other keys, edit the file")]
    Entangled {
        /// Where the key is, or the header begins.
        line: u32,
        /// The key as the caller named it.
        key: String,
    },
}

impl FrontmatterError {
    /// The line of the file, from 1.
    pub fn line(&self) -> u32 {
        match self {
            Self::Unclosed { .. } => 1,
            Self::TooDeep { line, .. }
            | Self::TooLarge { line, .. }
            | Self::DuplicateKey { line, .. }
            | Self::NotAMap { line }
            | Self::Syntax { line, .. }
            | Self::Entangled { line, .. } => *line,
        }
    }
}
