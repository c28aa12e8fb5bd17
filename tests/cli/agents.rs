//! `coffer agent`, with Coffer's programs in a folder of their own, as an installation has them.

use std::fs;
use std::path::{Path, PathBuf};

use super::run::{Person, Ran, finish};

/// A person whose programs are all there.
struct Installed {
    person: Person,
    coffer: PathBuf,
}

impl Installed {
    fn new() -> Self {
        let person = Person::new();
        let bin = person.folder().join("bin");
        fs::create_dir(&bin).unwrap();
        let built = PathBuf::from(env!("CARGO_BIN_EXE_coffer"));
        for name in ["coffer", "coffer-mcp-shim"] {
            let (from, to) = (built.with_file_name(name), bin.join(name));
            // Not a link by name: a program is where its file is.
            fs::hard_link(&from, &to).or_else(|_| fs::copy(&from, &to).map(drop)).unwrap();
        }
        fs::write(bin.join("coffer-hook"), "#!/bin/sh\n").unwrap();
        Self { coffer: bin.join("coffer"), person }
    }

    fn run(&self, words: &[&str]) -> Ran {
        let mut command = self.person.program_at(&self.coffer);
        command.arg("agent").args(words);
        finish(command, "")
    }

    fn at(&self, name: &str) -> PathBuf {
        self.person.folder().join(name)
    }
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn an_agent_is_connected_and_disconnected_without_a_trace() {
    let installed = Installed::new();
    let settings = installed.at(".claude/settings.json");
    fs::create_dir(installed.at(".claude")).unwrap();
    let before = "{\n    \"theme\": \"dark\"\n}";
    fs::write(&settings, before).unwrap();
    assert!(installed.run(&["list"]).fine().starts_with("No agents."));
    assert!(installed.run(&["candidates"]).fine().contains("claude_code  claude-code"));
    let trial = installed.run(&["connect", "claude-code", "--dry-run"]).fine();
    assert!(trial.contains("--- /dev/null\n") && trial.contains("+    \"hooks\": {\n"), "{trial}");
    assert_eq!(text(&settings), before);
    let said = installed.run(&["connect", "claude-code"]).fine();
    assert_eq!(said, "claude-code is connected.\n");
    let again = installed.run(&["connect", "claude_code", "--dry-run"]).fine();
    assert_eq!(again, "Nothing would change.\n");
    let listed = installed.run(&["list", "--json"]).json();
    assert_eq!(listed["agents"][0]["hook_installed"], true);
    assert!(installed.run(&["show", "claude_code"]).fine().contains("hook  installed"));
    let shown = installed.run(&["show", "claude-code"]).fine();
    assert!(shown.contains("hook  installed") && !shown.contains("Somebody"), "{shown}");
    installed.run(&["native-memory", "claude-code", "off"]).fine();
    assert!(text(&settings).contains("\"autoMemoryEnabled\": false"));
    fs::write(&settings, text(&settings).replace("\"timeout\": 5", "\"timeout\": 7")).unwrap();
    let shown = installed.run(&["show", "claude-code"]).fine();
    assert!(shown.contains("hook  changed") && shown.contains("Somebody"), "{shown}");
    fs::write(&settings, text(&settings).replace("\"timeout\": 7", "\"timeout\": 5")).unwrap();
    let said = installed.run(&["disconnect", "claude-code"]).fine();
    assert_eq!(said, "claude-code is disconnected.\n");
    assert_eq!(text(&settings), before);
    assert!(!installed.at(".claude.json").exists());
    assert!(installed.run(&["show", "claude-code"]).failed(4).contains("claude-code"));
}

#[test]
fn codex_says_what_is_left_to_do() {
    let installed = Installed::new();
    let said = installed.run(&["connect", "codex"]).fine();
    assert!(said.starts_with("codex is connected.\n") && said.contains("/hooks"), "{said}");
    assert!(text(&installed.at(".codex/hooks.json")).contains("bin/coffer-hook' --agent codex"));
    installed.run(&["disconnect", "codex"]).fine();
    assert!(!installed.at(".codex").exists());
}

#[test]
fn the_shells_variables_say_where_an_agent_is() {
    let installed = Installed::new();
    // The server runs already, and knows nothing of the variable.
    installed.run(&["list"]).fine();
    let mut command = installed.person.program_at(&installed.coffer);
    command.args(["agent", "connect", "codex"]).env("CODEX_HOME", installed.at("work"));
    finish(command, "").fine();
    assert!(installed.at("work/hooks.json").exists() && !installed.at(".codex").exists());
}

#[test]
fn a_file_that_is_left_alone_ends_in_an_error_for_safety() {
    let installed = Installed::new();
    fs::create_dir(installed.at(".gemini")).unwrap();
    fs::write(installed.at(".gemini/settings.json"), "{").unwrap();
    let said = installed.run(&["connect", "gemini"]).failed(6);
    assert!(said.contains(".gemini/settings.json` is left as it is: line 1"), "{said}");
    assert!(said.contains("\"mcpServers\""), "the snippet is shown: {said}");
    assert_eq!(text(&installed.at(".gemini/settings.json")), "{");
    assert!(installed.run(&["connect", "robot"]).failed(2).contains("claude_code"));
    let slip = installed.at(".claud");
    let slip = ["connect", "claude-code", "--config-dir", slip.to_str().unwrap()];
    let said = installed.run(&slip).failed(2);
    assert!(said.contains("there is no folder `") && !installed.at(".claud").exists(), "{said}");
}
