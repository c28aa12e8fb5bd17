//! Files and folders that are dropped onto the window.

use serde_json::{Value, json};

use crate::support::desktop::{App, Desktop, PATIENCE, Page, eventually};

/// Goes to a page by its address, as a link does.
fn go(page: &Page, path: &str) {
    let home = page.address();
    let origin: String = home.splitn(4, '/').take(3).collect::<Vec<_>>().join("/");
    page.done("POST", "/url", &json!({"url": format!("{origin}{path}")})).expect("it is there");
}

fn sources(app: &App<'_>) -> Vec<String> {
    let listed = app.get("/api/v1/knowledge_bases/guide/documents").json();
    let documents = listed["documents"].as_array().unwrap();
    let source =
        |document: &Value| document["metadata"]["source_path"].as_str().unwrap().to_owned();
    let mut sources: Vec<String> = documents.iter().map(source).collect();
    sources.sort();
    sources
}

#[test]
fn files_and_folders_are_taken_into_the_knowledge_base_that_is_shown() {
    let desktop = Desktop::start();
    let (app, page) = App::start_with_page(&desktop, &[]);
    assert_eq!(app.post("/api/v1/knowledge_bases", &json!({"name": "guide"})).status, 201);
    let write = |path: &str, text: &str| {
        let file = desktop.person().join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, text).unwrap();
        file
    };
    let one = write("Übersicht & co 100%.md", "# One");
    let (two, three) =
        (write("handbook/two.md", "# Two"), write("handbook/deep/three.txt", "Three."));

    // Another page takes nothing in.
    desktop.drop_onto("Coffer", &[&one]);
    go(&page, "/bases/guide");
    desktop.drop_onto("Coffer", &[&one, two.parent().unwrap()]);
    let mut wanted = [&one, &two, &three].map(|path| path.to_str().unwrap().to_owned()).to_vec();
    wanted.sort();
    eventually("all of it is taken in", PATIENCE, || (sources(&app) == wanted).then_some(()));
    let jobs = app.get("/api/v1/jobs").json();
    assert_eq!(jobs["jobs"].as_array().unwrap().len(), 2, "{jobs}");
}
