//! Embedding models over REST: installing, listing, removing, and what is refused.

use coffer_api::jobs::JobKind;
use coffer_api::models::{ModelChecksum, ModelKind, ModelOut, ModelsOut};
use coffer_corpus::models::{BERT_WIDTH, write_bert};
use serde_json::{Value, json};

use crate::support::TestServer;

const MODELS: &str = "/api/v1/models";
const PULL: &str = "/api/v1/models/pull";

#[test]
fn a_model_is_added_listed_and_removed() {
    let server = TestServer::start();
    let none: ModelsOut = server.get(MODELS).read_as();
    assert_eq!(none.models, []);
    let folder = server.folder().join("tiny");
    std::fs::create_dir(&folder).unwrap();
    write_bert(&folder).unwrap();
    let added: ModelOut = server.post(MODELS, &json!({"path": folder})).read_as();
    assert_eq!((added.name.as_str(), added.kind), ("tiny", Some(ModelKind::Bert)), "{added:?}");
    let width = u64::try_from(BERT_WIDTH).unwrap();
    assert_eq!((added.dimensions, added.checksum), (Some(width), ModelChecksum::Recorded));
    let again = server.post(MODELS, &json!({"path": folder}));
    assert_eq!(again.refusal(), (409, "ALREADY_EXISTS".to_owned()), "{}", again.text());
    let other: ModelOut = server.post(MODELS, &json!({"path": folder, "name": "b"})).read_as();
    let listed: ModelsOut = server.get(MODELS).read_as();
    assert_eq!(listed.models, [other, added]);
    let jobs = server.get("/api/v1/jobs").json();
    assert_eq!(jobs["jobs"][0]["kind"], json!(JobKind::InstallModel), "{jobs}");
    assert_eq!(jobs["jobs"][0]["result"]["install_model"]["name"], "b", "{jobs}");

    assert_eq!(server.delete("/api/v1/models/b").status, 204);
    let gone = server.delete("/api/v1/models/b");
    assert_eq!(gone.refusal(), (404, "RESOURCE_NOT_FOUND".to_owned()), "{}", gone.text());
    let outside = server.delete("/api/v1/models/..%2Frun");
    assert_eq!(outside.refusal().0, 404, "{}", outside.text());
    assert!(server.home().run().exists());
}

#[test]
fn what_cannot_be_installed_is_refused_by_field_and_reason() {
    let server = TestServer::start();
    let empty = server.folder().join("empty");
    std::fs::create_dir(&empty).unwrap();
    let refused = |path: &str, body: Value, said: &str| {
        let reply = server.post(path, &body);
        assert_eq!(reply.refusal(), (422, "CONFIG_INVALID".to_owned()), "{body}: {}", reply.text());
        assert!(reply.text().contains(said), "{body}: {} lacks {said}", reply.text());
    };
    refused(MODELS, json!({"path": empty}), "`config.json` is missing");
    refused(MODELS, json!({"path": server.folder().join("none")}), "`config.json` is missing");
    refused(MODELS, json!({"path": "relative"}), "absolute");
    refused(MODELS, json!({"path": "/"}), "`name`");
    refused(MODELS, json!({"path": empty, "name": "../x"}), "`name`");
    refused(PULL, json!({"name": "a.part", "from": "https://example.org"}), "`name`");
    refused(PULL, json!({"name": "a", "from": "http://example.org"}), "`https://`");
    refused(PULL, json!({"name": "a", "from": "file:///etc"}), "`from`");
    refused(PULL, json!({"name": "a"}), "from");
    let nobody = server.post(PULL, &json!({"name": "a", "from": "http://127.0.0.1:1"}));
    assert_eq!(nobody.refusal(), (503, "STORE_UNAVAILABLE".to_owned()), "{}", nobody.text());
    assert!(nobody.text().contains("http://127.0.0.1:1/coffer-model.json"), "{}", nobody.text());
    let listed: ModelsOut = server.get(MODELS).read_as();
    assert_eq!(listed.models, []);
}
