//! What the child prints: a line of JSON that says what came of it, then the Markdown.

use serde::{Deserialize, Serialize};

use super::{Confinement, Converted, Format, Rejected};

/// The first line.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Answer {
    /// The Markdown follows.
    Converted {
        /// `Format::name`.
        format: String,
        engine: String,
        title: Option<String>,
    },
    /// Nothing follows.
    Rejected {
        /// `Rejected::code`.
        code: String,
        /// What the reason says besides.
        detail: String,
    },
    /// Which bounds hold.
    Confined { landlock: bool, seccomp: bool, memory: bool, cpu: bool, output: bool, group: bool },
}

/// All that the child prints.
pub(super) fn written(outcome: Result<Converted, Rejected>) -> Vec<u8> {
    let (answer, markdown) = match outcome {
        Ok(Converted { markdown, title, format, engine }) => {
            (Answer::Converted { format: format.name().to_owned(), engine, title }, markdown)
        }
        Err(rejected) => {
            let (code, detail) = (rejected.code().to_owned(), rejected.detail().to_owned());
            (Answer::Rejected { code, detail }, String::new())
        }
    };
    let mut bytes = line(&answer);
    bytes.extend_from_slice(markdown.as_bytes());
    bytes
}

/// Which bounds hold, as the child prints it.
pub(super) fn written_confinement(confinement: Confinement) -> Vec<u8> {
    let Confinement { memory, cpu, output, group, landlock, seccomp } = confinement;
    line(&Answer::Confined { landlock, seccomp, memory, cpu, output, group })
}

fn line(answer: &Answer) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(answer).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

/// What the child said; nothing when it broke off.
pub(super) fn read(printed: &[u8]) -> Option<(Answer, &[u8])> {
    let end = printed.iter().position(|byte| *byte == b'\n')?;
    Some((serde_json::from_slice(&printed[..end]).ok()?, &printed[end + 1..]))
}

impl Answer {
    /// The outcome; nothing for an answer to another question.
    pub(super) fn outcome(self, markdown: &[u8]) -> Option<Result<Converted, Rejected>> {
        Some(match self {
            Self::Converted { format, engine, title } => {
                let markdown = String::from_utf8_lossy(markdown).into_owned();
                Ok(Converted { markdown, title, format: Format::parse(&format)?, engine })
            }
            Self::Rejected { code, detail } => Err(Rejected::parse(&code, detail)?),
            Self::Confined { .. } => return None,
        })
    }

    /// Which bounds hold; nothing for an answer to another question.
    pub(super) fn confinement(self) -> Option<Confinement> {
        match self {
            Self::Confined { landlock, seccomp, memory, cpu, output, group } => {
                Some(Confinement { memory, cpu, output, group, landlock, seccomp })
            }
            Self::Converted { .. } | Self::Rejected { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let converted = Converted {
            markdown: "# A\nb\n".to_owned(),
            title: Some("T".to_owned()),
            format: Format::Html,
            engine: "x 1".to_owned(),
        };
        for outcome in [
            Ok(converted),
            Err(Rejected::NeedsOcr),
            Err(Rejected::Malformed("line\nbreak".to_owned())),
        ] {
            let bytes = written(outcome.clone());
            let (answer, rest) = read(&bytes).unwrap();
            assert_eq!(answer.outcome(rest), Some(outcome));
        }
        assert!(read(b"running 0 tests").is_none() && read(b"{}\nx").is_none());
    }
}
