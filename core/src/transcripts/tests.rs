//! Every sample of the manifest is read as somebody read it who knows what was said; and what holds for
//! all readers.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use coffer_domain::id::sha256;
use coffer_domain::time::Timestamp;

use super::{
    Format, Message, Position, Reading, Role, Source, Stamp, State, TranscriptReader,
    messages_after,
};
use crate::secrets::Custom;

pub(super) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/transcripts")
}

/// A folder of an agent, made for one test.
pub(super) struct Root {
    _temp: tempfile::TempDir,
    pub path: PathBuf,
    pub scratch: PathBuf,
    format: Format,
}

impl Root {
    pub(super) fn new(format: Format) -> Self {
        let temp = tempfile::tempdir().unwrap();
        let (path, scratch) = (temp.path().join("agent"), temp.path().join("scratch"));
        fs::create_dir(&path).unwrap();
        Self { _temp: temp, path, scratch, format }
    }

    pub(super) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(super) fn reader(&self) -> Box<dyn TranscriptReader> {
        self.format.reader(&self.scratch)
    }

    /// The paths of its sessions, and what was skipped.
    pub(super) fn survey(&self) -> (Vec<String>, Vec<String>) {
        let survey = self.reader().survey(&self.path).unwrap();
        let name = |source: Source| match source.part {
            Some(part) => format!("{}#{part}", source.path),
            None => source.path,
        };
        let skipped = survey.skipped.into_iter().map(|skipped| skipped.path);
        (survey.sources.into_iter().map(name).collect(), skipped.collect())
    }

    /// Reads its only session.
    pub(super) fn read(&self) -> (Vec<String>, Reading) {
        let survey = self.reader().survey(&self.path).unwrap();
        let [source] = &survey.sources[..] else { panic!("{:?}", survey.sources) };
        let mut said = Vec::new();
        let reading = self.reader().read(source, &Custom::default(), &mut |message| {
            said.push(format!("{}: {}", message.role.name(), message.text));
        });
        (said, reading)
    }
}

/// All messages of a source.
fn messages(reader: &dyn TranscriptReader, source: &Source) -> (Vec<Message>, Reading) {
    let mut messages = Vec::new();
    let reading = reader.read(source, &Custom::default(), &mut |message| messages.push(message));
    (messages, reading)
}

/// A line of the manifest, by the names of the columns.
fn manifest() -> Vec<BTreeMap<String, String>> {
    let text = fs::read_to_string(fixtures().join("manifest.tsv")).unwrap();
    let mut lines = text.lines().map(|line| line.split('\t').map(str::to_owned));
    let names: Vec<String> = lines.next().unwrap().collect();
    lines.map(|line| names.iter().cloned().zip(line).collect()).collect()
}

fn moment(text: &str) -> Option<Timestamp> {
    let millis = text.parse().map(|millis: i64| Timestamp::from_micros(millis * 1_000));
    millis.ok().or_else(|| Timestamp::parse(text))
}

#[test]
fn every_sample_is_read_as_it_should_be() {
    let lines = manifest();
    assert_eq!(lines.len(), 37);
    for line in &lines {
        let at = |name: &str| line[name].as_str();
        let saved = at("saved_as").trim_start_matches("generated/");
        let (version, path) = saved.split_once('/').unwrap();
        let format = match at("agent") {
            "claude" => Format::ClaudeCode,
            other => Format::parse(other).unwrap(),
        };
        let root = fixtures().join(version);
        let scratch = tempfile::tempdir().unwrap();
        let reader = format.reader(scratch.path());
        let survey = reader.survey(&root).unwrap();
        assert!(survey.skipped.is_empty(), "{saved}: {:?}", survey.skipped);
        let listed = survey.sources.iter().find(|source| source.path.starts_with(path));
        if at("peculiar").contains("not a session") {
            let stamp = Stamp { size: 0, mtime_ns: 0, inode: 0 };
            let source = Source { root, path: path.to_owned(), part: None, stamp };
            let is_side = at("peculiar").contains("side-agent");
            let state = reader.read(&source, &Custom::default(), &mut drop).state;
            assert_eq!(state, if is_side { State::SubAgent } else { State::Empty }, "{saved}");
            assert_eq!(listed.is_none(), is_side, "{saved}");
            continue;
        }
        let (messages, reading) = messages(&*reader, listed.unwrap());
        let summary = reading.summary;
        let count =
            |role| messages.iter().filter(|message| message.role == role).count().to_string();
        assert_eq!(reading.state, State::Read, "{saved}");
        assert_eq!(summary.session_id, at("exp_session_id"), "{saved}");
        assert_eq!(summary.title.as_deref(), Some(at("exp_title")), "{saved}");
        assert_eq!(summary.project_path.as_deref().unwrap_or(""), at("exp_cwd"), "{saved}");
        assert_eq!(count(Role::Human), at("exp_user_msgs"), "{saved}: {messages:?}");
        assert_eq!(count(Role::Assistant), at("exp_assistant_msgs"), "{saved}: {messages:?}");
        assert_eq!(summary.message_count.to_string(), at("exp_message_count"), "{saved}");
        assert_eq!(summary.started_at, moment(at("started_at")), "{saved}");
        assert_eq!(summary.last_activity_at, moment(at("last_activity")), "{saved}");
        let version = Some(at("cli_version")).filter(|version| !version.is_empty());
        assert_eq!(summary.agent_version.as_deref(), version, "{saved}");
        assert_eq!(reading.unknown, 0, "{saved}: {:?}", reading.passed_over);
    }
}

/// The first layout of OpenCode has no line in the manifest.
#[test]
fn the_first_tree_of_opencode_is_read() {
    let root = fixtures().join("opencode-0.5.29");
    let reader = Format::OpenCode.reader(Path::new("/nonexistent"));
    let survey = reader.survey(&root).unwrap();
    let [source] = &survey.sources[..] else { panic!("{survey:?}") };
    let (messages, reading) = messages(&*reader, source);
    let said: Vec<_> = messages.iter().map(|message| (message.role, &*message.text)).collect();
    let first = "We deploy the API to Fly.io in region ams. Please USETOOL and describe the build.";
    let second = "Decision: we keep SQLite and do not move to Postgres.";
    assert_eq!(said, [(Role::Human, first), (Role::Human, second)]);
    assert_eq!(reading.summary.session_id, "ses_dd7216bb6ffeOL8WSLE7tzG5PX");
    assert_eq!(reading.summary.title.as_deref(), Some(&first[..80]));
    assert_eq!(reading.summary.agent_version.as_deref(), Some("0.5.29"));
}

/// Nothing comes to be in an agent's folder, and nothing changes there.
#[test]
fn reading_leaves_no_trace() {
    for version in ["claude-2.0.76", "codex-0.171.0", "opencode-1.1.31", "opencode-1.15.0"] {
        let format = match version.split('-').next().unwrap() {
            "claude" => Format::ClaudeCode,
            other => Format::parse(other).unwrap(),
        };
        let root = Root::new(format);
        copy(&fixtures().join(version), &root.path);
        let before = state(&root.path);
        assert!(!before.is_empty());
        let reader = root.reader();
        let sources = reader.survey(&root.path).unwrap().sources;
        assert!(!sources.is_empty(), "{version}");
        for source in &sources {
            reader.read(source, &Custom::default(), &mut drop);
        }
        let all: Vec<&Source> = sources.iter().collect();
        let mut read = Vec::new();
        reader.summarize(&all, &Custom::default(), &mut |number, _| read.push(number));
        read.sort_unstable();
        assert_eq!(read, (0..sources.len()).collect::<Vec<_>>(), "{version}");
        assert_eq!(state(&root.path), before, "{version}");
    }
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            fs::create_dir(&to).unwrap();
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// Every file, with the hash of its bytes, and its time.
pub(super) fn state(folder: &Path) -> BTreeMap<PathBuf, (String, std::time::SystemTime)> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            files.extend(state(&path));
        } else {
            let changed = entry.metadata().unwrap().modified().unwrap();
            files.insert(path.clone(), (sha256(fs::read(&path).unwrap()), changed));
        }
    }
    files
}

#[test]
fn a_root_that_is_not_there_has_no_sessions() {
    let temp = tempfile::tempdir().unwrap();
    let none = temp.path().join("none");
    for format in Format::ALL {
        let survey = format.reader(&none).survey(&none).unwrap();
        assert!(survey.sources.is_empty() && survey.skipped.is_empty() && !survey.is_there);
    }
}

#[test]
fn no_link_below_a_root_is_followed() {
    let outside = tempfile::tempdir().unwrap();
    let line = r#"{"type":"user","message":{"content":"secret"}}"#;
    fs::write(outside.path().join("a.jsonl"), line).unwrap();
    fs::write(outside.path().join("rollout-a.jsonl"), line).unwrap();
    fs::write(outside.path().join("opencode.db"), line).unwrap();
    for (format, folder, file) in [
        (Format::ClaudeCode, "projects/p", "a.jsonl"),
        (Format::Codex, "sessions", "rollout-a.jsonl"),
        (Format::OpenCode, "", "opencode.db"),
    ] {
        let root = Root::new(format);
        fs::create_dir_all(root.path.join(folder)).unwrap();
        let link = root.path.join(folder).join(file);
        std::os::unix::fs::symlink(outside.path().join(file), link).unwrap();
        let (sources, skipped) = root.survey();
        assert_eq!(sources, Vec::<String>::new(), "{format:?}");
        assert_eq!(skipped.len(), 1, "{format:?}");
    }
    let root = Root::new(Format::ClaudeCode);
    std::os::unix::fs::symlink(outside.path(), root.path.join("projects")).unwrap();
    assert_eq!(root.survey(), (Vec::new(), vec!["projects".to_owned()]));
}

/// A reader goes on where it left off, also when the file was written anew meanwhile.
#[test]
fn messages_are_read_from_a_position_on() {
    let root = Root::new(Format::ClaudeCode);
    let path = "projects/p/s.jsonl";
    let put = |texts: &[&str]| {
        let lines = texts
            .iter()
            .map(|text| format!("{{\"type\":\"user\",\"message\":{{\"content\":\"{text}\"}}}}\n"));
        root.write(path, lines.collect::<String>());
    };
    let after_all = |read: &[Position]| {
        let reader = root.reader();
        let source = reader.survey(&root.path).unwrap().sources.remove(0);
        let mut said = Vec::new();
        let mut last = None;
        messages_after(&*reader, &source, read, &Custom::default(), &mut |message, is_new| {
            if is_new {
                last = Some(message.position);
                said.push(message.text);
            }
        });
        (said, last)
    };
    let after = |position: Option<Position>| after_all(position.as_slice());
    put(&["one", "two", "three"]);
    let (said, last) = after(None);
    assert_eq!(said, ["one", "two", "three"]);
    assert_eq!(after(last), (vec![], None));
    put(&["one", "two", "three", "four"]);
    assert_eq!(after(last).0, ["four"]);
    // Written anew with less, and with more before.
    put(&["two", "three", "four", "five"]);
    assert_eq!(after(last).0, ["four", "five"]);
    put(&["zero", "one", "two", "three", "four"]);
    assert_eq!(after(last).0, ["four"]);
    put(&["three"]);
    assert_eq!(after(last).0, Vec::<String>::new());
    put(&["other"]);
    assert_eq!(after(last).0, ["other"]);
    // Made shorter, and gone on with: the furthest that still stands counts.
    put(&["one"]);
    let one = after(None).1.unwrap();
    put(&["one", "two"]);
    let read = [one, after(None).1.unwrap(), last.unwrap()];
    for (texts, said) in [
        (&["one"][..], &[][..]),
        (&["one", "two"], &[]),
        (&["one", "four"], &["four"]),
        (&["one", "two", "four"], &["four"]),
        (&["one", "two", "four", "five"], &["four", "five"]),
        (&["one", "two", "three", "four"], &["four"]),
        (&["zero", "two", "four"], &["four"]),
        (&["zero", "four"], &["zero", "four"]),
    ] {
        put(texts);
        assert_eq!(after_all(&read).0, said, "{texts:?}");
    }
}

proptest::proptest! {
    /// Whatever stands in a file, it is read to its end, and nothing but known records is silent.
    #[test]
    fn any_bytes_are_read(parts in proptest::collection::vec(part(), 0..12)) {
        let bytes = parts.concat();
        for (format, path) in [
            (Format::ClaudeCode, "projects/p/a.jsonl"),
            (Format::Codex, "sessions/rollout-a.jsonl"),
            (Format::Codex, "sessions/rollout-a.jsonl.zst"),
            (Format::OpenCode, "storage/session/p/a.json"),
            (Format::OpenCode, "opencode.db"),
        ] {
            let root = Root::new(format);
            root.write(path, &bytes);
            let survey = root.reader().survey(&root.path).unwrap();
            for source in survey.sources {
                let (messages, reading) = messages(&*root.reader(), &source);
                proptest::prop_assert_eq!(messages.len() as u64, reading.summary.message_count);
                let ordinals: Vec<u64> = messages.iter().map(|it| it.position.ordinal).collect();
                proptest::prop_assert_eq!(ordinals, (1..=messages.len() as u64).collect::<Vec<_>>());
            }
        }
    }
}

/// A piece of a file: a line that some agent writes, whole or cut, or anything.
fn part() -> impl proptest::strategy::Strategy<Value = Vec<u8>> {
    use proptest::prelude::{Just, any, prop_oneof};
    use proptest::strategy::Strategy as _;
    const LINES: [&str; 7] = [
        r#"{"type":"user","uuid":"1","message":{"role":"user","content":"hello"}}"#,
        r#"{"type":"assistant","message":{"content":[{"type":"text","text":"A \u00e9 \n"}]},"timestamp":"2026-01-01T00:00:00Z"}"#,
        r#"{"type":"event_msg","payload":{"type":"user_message","message":"hi"}}"#,
        r#"{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"x"}]}}"#,
        r#"{"type":7,"message":{"content":{"a":[1.5e3,null,{"b":{}}]}}}"#,
        r#"{"title":"T","time":{"created":1},"directory":"/d","type":"summary"}"#,
        "SQLite format 3\0",
    ];
    let line = (0..LINES.len()).prop_map(|at| LINES[at].as_bytes().to_vec());
    let cut = (0..LINES.len(), any::<proptest::sample::Index>())
        .prop_map(|(at, end)| LINES[at].as_bytes()[..end.index(LINES[at].len())].to_vec());
    prop_oneof![
        4 => line,
        1 => cut,
        4 => Just(b"\n".to_vec()),
        1 => proptest::collection::vec(any::<u8>(), 0..40),
        1 => Just(b"\x28\xb5\x2f\xfd\x00\x40".to_vec()),
    ]
}
