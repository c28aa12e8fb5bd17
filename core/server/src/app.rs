//! What handlers may ask for: each takes only the parts that its signature names.

use std::sync::Arc;

use axum::extract::FromRef;

use crate::about::About;
use crate::auth::Auth;

/// The state of all routes.
#[derive(Clone, FromRef)]
pub(crate) struct App {
    /// The keys.
    pub(crate) auth: Arc<Auth>,
    /// What the server knows of itself.
    pub(crate) about: Arc<About>,
    /// Ends everything.
    pub(crate) stop: tokio_util::sync::CancellationToken,
}
