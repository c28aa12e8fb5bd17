//! Why an answer is missing, in words for people: what happened, and what to do.

use coffer_api::error::{ErrorCode, ErrorOut};

use crate::format::{humanize, sentence};

/// Why a request has no answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Failure {
    /// Nobody answers at the address.
    Unreachable,
    /// The session is over; the page says so as a whole.
    SignedOut,
    /// The server said no.
    Refused(Box<ErrorOut>),
    /// The answer is not what this page understands.
    Unreadable,
}

impl Failure {
    /// What happened.
    pub(crate) fn message(&self) -> String {
        match self {
            Self::Unreachable => "Coffer does not answer.".to_owned(),
            Self::SignedOut => "This page is no longer signed in.".to_owned(),
            Self::Refused(error) => sentence(&error.message),
            Self::Unreadable => "Coffer's answer could not be understood.".to_owned(),
        }
    }

    /// What to do about it.
    pub(crate) fn advice(&self) -> String {
        match self {
            Self::Unreachable => "The page keeps trying; start Coffer if it was closed.".to_owned(),
            Self::SignedOut => "Open the page again with `coffer open`.".to_owned(),
            Self::Refused(error) => advice_for(error),
            Self::Unreadable => {
                "Page and server may be of different versions: close the page and open it again \
                 with `coffer open`."
                    .to_owned()
            }
        }
    }

    /// Whether asking again may help.
    pub(crate) fn is_worth_retrying(&self) -> bool {
        match self {
            Self::Unreachable | Self::Unreadable => true,
            Self::SignedOut => false,
            Self::Refused(error) => error.code.status() >= 429,
        }
    }
}

fn advice_for(error: &ErrorOut) -> String {
    if let Some(hint) = &error.details.hint {
        return sentence(hint);
    }
    if let Some((field, reason)) = error.details.fields.first_key_value() {
        return sentence(&format!("{}: {reason}", humanize(field)));
    }
    let advice = match error.code {
        ErrorCode::ResourceNotFound
        | ErrorCode::MemoryStoreNotFound
        | ErrorCode::MemoryNotFound
        | ErrorCode::LaneFileNotFound
        | ErrorCode::KbNotFound
        | ErrorCode::DocumentNotFound
        | ErrorCode::TranscriptSessionNotFound
        | ErrorCode::JobNotFound
        | ErrorCode::AgentNotFound
        | ErrorCode::RouteNotFound => "It may have been moved or deleted meanwhile.",
        ErrorCode::AlreadyExists
        | ErrorCode::VersionConflict
        | ErrorCode::NotEditable
        | ErrorCode::ReconversionBlocked => "Look at the present state, then try again.",
        ErrorCode::PathNotAllowed => "Only files that belong to Coffer can be opened from here.",
        ErrorCode::EngineUnavailable => {
            "Copy the path and open it by hand, or set an editor in the settings."
        }
        ErrorCode::NoModelConfigured => "Set a model in the settings, then try again.",
        ErrorCode::StoreUnavailable => "Check that the disk is there and readable, then try again.",
        ErrorCode::AgentConfigUnsafe => "Mend the file, then try again.",
        ErrorCode::NoSpace => "Free some space on the disk, then try again.",
        ErrorCode::Busy => "Wait a moment, then try again.",
        ErrorCode::ModelInUse => "Choose another embedding model in the settings first.",
        ErrorCode::Refused => "Nothing was changed; ask for something narrower.",
        ErrorCode::Paused => "Switch on “Serve agents” in the settings.",
        ErrorCode::BadRequest
        | ErrorCode::ConfigInvalid
        | ErrorCode::Unauthorized
        | ErrorCode::ForbiddenHost
        | ErrorCode::ForbiddenOrigin
        | ErrorCode::MethodNotAllowed
        | ErrorCode::PayloadTooLarge
        | ErrorCode::UnsupportedMediaType
        | ErrorCode::MemoryRejected
        | ErrorCode::IngestRejected
        | ErrorCode::UnsupportedAgentType
        | ErrorCode::ScopeUnresolved => "Change what was entered, then try again.",
        ErrorCode::Internal => "Try again; Coffer's log tells more.",
    };
    advice.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use coffer_api::error::ErrorDetails;

    fn refused(code: ErrorCode, details: ErrorDetails) -> Failure {
        Failure::Refused(Box::new(ErrorOut { code, message: "no fact `x`".into(), details }))
    }

    #[test]
    fn every_code_has_a_message_and_advice_without_the_code() {
        for code in ErrorCode::ALL {
            let failure = refused(*code, ErrorDetails::default());
            assert_eq!(failure.message(), "No fact `x`.");
            assert!(failure.advice().ends_with('.'), "{code}");
            assert!(!failure.advice().contains(code.as_str()), "{code}");
        }
    }

    #[test]
    fn the_servers_hint_comes_first() {
        let hint = ErrorDetails { hint: Some("start it".into()), ..ErrorDetails::default() };
        assert_eq!(refused(ErrorCode::Internal, hint).advice(), "Start it.");
        let fields = [("label".to_owned(), "longer than 200 characters".to_owned())].into();
        let field = ErrorDetails { fields, ..ErrorDetails::default() };
        let advice = refused(ErrorCode::ConfigInvalid, field).advice();
        assert_eq!(advice, "Label: longer than 200 characters.");
    }

    #[test]
    fn only_what_may_pass_is_worth_retrying() {
        for (code, worth) in [
            (ErrorCode::MemoryNotFound, false),
            (ErrorCode::Busy, true),
            (ErrorCode::StoreUnavailable, true),
            (ErrorCode::ConfigInvalid, false),
        ] {
            assert_eq!(refused(code, ErrorDetails::default()).is_worth_retrying(), worth);
        }
        assert!(Failure::Unreachable.is_worth_retrying());
    }
}
