//! What the samples do not show.

use std::io::Write as _;

use crate::transcripts::tests::{Root, fixtures};
use crate::transcripts::{Format, Reading, State};

const ID: &str = "01a228d8-593a-7f53-b173-356337804d43";

fn path() -> String {
    format!("sessions/2026/11/29/rollout-2026-11-29T19-46-37-{ID}.jsonl")
}

fn read(lines: &[&str]) -> (Vec<String>, Reading) {
    let root = Root::new(Format::Codex);
    root.write(&path(), lines.join("\n") + "\n");
    root.read()
}

const META: &str = r#"{"timestamp":"2026-11-29T19:00:00Z","type":"session_meta","payload":{"id":"own","cwd":"/app","source":"cli"}}"#;

#[test]
fn requests_are_read_only_where_there_are_no_events() {
    let request = r#"{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"fix it"}]}}"#;
    let answer = r#"{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"done"}]}}"#;
    let event = r#"{"type":"event_msg","payload":{"type":"user_message","message":"fix it","kind":"plain"}}"#;
    let item = r#"{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"UserMessage","id":"1","content":[{"type":"text","text":"fix it"}]}}}"#;
    let context = r#"{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>x</environment_context>"}]}}"#;
    for (lines, said) in [
        (vec![META, context, request, answer], &["human: fix it", "assistant: done"][..]),
        (vec![META, context, request, event, answer], &["human: fix it"]),
        (vec![META, request, item], &["human: fix it"]),
        // Both forms of one event.
        (vec![META, event, item, answer], &["human: fix it"]),
        (vec![META, event, event], &["human: fix it", "human: fix it"]),
    ] {
        assert_eq!(read(&lines).0, said, "{lines:#?}");
    }
}

#[test]
fn what_the_harness_says_in_the_persons_name_is_left_out() {
    for (event, said) in [
        (r#""message":"plain""#, Some("plain")),
        (
            r###""message":"# Context from my IDE\n\n## My request for Codex:\nfix it\n""###,
            Some("fix it"),
        ),
        (r#""message":"x","kind":"environment_context""#, None),
        (r#""message":"<user_instructions>x</user_instructions>""#, None),
        (r#""message":"""#, None),
        (r##""message":"# AGENTS.md instructions for /app\n\nx""##, None),
        (r##""message":"# AGENTS.md instructions\n\nx""##, None),
        (r#""message":"<skill>\n<name>x</name>\n<path>/x</path>\nx\n</skill>""#, None),
        (r#""message":"<user_action>\n<context>x</context>\n</user_action>""#, None),
        (
            r#""message":"Another language model started to solve this problem and produced a summary of its thinking process. x""#,
            None,
        ),
    ] {
        let line =
            format!("{{\"type\":\"event_msg\",\"payload\":{{\"type\":\"user_message\",{event}}}}}");
        let (messages, reading) = read(&[META, &line]);
        let wanted: Vec<_> = said.iter().map(|said| format!("human: {said}")).collect();
        assert_eq!(messages, wanted, "{event}");
        assert_eq!(reading.unknown, 0, "{event}");
    }
    let marked = r#"{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"rules"},{"type":"input_text","text":"fix it"}],"internal_chat_message_metadata_passthrough":{"content_item_kinds":["agents_md","user.text"]}}}"#;
    assert_eq!(read(&[META, marked]).0, ["human: fix it"]);
}

/// A fork of the older kind holds its parent's head and history behind its own head.
#[test]
fn the_first_head_is_the_sessions_own() {
    let own = r#"{"type":"session_meta","payload":{"id":"fork","forked_from_id":"parent","cwd":"/b","cli_version":"0.90.0","git":{"branch":"main"}}}"#;
    let parent =
        r#"{"type":"session_meta","payload":{"id":"parent","cwd":"/a","cli_version":"0.80.0"}}"#;
    let said = r#"{"type":"event_msg","payload":{"type":"user_message","message":"one"}}"#;
    let named =
        r#"{"type":"event_msg","payload":{"type":"thread_name_updated","thread_name":"A name"}}"#;
    let summary = read(&[own, parent, said, named]).1.summary;
    assert_eq!(summary.session_id, "fork");
    assert_eq!(summary.forked_from.as_deref(), Some("parent"));
    assert_eq!(summary.project_path.as_deref(), Some("/b"));
    assert_eq!(summary.git_branch.as_deref(), Some("main"));
    assert_eq!(summary.agent_version.as_deref(), Some("0.90.0"));
    assert_eq!(summary.title.as_deref(), Some("A name"));
}

#[test]
fn without_a_head_the_files_name_tells_the_id() {
    let context = r#"{"type":"turn_context","payload":{"cwd":"/app"}}"#;
    let said = r#"{"type":"event_msg","payload":{"type":"user_message","message":"one"}}"#;
    let summary = read(&[context, said]).1.summary;
    assert_eq!((&*summary.session_id, summary.project_path.as_deref()), (ID, Some("/app")));
    let root = Root::new(Format::Codex);
    root.write("sessions/rollout-odd.jsonl", said);
    assert_eq!(root.read().1.summary.session_id, "sessions/rollout-odd.jsonl");
}

#[test]
fn bare_lines_tell_their_folder_in_a_context() {
    let head = r#"{"id":"bare","timestamp":"2025-08-01T10:00:00Z","instructions":null,"git":{"branch":"dev"}}"#;
    let context = r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>\n<cwd>/app</cwd>\n</environment_context>"}]}"#;
    let said = r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"one"}]}"#;
    let state = r#"{"record_type":"state"}"#;
    let (messages, reading) = read(&[head, state, context, said, state]);
    assert_eq!((messages, reading.unknown), (vec!["human: one".to_owned()], 0));
    assert_eq!(reading.summary.session_id, "bare");
    assert_eq!(reading.summary.project_path.as_deref(), Some("/app"));
    assert_eq!(reading.summary.git_branch.as_deref(), Some("dev"));
}

#[test]
fn what_a_subagent_did_is_no_session() {
    let said = r#"{"type":"event_msg","payload":{"type":"user_message","message":"one"}}"#;
    for payload in [
        r#""source":{"subagent":{"thread_spawn":{}}}"#,
        r#""thread_source":"subagent""#,
        r#""parent_thread_id":"x""#,
    ] {
        let meta = format!("{{\"type\":\"session_meta\",\"payload\":{{\"id\":\"a\",{payload}}}}}");
        assert_eq!(read(&[&meta, said]).1.state, State::SubAgent, "{payload}");
    }
}

#[test]
fn a_form_that_is_not_known_is_no_empty_session() {
    for (line, state) in [
        (META, State::Empty),
        (r#"{"type":"event_msg","payload":{"type":"token_count"}}"#, State::Empty),
        (r#"{"type":"response_item","payload":{"type":"reasoning"}}"#, State::Empty),
        (
            r#"{"type":"event_msg","payload":{"type":"human_said","message":"x"}}"#,
            State::FormatUnknown,
        ),
        (
            r#"{"type":"event_msg","payload":{"type":"user_message","text":"x"}}"#,
            State::FormatUnknown,
        ),
        (
            r#"{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"Human"}}}"#,
            State::FormatUnknown,
        ),
        (
            r#"{"type":"response_item","payload":{"type":"message","role":"user"}}"#,
            State::FormatUnknown,
        ),
        (r#"{"type":"chat","payload":{}}"#, State::FormatUnknown),
        (r#"{"type":"session_meta"}"#, State::FormatUnknown),
        ("garbage", State::FormatUnknown),
    ] {
        assert_eq!(read(&[line]).1.state, state, "{line}");
    }
}

/// `zstd` at its lowest: a frame of raw blocks.
fn frame(bytes: &[u8]) -> Vec<u8> {
    // Magic number; window of 256 KiB, no checksum, size unknown.
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x40];
    let blocks: Vec<&[u8]> = bytes.chunks(1_000).collect();
    for (number, block) in blocks.iter().enumerate() {
        let is_last = u32::from(number + 1 == blocks.len());
        let head = (u32::try_from(block.len()).unwrap() << 3) | is_last;
        frame.extend_from_slice(&head.to_le_bytes()[..3]);
        frame.write_all(block).unwrap();
    }
    frame
}

#[test]
fn packed_rollouts_are_read_frame_by_frame() {
    let sample = "sessions/2026/11/29/rollout-2026-11-29T19-46-37-01a228d8-593a-7f53-b173-356337804d43.jsonl";
    let bytes = std::fs::read(fixtures().join("codex-0.150.1").join(sample)).unwrap();
    let root = Root::new(Format::Codex);
    root.write(sample, &bytes);
    let plain = root.read();
    assert_eq!(plain.1.summary.message_count, 4);
    let (head, tail) = bytes.split_at(5_000);
    let skipped = [&[0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0][..], b"abc"].concat();
    let packed = [frame(head), skipped, frame(tail)].concat();
    let root = Root::new(Format::Codex);
    root.write(&format!("{sample}.zst"), &packed);
    assert_eq!(root.read(), plain);
    root.write(&format!("{sample}.zst"), &packed[..packed.len() - 10]);
    let reading = root.read().1;
    assert!(matches!(reading.state, State::Unreadable(_)), "{:?}", reading.state);
    assert_eq!(reading.summary.session_id, ID);
}

#[test]
fn of_a_rollout_that_is_there_twice_one_counts() {
    let root = Root::new(Format::Codex);
    let name = |id: u8| {
        format!("rollout-2026-11-29T19-46-37-01a228d8-593a-7f53-b173-35633780000{id}.jsonl")
    };
    for path in [
        format!("sessions/2026/11/29/{}", name(1)),
        format!("sessions/2026/11/29/{}.zst", name(1)),
        format!("archived_sessions/{}", name(1)),
        format!("archived_sessions/{}.zst", name(2)),
        format!("archived_sessions/{}", name(3)),
        "sessions/2026/11/29/notes.jsonl".to_owned(),
        "history.jsonl".to_owned(),
        "sessions/2026/11/29/deeper/rollout-x.jsonl".to_owned(),
    ] {
        root.write(&path, "");
    }
    let wanted = [
        format!("archived_sessions/{}.zst", name(2)),
        format!("archived_sessions/{}", name(3)),
        format!("sessions/2026/11/29/{}", name(1)),
    ];
    assert_eq!(root.survey(), (wanted.to_vec(), Vec::new()));
}
