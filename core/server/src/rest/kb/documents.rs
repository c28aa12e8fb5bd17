//! Documents of a knowledge base: add, list, read, change, delete, and from their originals again.

use axum::Json as Out;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use coffer_api::jobs::WaitQuery;
use coffer_api::kb::{
    DocumentOut, DocumentPut, DocumentTextOut, DocumentsOut, DocumentsQuery, IngestIn, IngestOut,
};
use coffer_api::routes;
use coffer_core::Error;
use coffer_core::jobs::JobRequest;
use coffer_core::kb::{Added, AddedAs, FolderIngest, KnowledgeBases};
use coffer_domain::fact::Author;
use coffer_domain::kb::KbName;
use coffer_env::clock::{self, Stamp};
use http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::upload::{Place, Upload, UploadForm};
use crate::app::App;
use crate::blocking::blocking;
use crate::error::Failure;
use crate::extract::{InBase, InDocument, Json, Query, within};
use crate::rest::Reply;
use crate::rest::jobs::Work;
use crate::wire::kb as wire;

/// The routes of this file.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list, add))
        .routes(routes!(read, edit, delete))
        .routes(routes!(reconvert))
        .routes(routes!(update_source))
}

/// Documents, newest first.
#[utoipa::path(get, path = routes::DOCUMENTS, operation_id = "list_documents", tag = "documents",
    params(("name" = String, Path), DocumentsQuery),
    responses((status = 200, body = DocumentsOut)))]
async fn list(
    State(kb): State<KnowledgeBases>,
    InBase(name): InBase,
    Query(query): Query<DocumentsQuery>,
) -> Reply<DocumentsOut> {
    let DocumentsQuery { limit, offset, q } = query;
    let part = (within("limit", limit, 1..=200, 50)?, offset.unwrap_or(0));
    let found = blocking(move || kb.documents(&name, q.as_deref(), part)).await?;
    Ok(Out(wire::page(found)))
}

/// Take a file in: its bytes, or with the owner's key a file or folder of this machine.
#[utoipa::path(post, path = routes::DOCUMENTS, operation_id = "add_document", tag = "documents",
    params(("name" = String, Path), WaitQuery),
    request_body(content((IngestIn = "application/json"), (UploadForm = "multipart/form-data"))),
    responses((status = 201, body = DocumentOut), (status = 200, body = IngestOut)))]
async fn add(
    State(kb): State<KnowledgeBases>,
    State(work): State<Work>,
    InBase(name): InBase,
    Query(query): Query<WaitQuery>,
    upload: Upload,
) -> Result<Response, Failure> {
    match upload {
        Upload::File(incoming, replace) => {
            let add = move || kb.add(&name, incoming, replace, &Author::USER, &Stamp::new());
            Ok(added(blocking(add).await?))
        }
        Upload::Path(place) => match one_file(kb, name, place).await? {
            Ok(one) => Ok(added(one)),
            Err(folder) => work.run(JobRequest::IngestFolder(folder), query).await,
        },
    }
}

/// Takes a file of this machine in; gives a folder back.
async fn one_file(
    kb: KnowledgeBases,
    base: KbName,
    Place { path, replace }: Place,
) -> Result<Result<Added, FolderIngest>, Failure> {
    blocking(move || {
        if kb.is_folder(&base, &path)? {
            return Ok::<_, Error>(Err(FolderIngest { base, path, replace }));
        }
        kb.add_path(&base, &path, replace, &Author::USER, &Stamp::new()).map(Ok)
    })
    .await
}

fn added(added: Added) -> Response {
    let Added { document, outcome } = added;
    let status = match outcome {
        AddedAs::New => StatusCode::CREATED,
        AddedAs::Replacement | AddedAs::Nothing => StatusCode::OK,
    };
    (status, Out(wire::document(document))).into_response()
}

/// One document with its Markdown.
#[utoipa::path(get, path = routes::DOCUMENT, operation_id = "read_document", tag = "documents",
    params(("name" = String, Path), ("id" = String, Path)),
    responses((status = 200, body = DocumentTextOut)))]
async fn read(
    State(kb): State<KnowledgeBases>,
    InDocument(name, id): InDocument,
) -> Reply<DocumentTextOut> {
    let (document, markdown) = blocking(move || kb.document(&name, &id)).await?;
    Ok(Out(DocumentTextOut { document: wire::document(document), markdown }))
}

/// Put another text in the place of a document's.
#[utoipa::path(put, path = routes::DOCUMENT, operation_id = "edit_document", tag = "documents",
    params(("name" = String, Path), ("id" = String, Path)), request_body = DocumentPut,
    responses((status = 200, body = DocumentOut)))]
async fn edit(
    State(kb): State<KnowledgeBases>,
    InDocument(name, id): InDocument,
    Json(body): Json<DocumentPut>,
) -> Reply<DocumentOut> {
    let DocumentPut { markdown, if_sha256 } = body;
    let edited = blocking(move || {
        let text = (markdown.as_str(), if_sha256.as_deref());
        kb.edit(&name, &id, text, &Author::USER, clock::now())
    });
    Ok(Out(wire::document(edited.await?)))
}

/// Delete a document, its original and its retired versions, for good.
#[utoipa::path(delete, path = routes::DOCUMENT, operation_id = "delete_document", tag = "documents",
    params(("name" = String, Path), ("id" = String, Path)),
    responses((status = 204, description = "Deleted")))]
async fn delete(
    State(kb): State<KnowledgeBases>,
    InDocument(name, id): InDocument,
) -> Result<StatusCode, Failure> {
    blocking(move || kb.delete_document(&name, &id, &Author::USER, clock::now())).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Make a document's Markdown from its original again.
#[utoipa::path(post, path = routes::DOCUMENT_RECONVERT, operation_id = "reconvert_document",
    tag = "documents", params(("name" = String, Path), ("id" = String, Path)),
    responses((status = 200, body = DocumentOut)))]
async fn reconvert(
    State(kb): State<KnowledgeBases>,
    InDocument(name, id): InDocument,
) -> Reply<DocumentOut> {
    let done = blocking(move || kb.reconvert(&name, &id, &Author::USER, clock::now())).await?;
    Ok(Out(wire::document(done)))
}

/// Take in what stands at a document's source now.
#[utoipa::path(post, path = routes::DOCUMENT_UPDATE, operation_id = "update_document_source",
    tag = "documents", params(("name" = String, Path), ("id" = String, Path)),
    responses((status = 200, body = DocumentOut)))]
async fn update_source(
    State(kb): State<KnowledgeBases>,
    InDocument(name, id): InDocument,
) -> Reply<DocumentOut> {
    let done = blocking(move || kb.update_source(&name, &id, &Author::USER, &Stamp::new()));
    Ok(Out(wire::document(done.await?)))
}
