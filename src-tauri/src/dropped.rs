//! Files and folders that are dropped onto a knowledge base's page. A page learns no paths; the shell
//! does, and takes the files in as background work that the page shows.

use std::path::PathBuf;

use coffer_core::Coffer;
use coffer_core::jobs::JobRequest;
use coffer_core::kb::{FolderIngest, KbName};
use coffer_env::clock;
use tauri::async_runtime::{spawn, spawn_blocking};
use tauri::{AppHandle, Manager as _, Url};

use crate::message;
use crate::shell::Shell;

/// Takes in what was dropped while the window showed a page.
pub(crate) fn take_in(app: &AppHandle, page: &Url, paths: Vec<PathBuf>) {
    let Some(base) = base_of(page) else { return };
    let Some(shell) = app.try_state::<Shell>() else { return };
    let engine = shell.server.coffer();
    spawn(async move {
        let queued = spawn_blocking(move || queue(&engine, &base, paths)).await;
        if let Ok(Err(error)) = queued {
            message::trouble("These files cannot be added", &error.to_string(), None).await;
        }
    });
}

fn queue(
    engine: &Coffer,
    base: &KbName,
    paths: Vec<PathBuf>,
) -> Result<(), coffer_core::error::Error> {
    // What cannot be taken in at all is said at once, and holds up nothing else.
    let queued = paths.into_iter().map(|path| {
        engine.kb.is_folder(base, &path)?;
        let ingest = FolderIngest { base: base.clone(), path, replace: false };
        engine.jobs.start(JobRequest::IngestFolder(ingest), clock::now()).map(drop)
    });
    queued.fold(Ok(()), Result::and)
}

/// The knowledge base of the page at an address.
fn base_of(page: &Url) -> Option<KbName> {
    let mut parts = page.path_segments()?;
    let (Some("bases"), Some(name)) = (parts.next(), parts.next()) else { return None };
    KbName::parse(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_page_of_a_knowledge_base_takes_files() {
        let base = |page: &str| base_of(&Url::parse(page).unwrap()).map(|name| name.to_string());
        assert_eq!(base("http://127.0.0.1:1/bases/manuals?q=x#y").as_deref(), Some("manuals"));
        assert_eq!(
            base("http://127.0.0.1:1/bases/manuals/documents/01J").as_deref(),
            Some("manuals")
        );
        for other in ["/", "/bases", "/bases/", "/stores/global", "/bases/a%2Fb"] {
            assert_eq!(base(&format!("http://127.0.0.1:1{other}")), None, "{other}");
        }
    }
}
