//! Knowledge bases on the page: made, filled by dropping and choosing files, read.

use serde_json::json;

use super::signed_in;
use crate::support::TestServer;
use crate::support::browser::Browser;
use crate::support::process::PATIENCE;

const BASES: &str = "/api/v1/knowledge_bases";

/// Drops a file as a file manager would.
fn drop_file(browser: &Browser, name: &str, text: &str) {
    let (name, text) = (json!(name), json!(text));
    browser.value(&format!(
        "(() => {{
            const data = new DataTransfer();
            data.items.add(new File([{text}], {name}));
            const zone = document.querySelector('[data-testid=drop-zone]');
            for (const type of ['dragenter', 'dragover', 'drop'])
                zone.dispatchEvent(new DragEvent(type, {{dataTransfer: data, bubbles: true, cancelable: true}}));
        }})()"
    ));
}

#[test]
fn a_knowledge_base_is_made_filled_and_read_on_the_page() {
    let server = TestServer::start();
    let browser = signed_in(&server, "/bases");
    browser.see("[data-testid=empty]");
    browser.type_into("#base-name", "manuals");
    browser.type_into("#base-description", "How the bridge works");
    browser.click("[data-testid=create-base] button");
    browser.reads("[data-testid=base-header] h1", "manuals", PATIENCE);
    browser.reads("[data-testid=bases]", "manuals", PATIENCE);
    browser.reads("[data-testid=base-header]", "How the bridge works", PATIENCE);

    drop_file(&browser, "bridge.md", "# The bridge\n\nIt opens at nine.\n");
    browser.reads("[data-testid=outcome]", "Added", PATIENCE);
    browser.reads("[data-testid=base-document]", "The bridge", PATIENCE);
    browser.reads("[data-testid=base-header]", "1 document", PATIENCE);
    drop_file(&browser, "bridge.md", "# The bridge\n\nIt opens at nine.\n");
    browser.reads("[data-testid=outcome]:last-child", "There already", PATIENCE);
    drop_file(&browser, "bridge.md", "# The bridge\n\nIt opens at eleven.\n");
    browser.reads("[data-testid=outcome]:last-child", "Another version is there", PATIENCE);
    browser.click("[data-testid=outcome]:last-child button");
    browser.reads("[data-testid=outcome]:last-child", "Added", PATIENCE);
    drop_file(&browser, "nothing.md", "  \n");
    browser.see("[data-testid=outcome].error");

    browser.click("[data-testid=base-document] a");
    browser.reads("[data-testid=document-page] .prose", "It opens at eleven", PATIENCE);
    browser.reads("[data-testid=origin]", "bridge.md", PATIENCE);
    let documents = server.get(&format!("{BASES}/manuals/documents")).json();
    assert_eq!(documents["total"], 1, "{documents}");
    let complaints = browser.complaints();
    let others = complaints.iter().filter(|said| !said.contains("status of 4"));
    assert_eq!(others.count(), 0, "{complaints:?}");
}

#[test]
fn a_folder_that_is_taken_in_shows_on_the_page_as_it_goes() {
    let server = TestServer::start();
    let made = server.post(BASES, &json!({"name": "manuals"}));
    assert_eq!(made.status, 201, "{}", made.text());
    let folder = server.folder().join("papers");
    std::fs::create_dir_all(&folder).unwrap();
    for at in 0..20 {
        std::fs::write(folder.join(format!("{at}.md")), format!("# Paper {at}\n\nText.\n"))
            .unwrap();
    }
    std::fs::write(folder.join("blank.md"), "\n").unwrap();
    let browser = signed_in(&server, "/bases/manuals");
    browser.see("[data-testid=empty]");
    let started =
        server.post(&format!("{BASES}/manuals/documents"), &json!({"path": folder.to_str()}));
    assert!(started.status < 300, "{}", started.text());
    browser.reads("[data-testid=folder-work]", "20 added · 1 left out", PATIENCE);
    browser.reads("[data-testid=folder-work] [data-testid=outcome]", "blank.md", PATIENCE);
    browser.reads("[data-testid=base-header]", "20 documents", PATIENCE);
    browser.click("[data-testid=check-sources]");
    browser.reads("[data-testid=notices]", "20 sources checked: 20 unchanged", PATIENCE);
    browser.type_into("[data-testid=filter]", "paper 7");
    browser.wait("the list is filtered", PATIENCE, || {
        (browser.value("document.querySelectorAll('[data-testid=base-document]').length") == 1)
            .then_some(())
    });
    assert_eq!(browser.complaints(), [""; 0]);
}
