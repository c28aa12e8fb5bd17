//! Files of rules as people leave them: what cannot take a rule stays as it is, and so does the rule.

use serde_json::{Value, json};

use super::scripted::{Chat, answered, files, pass, remember, served};
use crate::support::TestServer;

/// Halves of a file, into two categories.
fn halves(names: [&'static str; 2]) -> impl Fn(&Chat) -> coffer_corpus::provider::Answer {
    move |chat| {
        let material = chat.material();
        if material["rules"].is_null() {
            return answered(&json!({"action": "rule", "topic": names[0],
                "rule": material["item"]["text"]}));
        }
        let rules = material["rules"].as_array().unwrap();
        let numbers = |rest: u64| {
            let numbers = rules.iter().map(|rule| rule["number"].as_u64().unwrap());
            numbers.filter(|number| number % 2 == rest).collect::<Vec<_>>()
        };
        answered(&json!({"categories": [{"name": names[0], "rules": numbers(0)},
            {"name": names[1], "rules": numbers(1)}]}))
    }
}

fn write(server: &TestServer, name: &str, text: &str) {
    let path = server.home().memory().join("global/rules").join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn bullets(count: usize) -> String {
    (0..count).map(|number| format!("- Rule r{number}r.\n")).collect()
}

fn split(server: &TestServer) -> (Value, Vec<(String, String)>) {
    (pass(server, "organize"), files(server, "rules"))
}

#[test]
fn what_a_person_arranged_is_not_split() {
    let (server, provider) = served(halves(["a", "b"]));
    remember(&server, "Makes the store.");
    pass(&server, "organize");
    let asked = provider.asked().len();
    for text in [
        format!("# Mine\n\n## Rust\n\n{}", bullets(120)),
        format!("---\ntitle: Mine\n---\n{}", bullets(120)),
        format!("<!-- mine -->\n{}", bullets(120)),
        format!("{}\nA word between.\n\n{}", bullets(60), bullets(60)),
    ] {
        write(&server, "rules.md", &text);
        let (done, _) = split(&server);
        assert_eq!(done["rules_files_split"], 0, "{done}");
        assert!(
            done["problems"][0]["reason"].as_str().unwrap().contains("only a person"),
            "{done}"
        );
        assert_eq!(done["skipped"], 0, "no item was: {done}");
        let rules = files(&server, "rules");
        assert!(rules.iter().any(|(_, kept)| *kept == text), "{text}");
    }
    assert_eq!(provider.asked().len(), asked);
}

#[test]
fn a_file_that_would_swallow_a_rule_takes_none() {
    let (server, _provider) = served(halves(["open", "other"]));
    remember(&server, "Always close what you open.");
    let open = "- one\n\n```sh\nnever ended\n";
    write(&server, "open.md", open);
    write(&server, "rules.md", &bullets(120));
    let (done, rules) = split(&server);
    assert_eq!((&done["skipped"], &done["rules_files_split"]), (&json!(1), &json!(0)), "{done}");
    assert_eq!(
        rules,
        [("open.md".to_owned(), open.to_owned()), ("rules.md".to_owned(), bullets(120))]
    );
    assert_eq!(files(&server, "knowledge/inbox").len(), 1);
}

#[test]
fn a_category_that_is_there_is_used_where_it_lies_and_twins_are_kept() {
    let (server, _provider) = served(halves(["Rust/Style", "git"]));
    remember(&server, "Makes the store.");
    std::fs::remove_dir_all(server.home().memory().join("global/knowledge/inbox")).unwrap();
    write(&server, "rust/style.md", "- mine\n");
    // Twins differ in where they come from, or in nothing, or in the white space of their code.
    let twins: String = (0..60)
        .map(|n| {
            format!("- Same. <!-- coffer: from codex, i{n} -->\n- Run `a{}b`.\n", " ".repeat(n))
        })
        .collect();
    write(&server, "rules.md", &twins);
    let (done, rules) = split(&server);
    assert_eq!((&done["status"], &done["rules_files_split"]), (&json!("organized"), &json!(1)));
    let names: Vec<&str> = rules.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["git.md", "rust/style.md"]);
    let mut after: Vec<&str> =
        rules.iter().flat_map(|(_, text)| text.lines()).filter(|line| *line != "- mine").collect();
    let mut before: Vec<&str> = twins.lines().collect();
    after.sort_unstable();
    before.sort_unstable();
    assert_eq!(after, before);
}
