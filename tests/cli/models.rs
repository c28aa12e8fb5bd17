//! Embedding models as a person types them.

use coffer_corpus::models::write_table;

use super::run::Person;

#[test]
fn a_model_is_added_listed_and_removed() {
    let person = Person::new();
    assert_eq!(person.run(&["models", "list"]).fine(), "No model is installed.\n");
    let folder = person.folder().join("words");
    std::fs::create_dir(&folder).unwrap();
    write_table(&folder).unwrap();
    let said = person.run(&["models", "add", "words"]).fine();
    assert!(said.starts_with("words is installed: static, 16 dimensions, "), "{said}");
    person.run(&["models", "add", "words"]).failed(3);
    person.run(&["models", "add", "words", "--name", "other"]).fine();
    let listed = person.run(&["models", "list"]).fine();
    assert!(listed.contains("other") && listed.contains("recorded"), "{listed}");
    let json = person.run(&["models", "list", "--json"]).json();
    assert_eq!(json["models"][1]["name"], "words", "{json}");
    let said = person.run(&["models", "remove", "words"]).fine();
    assert_eq!(said, "words is removed.\n");
    person.run(&["models", "remove", "words"]).failed(4);
}

#[test]
fn a_model_without_an_address_says_how_to_get_it() {
    let person = Person::new();
    let said = person.run(&["models", "pull", "all-MiniLM-L6-v2"]).failed(2);
    assert!(said.contains("coffer models add FOLDER --name all-MiniLM-L6-v2"), "{said}");
    assert!(said.contains("--from URL"), "{said}");
    let said = person.run(&["models", "pull", "a", "--from", "http://example.org"]).failed(2);
    assert!(said.contains("`https://`"), "{said}");
    person.run(&["models", "add", "nothing"]).failed(2);
}
