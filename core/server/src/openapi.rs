//! The description of the API: what the routes say of themselves, and what holds for all of them.

use coffer_api::error::ErrorBody;
use utoipa::openapi::path::Operation;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{
    ContentBuilder, InfoBuilder, OpenApi, PathItem, Ref, RefOr, ResponseBuilder,
    SecurityRequirement,
};
use utoipa::{PartialSchema as _, ToSchema as _};

use crate::about::VERSION;

/// Adds to the collected routes: title, the token, and the one shape of errors.
pub(crate) fn finished(mut described: OpenApi) -> OpenApi {
    described.info = InfoBuilder::new().title("Coffer").version(VERSION).build();
    let token = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
    let mut schemas = Vec::new();
    ErrorBody::schemas(&mut schemas);
    schemas.push((ErrorBody::name().into_owned(), ErrorBody::schema()));
    let components = described.components.get_or_insert_default();
    components.schemas.extend(schemas);
    components.security_schemes.insert("token".to_owned(), RefOr::T(token));
    described.security = Some(vec![SecurityRequirement::new("token", [""; 0])]);
    for operation in described.paths.paths.values_mut().flat_map(operations) {
        operation.responses.responses.insert("default".to_owned(), refusal());
    }
    described
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut item.get, &mut item.put, &mut item.post, &mut item.delete, &mut item.patch]
        .into_iter()
        .flatten()
}

fn refusal() -> RefOr<utoipa::openapi::Response> {
    let body = Ref::from_schema_name(ErrorBody::name());
    let content = ContentBuilder::new().schema(Some(body)).build();
    let response = ResponseBuilder::new()
        .description("Refused or failed; `error.code` says how")
        .content("application/json", content);
    RefOr::T(response.build())
}
