//! The one door from the asynchronous server to the synchronous engine.

use crate::error::Failure;

/// Runs an engine call on a thread that may block. A panic in it ends this call only.
pub(crate) async fn blocking<T, E>(
    call: impl FnOnce() -> Result<T, E> + Send + 'static,
) -> Result<T, Failure>
where
    T: Send + 'static,
    E: Into<Failure> + Send + 'static,
{
    match tokio::task::spawn_blocking(call).await {
        Ok(result) => result.map_err(Into::into),
        Err(stopped) => Err(Failure::internal(&stopped)),
    }
}

/// Runs asynchronous work to its end, whatever becomes of whoever asked for it. A panic in it ends
/// this work only.
pub(crate) async fn detached<T: Send + 'static>(
    work: impl Future<Output = Result<T, Failure>> + Send + 'static,
) -> Result<T, Failure> {
    tokio::spawn(work).await.unwrap_or_else(|stopped| Err(Failure::internal(&stopped)))
}

#[cfg(test)]
mod tests {
    use coffer_api::error::ErrorCode;
    use coffer_core::Error;

    use super::*;

    #[tokio::test]
    async fn a_panic_becomes_an_internal_failure() {
        let failure = blocking::<(), Error>(|| panic!("secret")).await.unwrap_err();
        assert_eq!(failure.code(), ErrorCode::Internal);
        assert!(!failure.into_wire().message.contains("secret"));
    }

    #[tokio::test]
    async fn a_panic_in_detached_work_ends_it_only() {
        let failure = detached::<()>(async { panic!("secret") }).await.unwrap_err();
        assert_eq!(failure.code(), ErrorCode::Internal);
        assert_eq!(detached(async { Ok(7) }).await.unwrap(), 7);
    }

    #[tokio::test]
    async fn a_refusal_keeps_its_code() {
        let failure = blocking::<(), _>(|| Err(Error::JobNotFound("x".into()))).await.unwrap_err();
        assert_eq!(failure.code(), ErrorCode::JobNotFound);
    }
}
