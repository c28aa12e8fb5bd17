//! A file on its way in: its bytes in a form, or its path.

use std::path::PathBuf;

use axum::extract::multipart::Field;
use axum::extract::{FromRequest, Multipart, Request};
use coffer_api::error::ErrorCode;
use coffer_api::kb::IngestIn;
use coffer_core::kb::Incoming;

use crate::error::Failure;
use crate::extract::{Json, absolute};
use crate::guard::is_form;

/// What a request brings.
pub(super) enum Upload {
    /// A file's bytes, and whether it replaces another version.
    File(Incoming, bool),
    /// A file or folder of this machine.
    Path(Place),
}

/// A file or folder of this machine.
pub(super) struct Place {
    pub(super) path: PathBuf,
    /// Whether another version of what is there takes its place.
    pub(super) replace: bool,
}

/// A form with a file.
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "it describes the form")]
pub(super) struct UploadForm {
    /// The file; its name tells formats apart.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
    /// `true`: another version of what is there takes its place.
    replace: Option<bool>,
}

impl<S: Send + Sync> FromRequest<S> for Upload {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Self, Failure> {
        if is_form(request.headers()) {
            let form = Multipart::from_request(request, state).await;
            return of_form(form.map_err(|error| broken(&error.body_text()))?).await;
        }
        let Json(IngestIn { path, replace }) = Json::from_request(request, state).await?;
        let path = absolute("path", &path)?;
        Ok(Self::Path(Place { path, replace: replace.unwrap_or(false) }))
    }
}

async fn of_form(mut form: Multipart) -> Result<Upload, Failure> {
    let (mut file, mut replace) = (None, false);
    while let Some(field) = form.next_field().await.map_err(|error| broken(&error.body_text()))? {
        match field.name() {
            Some("file") => {
                let filename = field.file_name().unwrap_or_default().to_owned();
                file = Some(Incoming { filename, bytes: whole(field).await?, source_path: None });
            }
            Some("replace") => {
                let text = field.text().await.map_err(|error| broken(&error.body_text()))?;
                let wrong = || Failure::field("replace", "must be `true` or `false`");
                replace = text.trim().parse().map_err(|_| wrong())?;
            }
            other => {
                let name = other.unwrap_or("body").to_owned();
                return Err(Failure::field(&name, "is no field of this form"));
            }
        }
    }
    let missing = || Failure::field("file", "is missing");
    file.map(|file| Upload::File(file, replace)).ok_or_else(missing)
}

/// The bytes of a field, held once: the field's own way to gather them ends in another copy.
async fn whole(mut field: Field<'_>) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    while let Some(part) = field.chunk().await.map_err(|error| broken(&error.body_text()))? {
        bytes.extend_from_slice(&part);
    }
    Ok(bytes)
}

fn broken(said: &str) -> Failure {
    Failure::new(ErrorCode::BadRequest, format!("the form cannot be read: {said}"))
}
