//! The window: a view of the server's own page, and of nothing else.
//!
//! It is made when it is first opened, so that a start in the tray runs no web engine. The page
//! gets its token in the address's fragment, which no server sees and the page takes out at once.

use std::sync::atomic::{AtomicBool, Ordering};

use coffer_api::routes;
use tauri::webview::{NewWindowResponse, PageLoadEvent, PageLoadPayload};
use tauri::{
    AppHandle, DragDropEvent, Manager as _, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder,
    Window, WindowEvent,
};

use crate::dropped;
use crate::message;
use crate::shell::Shell;

/// The only window.
const LABEL: &str = "main";
const SIZE: (f64, f64) = (1120.0, 760.0);
const LEAST: (f64, f64) = (560.0, 400.0);

/// Shows the window as it was left.
pub(crate) fn open(app: &AppHandle) {
    show(app, None);
}

/// Shows the window at a store's page.
pub(crate) fn open_store(app: &AppHandle, name: &str) {
    let mut path = "/stores/".to_owned();
    routes::encode(name, &mut path);
    show(app, Some(path));
}

/// Hides the window, if there is one.
pub(crate) fn hide(app: &AppHandle) {
    if let Some(window) = app.get_webview_window(LABEL) {
        _ = window.hide();
    }
}

/// Closing the window keeps it, hidden, where there is an icon that brings it back; what is dropped onto
/// it goes to the page's knowledge base.
pub(crate) fn on_event(window: &Window, event: &WindowEvent) {
    match event {
        WindowEvent::CloseRequested { api, .. }
            if window.try_state::<Shell>().is_some_and(|shell| shell.stays_in_tray()) =>
        {
            api.prevent_close();
            _ = window.hide();
        }
        WindowEvent::DragDrop(DragDropEvent::Drop { paths, .. }) => {
            let shown = window.get_webview_window(LABEL).and_then(|shown| shown.url().ok());
            if let Some(page) = shown {
                dropped::take_in(window.app_handle(), &page, paths.clone());
            }
        }
        _ => {}
    }
}

/// On the main thread, so that two wishes at once make one window.
fn show(app: &AppHandle, path: Option<String>) {
    let shown = app.clone();
    _ = app.run_on_main_thread(move || {
        if let Err(error) = present(&shown, path.as_deref()) {
            tracing::error!(%error, "the window could not be shown");
            tauri::async_runtime::spawn(async move {
                message::trouble("The window cannot be shown", &error.to_string(), None).await;
            });
        }
    });
}

fn present(app: &AppHandle, path: Option<&str>) -> tauri::Result<()> {
    // A wish that comes before the server is up is fulfilled by the start itself.
    let Some(shell) = app.try_state::<Shell>() else { return Ok(()) };
    match (app.get_webview_window(LABEL), path) {
        (None, path) => return make(app, shell.session.page(path.unwrap_or("/"))),
        (Some(window), Some(path)) => window.navigate(shell.session.page(path))?,
        (Some(window), None) if shell.session.is_over() => sign_in(&window, &window.url()?)?,
        (Some(_), None) => {}
    }
    raise(app)
}

fn raise(app: &AppHandle) -> tauri::Result<()> {
    let Some(window) = app.get_webview_window(LABEL) else { return Ok(()) };
    window.unminimize()?;
    window.show()?;
    window.set_focus()
}

fn make(app: &AppHandle, page: Url) -> tauri::Result<()> {
    let own = page.origin();
    let brought_token = AtomicBool::new(false);
    WebviewWindowBuilder::new(app, LABEL, WebviewUrl::External(page))
        .title("Coffer")
        .inner_size(SIZE.0, SIZE.1)
        .min_inner_size(LEAST.0, LEAST.1)
        .center()
        .devtools(false)
        .on_navigation(move |url| url.origin() == own)
        .on_new_window(|_, _| NewWindowResponse::Deny)
        .on_download(|_, _| false)
        .on_page_load(move |window, page| sign_in_again(&window, &page, &brought_token))
        .build()?;
    Ok(())
}

/// A page that was reloaded has lost its token, and gets it again.
fn sign_in_again(window: &WebviewWindow, page: &PageLoadPayload<'_>, brought_token: &AtomicBool) {
    let is_known = match page.event() {
        PageLoadEvent::Started => {
            let brings = page.url().fragment().is_some_and(|all| all.starts_with("token="));
            brought_token.store(brings, Ordering::Relaxed);
            return;
        }
        PageLoadEvent::Finished => brought_token.load(Ordering::Relaxed),
    };
    if !is_known && let Err(error) = sign_in(window, page.url()) {
        tracing::warn!(%error, "a reloaded page could not be signed in");
    }
}

/// Another fragment does not load a page anew: the page notices the change.
fn sign_in(window: &WebviewWindow, at: &Url) -> tauri::Result<()> {
    window.navigate(window.state::<Shell>().session.sign(at.clone()))
}
