//! Agents over a home of their own: connect, disconnect, drift, trouble, and a busy neighbor.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use coffer_domain::time::Timestamp;
use coffer_env::{Home, Surroundings};
use tempfile::TempDir;

use super::{Agent, AgentType, Agents, By, Edited, FileState, Installable, NewAgent, Part};
use crate::error::{Error, Result};
use crate::history::HistoryFilter;
use crate::index::{Index, audit};
use crate::vault::Dir;

const NOW: Timestamp = Timestamp::from_micros(1_780_000_000_000_000);

/// A person with a home, agents' folders in it, and Coffer's programs.
struct Person {
    temp: TempDir,
    agents: Agents,
    index: Arc<Index>,
}

impl Person {
    fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let at = |name: &str| temp.path().join(name);
        fs::create_dir(at("it's bin")).unwrap();
        for program in ["coffer-hook", "coffer-mcp-shim"] {
            fs::write(at("it's bin").join(program), "").unwrap();
        }
        for folder in [".claude", ".codex", ".config/opencode", ".gemini", ".copilot", ".cursor"] {
            fs::create_dir_all(at(folder)).unwrap();
        }
        let home = Home::at(at(".coffer"));
        Dir::make(home.root()).unwrap();
        let around = Surroundings {
            home: Some(temp.path().to_owned()),
            programs: Some(at("it's bin")),
            ..Surroundings::default()
        };
        let index = Arc::new(Index::open(&home.database(), NOW).unwrap());
        let agents = Agents::open(&home, around, Arc::clone(&index), || {});
        Self { temp, agents, index }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.temp.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.at(name), text).unwrap();
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.at(name)).unwrap()
    }

    fn connect(&self, kind: AgentType) -> Result<(Agent, Edited)> {
        self.register(kind, true, false)
    }

    fn register(&self, kind: AgentType, connect: bool, is_trial: bool) -> Result<(Agent, Edited)> {
        let new = NewAgent { kind, name: None, folder: None, connect };
        self.agents.register(&new, By::Program, is_trial, NOW)
    }

    /// Every file below the person's folder but Coffer's own and copies: path, mode and text.
    fn files(&self) -> Vec<(PathBuf, u32, Vec<u8>)> {
        let mut found = Vec::new();
        collect(self.temp.path(), &mut found);
        found.retain(|(path, ..)| !path.starts_with(self.at(".coffer")));
        found.sort();
        found
    }

    fn without_copies(&self) -> Vec<(PathBuf, u32, Vec<u8>)> {
        let is_copy = |path: &Path| path.to_str().unwrap().ends_with(".coffer.bak");
        self.files().into_iter().filter(|(path, ..)| !is_copy(path)).collect()
    }

    fn events(&self) -> Vec<(String, Vec<String>)> {
        let filter = HistoryFilter { limit: 100, ..HistoryFilter::default() };
        let rows = self.index.read(|db| audit(db, &filter)).unwrap();
        rows.into_iter().rev().map(|row| (row.event, row.ids)).collect()
    }
}

fn collect(folder: &Path, found: &mut Vec<(PathBuf, u32, Vec<u8>)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let meta = fs::symlink_metadata(&path).unwrap();
        if meta.is_dir() {
            found.push((path.clone(), meta.mode(), Vec::new()));
            collect(&path, found);
        } else {
            let text = fs::read(&path).unwrap_or_default();
            found.push((path, meta.mode(), text));
        }
    }
}

#[test]
fn every_agent_is_connected_and_leaves_no_trace() {
    for kind in AgentType::ALL {
        let person = Person::new();
        let before = person.files();
        let (agent, edited) = person.connect(kind).unwrap();
        assert!(agent.mcp_installed && agent.hook_installed, "{agent:?}");
        assert!(
            edited.diff.contains("+++ ") && edited.diff.contains("coffer-hook"),
            "{}",
            edited.diff
        );
        let again = person.connect(kind).unwrap();
        assert_eq!((again.1.diff.as_str(), again.1.files.len()), ("", 0));
        person.agents.remove(&agent.name, false, NOW).unwrap();
        assert_eq!(person.files(), before, "{kind:?}");
        assert!(person.agents.list().unwrap().is_empty());
        assert_eq!(fs::read_dir(person.at(".coffer/installs")).unwrap().count(), 0);
    }
}

#[test]
fn a_trial_says_exactly_what_would_happen_and_does_nothing() {
    for kind in AgentType::ALL {
        let person = Person::new();
        person.write(".claude/settings.json", "{\n  \"theme\": \"dark\"\n}\n");
        person.write(".codex/config.toml", "model = \"x\" # mine\n");
        let before = person.files();
        let (_, trial) = person.register(kind, true, true).unwrap();
        assert_eq!(person.files(), before);
        assert!(person.agents.list().unwrap().is_empty() && person.events().is_empty());
        let (agent, edited) = person.connect(kind).unwrap();
        assert_eq!(trial.diff, edited.diff);
        let (_, trial) = person.agents.remove(&agent.name, true, NOW).unwrap();
        assert!(trial.diff.contains("-") && person.agents.get(&agent.name).is_ok());
        let (_, edited) = person.agents.remove(&agent.name, false, NOW).unwrap();
        assert_eq!(trial.diff, edited.diff);
        assert_eq!(person.without_copies(), before);
    }
}

/// In either order, and with a folder that was not there.
#[test]
fn folders_that_were_made_are_gone_again() {
    for kind in AgentType::ALL {
        let parts = [Installable::Mcp, Installable::Hook];
        for parts in [parts, [parts[1], parts[0]]] {
            let person = Person::new();
            for folder in [".claude", ".codex", ".config", ".gemini", ".copilot", ".cursor"] {
                fs::remove_dir_all(person.at(folder)).unwrap();
            }
            let before = person.files();
            let (agent, _) = person.connect(kind).unwrap();
            for part in parts {
                person.agents.uninstall(&agent.name, part, false, NOW).unwrap();
            }
            assert_eq!(person.files(), before, "{kind:?} {parts:?}");
        }
    }
}

/// The vendors' own forms, with a path that a shell must not take apart.
#[test]
fn what_is_written_is_what_the_agents_read() {
    let person = Person::new();
    for kind in AgentType::ALL {
        person.connect(kind).unwrap();
    }
    let json =
        |name: &str| -> serde_json::Value { serde_json::from_str(&person.text(name)).unwrap() };
    let program = |name: &str| person.at("it's bin").join(name).to_str().unwrap().to_owned();
    let line = |agent: &str| {
        format!("'{}' --agent {agent}", program("coffer-hook").replace('\'', r"'\''"))
    };
    let shim = program("coffer-mcp-shim");
    let claude = json(".claude.json");
    assert_eq!(
        claude["mcpServers"]["coffer"],
        serde_json::json!({"type": "stdio", "command": shim, "args": ["--agent", "claude-code"], "env": {}})
    );
    let hooks = json(".claude/settings.json");
    assert_eq!(
        hooks["hooks"]["SessionStart"],
        serde_json::json!([{"matcher": "startup|resume|clear|compact|fork", "hooks": [
            {"type": "command", "command": line("claude-code"), "timeout": 5}]}])
    );
    assert_eq!(hooks["hooks"]["SessionEnd"][0]["matcher"], "clear|logout|prompt_input_exit|other");
    assert_eq!(hooks["hooks"]["SessionEnd"][0]["hooks"][0]["timeout"], 10);
    assert_eq!(
        json(".codex/hooks.json")["hooks"]["SessionStart"][0]["hooks"][0]["command"],
        line("codex")
    );
    let codex = person.text(".codex/config.toml");
    assert_eq!(
        codex,
        format!("[mcp_servers.coffer]\ncommand = \"{shim}\"\nargs = [\"--agent\", \"codex\"]\n")
    );
    let gemini = json(".gemini/settings.json");
    assert_eq!(gemini["hooks"]["SessionStart"][0]["hooks"][0]["timeout"], 5000);
    assert_eq!(gemini["mcpServers"]["coffer"]["command"], shim);
    assert_eq!(
        json(".copilot/mcp-config.json")["mcpServers"]["coffer"],
        serde_json::json!({"tools": ["*"], "type": "local", "command": shim, "args": ["--agent", "copilot"]})
    );
    assert_eq!(
        json(".copilot/hooks/coffer.json"),
        serde_json::json!({"version": 1, "hooks": {"sessionStart": [{"type": "command",
            "bash": line("copilot"), "powershell": format!("& {}", line("copilot")), "timeoutSec": 5}]}})
    );
    assert_eq!(
        json(".cursor/hooks.json"),
        serde_json::json!({"version": 1, "hooks": {"sessionStart": [{"command": line("cursor"), "timeout": 5}]}})
    );
    assert_eq!(
        json(".config/opencode/opencode.jsonc")["mcp"]["coffer"],
        serde_json::json!({"type": "local", "command": [shim, "--agent", "opencode"], "enabled": true})
    );
    let plugin = person.text(".config/opencode/plugins/coffer.js");
    assert!(
        plugin.contains(&format!("const PROGRAM = {}", serde_json::json!(program("coffer-hook"))))
    );
    assert!(plugin.contains("const ARGUMENTS = [\"--agent\",\"opencode\"]"));
}

#[test]
fn what_the_person_has_there_stays() {
    let person = Person::new();
    let settings = "{\r\n\t\"hooks\": {\r\n\t\t\"SessionStart\": [ { \"hooks\": [] } ]\r\n\t}\r\n}";
    person.write(".claude/settings.json", settings);
    person.write(
        ".claude.json",
        "{\"numStartups\":3,\"projects\":{\"/a\":{\"history\":[\"\\ud83d\"]}}}",
    );
    let mode = fs::Permissions::from_mode(0o640);
    fs::set_permissions(person.at(".claude/settings.json"), mode).unwrap();
    let before = person.files();
    let (agent, _) = person.connect(AgentType::ClaudeCode).unwrap();
    assert_eq!(person.text(".claude/settings.json.coffer.bak"), settings);
    let meta = |name: &str| fs::metadata(person.at(name)).unwrap();
    assert_eq!(meta(".claude/settings.json").mode() & 0o777, 0o640);
    assert_eq!(meta(".claude/settings.json.coffer.bak").mode() & 0o777, 0o640);
    let (inode, copied) =
        (meta(".claude/settings.json").ino(), meta(".claude/settings.json.coffer.bak").ino());
    person.connect(AgentType::ClaudeCode).unwrap();
    assert_eq!(meta(".claude/settings.json").ino(), inode, "nothing is written twice");
    assert_eq!(meta(".claude/settings.json.coffer.bak").ino(), copied);
    person.agents.remove(&agent.name, false, NOW).unwrap();
    assert_eq!(person.without_copies(), before);
}

#[test]
fn a_link_stays_one_and_its_target_is_changed_in_its_own_folder() {
    let person = Person::new();
    fs::create_dir(person.at("dotfiles")).unwrap();
    person.write("dotfiles/claude.json", "{\n  \"theme\": \"dark\"\n}\n");
    symlink("../dotfiles/claude.json", person.at("chain")).unwrap();
    symlink(person.at("dotfiles/claude.json"), person.at(".claude/settings.json")).unwrap();
    symlink("../dotfiles/later.toml", person.at(".codex/config.toml")).unwrap();
    let before = person.files();
    for kind in [AgentType::ClaudeCode, AgentType::Codex] {
        person.connect(kind).unwrap();
    }
    let is_link = |name: &str| fs::symlink_metadata(person.at(name)).unwrap().is_symlink();
    assert!(is_link(".claude/settings.json") && is_link(".codex/config.toml"));
    assert!(person.text("dotfiles/claude.json").contains("coffer-hook"));
    assert!(person.text("dotfiles/later.toml").contains("mcp_servers.coffer"));
    for name in ["claude-code", "codex"] {
        person.agents.remove(name, false, NOW).unwrap();
    }
    assert_eq!(person.without_copies(), before);
}

#[test]
fn what_cannot_be_edited_safely_is_left_alone_and_so_is_the_rest() {
    let person = Person::new();
    let path = person.at(".claude/settings.json");
    let refused = |reason: &str| {
        let before = person.files();
        let error = person.connect(AgentType::ClaudeCode).unwrap_err();
        let Error::AgentConfigUnsafe { path: of, reason: said, snippet } = error else {
            panic!("{error}")
        };
        assert!(of == path && said.contains(reason), "{reason}: {said}");
        let snippet = snippet.unwrap();
        assert!(snippet.starts_with("{\n  \"hooks\": {\n    \"SessionStart\": ["), "{snippet}");
        assert_eq!(person.files(), before, "{reason}");
        assert!(person.agents.list().unwrap().is_empty());
        assert!(person.register(AgentType::ClaudeCode, true, true).is_err());
    };
    person.write(".claude/settings.json", "{\n  // mine\n}\n");
    refused("line 2 is no JSON");
    fs::write(&path, b"{\"a\": \"\xff\"}").unwrap();
    refused("not UTF-8");
    person.write(".claude/settings.json", "{}");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    refused("read-only");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    fs::hard_link(&path, person.at("second")).unwrap();
    refused("second name");
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    refused("not a file");
    fs::remove_dir(&path).unwrap();
    symlink("settings.json", &path).unwrap();
    refused("too many links");
}

/// What is to be taken out is not shown as something to paste.
#[test]
fn what_cannot_be_taken_out_stays_and_is_not_to_be_pasted() {
    let person = Person::new();
    person.connect(AgentType::Cursor).unwrap();
    person.write(".cursor/hooks.json", "{");
    let error = person.agents.remove("cursor", false, NOW).unwrap_err();
    assert!(matches!(error, Error::AgentConfigUnsafe { snippet: None, .. }), "{error:?}");
    assert!(person.agents.get("cursor").unwrap().mcp_installed);
}

/// Whenever a kill comes, what is in the files is of an agent that can be disconnected.
#[test]
fn an_agent_is_registered_before_anything_is_in_its_files() {
    for _ in 0..10 {
        let person = Person::new();
        let (file, list) = (person.at(".claude.json"), person.at(".coffer/agents.toml"));
        let looker = std::thread::spawn(move || {
            while !file.exists() {
                std::thread::yield_now();
            }
            list.exists()
        });
        person.connect(AgentType::ClaudeCode).unwrap();
        assert!(looker.join().unwrap(), "an agent without a name");
    }
}

#[test]
fn an_agent_that_cannot_be_connected_after_all_is_forgotten() {
    let person = Person::new();
    person.write(".claude/settings.json", "{}\n");
    // Nothing is wrong until the copy is to be written.
    fs::create_dir_all(person.at(".claude/settings.json.coffer.bak/mine")).unwrap();
    let before = person.without_copies();
    let error = person.connect(AgentType::ClaudeCode).unwrap_err();
    assert!(matches!(error, Error::AgentConfigUnsafe { .. }), "{error:?}");
    assert_eq!(person.without_copies(), before);
    assert!(person.agents.list().unwrap().is_empty());
    assert!(!person.at(".coffer/installs/claude-code.json").exists());
}

/// A copy of what the person had there once is not of what Coffer made later.
#[test]
fn a_copy_of_an_older_file_of_the_persons_stays() {
    for kind in [AgentType::Cursor, AgentType::Codex] {
        let person = Person::new();
        let copies = [".cursor/mcp.json.coffer.bak", ".codex/config.toml.coffer.bak"];
        for copy in copies {
            person.write(copy, "what I had there\n");
        }
        let before = person.files();
        let (agent, _) = person.register(kind, false, false).unwrap();
        for what in [Installable::Mcp, Installable::Hook] {
            person.agents.install(&agent.name, what, false, NOW).unwrap();
        }
        if kind == AgentType::Codex {
            person.agents.set_native_memory(&agent.name, true, false, NOW).unwrap();
        }
        person.agents.remove(&agent.name, false, NOW).unwrap();
        assert_eq!(person.files(), before, "{kind:?}");
    }
}

#[test]
fn drift_is_told_from_what_was_never_there() {
    let person = Person::new();
    person.connect(AgentType::Codex).unwrap();
    let state = |what| {
        let found = person.agents.installation("codex", what).unwrap();
        (found.installed, found.files[0].state, found.drift)
    };
    assert_eq!(state(Installable::Hook), (true, FileState::Installed, false));
    let hooks = person.text(".codex/hooks.json");
    person.write(".codex/hooks.json", &hooks.replace("\"timeout\": 5", "\"timeout\": 600"));
    assert_eq!(state(Installable::Hook), (false, FileState::Changed, true));
    let (found, _) = person.agents.install("codex", Installable::Hook, false, NOW).unwrap();
    assert!(found.installed);
    assert_eq!(person.text(".codex/hooks.json"), hooks);
    person.write(".codex/hooks.json", "{}");
    assert_eq!(state(Installable::Hook), (false, FileState::Missing, true));
    person.write(".codex/config.toml", "= 1");
    assert_eq!(state(Installable::Mcp), (false, FileState::Unreadable, false));
    fs::remove_file(person.at(".codex/config.toml")).unwrap();
    assert_eq!(state(Installable::Mcp), (false, FileState::Missing, true));
    person.agents.remove("codex", false, NOW).unwrap();
    // Coffer made the file, and nothing is in it any more.
    assert!(!person.at(".codex/hooks.json").exists());
}

#[test]
fn an_agents_own_memory_is_switched_off_and_back() {
    for (kind, file, before) in [
        (AgentType::ClaudeCode, ".claude/settings.json", "{\n  \"autoMemoryEnabled\": true\n}\n"),
        (AgentType::ClaudeCode, ".claude/settings.json", "{\n  \"autoMemoryEnabled\": false\n}\n"),
        (AgentType::ClaudeCode, ".claude/settings.json", "{}\n"),
        (AgentType::Codex, ".codex/config.toml", "features = { memories = true }\n"),
        (AgentType::Codex, ".codex/config.toml", "[memories]\nx = 1\n"),
        (AgentType::Codex, ".codex/config.toml", ""),
    ] {
        let person = Person::new();
        person.write(file, before);
        let (agent, _) = person.register(kind, false, false).unwrap();
        assert!(!agent.mcp_installed);
        let (agent, _) = person.agents.set_native_memory(&agent.name, true, false, NOW).unwrap();
        assert!(agent.disable_native_memory && person.text(file).contains("false"));
        person.agents.install(&agent.name, Installable::Hook, false, NOW).unwrap();
        let (agent, _) = person.agents.set_native_memory(&agent.name, false, false, NOW).unwrap();
        assert!(!agent.disable_native_memory && agent.hook_installed);
        person.agents.set_native_memory(&agent.name, true, false, NOW).unwrap();
        person.agents.uninstall(&agent.name, Installable::Hook, false, NOW).unwrap();
        assert_eq!(person.text(file), before, "{file}");
        assert!(!person.agents.get(&agent.name).unwrap().disable_native_memory);
    }
    let person = Person::new();
    let (agent, _) = person.connect(AgentType::Cursor).unwrap();
    let refused = person.agents.set_native_memory(&agent.name, true, false, NOW);
    assert!(matches!(refused, Err(Error::UnsupportedAgent { agent: "cursor", .. })));
}

#[test]
fn changes_are_in_the_audit_trail_by_agent_and_file_only() {
    let person = Person::new();
    person.connect(AgentType::Gemini).unwrap();
    person.agents.remove("gemini", false, NOW).unwrap();
    let file = person.at(".gemini/settings.json").to_str().unwrap().to_owned();
    let ids = vec!["gemini".to_owned(), file];
    let events = [
        "agent_mcp_installed",
        "agent_hook_installed",
        "agent_mcp_uninstalled",
        "agent_hook_uninstalled",
    ];
    assert_eq!(person.events(), events.map(|event| (event.to_owned(), ids.clone())));
}

#[test]
fn agents_are_found_named_and_told_apart() {
    let person = Person::new();
    let names = |person: &Person| -> Vec<String> {
        person.agents.candidates().unwrap().into_iter().map(|it| it.name).collect()
    };
    assert_eq!(names(&person), ["claude-code", "codex", "opencode", "gemini", "copilot", "cursor"]);
    person.register(AgentType::Codex, false, false).unwrap();
    assert!(!names(&person).contains(&"codex".to_owned()));
    let again = person.register(AgentType::Codex, false, false);
    assert!(matches!(again, Err(Error::AgentExists(name)) if name == "codex"));
    let other = |name: Option<&str>, folder: &str| {
        let folder = Some(PathBuf::from(folder));
        let new = NewAgent {
            kind: AgentType::Codex,
            name: name.map(str::to_owned),
            folder,
            connect: false,
        };
        person.agents.register(&new, By::Program, false, NOW)
    };
    let work = person.at("work");
    assert_eq!(other(None, work.to_str().unwrap()).unwrap().0.name, "codex-2");
    for name in ["", "A", "a/b", "../x", "-x", "candidates", &"x".repeat(65)] {
        assert!(
            matches!(other(Some(name), "/z"), Err(Error::Invalid { field: "name", .. })),
            "{name}"
        );
    }
    assert!(matches!(other(None, "z"), Err(Error::Invalid { field: "config_dir", .. })));
    assert!(matches!(other(Some("codex"), "/z"), Err(Error::AgentExists(_))));
    assert!(matches!(person.agents.get("nobody"), Err(Error::AgentNotFound(_))));
    assert_eq!(person.agents.list().unwrap().len(), 2);
    person.write(".coffer/agents.toml", "[codex]\ntype = \"robot\"\nconfig_dir = \"/x\"\n");
    assert!(matches!(person.agents.list(), Err(Error::Unavailable { .. })));
}

#[test]
fn an_agent_with_two_folders_is_found_twice() {
    let mut person = Person::new();
    fs::create_dir(person.at("work")).unwrap();
    let around = Surroundings {
        claude: Some(person.at("work")),
        home: Some(person.temp.path().to_owned()),
        programs: Some(person.at("it's bin")),
        ..Surroundings::default()
    };
    let home = Home::at(person.at(".coffer"));
    person.agents = Agents::open(&home, around, Arc::clone(&person.index), || {});
    let found = person.agents.candidates().unwrap();
    let found: Vec<_> = found.iter().map(|it| (it.name.as_str(), it.folder.clone())).collect();
    assert_eq!(
        found[..2],
        [("claude-code", person.at("work")), ("claude-code-2", person.at(".claude"))]
    );
    // `.claude.json` is in the folder that the variable names, and beside the usual one.
    person.connect(AgentType::ClaudeCode).unwrap();
    assert!(person.text("work/.claude.json").contains("claude-code"));
    person.connect(AgentType::ClaudeCode).unwrap();
    let usual = Some(person.at(".claude"));
    let new = NewAgent { kind: AgentType::ClaudeCode, name: None, folder: usual, connect: true };
    assert_eq!(
        person.agents.register(&new, By::Program, false, NOW).unwrap().0.name,
        "claude-code-2"
    );
    assert!(person.text(".claude.json").contains("claude-code-2"));
    assert!(person.text(".claude/settings.json").contains("--agent claude-code-2"));
}

#[test]
fn each_agent_has_its_sessions_in_its_own_folders() {
    let person = Person::new();
    for kind in AgentType::ALL {
        let (agent, _) = person.register(kind, false, false).unwrap();
        let shelf = person.agents.shelf(&agent.name);
        assert_eq!(shelf.is_ok(), agent.capabilities.transcripts, "{kind:?}");
        let refused = matches!(shelf, Ok(_) | Err(Error::UnsupportedAgent { .. }));
        assert!(refused, "{kind:?}");
    }
    let roots = |name: &str| person.agents.shelf(name).unwrap().roots;
    assert_eq!(roots("claude-code"), [person.at(".claude")]);
    assert_eq!(roots("codex"), [person.at(".codex")]);
    assert_eq!(roots("opencode"), [person.at(".local/share/opencode")]);
    let folder = Some(person.at("work"));
    for kind in [AgentType::ClaudeCode, AgentType::Codex, AgentType::OpenCode] {
        let new = NewAgent { kind, name: None, folder: folder.clone(), connect: false };
        person.agents.register(&new, By::Program, false, NOW).unwrap();
    }
    assert_eq!(roots("claude-code-2"), [person.at("work")]);
    assert_eq!(roots("codex-2"), [person.at("work")]);
    assert_eq!(roots("opencode-2"), roots("opencode"));
    let unknown = person.agents.shelf("claude");
    assert!(matches!(unknown, Err(Error::AgentNotFound(name)) if name == "claude"));
}

#[test]
fn without_its_programs_nothing_is_connected() {
    let person = Person::new();
    fs::remove_file(person.at("it's bin/coffer-hook")).unwrap();
    let before = person.files();
    let refused = person.connect(AgentType::ClaudeCode);
    assert!(matches!(refused, Err(Error::Launch { program, .. }) if program == "coffer-hook"));
    assert_eq!(person.files(), before);
}

/// Connects and disconnects while another program counts in the file; every number it wrote must be
/// there when it reads again.
fn beside_a_writer(write: impl Fn(&Path, &str) + Send + 'static) -> (usize, usize) {
    let person = Person::new();
    let path = person.at(".claude.json");
    fs::write(&path, "{\n  \"count\": 0\n}\n").unwrap();
    let is_over = Arc::new(AtomicBool::new(false));
    let writer = {
        let (path, is_over) = (path.clone(), Arc::clone(&is_over));
        std::thread::spawn(move || {
            let mut count: u64 = 0;
            while !is_over.load(Ordering::Relaxed) {
                let text = fs::read_to_string(&path).unwrap();
                let mut json: serde_json::Value = serde_json::from_str(&text).expect("never torn");
                assert_eq!(json["count"], count, "an update is lost");
                count += 1;
                json["count"] = count.into();
                write(&path, &serde_json::to_string_pretty(&json).unwrap());
                std::thread::sleep(Duration::from_millis(10));
            }
            count
        })
    };
    let mut done = 0;
    let (agent, _) = person.register(AgentType::ClaudeCode, false, false).unwrap();
    for turn in 0..200 {
        let result = match turn % 2 {
            0 => person.agents.install(&agent.name, Installable::Mcp, false, NOW),
            _ => person.agents.uninstall(&agent.name, Installable::Mcp, false, NOW),
        };
        match result {
            Ok(_) => done += 1,
            Err(Error::AgentConfigUnsafe { .. }) => {}
            Err(other) => panic!("{other}"),
        }
        if writer.is_finished() {
            break;
        }
    }
    is_over.store(true, Ordering::Relaxed);
    let count = writer.join().expect("the writer lost nothing");
    let json: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(json["count"], count);
    (done, usize::try_from(count).unwrap())
}

#[test]
fn a_program_that_renames_over_the_file_loses_no_update() {
    let (done, count) = beside_a_writer(|path, text| {
        let temporary = path.with_extension("tmp");
        fs::write(&temporary, text).unwrap();
        fs::rename(&temporary, path).unwrap();
    });
    println!("{done} of 200 done beside {count} updates");
    assert!(done >= 100 && count >= 100, "{done} of 200 done beside {count} updates");
}

#[test]
fn a_program_that_writes_the_file_over_loses_no_update() {
    let (done, count) = beside_a_writer(|path, text| fs::write(path, text).unwrap());
    println!("{done} of 200 done beside {count} updates");
    assert!(done >= 100 && count >= 100, "{done} of 200 done beside {count} updates");
}

#[test]
fn a_page_names_only_folders_that_were_found() {
    let person = Person::new();
    let register = |folder: &str| {
        let folder = Some(person.at(folder));
        let new = NewAgent { kind: AgentType::Codex, name: None, folder, connect: true };
        person.agents.register(&new, By::Page, false, NOW)
    };
    for folder in ["elsewhere", ".claude", ".", ".codex/.."] {
        let refused = register(folder);
        assert!(matches!(&refused, Err(Error::PathNotAllowed(_))), "{folder}: {refused:?}");
    }
    assert!(person.agents.list().unwrap().is_empty());
    assert_eq!(register(".codex").unwrap().0.name, "codex");
    // One that is registered is known too.
    assert!(register(".codex").unwrap().0.mcp_installed);
}

#[test]
fn what_drifted_is_named_part_by_part() {
    let person = Person::new();
    let drift = || person.agents.get("codex").unwrap().drift;
    person.connect(AgentType::Codex).unwrap();
    assert_eq!(drift(), []);
    person.agents.set_native_memory("codex", true, false, NOW).unwrap();
    let config = person.text(".codex/config.toml");
    person.write(".codex/config.toml", &config.replace("memories = false", "memories = true"));
    assert_eq!(drift(), [Part::Memory]);
    person.write(".codex/hooks.json", "{}");
    assert_eq!(drift(), [Part::Hook, Part::Memory]);
    person.write(".codex/config.toml", "");
    assert_eq!(drift(), [Part::Mcp, Part::Hook, Part::Memory]);
    person.connect(AgentType::Codex).unwrap();
    assert_eq!(drift(), []);
}

#[test]
fn sessions_are_those_of_the_agents_own_folder() {
    let person = Person::new();
    let work = person.at("claude-work");
    fs::create_dir(&work).unwrap();
    let (kind, folder) = (AgentType::ClaudeCode, Some(work.clone()));
    let new = NewAgent { kind, name: Some("work".to_owned()), folder, connect: false };
    person.agents.register(&new, By::Program, false, NOW).unwrap();
    for kind in [AgentType::Cursor, AgentType::Gemini] {
        person.register(kind, false, false).unwrap();
    }
    let roots = |name: &str| person.agents.shelf(name).map(|shelf| shelf.roots);
    assert_eq!(roots("work").unwrap(), [work.as_path()]);
    assert!(matches!(roots("claude-code"), Err(Error::AgentNotFound(_))));
    for name in ["cursor", "gemini"] {
        assert!(matches!(roots(name), Err(Error::UnsupportedAgent { .. })), "{name}");
    }
    assert!(matches!(roots("emacs"), Err(Error::AgentNotFound(_))));
    let places = person.agents.places();
    for place in [work.join("settings.json"), work, person.at(".cursor/mcp.json")] {
        assert!(places.contains(&place), "{}: {places:?}", place.display());
    }
    assert!(!places.contains(&person.at(".codex")));
}

#[test]
fn a_coffer_elsewhere_is_named_to_the_programs() {
    let person = Person::new();
    let elsewhere = person.at("else where");
    Dir::make(&elsewhere).unwrap();
    let around = Surroundings {
        home: Some(person.temp.path().to_owned()),
        programs: Some(person.at("it's bin")),
        ..Surroundings::default()
    };
    let home = Home::at(&elsewhere);
    let agents = Agents::open(&home, around, Arc::clone(&person.index), || {});
    for kind in AgentType::ALL {
        let new = NewAgent { kind, name: None, folder: None, connect: true };
        agents.register(&new, By::Program, false, NOW).unwrap();
    }
    let named = serde_json::to_string(elsewhere.to_str().unwrap()).unwrap();
    for (file, argument) in [
        (".claude.json", format!("\"--home\",\n        {named}")),
        (
            ".claude/settings.json",
            format!(" --agent claude-code --home '{}'\"", elsewhere.display()),
        ),
        (".codex/config.toml", format!("\"--home\", {named}")),
        (
            ".config/opencode/plugins/coffer.js",
            format!("[\"--agent\",\"opencode\",\"--home\",{named}]"),
        ),
        (".cursor/hooks.json", format!(" --agent cursor --home '{}'\"", elsewhere.display())),
    ] {
        assert!(person.text(file).contains(&argument), "{file}: {}", person.text(file));
    }
}
