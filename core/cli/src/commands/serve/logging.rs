//! Where the server's log goes: `logs/`, one file a day, seven kept, and warnings to stderr.

use std::io;

use coffer_env::{Home, vars};
use coffer_server::StartError;
use tracing_appender::rolling::{RollingFileAppender, Rotation};
use tracing_subscriber::filter::{EnvFilter, LevelFilter};
use tracing_subscriber::fmt;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Layer as _, Registry};

use crate::failure::Failure;

/// Starts logging. `COFFER_LOG` says what is logged.
pub(super) fn start(home: &Home) -> Result<(), Failure> {
    super::detach::make_folder(&home.logs())?;
    let files = RollingFileAppender::builder()
        .rotation(Rotation::DAILY)
        .filename_prefix("coffer")
        .filename_suffix("log")
        .max_log_files(7)
        .build(home.logs())
        .map_err(|error| StartError::Folder {
            path: home.logs(),
            source: io::Error::other(error),
        })?;
    let wanted = vars::get(vars::LOG).unwrap_or_else(|| "info,rmcp=warn".to_owned());
    let filter = EnvFilter::try_new(&wanted).map_err(|error| {
        Failure::usage(format!("`{}` is `{wanted}`, which is no filter: {error}", vars::LOG))
    })?;
    let to_files = fmt::layer().with_writer(files).with_ansi(false).with_filter(filter);
    let to_stderr = fmt::layer()
        .with_writer(io::stderr)
        .with_ansi(false)
        .without_time()
        .with_target(false)
        .with_filter(LevelFilter::WARN);
    // Somebody else's logging stays, as in a test that starts two servers.
    let _ = Registry::default().with(to_files).with(to_stderr).try_init();
    Ok(())
}
