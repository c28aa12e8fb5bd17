//! Taking requests apart, so that every refusal has the one envelope and names its field.

use std::path::PathBuf;

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use coffer_api::error::ErrorCode;
use coffer_domain::id::Id;
use coffer_domain::kb::KbName;
use coffer_domain::store::StoreName;
use http::header::CONTENT_TYPE;
use http::request::Parts;
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::error::Failure;
use crate::guard::{Asker, has_body};

/// A JSON body.
pub(crate) struct Json<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Json<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Self, Failure> {
        from_json(&bytes(request, state).await?).map(Self)
    }
}

/// A JSON body that may be `null`.
pub(crate) struct NullableJson<T>(pub(crate) Option<T>);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for NullableJson<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Self, Failure> {
        nullable(&bytes(request, state).await?).map(Self)
    }
}

/// A JSON body that may be `null` or missing.
pub(crate) struct MaybeJson<T>(pub(crate) Option<T>);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for MaybeJson<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Self, Failure> {
        if !has_body(request.headers()) {
            return Ok(Self(None));
        }
        nullable(&bytes(request, state).await?).map(Self)
    }
}

async fn bytes<S: Send + Sync>(request: Request, state: &S) -> Result<Bytes, Failure> {
    if !request.headers().contains_key(CONTENT_TYPE) {
        let message = "this route needs a body of `application/json`";
        return Err(Failure::new(ErrorCode::UnsupportedMediaType, message));
    }
    let bytes = Bytes::from_request(request, state).await;
    bytes.map_err(|_| Failure::new(ErrorCode::BadRequest, "the body broke off"))
}

fn nullable<T: DeserializeOwned>(bytes: &[u8]) -> Result<Option<T>, Failure> {
    if bytes.trim_ascii() == b"null" {
        return Ok(None);
    }
    from_json(bytes).map(Some)
}

/// Reads JSON; what is no JSON is a bad request, what is other JSON than wanted names the field.
pub(crate) fn from_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Failure> {
    // An array would be taken too, field by field in their order.
    if bytes.trim_ascii_start().first().is_some_and(|byte| *byte != b'{') {
        serde_json::from_slice::<IgnoredAny>(bytes).map_err(|error| of_json("", &error))?;
        return Err(Failure::field("body", "must be an object"));
    }
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let path = error.path().to_string();
        of_json(&path, error.inner())
    })?;
    json.end().map_err(|error| of_json("", &error))?;
    Ok(value)
}

fn of_json(path: &str, error: &serde_json::Error) -> Failure {
    if error.is_data() {
        return of_shape(path, &error.to_string());
    }
    let message = format!("the body is no JSON: {error}");
    Failure::new(ErrorCode::BadRequest, message)
}

/// A body of another shape; serde names unknown and missing fields in its words only.
pub(crate) fn of_shape(path: &str, said: &str) -> Failure {
    let reason = said.split(" at line ").next().unwrap_or(said);
    let quoted = || reason.split('`').nth(1).unwrap_or("body");
    let name = match reason {
        _ if reason.starts_with("unknown field") => quoted(),
        _ if reason.starts_with("missing field") || reason.starts_with("duplicate field") => {
            quoted()
        }
        _ if path.is_empty() || path == "." => "body",
        _ => path,
    };
    Failure::field(name, format!("is refused: {reason}"))
}

/// The values behind `?`.
pub(crate) struct Query<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        match axum::extract::Query::from_request_parts(parts, state).await {
            Ok(axum::extract::Query(value)) => Ok(Self(value)),
            Err(rejection) => {
                let message = format!("the query is refused: {}", rejection.body_text());
                Err(Failure::new(ErrorCode::BadRequest, message))
            }
        }
    }
}

/// The `{name}` of a store's path; a malformed one names no store.
pub(crate) struct InStore(pub(crate) StoreName);

impl<S: Send + Sync> FromRequestParts<S> for InStore {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let Path(name) = path::<String, S>(parts, state).await?;
        store(&name).map(Self)
    }
}

/// The `{name}` of an agent's path, and the `{id}` of one of its sessions.
pub(crate) struct InTranscript(pub(crate) String, pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for InTranscript {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let Path((name, id)) = path::<(String, String), S>(parts, state).await?;
        Ok(Self(name, id))
    }
}

/// Whoever the guard did not look at is nobody.
impl<S: Send + Sync> FromRequestParts<S> for Asker {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        Ok(parts.extensions.get().copied().unwrap_or(Self::Page))
    }
}

/// The `{name}` and `{id}` of a fact's path.
pub(crate) struct InFact(pub(crate) StoreName, pub(crate) Id);

impl<S: Send + Sync> FromRequestParts<S> for InFact {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let Path((name, id)) = path::<(String, String), S>(parts, state).await?;
        let store = store(&name)?;
        let fact = Id::parse(&id).ok_or_else(|| {
            Failure::new(ErrorCode::MemoryNotFound, format!("no fact `{id}` in store `{store}`"))
        })?;
        Ok(Self(store, fact))
    }
}

/// The `{name}` of a knowledge base's path; a malformed one names none.
pub(crate) struct InBase(pub(crate) KbName);

impl<S: Send + Sync> FromRequestParts<S> for InBase {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let Path(name) = path::<String, S>(parts, state).await?;
        base(&name).map(Self)
    }
}

/// The `{name}` and `{id}` of a document's path.
pub(crate) struct InDocument(pub(crate) KbName, pub(crate) Id);

impl<S: Send + Sync> FromRequestParts<S> for InDocument {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let Path((name, id)) = path::<(String, String), S>(parts, state).await?;
        let base = base(&name)?;
        let id = document(&base, &id)?;
        Ok(Self(base, id))
    }
}

/// The `{name}` of a store's path, and what follows it: a day or a branch.
pub(crate) struct InStorePart(pub(crate) StoreName, pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for InStorePart {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let Path((name, part)) = path::<(String, String), S>(parts, state).await?;
        Ok(Self(store(&name)?, part))
    }
}

/// The `{id}` of a job's path.
pub(crate) struct InJob(pub(crate) Id);

impl<S: Send + Sync> FromRequestParts<S> for InJob {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let Path(id) = path::<String, S>(parts, state).await?;
        let job = Id::parse(&id)
            .ok_or_else(|| Failure::new(ErrorCode::JobNotFound, format!("no job `{id}`")))?;
        Ok(Self(job))
    }
}

/// The `{name}` of a model's path.
pub(crate) struct InModel(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for InModel {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let Path(name) = path::<String, S>(parts, state).await?;
        Ok(Self(name))
    }
}

/// The `{name}` of an agent's path.
pub(crate) struct InAgent(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for InAgent {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let Path(name) = path::<String, S>(parts, state).await?;
        Ok(Self(name))
    }
}

/// The `{name}` and `{id}` of the path of an agent's session.
pub(crate) struct InSession(pub(crate) String, pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for InSession {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let Path((name, id)) = path::<(String, String), S>(parts, state).await?;
        Ok(Self(name, id))
    }
}

/// A store by the name that a caller gave.
pub(crate) fn store(name: &str) -> Result<StoreName, Failure> {
    StoreName::parse(name).ok_or_else(|| {
        Failure::new(ErrorCode::MemoryStoreNotFound, format!("no memory store `{name}`"))
    })
}

/// A knowledge base by the name that a caller gave.
pub(crate) fn base(name: &str) -> Result<KbName, Failure> {
    KbName::parse(name)
        .ok_or_else(|| Failure::new(ErrorCode::KbNotFound, format!("no knowledge base `{name}`")))
}

/// A document by the id that a caller gave.
pub(crate) fn document(base: &KbName, id: &str) -> Result<Id, Failure> {
    Id::parse(id).ok_or_else(|| {
        let message = format!("no document `{id}` in knowledge base `{base}`");
        Failure::new(ErrorCode::DocumentNotFound, message)
    })
}

/// A folder or file of this machine that a caller gave.
pub(crate) fn absolute(name: &str, given: &str) -> Result<PathBuf, Failure> {
    let path = PathBuf::from(given);
    if path.is_absolute() && !given.contains('\0') {
        return Ok(path);
    }
    Err(Failure::field(name, "must be an absolute path"))
}

/// A number within bounds, or the one that stands for an absent one.
pub(crate) fn within(
    name: &str,
    given: Option<u32>,
    bounds: std::ops::RangeInclusive<u32>,
    absent: u32,
) -> Result<u32, Failure> {
    let value = given.unwrap_or(absent);
    if bounds.contains(&value) {
        return Ok(value);
    }
    Err(Failure::field(name, format!("must be {} to {}", bounds.start(), bounds.end())))
}

/// What a path names; one that is not UTF-8 names nothing.
pub(crate) async fn path<T, S>(parts: &mut Parts, state: &S) -> Result<Path<T>, Failure>
where
    T: DeserializeOwned + Send,
    S: Send + Sync,
{
    Path::from_request_parts(parts, state)
        .await
        .map_err(|_| Failure::new(ErrorCode::RouteNotFound, "the path names nothing"))
}

#[cfg(test)]
mod tests {
    use coffer_api::facts::NewFactIn;
    use coffer_api::recall::RecallIn;
    use coffer_api::settings::SettingsPatch;

    use super::*;

    fn refusal<T: DeserializeOwned>(body: &[u8]) -> (ErrorCode, Vec<String>) {
        let Err(failure) = from_json::<T>(body) else { panic!("{body:?} was taken") };
        let wire = failure.into_wire();
        (wire.code, wire.details.fields.into_keys().collect())
    }

    #[test]
    fn what_is_no_json_is_a_bad_request() {
        let deep = "[".repeat(10_000);
        for body in [
            &b""[..],
            b"{",
            b"{\"text\":\"a\"} x",
            b"{\"text\":\"\\ud800\"}",
            b"{\"text\":\"\xff\"}",
            b"{\"text\":NaN}",
            deep.as_bytes(),
        ] {
            assert_eq!(refusal::<NewFactIn>(body), (ErrorCode::BadRequest, vec![]), "{body:?}");
        }
    }

    #[test]
    fn what_is_other_json_names_the_field() {
        let check = |body: &str, field: &str| {
            let (code, fields) = refusal::<NewFactIn>(body.as_bytes());
            assert_eq!(
                (code, fields),
                (ErrorCode::ConfigInvalid, vec![field.to_owned()]),
                "{body}"
            );
        };
        check("{}", "text");
        check(r#"["a"]"#, "body");
        check("1", "body");
        check(r#"{"text":1}"#, "text");
        check(r#"{"text":"a","extra":1}"#, "extra");
        check(r#"{"text":"a","text":"b"}"#, "text");
        let (_, fields) = refusal::<RecallIn>(br#"{"query":"x","top_k":-1}"#);
        assert_eq!(fields, ["top_k"]);
        let (_, fields) = refusal::<SettingsPatch>(br#"{"distill":{"sweep_enabled":3}}"#);
        assert_eq!(fields, ["distill.sweep_enabled"]);
    }

    #[test]
    fn null_is_nothing_and_an_empty_body_is_no_json() {
        assert_eq!(nullable::<SettingsPatch>(b" null\n").unwrap(), None);
        assert_eq!(nullable::<SettingsPatch>(b"{}").unwrap(), Some(SettingsPatch::default()));
        for body in [&b""[..], b"nul", b"null null"] {
            let refused = nullable::<SettingsPatch>(body).unwrap_err();
            assert_eq!(refused.code(), ErrorCode::BadRequest, "{body:?}");
        }
    }

    #[test]
    fn bounds_are_said() {
        assert_eq!(within("top_k", None, 1..=20, 5).unwrap(), 5);
        assert_eq!(within("top_k", Some(20), 1..=20, 5).unwrap(), 20);
        let wire = within("top_k", Some(21), 1..=20, 5).unwrap_err().into_wire();
        assert_eq!(wire.details.fields["top_k"], "must be 1 to 20");
    }
}
