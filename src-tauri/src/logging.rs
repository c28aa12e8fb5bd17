//! Where the log goes: `logs/`, one file a day, seven kept, and warnings to stderr. The same files
//! as those of `coffer serve`, since only one of the two runs at a time.

#![expect(clippy::disallowed_methods, reason = "makes the log's folder, for its owner only")]

use std::fs::DirBuilder;
use std::io;

use coffer_env::{Home, vars};
use tracing_appender::rolling::{RollingFileAppender, Rotation};
use tracing_subscriber::filter::{EnvFilter, LevelFilter};
use tracing_subscriber::fmt;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Layer as _, Registry};

/// Starts logging. `COFFER_LOG` says what is logged; what is no filter counts as `info`, because
/// who clicks an icon cannot be asked to type better. Where no file can be had the server will say
/// why in a better place.
pub(crate) fn start(home: &Home) {
    let wanted = vars::get(vars::LOG).and_then(|wanted| EnvFilter::try_new(wanted).ok());
    let filter = wanted.unwrap_or_else(|| EnvFilter::new("info"));
    let to_files = open(home)
        .ok()
        .map(|files| fmt::layer().with_writer(files).with_ansi(false).with_filter(filter));
    let to_stderr = fmt::layer()
        .with_writer(io::stderr)
        .with_ansi(false)
        .without_time()
        .with_target(false)
        .with_filter(LevelFilter::WARN);
    Registry::default().with(to_files).with(to_stderr).init();
}

fn open(home: &Home) -> io::Result<RollingFileAppender> {
    let mut folder = DirBuilder::new();
    folder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
    folder.create(home.logs())?;
    RollingFileAppender::builder()
        .rotation(Rotation::DAILY)
        .filename_prefix("coffer")
        .filename_suffix("log")
        .max_log_files(7)
        .build(home.logs())
        .map_err(io::Error::other)
}
