//! Files of rules as people leave them: what cannot take a rule stays as it is, and so does the rule.

use coffer_corpus::provider::Answer;
use serde_json::{Value, json};

use super::scripted::{Chat, answered, files, pass, remember, said, served};
use crate::support::TestServer;

/// Halves of a file, into two categories.
fn halves(names: [&'static str; 2]) -> impl Fn(&Chat) -> Answer {
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

/// One bad sorting each: the file stays as it is, to the byte, and it is said why.
#[test]
fn bad_sortings_split_nothing() {
    let all = |but: usize| (0..120).filter(|number| *number != but).collect::<Vec<usize>>();
    let sorted = |categories: Value| answered(&json!({"categories": categories}));
    let cases: Vec<(&str, Answer)> = vec![
        ("holds no JSON", said("I am sorry.")),
        ("EOF", said(r#"{"categories": [{"name": "a", "rules": [0"#)),
        ("missing field `categories`", answered(&json!({"files": []}))),
        ("rule 0 is in no category", sorted(json!([]))),
        ("rule 7 is in no category", sorted(json!([{"name": "a", "rules": all(7)}]))),
        (
            "rule 3 is in two categories",
            sorted(json!([{"name": "a", "rules": all(500)}, {"name": "b", "rules": [3]}])),
        ),
        ("there is no rule 120", sorted(json!([{"name": "a", "rules": [120]}]))),
        ("invalid value", sorted(json!([{"name": "a", "rules": [-1]}]))),
        ("a category has no name", sorted(json!([{"name": " ", "rules": all(500)}]))),
        ("all rules are in one category", sorted(json!([{"name": "a", "rules": all(500)}]))),
        ("400", Answer::json(400, "{}")),
        ("500", Answer::json(500, "{}")),
        ("broke off", said("{}").cut(3)),
    ];
    for (reason, answer) in cases {
        let (server, _provider) = served(move |_| answer.clone());
        let (name, text) = ("rules.md".to_owned(), format!("# All\n\n{}", bullets(120)));
        server.post("/api/v1/memory_stores/global/rules", &json!({"text": "Makes the store."}));
        write(&server, &name, &text);
        let (done, rules) = split(&server);
        assert_eq!(done["rules_files_split"], 0, "{reason}: {done}");
        let said = done["problems"][0]["reason"].as_str().unwrap();
        assert!(said.contains(reason), "{reason}: {said}");
        assert_eq!(rules, [(name, text)], "{reason}");
    }
}

/// Names never leave the folder of rules, and none takes what is another's.
#[test]
fn categories_of_any_name_are_files_among_the_rules() {
    for odd in
        ["../../../etc/passwd", "/etc/passwd", "..", ".", "", "\u{202e}", "日本語 規則", "A/B\\C\n"]
    {
        let name = if odd.is_empty() { "README.md".to_owned() } else { odd.to_owned() };
        let (server, _provider) = served(move |chat| {
            let all: Vec<usize> = (0..chat.material()["rules"].as_array().unwrap().len()).collect();
            let (first, rest) = all.split_at(60);
            answered(&json!({"categories": [{"name": name, "rules": first},
                {"name": "rest", "rules": rest}]}))
        });
        server.post("/api/v1/memory_stores/global/rules", &json!({"text": "Makes the store."}));
        write(&server, "rules.md", &bullets(120));
        let outside = std::fs::read_dir(server.folder()).unwrap().count();
        let (done, rules) = split(&server);
        assert_eq!(done["rules_files_split"], 1, "{odd:?}: {done}");
        let mut kept: Vec<String> =
            rules.iter().flat_map(|(_, text)| text.lines().map(str::to_owned)).collect();
        let mut wanted: Vec<String> = bullets(120).lines().map(str::to_owned).collect();
        kept.sort();
        wanted.sort();
        assert_eq!((kept, rules.len()), (wanted, 2), "{odd:?}: {rules:?}");
        assert_eq!(std::fs::read_dir(server.folder()).unwrap().count(), outside, "{odd:?}");
    }
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
