//! Why a file gave no Markdown: a stable code, and a sentence for people.

/// Why a file gave no Markdown.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Rejected {
    /// There is no text in it.
    #[error("it holds no text")]
    Empty,
    /// Its pages are pictures.
    #[error(
        "its pages are images without text; recognize the text first (with `ocrmypdf`, say) and add the result"
    )]
    NeedsOcr,
    /// It cannot be read without a password.
    #[error("it is protected by a password; add a copy without one")]
    Encrypted,
    /// It is damaged, or not what it seems to be.
    #[error("it is damaged: {0}")]
    Malformed(String),
    /// It, or what it unpacks to, is beyond a bound.
    #[error("it is too large: {0}")]
    TooLarge(String),
    /// Nothing here reads this kind of file.
    #[error("this kind of file cannot be converted: {0}")]
    Unsupported(String),
    /// Converting it took too long.
    #[error("converting it took longer than allowed and was ended")]
    TimedOut,
    /// Converting it took too much memory.
    #[error("converting it took more memory than allowed and was ended")]
    OutOfMemory,
    /// The converter broke on it.
    #[error("the converter broke on it: {0}")]
    Crashed(String),
    /// The caller ended it.
    #[error("converting it was cancelled")]
    Cancelled,
    /// The file cannot be read just now, or the converter cannot be started.
    #[error("it cannot be converted just now: {0}")]
    Unavailable(String),
}

impl Rejected {
    /// The stable name of the reason.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::NeedsOcr => "needs_ocr",
            Self::Encrypted => "encrypted",
            Self::Malformed(_) => "malformed",
            Self::TooLarge(_) => "too_large",
            Self::Unsupported(_) => "unsupported",
            Self::TimedOut => "timed_out",
            Self::OutOfMemory => "out_of_memory",
            Self::Crashed(_) => "crashed",
            Self::Cancelled => "cancelled",
            Self::Unavailable(_) => "unavailable",
        }
    }

    /// What it says besides its sentence.
    pub(super) fn detail(&self) -> &str {
        match self {
            Self::Malformed(detail)
            | Self::TooLarge(detail)
            | Self::Unsupported(detail)
            | Self::Crashed(detail)
            | Self::Unavailable(detail) => detail,
            Self::Empty
            | Self::NeedsOcr
            | Self::Encrypted
            | Self::TimedOut
            | Self::OutOfMemory
            | Self::Cancelled => "",
        }
    }

    /// The reason of this code.
    pub(super) fn parse(code: &str, detail: String) -> Option<Self> {
        Some(match code {
            "empty" => Self::Empty,
            "needs_ocr" => Self::NeedsOcr,
            "encrypted" => Self::Encrypted,
            "malformed" => Self::Malformed(detail),
            "too_large" => Self::TooLarge(detail),
            "unsupported" => Self::Unsupported(detail),
            "timed_out" => Self::TimedOut,
            "out_of_memory" => Self::OutOfMemory,
            "crashed" => Self::Crashed(detail),
            "cancelled" => Self::Cancelled,
            "unavailable" => Self::Unavailable(detail),
            _ => return None,
        })
    }
}
