//! Background work: reindex, jobs, doctor.

use std::os::unix::fs::PermissionsExt;

use coffer_api::doctor::{CheckOut, CheckState, DoctorFixOut, DoctorOut};
use coffer_api::stores::ReindexOut;
use coffer_domain::id::Id;
use serde_json::json;

use super::{EMPTY, remember};
use crate::support::TestServer;

#[test]
fn a_reindex_waits_for_its_result() {
    let server = TestServer::start();
    remember(&server, "one");
    remember(&server, "two");
    for path in ["/api/v1/reindex", "/api/v1/memory_stores/global/reindex"] {
        let done: ReindexOut = server.trigger(path).read_as();
        assert_eq!((done.documents_scanned, done.documents_skipped), (2, 0), "{path}");
    }
    let empty: ReindexOut = server.trigger(&format!("{EMPTY}/reindex")).read_as();
    assert_eq!(empty.documents_scanned, 0);

    let jobs = server.get("/api/v1/jobs").json();
    let job = &jobs["jobs"][0];
    assert_eq!((&job["kind"], &job["state"]), (&json!("reindex"), &json!("done")));
    let path = format!("/api/v1/jobs/{}", job["id"].as_str().unwrap());
    assert_eq!(server.get(&path).json(), *job);
    assert_eq!(server.delete(&path).json()["state"], "done");

    let unknown = format!("/api/v1/jobs/{}", Id::of_project("/x"));
    assert_eq!(server.get(&unknown).refusal(), (404, "JOB_NOT_FOUND".to_owned()));
    assert_eq!(server.delete(&unknown).status, 404);
    assert_eq!(server.get("/api/v1/jobs/x").refusal(), (404, "JOB_NOT_FOUND".to_owned()));
    let refused = server.trigger("/api/v1/reindex?wait=601");
    assert_eq!((refused.status, refused.fields()), (422, vec!["wait".to_owned()]));
}

#[test]
fn who_does_not_wait_gets_the_job() {
    let server = TestServer::start();
    remember(&server, "one");
    let reply = server.trigger("/api/v1/reindex?wait=0");
    assert_eq!(reply.status, 202, "{}", reply.text());
    let id = reply.json()["job"]["id"].as_str().unwrap().to_owned();
    let mut job = json!(null);
    for _ in 0..400 {
        job = server.get(&format!("/api/v1/jobs/{id}")).json();
        if job["state"] == "done" {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(25));
    }
    assert_eq!(job["result"]["reindex"]["documents_scanned"], 1, "{job}");
}

#[test]
fn the_doctor_names_what_is_wrong() {
    let server = TestServer::start();
    remember(&server, "one");
    let well: DoctorOut = server.get("/api/v1/doctor").read_as();
    assert!(!well.rows.is_empty());
    assert!(well.rows.iter().all(|row| row.state != CheckState::Error), "{well:?}");
    let bad = server.home().memory().join("global/knowledge/broken.md");
    std::fs::write(&bad, "---\ntitle: [broken\n---\ntext\n").unwrap();
    let ill: DoctorOut = server.get("/api/v1/doctor").read_as();
    let names = |row: &CheckOut| row.path.as_deref() == bad.to_str() && row.state != CheckState::Ok;
    assert!(ill.rows.iter().any(names), "{ill:?}");
}

#[test]
fn the_doctor_mends_what_needs_no_judgment() {
    let server = TestServer::start();
    remember(&server, "one");
    let home = server.home();
    let folder = home.root();
    let mode = || folder.metadata().unwrap().permissions().mode() & 0o777;
    std::fs::set_permissions(folder, PermissionsExt::from_mode(0o755)).unwrap();
    let names = |row: &CheckOut| row.path.as_deref() == folder.to_str();
    let ill: DoctorOut = server.get("/api/v1/doctor").read_as();
    assert!(ill.rows.iter().any(|row| names(row) && row.state != CheckState::Ok), "{ill:?}");
    assert_eq!(mode(), 0o755, "looking changes nothing");
    let mended: DoctorFixOut = server.trigger("/api/v1/doctor/fix").read_as();
    assert_eq!((mode(), mended.fixed.len()), (0o700, 1), "{mended:?}");
    let well: DoctorOut = server.get("/api/v1/doctor").read_as();
    assert!(!well.rows.iter().any(|row| names(row) && row.state != CheckState::Ok), "{well:?}");
}
