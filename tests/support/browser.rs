//! A headless Chromium with an empty profile, in the hands of its driver.
//!
//! With `COFFER_SHOTS=<folder>` in the environment each [`Browser::picture`] leaves a PNG there;
//! without it nothing is kept.

use std::ops::Deref;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::page::Page;
use super::process::{Process, answer_within, bound};

/// Keys as WebDriver names them.
pub mod keys {
    pub const TAB: char = '\u{e004}';
    pub const ENTER: char = '\u{e007}';
    pub const ESCAPE: char = '\u{e00c}';
    pub const CONTROL: char = '\u{e009}';
}

const SWITCHES: [&str; 9] = [
    "--headless=new",
    // Its sandbox does not start for root, as whom containers run tests.
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1280,800",
];

/// What a person may have set for their whole system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    Light,
    Dark,
}

impl Theme {
    /// The word of the style sheet.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

/// A browser, used as its one page. The page ends before its folder goes.
pub struct Browser {
    page: Page,
    _folder: Folder,
}

/// What the browser writes.
struct Folder(TempDir);

/// Where a test fails the browser is not asked to end, and writes for a moment longer.
impl Drop for Folder {
    fn drop(&mut self) {
        answer_within(Duration::from_secs(2), || std::fs::remove_dir_all(self.0.path()).ok());
    }
}

impl Deref for Browser {
    type Target = Page;

    fn deref(&self) -> &Page {
        &self.page
    }
}

impl Browser {
    /// Starts one, at an empty page.
    #[track_caller]
    pub fn start() -> Self {
        let folder = tempfile::Builder::new().prefix("coffer-browser").tempdir().unwrap();
        let profile = folder.path().join("profile");
        let mut switches = SWITCHES.map(str::to_owned).to_vec();
        switches.push(format!("--user-data-dir={}", profile.display()));
        let wanted = json!({
            "goog:chromeOptions": {"binary": bound_chromium(folder.path()), "args": switches},
            "goog:loggingPrefs": {"browser": "ALL"},
        });
        let mut driver = bound("chromedriver");
        driver.env("HOME", folder.path()).env("TMPDIR", folder.path());
        driver.env_remove("XDG_CONFIG_HOME").env_remove("XDG_CACHE_HOME");
        let page = Page::open(&mut driver, &wanted, &folder.path().join("driver.log"));
        Self { page, _folder: Folder(folder) }
    }

    /// Goes to an address, as if it was typed.
    #[track_caller]
    pub fn go(&self, address: &str) {
        let reply = self.command("POST", "/url", &json!({"url": address}));
        assert_eq!(reply.status, 200, "{address}: {}", reply.text());
    }

    /// The tab that is in sight.
    #[track_caller]
    pub fn tab(&self) -> String {
        let tab = self.done("GET", "/window", &Value::Null).expect("there is a tab");
        tab.as_str().unwrap().to_owned()
    }

    /// Brings a tab into sight.
    #[track_caller]
    pub fn turn_to(&self, tab: &str) {
        assert!(self.done("POST", "/window", &json!({"handle": tab})).is_some(), "{tab}");
        self.devtools("Page.bringToFront", &json!({}));
    }

    /// Opens an empty tab and brings it into sight.
    #[track_caller]
    pub fn open_tab(&self) {
        let made = self.done("POST", "/window/new", &json!({"type": "tab"})).expect("it opens");
        self.turn_to(made["handle"].as_str().unwrap());
    }

    /// A command of the browser's own tools for developers.
    #[track_caller]
    pub fn devtools(&self, command: &str, parameters: &Value) -> Value {
        let body = json!({"cmd": command, "params": parameters});
        let reply = self.command("POST", "/goog/cdp/execute", &body);
        assert_eq!(reply.status, 200, "{command}: {}", reply.text());
        reply.json()["value"].clone()
    }

    /// The size of the page's window in pixels, and the theme of the system around it.
    #[track_caller]
    pub fn show_as(&self, (width, height): (u32, u32), theme: Theme) {
        let size =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.devtools("Emulation.setDeviceMetricsOverride", &size);
        let feature = json!({"name": "prefers-color-scheme", "value": theme.word()});
        self.devtools("Emulation.setEmulatedMedia", &json!({"features": [feature]}));
    }

    /// What the page complained about since it was last asked: warnings and errors of scripts, of
    /// the policy, of what could not be loaded.
    #[track_caller]
    pub fn complaints(&self) -> Vec<String> {
        let log =
            self.done("POST", "/se/log", &json!({"type": "browser"})).expect("there is a log");
        let entries = log.as_array().unwrap().iter();
        let bad = entries.filter(|entry| entry["level"] == "SEVERE" || entry["level"] == "WARNING");
        bad.map(|entry| entry["message"].as_str().unwrap().to_owned()).collect()
    }

    /// Presses keys, holding the earlier ones down while the later ones are pressed.
    #[track_caller]
    pub fn press(&self, keys: &[char]) {
        let down = keys.iter().map(|key| json!({"type": "keyDown", "value": key}));
        let up = keys.iter().rev().map(|key| json!({"type": "keyUp", "value": key}));
        let board =
            json!({"type": "key", "id": "keyboard", "actions": down.chain(up).collect::<Vec<_>>()});
        let reply = self.command("POST", "/actions", &json!({"actions": [board]}));
        assert_eq!(reply.status, 200, "{}", reply.text());
    }

    /// Types a text into a field.
    #[track_caller]
    pub fn type_into(&self, css: &str, text: &str) {
        self.see(css);
        let field = self.find(css).expect("it is there");
        let typed = self.done("POST", &format!("/element/{field}/value"), &json!({"text": text}));
        assert!(typed.is_some(), "{css}");
    }

    /// Keeps a picture of what is in sight, where a folder for pictures was named.
    #[track_caller]
    pub fn picture(&self, name: &str) {
        let Some(folder) = std::env::var_os("COFFER_SHOTS").map(PathBuf::from) else { return };
        std::fs::create_dir_all(&folder).unwrap();
        let picture = self.done("GET", "/screenshot", &Value::Null).expect("it can be drawn");
        write_decoded(picture.as_str().unwrap(), &folder.join(format!("{name}.png")));
    }
}

/// Chromium as a program that the system ends with its driver, which a test may have to kill.
fn bound_chromium(folder: &Path) -> PathBuf {
    let program = folder.join("chromium");
    std::fs::write(&program, "#!/bin/sh\nexec setpriv --pdeathsig KILL chromium \"$@\"\n").unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    program
}

fn write_decoded(text: &str, file: &Path) {
    let mut decode = bound("base64");
    let output = std::fs::File::create(file).unwrap();
    decode.arg("--decode").stdin(Stdio::piped()).stdout(output);
    assert!(Process::start(&mut decode).fed(text.as_bytes()).success());
}
