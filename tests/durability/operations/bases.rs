//! What is done to knowledge bases and their documents.

use serde_json::json;

use super::{Files, NEW, Operation, Reply, Way, replaced, with_new_body};

const DOCUMENTS: &str = "/api/v1/knowledge_bases/guide/documents";
/// The documents, and their originals.
const DOCS: &str = "kb/guide/docs/";
const RAW: &str = "kb/guide/raw/";

/// The original of a document.
fn original(document: &str) -> String {
    document.replace(DOCS, RAW)
}

/// A document with the new text, and its original beside it.
fn with_original(now: &Files, found: Vec<String>) -> Vec<String> {
    let raw = original(&found[0]);
    assert_eq!(now.get(&raw).map(Vec::as_slice), Some(NEW.as_bytes()), "an original is lost");
    [found, vec![raw]].concat()
}

pub const ADD_DOCUMENT: Operation = Operation {
    name: "add a document",
    act: |ground, way| {
        let body = json!({"path": ground.source("new.md")});
        way.rest("POST", DOCUMENTS, Some(&body))
    },
    done: |_, now| with_new_body(now, DOCS).map(|found| with_original(now, found)),
};

pub const REPLACE_DOCUMENT: Operation = Operation {
    name: "replace a document",
    act: |ground, way| {
        let body = json!({"path": ground.source("a.md"), "replace": true});
        way.rest("POST", DOCUMENTS, Some(&body))
    },
    done: |ground, now| {
        replaced(ground, now, &ground.document).map(|found| with_original(now, found))
    },
};

pub const EDIT_DOCUMENT: Operation = Operation {
    name: "edit a document",
    act: |ground, way| {
        way.rest("PUT", &document(&ground.document), Some(&json!({"markdown": NEW})))
    },
    done: |ground, now| replaced(ground, now, &ground.document),
};

pub const DELETE_DOCUMENT: Operation = Operation {
    name: "delete a document",
    act: |ground, way| way.rest("DELETE", &document(&ground.document), None),
    done: |ground, now| {
        let files = vec![ground.document.clone(), original(&ground.document)];
        gone(now, files)
    },
};

pub const DELETE_BASE: Operation = Operation {
    name: "delete a knowledge base",
    act: |_, way: &Way| -> Option<Reply> {
        way.rest("DELETE", "/api/v1/knowledge_bases/guide", None)
    },
    done: |ground, now| {
        let files = ground.before.keys().filter(|path| path.starts_with("kb/guide/"));
        gone(now, files.cloned().collect())
    },
};

fn document(path: &str) -> String {
    let id = path.strip_prefix(DOCS).unwrap().strip_suffix(".md").unwrap();
    format!("{DOCUMENTS}/{id}")
}

/// Files that are gone, all or none.
fn gone(now: &Files, files: Vec<String>) -> Option<Vec<String>> {
    let there: Vec<&String> = files.iter().filter(|path| now.contains_key(*path)).collect();
    assert!(there.is_empty() || there.len() == files.len(), "done by half: {there:?}");
    there.is_empty().then_some(files)
}
