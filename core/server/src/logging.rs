//! Where the log goes: `logs/`, one file a day, and warnings to stderr. The same for every program
//! that runs the server, since only one of them does at a time.

mod daily;

use std::io;
use std::sync::Mutex;

use coffer_env::{Home, vars};
use tracing_subscriber::filter::{EnvFilter, LevelFilter};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Layer as _, Registry, fmt};

use crate::start::StartError;
use daily::Daily;

/// What is logged unless somebody says otherwise.
const USUAL: &str = "info,rmcp=warn";

/// Starts logging; `COFFER_LOG` says what is logged.
///
/// # Errors
///
/// When `COFFER_LOG` is no filter, or no file can be had. What can be logged is logged all the
/// same, so that a program which cannot ask anybody may go on.
pub fn start(home: &Home) -> Result<(), StartError> {
    let (filter, wrong) = filter(vars::get(vars::LOG));
    let files = Daily::open(home.logs());
    let (files, failed) = match files {
        Ok(files) => (Some(files), None),
        Err(source) => (None, Some(StartError::Folder { path: home.logs(), source })),
    };
    let to_files = files.map(|files| {
        fmt::layer().with_writer(Mutex::new(files)).with_ansi(false).with_filter(filter)
    });
    let to_stderr = fmt::layer()
        .with_writer(io::stderr)
        .with_ansi(false)
        .without_time()
        .with_target(false)
        .with_filter(LevelFilter::WARN);
    // Somebody else's logging stays, as in a test that starts two servers.
    let _ = Registry::default().with(to_files).with(to_stderr).try_init();
    wrong.or(failed).map_or(Ok(()), Err)
}

/// The filter that is wanted, else the usual one, and what is wrong with the one wanted.
fn filter(wanted: Option<String>) -> (EnvFilter, Option<StartError>) {
    let Some(wanted) = wanted else { return (EnvFilter::new(USUAL), None) };
    match EnvFilter::try_new(&wanted) {
        Ok(filter) => (filter, None),
        Err(error) => {
            let wrong = StartError::BadLog { wanted, reason: error.to_string() };
            (EnvFilter::new(USUAL), Some(wrong))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_filter_is_told_and_the_usual_one_counts() {
        for (wanted, is_fine, counts) in [
            (None, true, USUAL),
            (Some("coffer_core=debug"), true, "coffer_core=debug"),
            (Some("a=b=c"), false, USUAL),
        ] {
            let (filter, wrong) = filter(wanted.map(str::to_owned));
            assert_eq!(wrong.is_none(), is_fine, "{wanted:?}");
            // Directives are kept in an order of their own.
            let sorted = |text: &str| {
                let mut directives: Vec<_> = text.split(',').map(str::to_owned).collect();
                directives.sort();
                directives
            };
            assert_eq!(sorted(&filter.to_string()), sorted(counts), "{wanted:?}");
        }
    }
}
