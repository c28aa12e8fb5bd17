//! `coffer settings embedding`, `coffer settings engine`, `coffer credentials`.

use coffer_corpus::provider::{Answer, Provider};

use super::run::{Person, Ran};

const VALUE: &str = "sk-piped-in-and-never-shown";

fn set(person: &Person, name: &str) -> Ran {
    person.run_in(person.folder(), &["credentials", "set", name], &format!("{VALUE}\n"))
}

#[test]
fn credentials_are_set_from_stdin_listed_and_deleted() {
    let person = Person::new();
    assert_eq!(person.run(&["credentials", "list"]).fine(), "No credentials.\n");
    assert_eq!(set(&person, "openai").fine(), "Credential openai is set.\n");
    let listed = person.run(&["credentials", "list"]).fine();
    assert_eq!(listed, "REF     PLACE\nopenai  file\n");
    let json = person.run(&["credentials", "list", "--json"]).json();
    assert_eq!(json["credentials"][0]["ref"], "openai");
    assert!(set(&person, "Bad").failed(2).contains("small letters"));
    let empty = person.run_in(person.folder(), &["credentials", "set", "x"], "\n").failed(2);
    assert!(empty.contains("`value`"), "{empty}");
    person.run(&["credentials", "delete", "openai"]).fine();
    assert!(person.run(&["credentials", "delete", "openai"]).failed(4).contains("openai"));
}

#[test]
fn models_are_set_shown_tried_and_cleared() {
    let person = Person::new();
    let provider = Provider::start(|_, _| {
        Answer::json(200, r#"{"data": [{"index": 0, "embedding": [3, 4]}], "choices": [{}]}"#)
    });
    assert_eq!(person.run(&["settings", "embedding"]).fine(), "No model is set.\n");
    assert_eq!(person.run(&["settings", "engine", "show", "--json"]).fine(), "null\n");
    person.run(&["settings", "embedding", "test"]).failed(3);
    set(&person, "key").fine();
    let url = provider.url();
    for what in ["embedding", "engine"] {
        let source = ["--provider", "openai", "--model", "m", "--base-url", &url];
        let words = [&["settings", what, "set"][..], &source, &["--credential", "key"]].concat();
        let shown = person.run(&words).fine();
        assert!(shown.contains("provider    openai\nmodel       m\n"), "{shown}");
        let tried = person.run(&["settings", what, "test"]).fine();
        assert!(tried.starts_with("ok: `m` answers"), "{tried}");
        assert_eq!(person.run(&["settings", what, "--json"]).json()["credential_ref"], "key");
    }
    let wide = ["settings", "embedding", "set", "--provider", "openai", "--model", "m"];
    let wide = [&wide[..], &["--base-url", &url, "--dimensions", "3", "--json"]].concat();
    assert_eq!(person.run(&wide).json()["dimensions"], 3);
    let tried = person.run(&["settings", "embedding", "test"]);
    assert!(tried.out.contains("2 numbers instead of 3"), "{tried:?}");
    assert_eq!(tried.failed(1), "");
    let refused = ["settings", "embedding", "set", "--provider", "openai", "--model", "m"];
    let refused = [&refused[..], &["--base-url", "http://169.254.169.254"]].concat();
    assert!(person.run(&refused).failed(2).contains("`base_url` is a link-local"));
    for what in ["embedding", "engine"] {
        assert_eq!(person.run(&["settings", what, "clear"]).fine(), "No model is set.\n");
    }
}
