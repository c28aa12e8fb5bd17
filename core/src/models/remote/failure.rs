//! What went wrong on the way to a provider, in words for people that hold neither texts nor keys.

use std::error::Error as _;

use async_openai::error::OpenAIError;
use reqwest::StatusCode;
use secrecy::{ExposeSecret as _, SecretString};

use super::send::NotAdmitted;
use super::wire;
use crate::models::ModelFailure;
use crate::secrets;

/// How much of a provider's own words is passed on, in characters.
const WORDS: usize = 200;

/// What a provider answered instead of what was asked for.
pub(super) fn answered(
    origin: &str,
    status: StatusCode,
    body: &[u8],
    key: &SecretString,
) -> ModelFailure {
    let code = status.as_u16();
    if status.is_redirection() {
        return ModelFailure::Refused(format!(
            "`{origin}` answered {code}: it sends elsewhere, which is not followed; set \
             `base_url` to the address that it means"
        ));
    }
    let words = words(body, key);
    let said = if words.is_empty() { String::new() } else { format!(": {words}") };
    let message = format!("`{origin}` answered {code}{said}");
    let is_passing = status.is_server_error()
        || status == StatusCode::TOO_MANY_REQUESTS
        || status == StatusCode::REQUEST_TIMEOUT;
    if is_passing { ModelFailure::Unavailable(message) } else { ModelFailure::Refused(message) }
}

/// A request that got no answer, or half of one.
pub(super) fn unanswered(origin: &str, error: &reqwest::Error) -> ModelFailure {
    let mut cause = error.source();
    while let Some(inner) = cause {
        if let Some(refused) = inner.downcast_ref::<NotAdmitted>() {
            return ModelFailure::Refused(format!("`{origin}` is not asked: {refused}"));
        }
        cause = inner.source();
    }
    let what = if error.is_connect() { "cannot be reached" } else { "broke off" };
    ModelFailure::Unavailable(format!("`{origin}` {what}: {}", root(error)))
}

/// What the client made of it. Its own words may hold the answer, which is left out.
pub(super) fn of_client(origin: &str, error: OpenAIError) -> ModelFailure {
    match error {
        OpenAIError::Boxed(inner) => match inner.downcast::<ModelFailure>() {
            Ok(failure) => *failure,
            Err(_) => ModelFailure::Unavailable(format!("`{origin}` could not be asked")),
        },
        OpenAIError::Reqwest(error) => unanswered(origin, &error),
        OpenAIError::JSONDeserialize(..) => ModelFailure::Refused(format!(
            "`{origin}` answered something else than a model does; is `base_url` right?"
        )),
        OpenAIError::ApiError(_)
        | OpenAIError::FileSaveError(_)
        | OpenAIError::FileReadError(_)
        | OpenAIError::StreamError(_)
        | OpenAIError::InvalidArgument(_) => {
            ModelFailure::Refused(format!("`{origin}` could not be asked as it is set"))
        }
    }
}

/// The innermost cause, which says what the system said. The outermost holds the whole address.
fn root(error: &reqwest::Error) -> String {
    let mut words = "no answer".to_owned();
    let mut cause = error.source();
    while let Some(inner) = cause {
        words = inner.to_string();
        cause = inner.source();
    }
    words.split(" (os error").next().unwrap_or(&words).to_lowercase()
}

/// The provider's words on one line, short, without secrets and without the key.
fn words(body: &[u8], key: &SecretString) -> String {
    let text = wire::message(body).unwrap_or_else(|| String::from_utf8_lossy(body).into_owned());
    let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let key = key.expose_secret();
    if !key.is_empty() {
        text = text.replace(key, "[redacted]");
    }
    let Ok(scrubbed) = secrets::scrub(&text) else { return String::new() };
    let plain = scrubbed.text.chars().filter(|c| !c.is_control());
    let short: String = plain.clone().take(WORDS).collect();
    if plain.count() > WORDS { format!("{short}…") } else { short }
}
