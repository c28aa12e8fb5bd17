//! What the samples do not show.

use std::fmt::Write as _;

use crate::transcripts::lines::LONGEST;
use crate::transcripts::tests::Root;
use crate::transcripts::{Format, State};

const PATH: &str = "projects/-home-dev-app/0a.jsonl";

fn read(text: impl AsRef<[u8]>) -> (Vec<String>, crate::transcripts::Reading) {
    let root = Root::new(Format::ClaudeCode);
    root.write(PATH, text);
    root.read()
}

fn human(text: &str) -> String {
    format!("{{\"type\":\"user\",\"message\":{{\"role\":\"user\",\"content\":{text:?}}}}}\n")
}

#[test]
fn only_what_a_person_typed_is_the_persons() {
    for (record, said) in [
        (r#""message":{"content":"plain"}"#, Some("plain")),
        (
            r#""message":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}"#,
            Some("a\nb"),
        ),
        (
            r#""message":{"content":[{"type":"text","text":"<ide_opened_file>x.rs</ide_opened_file>"},{"type":"text","text":"fix"}]}"#,
            Some("fix"),
        ),
        (r#""message":{"content":"<system-reminder>x</system-reminder>\ngo on"}"#, Some("go on")),
        (r#""message":{"content":"<coffer-context>rules</coffer-context>go on"}"#, Some("go on")),
        (
            r#""message":{"content":[{"type":"image","source":{}},{"type":"text","text":"see"}]}"#,
            Some("see"),
        ),
        (
            r#""message":{"content":"see"},"promptSource":"typed","rowSource":"local","origin":{"kind":"human"}"#,
            Some("see"),
        ),
        (r#""message":{"content":"x"},"isMeta":true"#, None),
        (r#""message":{"content":"x"},"isCompactSummary":true"#, None),
        (r#""message":{"content":"x"},"isVisibleInTranscriptOnly":true"#, None),
        (r#""message":{"content":"x"},"isSidechain":true"#, None),
        (r#""message":{"content":"x"},"toolUseResult":{"stdout":""}"#, None),
        (r#""message":{"content":"x"},"toolUseResult":"text""#, None),
        (r#""message":{"content":"x"},"rowSource":"harness""#, None),
        (r#""message":{"content":"x"},"origin":{"kind":"task-notification"}"#, None),
        (
            r#""message":{"content":[{"type":"tool_result","content":"x"},{"type":"text","text":"y"}]}"#,
            None,
        ),
        (r#""message":{"content":"<command-name>/clear</command-name>"}"#, None),
        (r#""message":{"content":"<bash-input>ls</bash-input>"}"#, None),
        (r#""message":{"content":"<bash-stdout>a</bash-stdout> b"}"#, None),
        (
            r#""message":{"content":"see <bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>here"}"#,
            Some("see here"),
        ),
        (
            r#""message":{"content":"see\n<local-command-stdout>a</local-command-stdout>"}"#,
            Some("see"),
        ),
        (r#""message":{"content":"[Request interrupted by user for tool use]"}"#, None),
        (
            r#""message":{"content":"Implement the following plan:\n\n# Plan"},"planContent":"x""#,
            None,
        ),
        (
            r#""message":{"content":"This session is being continued from a previous conversation that"}"#,
            None,
        ),
        (r#""message":{"content":"  \n"}"#, None),
    ] {
        let (messages, reading) = read(format!("{{\"type\":\"user\",{record}}}\n"));
        let wanted: Vec<_> = said.iter().map(|said| format!("human: {said}")).collect();
        assert_eq!(messages, wanted, "{record}");
        let empty = if record.contains("isSidechain") { State::SubAgent } else { State::Empty };
        assert_eq!(reading.state, if said.is_some() { State::Read } else { empty }, "{record}");
    }
}

#[test]
fn only_prose_is_the_agents() {
    for (record, said) in [
        (
            r#""message":{"content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"done"},{"type":"tool_use","input":{}}]}"#,
            Some("done"),
        ),
        (r#""message":{"content":"done"}"#, Some("done")),
        (r#""message":{"content":[{"type":"text","text":"\n\n"}]}"#, None),
        (
            r#""message":{"model":"<synthetic>","content":[{"type":"text","text":"No response requested."}]}"#,
            None,
        ),
        (
            r#""message":{"content":[{"type":"text","text":"API Error"}]},"isApiErrorMessage":true"#,
            None,
        ),
    ] {
        let (messages, _) = read(format!("{{\"type\":\"assistant\",{record}}}\n"));
        let wanted: Vec<_> = said.iter().map(|said| format!("assistant: {said}")).collect();
        assert_eq!(messages, wanted, "{record}");
    }
}

#[test]
fn what_was_typed_meanwhile_and_whole_requests() {
    let text = concat!(
        r#"{"type":"attachment","uuid":"1","attachment":{"type":"queued_command","commandMode":"prompt","prompt":"and tests"}}"#,
        "\n",
        r#"{"type":"attachment","uuid":"2","attachment":{"type":"queued_command","commandMode":"prompt","prompt":[{"type":"text","text":"in Rust"}]}}"#,
        "\n",
        r#"{"type":"attachment","uuid":"3","attachment":{"type":"queued_command","commandMode":"task-notification","prompt":"x"}}"#,
        "\n",
        r#"{"type":"attachment","uuid":"4","attachment":{"type":"hook_additional_context","content":["x"]}}"#,
        "\n",
        r#"{"type":"api-request-blob","message":{"role":"user","content":[{"type":"text","text":"x"}]}}"#,
        "\n",
        r#"{"type":"queue-operation","operation":"enqueue","content":"and tests"}"#,
        "\n",
        r#"{"type":"last-prompt","lastPrompt":"and tests"}"#,
        "\n",
    );
    let (said, reading) = read(text);
    assert_eq!(said, ["human: and tests", "human: in Rust"]);
    assert_eq!(reading.unknown, 0);
}

#[test]
fn titles_rank_and_the_last_of_a_kind_counts() {
    let custom =
        |title: &str| format!("{{\"type\":\"custom-title\",\"customTitle\":\"{title}\"}}\n");
    let made = |title: &str| format!("{{\"type\":\"ai-title\",\"aiTitle\":\"{title}\"}}\n");
    let summary = |title: &str, leaf: &str| {
        format!("{{\"type\":\"summary\",\"summary\":\"{title}\",\"leafUuid\":\"{leaf}\"}}\n")
    };
    let said = "{\"type\":\"user\",\"uuid\":\"u1\",\"message\":{\"content\":\"first words\"}}\n";
    for (before, after, title) in [
        (String::new(), String::new(), "first words"),
        (summary("Summed up", "u1"), String::new(), "Summed up"),
        (summary("Another session's", "u9"), String::new(), "first words"),
        (summary("Invalid API key · Please run /login", "u1"), String::new(), "first words"),
        (summary("Summed up", "u1"), made("Made"), "Made"),
        (made("Made"), custom("One") + &custom("Two") + &made("Later"), "Two"),
        (custom(&"long ".repeat(40)), String::new(), "long ".repeat(16).trim_end()),
    ] {
        let reading = read(format!("{before}{said}{after}")).1;
        assert_eq!(reading.summary.title.as_deref(), Some(title), "{before}{after}");
    }
}

#[test]
fn bad_lines_cost_only_themselves() {
    let mut text = b"\xef\xbb\xbf".to_vec();
    text.extend(human("one").replace('\n', "\r\n").bytes());
    text.extend_from_slice(b"42\n[1]\n\"x\"\nnull\n{\"type\":\n\0\0\0\0\n\0\0");
    text.extend(human("two").bytes());
    text.extend_from_slice(b"{\"type\":\"user\",\"message\":{\"content\":\"caf\xe9 \x0c bar\"}}\n");
    text.extend(human("torn").trim_end().as_bytes()[..40].iter());
    let (said, reading) = read(&text);
    assert_eq!(said, ["human: one", "human: two", "human: caf\u{fffd}   bar"]);
    assert_eq!((reading.state, reading.unknown), (State::Read, 6));
}

#[test]
fn a_last_line_counts_once_it_is_whole() {
    let one = human("one");
    let two = human("two");
    for end in 1..two.len() {
        let (said, reading) = read(format!("{one}{}", &two[..end]));
        let whole = end >= two.len() - 1;
        assert_eq!(said.len(), if whole { 2 } else { 1 }, "{end}");
        assert_eq!(reading.unknown, 0, "{end}");
    }
}

#[test]
fn a_line_that_is_too_long_is_passed_over() {
    let mut text = human("one");
    writeln!(text, "{{\"type\":\"user\",\"message\":{{\"content\":\"{}\"}}}}", "x".repeat(LONGEST))
        .unwrap();
    text += &human("two");
    let (said, reading) = read(text);
    assert_eq!(said, ["human: one", "human: two"]);
    assert_eq!(reading.passed_over["(line too long)"], 1);
}

#[test]
fn a_form_that_is_not_known_is_no_empty_session() {
    for (text, state) in [
        ("", State::Empty),
        ("\n \n", State::Empty),
        ("{\"type\":\"file-history-snapshot\",\"snapshot\":{}}\n", State::Empty),
        ("{\"type\":\"turn\",\"text\":\"hello\"}\n", State::FormatUnknown),
        ("{\"type\":\"user\",\"message\":{\"parts\":[]}}\n", State::FormatUnknown),
        ("{\"type\":\"user\",\"message\":\"hello\"}\n", State::FormatUnknown),
        (
            "{\"type\":\"assistant\",\"message\":{\"content\":[{\"text\":\"hello\"}]}}\n",
            State::FormatUnknown,
        ),
        ("{\"kind\":\"user\"}\n", State::FormatUnknown),
        ("hello\n", State::FormatUnknown),
        ("hello", State::FormatUnknown),
        ("\0\0\0\0\n", State::FormatUnknown),
        ("[{\"type\":\"user\"}]", State::FormatUnknown),
    ] {
        let reading = read(text).1;
        assert_eq!(reading.state, state, "{text:?}");
        assert_eq!(reading.summary.session_id, "0a");
    }
}

#[test]
fn what_subagents_and_others_left_is_no_session() {
    let root = Root::new(Format::ClaudeCode);
    let said = human("hello");
    for path in [
        "projects/p/agent-1.jsonl",
        "projects/p/0a/subagents/agent-2.jsonl",
        "projects/p/0a/subagents/workflows/w/agent-3.jsonl",
        "projects/p/0a/tool-results/x.txt",
        "projects/p/memory/notes.md",
        "projects/stray.jsonl",
        "history.jsonl",
    ] {
        root.write(path, &said);
    }
    root.write("projects/p/0a.jsonl", &said);
    assert_eq!(root.survey(), (vec!["projects/p/0a.jsonl".to_owned()], Vec::new()));
}

#[test]
fn where_and_from_what_a_session_goes_on() {
    let record =
        |rest: &str| format!("{{\"type\":\"user\",\"message\":{{\"content\":\"a\"}},{rest}}}\n");
    let text = record(
        r#""uuid":"1","sessionId":"0a","requestSessionId":"0b","cwd":"/one","gitBranch":"main","version":"2.1.0""#,
    ) + &record(
        r#""uuid":"2","sessionId":"0c","cwd":"/two","gitBranch":"fix","version":"2.1.1""#,
    ) + &record(r#""uuid":"3","gitBranch":"","timestamp":7"#);
    let summary = read(text).1.summary;
    assert_eq!(summary.forked_from.as_deref(), Some("0b"));
    assert_eq!(summary.project_path.as_deref(), Some("/one"));
    assert_eq!(summary.git_branch.as_deref(), Some("fix"));
    assert_eq!(summary.agent_version.as_deref(), Some("2.1.1"));
    assert_eq!((summary.message_count, summary.started_at), (3, None));
}
