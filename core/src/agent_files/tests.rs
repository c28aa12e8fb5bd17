//! Over all fixtures: what goes in comes out again byte for byte, twice is once, drift is seen, and
//! what is not understood is left alone.

use super::fixtures::{BROKEN_JSON, BROKEN_JSONC, BROKEN_TOML, JSON, JSONC, TOML};
use super::text::Text;
use super::{Content, Entry, FileRecord, Format, Node, Outcome, Part, Standing, Target};

const ALL: [Part; 3] = [Part::Mcp, Part::Hook, Part::Memory];
const ORDERS: [[Part; 3]; 6] = [
    [Part::Mcp, Part::Hook, Part::Memory],
    [Part::Mcp, Part::Memory, Part::Hook],
    [Part::Hook, Part::Mcp, Part::Memory],
    [Part::Hook, Part::Memory, Part::Mcp],
    [Part::Memory, Part::Mcp, Part::Hook],
    [Part::Memory, Part::Hook, Part::Mcp],
];

fn server(program: &str) -> Node {
    Node::table([
        ("command", Node::text(program)),
        ("args", Node::List(vec![Node::text("--agent"), Node::text("a")])),
    ])
}

fn handler(program: &str) -> Node {
    let line = format!("'{program}' --agent a");
    let handler = [
        ("type", Node::text("command")),
        ("command", Node::text(line)),
        ("timeout", Node::number(5)),
    ];
    Node::table([
        ("matcher", Node::text("startup|resume")),
        ("hooks", Node::List(vec![Node::table(handler)])),
    ])
}

fn json(format: Format, folder: &str) -> Target {
    let hook = handler(&format!("{folder}/coffer-hook"));
    let parts = vec![
        (
            Part::Mcp,
            vec![Entry::server(
                ["mcpServers", "coffer"],
                server(&format!("{folder}/coffer-mcp-shim")),
            )],
        ),
        (
            Part::Hook,
            vec![
                Entry::needed(["version"], Node::number(1)),
                Entry::hook(["hooks", "SessionStart"], hook.clone()),
                Entry::hook(["hooks", "SessionEnd"], hook),
            ],
        ),
        (Part::Memory, vec![Entry::switch(["autoMemoryEnabled"], Node::Flag(false))]),
    ];
    Target { path: "/x/settings.json".into(), content: Content::Entries { format, parts } }
}

fn toml(folder: &str) -> Target {
    let parts = vec![
        (
            Part::Mcp,
            vec![Entry::server(
                ["mcp_servers", "coffer"],
                server(&format!("{folder}/coffer-mcp-shim")),
            )],
        ),
        (
            Part::Memory,
            vec![
                Entry::switch(["features", "memories"], Node::Flag(false)),
                Entry::switch(["memories", "generate_memories"], Node::Flag(false)),
            ],
        ),
    ];
    Target {
        path: "/x/config.toml".into(),
        content: Content::Entries { format: Format::Toml, parts },
    }
}

fn fixtures() -> Vec<(String, Target, Target, &'static str)> {
    let json = |fixtures: &'static [(&'static str, &'static str)], format: Format| {
        fixtures.iter().map(move |(name, text)| {
            (format!("{format:?}: {name}"), json(format, "/o p"), json(format, "/new"), *text)
        })
    };
    let toml = TOML
        .iter()
        .map(|(name, text)| (format!("TOML: {name}"), toml("/o p"), toml("/new"), *text));
    json(JSON, Format::Json)
        .chain(json(JSON, Format::Jsonc))
        .chain(json(JSONC, Format::Jsonc))
        .chain(toml)
        .collect()
}

#[track_caller]
fn put(
    target: &Target,
    parts: &[Part],
    name: &str,
    text: Option<&str>,
    record: Option<&FileRecord>,
) -> Outcome {
    target.put(parts, text, record).unwrap_or_else(|flaw| panic!("{name}: {flaw}"))
}

#[track_caller]
fn take(target: &Target, parts: &[Part], name: &str, of: &Outcome) -> Outcome {
    let taken = target.take(parts, of.text.as_deref(), of.record.as_ref());
    taken.unwrap_or_else(|flaw| panic!("{name}: {flaw}"))
}

fn all_standing(target: &Target, text: Option<&str>) -> Vec<Standing> {
    ALL.iter().flat_map(|part| target.standing(*part, text).unwrap()).collect()
}

#[test]
fn there_are_enough() {
    assert!(fixtures().len() >= 100 && JSON.len() + JSONC.len() + TOML.len() >= 80);
}

#[test]
fn connect_and_disconnect_leave_the_very_bytes() {
    for (name, target, _, text) in fixtures() {
        for parts in ORDERS {
            let done = put(&target, &parts, &name, Some(text), None);
            let standing = all_standing(&target, done.text.as_deref());
            assert!(standing.iter().all(|it| *it == Standing::Present), "{name}: {standing:?}");
            for order in ORDERS {
                let undone =
                    order.iter().fold(done.clone(), |it, part| take(&target, &[*part], &name, &it));
                assert_eq!(undone.text.as_deref(), Some(text), "{name} {parts:?} {order:?}");
                assert_eq!(undone.record, None, "{name}");
            }
            let at_once = take(&target, &ALL, &name, &done);
            assert_eq!((at_once.text.as_deref(), at_once.record), (Some(text), None), "{name}");
        }
    }
}

#[test]
fn one_by_one_is_as_good_as_at_once() {
    for (name, target, _, text) in fixtures() {
        let start = Outcome { text: Some(text.to_owned()), record: None };
        let done = ALL.iter().fold(start, |it, part| {
            put(&target, &[*part], &name, it.text.as_deref(), it.record.as_ref())
        });
        assert_eq!(done.text, put(&target, &ALL, &name, Some(text), None).text, "{name}");
        assert_eq!(take(&target, &ALL, &name, &done).text.as_deref(), Some(text), "{name}");
        // Without the middle one, and with it again.
        let less = take(&target, &[Part::Mcp], &name, &done);
        let more = put(&target, &[Part::Mcp], &name, less.text.as_deref(), less.record.as_ref());
        assert_eq!(take(&target, &ALL, &name, &more).text.as_deref(), Some(text), "{name}");
    }
}

#[test]
fn a_file_that_was_made_is_gone_again() {
    for target in [json(Format::Json, "/a"), json(Format::Jsonc, "/a"), toml("/a")] {
        for order in ORDERS {
            let done = put(&target, &ALL, "none", None, None);
            assert!(done.text.as_deref().is_some_and(|text| text.ends_with('\n')));
            let undone = order.iter().fold(done, |it, part| take(&target, &[*part], "none", &it));
            assert_eq!(undone, Outcome { text: None, record: None });
        }
    }
}

#[test]
fn twice_is_once() {
    for (name, target, _, text) in fixtures() {
        let once = put(&target, &ALL, &name, Some(text), None);
        let twice = put(&target, &ALL, &name, once.text.as_deref(), once.record.as_ref());
        assert_eq!(once, twice, "{name}");
    }
}

#[test]
fn a_program_that_moved_is_renamed_in_place() {
    for (name, old, new, text) in fixtures() {
        let done = put(&old, &ALL, &name, Some(text), None);
        let before = all_standing(&new, done.text.as_deref());
        assert!(before.contains(&Standing::Other), "{name}: {before:?}");
        let moved = put(&new, &ALL, &name, done.text.as_deref(), done.record.as_ref());
        let now = all_standing(&new, moved.text.as_deref());
        assert!(now.iter().all(|it| *it == Standing::Present), "{name}");
        let after = moved.text.as_deref().unwrap();
        assert!(!after.contains("/o p/"), "{name}: {after}");
        assert_eq!(take(&new, &ALL, &name, &moved).text.as_deref(), Some(text), "{name}");
    }
}

/// What another program adds stays, and what was there before too.
#[test]
fn a_file_that_went_on_living_loses_only_what_was_coffers() {
    for (name, target, _, text) in fixtures() {
        let Content::Entries { format, .. } = target.content else { unreachable!() };
        let done = put(&target, &ALL, &name, Some(text), None);
        let grow = |text: &str| {
            let text = Text::read(format, text).unwrap();
            let more = text.set(&super::node::way(["later"]), &Node::number(7)).unwrap();
            let more = match format {
                Format::Toml => more,
                _ => more
                    .push(
                        &super::node::way(["hooks", "SessionStart"]),
                        &Node::table([("x", Node::number(1))]),
                    )
                    .unwrap(),
            };
            more.text()
        };
        let grown =
            Outcome { text: Some(grow(done.text.as_deref().unwrap())), record: done.record };
        // A version that the agent wants stays with what else is there.
        let version = super::node::way(["version"]);
        let expected = Text::read(format, &grow(text)).unwrap();
        for order in ORDERS {
            let left =
                order.iter().fold(grown.clone(), |it, part| take(&target, &[*part], &name, &it));
            let left = left.text.unwrap();
            let found = Text::read(format, &left).unwrap();
            let plain = |text: &Text| text.node().clone().without(&version).dense();
            assert_eq!(plain(&found), plain(&expected), "{name}\n{left}");
            for comment in ["// ", "# ", "/* "] {
                assert_eq!(
                    left.matches(comment).count(),
                    text.matches(comment).count(),
                    "{name}\n{left}"
                );
            }
        }
    }
}

#[test]
fn without_a_ledger_what_is_recognized_goes() {
    for (name, target, _, text) in fixtures() {
        let done = put(&target, &ALL, &name, Some(text), None);
        let forgotten = Outcome { record: None, ..done };
        let left = take(&target, &[Part::Mcp, Part::Hook], &name, &forgotten).text.unwrap();
        assert!(
            !left.contains("/coffer-hook") && !left.contains("/coffer-mcp-shim"),
            "{name}: {left}"
        );
        // Whose the switch was is not known.
        let memory = target.standing(Part::Memory, Some(&left)).unwrap();
        assert!(memory.iter().all(|it| *it == Standing::Present), "{name}");
    }
}

#[test]
fn drift_is_seen() {
    let target = json(Format::Json, "/a");
    let done = put(&target, &ALL, "", Some("{}"), None).text.unwrap();
    for (part, from, to, standing) in [
        (Part::Mcp, "/a/coffer-mcp-shim", "/b/coffer-mcp-shim", Standing::Other),
        (Part::Mcp, "--agent", "--other", Standing::Other),
        (Part::Mcp, "\"coffer\": {", "\"mine\": {", Standing::Present),
        (Part::Mcp, "/a/coffer-mcp-shim", "/a/else", Standing::Absent),
        (Part::Hook, "\"timeout\": 5", "\"timeout\": 50", Standing::Other),
        (Part::Hook, "/a/coffer-hook", "C:\\\\a b\\\\coffer-hook.exe", Standing::Other),
        (Part::Hook, "startup|resume", "startup", Standing::Other),
        (Part::Hook, "/a/coffer-hook", "/a/else", Standing::Absent),
        (
            Part::Memory,
            "\"autoMemoryEnabled\": false",
            "\"autoMemoryEnabled\": true",
            Standing::Other,
        ),
    ] {
        let changed = done.replace(from, to);
        assert_ne!(changed, done, "{from}");
        let found = target.standing(part, Some(&changed)).unwrap();
        assert!(found.iter().all(|it| *it == standing), "{from}: {found:?}");
    }
}

/// A person who turned the agent's memory on again meant it.
#[test]
fn only_a_value_that_is_still_coffers_is_restored() {
    let target = json(Format::Json, "/a");
    let done = put(&target, &[Part::Memory], "", Some("{\"autoMemoryEnabled\": true}"), None);
    let changed = done.text.as_deref().unwrap().replace("false", "\"mine\"");
    let left = take(&target, &[Part::Memory], "", &Outcome { text: Some(changed.clone()), ..done });
    assert_eq!(left.text, Some(changed));
}

#[test]
fn what_is_not_understood_is_left_alone() {
    let cases = BROKEN_JSON.iter().map(|text| (json(Format::Json, "/a"), *text));
    let cases = cases.chain(BROKEN_JSONC.iter().map(|text| (json(Format::Jsonc, "/a"), *text)));
    for (target, text) in cases.chain(BROKEN_TOML.iter().map(|text| (toml("/a"), *text))) {
        let refused = target.put(&ALL, Some(text), None);
        assert!(refused.is_err(), "{text}: {refused:?}");
    }
    let said = json(Format::Json, "/a").put(&ALL, Some("{\n  \"a\": 1,\n}"), None).unwrap_err();
    assert_eq!(said.to_string(), "line 3 is no JSON: key must be a string");
    let said = toml("/a").put(&ALL, Some("a = 1\nb = \n"), None).unwrap_err();
    assert!(said.to_string().starts_with("line 2 is no TOML: "), "{said}");
}

#[test]
fn a_whole_file_is_coffers_or_nobodys() {
    let text = "// Written by Coffer.\nexport const a = 1\n".to_owned();
    let content = Content::Whole { part: Part::Hook, text: text.clone() };
    let target = Target { path: "/x/coffer.js".into(), content };
    let done = put(&target, &[Part::Hook], "", None, None);
    assert_eq!(done.text.as_deref(), Some(&text[..]));
    assert_eq!(take(&target, &[Part::Hook], "", &done), Outcome { text: None, record: None });
    let old = "// Written by Coffer.\nold\n";
    assert_eq!(target.standing(Part::Hook, Some(old)).unwrap(), [Standing::Other]);
    assert_eq!(put(&target, &[Part::Hook], "", Some(old), None).text.as_deref(), Some(&text[..]));
    assert!(target.put(&[Part::Hook], Some("mine"), None).is_err());
    let mine = Outcome { text: Some("mine".to_owned()), record: None };
    assert_eq!(take(&target, &[Part::Hook], "", &mine).text.as_deref(), Some("mine"));
}

/// How entries look where they come, so that an agent's own program would have written them so.
#[test]
fn entries_are_written_in_the_files_own_manner() {
    let target = json(Format::Json, "/a");
    let shown =
        |target: &Target, part, text| put(target, &[part], "", Some(text), None).text.unwrap();
    assert_eq!(
        shown(&target, Part::Mcp, "{\n\t\"a\": 1\n}\n"),
        "{\n\t\"a\": 1,\n\t\"mcpServers\": {\n\t\t\"coffer\": {\n\t\t\t\"command\": \"/a/coffer-mcp-shim\",\n\
         \t\t\t\"args\": [\n\t\t\t\t\"--agent\",\n\t\t\t\t\"a\"\n\t\t\t]\n\t\t}\n\t}\n}\n"
    );
    assert_eq!(
        shown(&target, Part::Mcp, r#"{"a":1}"#),
        r#"{"a":1,"mcpServers":{"coffer":{"command":"/a/coffer-mcp-shim","args":["--agent","a"]}}}"#
    );
    assert_eq!(shown(&target, Part::Memory, "{}"), "{\n  \"autoMemoryEnabled\": false\n}");
    let toml = toml("/a");
    assert_eq!(
        shown(&toml, Part::Memory, "features = {}\r\n\r\n[x]\r\ny = 1\r\n"),
        "features = { memories = false }\r\n\r\n[x]\r\ny = 1\r\n\r\n[memories]\r\ngenerate_memories = false\r\n"
    );
    assert_eq!(
        shown(&toml, Part::Mcp, "a = 1"),
        "a = 1\n\n[mcp_servers.coffer]\ncommand = \"/a/coffer-mcp-shim\"\nargs = [\"--agent\", \"a\"]"
    );
    assert_eq!(
        shown(&toml, Part::Memory, "features.a.b = 1\n[memories]\n  x = 1\n[z]\n"),
        "features.a.b = 1\nfeatures.memories = false\n[memories]\n  x = 1\n  generate_memories = false\n[z]\n"
    );
}
