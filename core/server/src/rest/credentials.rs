//! Keys of models: names out, values in.

use axum::Json as Out;
use axum::extract::{FromRequestParts, Path, State};
use coffer_api::credentials::{CredentialIn, CredentialsOut};
use coffer_api::routes;
use coffer_core::credentials::Credentials;
use coffer_domain::credential::{self, CredentialRef};
use coffer_env::clock;
use http::StatusCode;
use http::request::Parts;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Reply;
use crate::app::App;
use crate::blocking::blocking;
use crate::error::Failure;
use crate::extract::{self, Json};
use crate::wire::credentials as wire;

/// The routes of this file.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(set, delete))
}

/// The `{ref}` of a credential's path.
struct InCredential(CredentialRef);

impl<S: Send + Sync> FromRequestParts<S> for InCredential {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let Path(name) = extract::path::<String, S>(parts, state).await?;
        let name = CredentialRef::parse(&name);
        name.map(Self).ok_or_else(|| Failure::field("ref", credential::FORM))
    }
}

/// All credentials, without their values.
#[utoipa::path(get, path = routes::CREDENTIALS, operation_id = "list_credentials",
    tag = "settings", responses((status = 200, body = CredentialsOut)))]
async fn list(State(credentials): State<Credentials>) -> Reply<CredentialsOut> {
    let found = blocking(move || credentials.list()).await?;
    Ok(Out(wire::credentials(found)))
}

/// Keep a value, in place of one that was there. It is given to nobody but the model's provider.
#[utoipa::path(put, path = routes::CREDENTIAL, operation_id = "set_credential",
    tag = "settings", params(("ref" = String, Path)), request_body = CredentialIn,
    responses((status = 204, description = "Kept")))]
async fn set(
    State(credentials): State<Credentials>,
    InCredential(name): InCredential,
    Json(body): Json<CredentialIn>,
) -> Result<StatusCode, Failure> {
    let value = body.value.into_inner().into();
    blocking(move || credentials.set(&name, value, clock::now())).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Delete a value.
#[utoipa::path(delete, path = routes::CREDENTIAL, operation_id = "delete_credential",
    tag = "settings", params(("ref" = String, Path)),
    responses((status = 204, description = "Deleted")))]
async fn delete(
    State(credentials): State<Credentials>,
    InCredential(name): InCredential,
) -> Result<StatusCode, Failure> {
    blocking(move || credentials.delete(&name, clock::now())).await?;
    Ok(StatusCode::NO_CONTENT)
}
