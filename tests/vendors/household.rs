//! A person's home with a Coffer, a git project, and an agent that works in it with the scripted model.

use std::path::PathBuf;
use std::process::Command;

use coffer_domain::bundle;
use serde_json::Value;

use super::agent::{Agent, texts};
use super::files::Files;
use super::model::{Asked, Model, Script};
use crate::support::process::bound;
use crate::support::{TestServer, project};

/// How long a session may take, in seconds.
const PATIENCE: &str = "120";

/// All of it; it goes when it is dropped.
pub struct Household {
    pub server: TestServer,
    pub project: PathBuf,
    model: Model,
}

/// What became of a session.
pub struct Session {
    /// What the program printed.
    pub said: String,
    /// What the model was asked.
    pub asked: Vec<Asked>,
}

impl Household {
    /// A home with the files that a person has of some agents, and Coffer where it usually is.
    pub fn with(agents: &[&Agent]) -> Self {
        Self::around(TestServer::start_where_it_usually_is(), agents)
    }

    /// The same, with a Coffer that no agent finds unless it was told where that is.
    pub fn with_coffer_elsewhere(agents: &[&Agent]) -> Self {
        Self::around(TestServer::start(), agents)
    }

    fn around(server: TestServer, agents: &[&Agent]) -> Self {
        let model = Model::start();
        for agent in agents {
            for (name, text) in agent.files {
                let file = server.folder().join(name);
                std::fs::create_dir_all(file.parent().unwrap()).unwrap();
                std::fs::write(file, text.replace("{port}", &model.port.to_string())).unwrap();
            }
        }
        std::fs::create_dir(server.folder().join("tmp")).unwrap();
        let project = project::repository(server.folder(), "walnut");
        Self { server, project, model }
    }

    /// Runs `coffer` in the project: it must work.
    #[track_caller]
    pub fn coffer(&self, words: &[&str]) -> String {
        let ran = self.server.command("coffer").args(words).current_dir(&self.project).output();
        let ran = ran.unwrap();
        let said = String::from_utf8(ran.stdout).unwrap();
        let more = String::from_utf8(ran.stderr).unwrap();
        assert!(ran.status.success(), "coffer {words:?}: {said}{more}");
        said
    }

    /// The same, what it prints as JSON.
    #[track_caller]
    pub fn coffer_json(&self, words: &[&str]) -> Value {
        serde_json::from_str(&self.coffer(&[words, &["--json"]].concat())).unwrap()
    }

    /// A session of an agent in the project, which answers a prompt and ends.
    #[track_caller]
    pub fn session(&self, agent: &Agent, prompt: &str, script: &Script) -> Session {
        self.model.follow(script.clone());
        self.model.asked();
        let mut command = self.command(agent);
        (agent.session)(&mut command, prompt, self.model.port);
        let ran = command.output().unwrap();
        let said = [ran.stdout, ran.stderr].map(|said| String::from_utf8_lossy(&said).into_owned());
        let (said, asked) = (said.concat(), self.model.asked());
        assert!(ran.status.success(), "{}: {said}", agent.name);
        assert!(said.contains(script.text), "{}: {said}", agent.name);
        let strange = asked.iter().filter(|asked| asked.is_strange).map(|asked| &asked.line);
        let strange: Vec<_> = strange.collect();
        assert!(strange.is_empty(), "{} asks other hosts: {strange:?}", agent.name);
        Session { said, asked }
    }

    /// An agent's program, with nothing around it of whoever runs the tests.
    pub fn command(&self, agent: &Agent) -> Command {
        let mut command = bound("timeout");
        command.args([PATIENCE, "setpriv", "--pdeathsig", "KILL"]).arg((agent.program)());
        command.current_dir(&self.project).env_clear();
        let proxy = format!("http://127.0.0.1:{}", self.model.port);
        command
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.server.folder())
            .env("TMPDIR", self.server.folder().join("tmp"))
            .env("USER", "somebody")
            // For a Coffer that the agent starts; no test takes the usual port or asks a keyring.
            .env("COFFER_PORT", "0")
            .env("COFFER_KEYRING", "off")
            .env("HTTP_PROXY", &proxy)
            .env("HTTPS_PROXY", &proxy)
            .env("NO_PROXY", "127.0.0.1,localhost");
        command
    }

    /// A file of the person's.
    pub fn at(&self, name: &str) -> PathBuf {
        self.server.folder().join(name)
    }

    /// Every file of the person's, but Coffer's own and what programs of the moment leave.
    pub fn files(&self) -> Files {
        let home = self.server.home();
        let (log, tmp) = (self.at("server.log"), self.at("tmp"));
        Files::below(self.server.folder(), &[home.root(), &log, &tmp])
    }
}

impl Session {
    /// What Coffer told the model: between its marks, in the first request that has them.
    pub fn told(&self) -> Option<&str> {
        let texts = self.asked.iter().flat_map(|asked| texts(&asked.body));
        texts.filter_map(between_marks).next()
    }

    /// What the model was told at last that tools gave.
    pub fn results(&self, agent: &Agent) -> Vec<String> {
        let results = self.asked.iter().map(|asked| (agent.results)(&asked.body));
        results.max_by_key(Vec::len).unwrap_or_default()
    }
}

fn between_marks(text: &str) -> Option<&str> {
    let start = text.find(bundle::OPEN)? + bundle::OPEN.len();
    let length = text[start..].find(bundle::CLOSE)?;
    Some(&text[start..start + length])
}
