//! A headless server on a home of its own.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use serde_json::Value;

/// A running server; stopped when dropped.
pub(crate) struct Server {
    child: Child,
    agent: ureq::Agent,
    address: String,
    token: String,
}

impl Server {
    /// Starts the program on a home and waits until it answers.
    pub(crate) fn start(coffer: &Path, home: &Path) -> anyhow::Result<Self> {
        let child = Command::new(coffer)
            .args(["serve", "--port", "0"])
            .env("COFFER_HOME", home)
            .env("HOME", home)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start {}", coffer.display()))?;
        let config = ureq::Agent::config_builder()
            .proxy(None)
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(600)))
            .build();
        let agent = ureq::Agent::new_with_config(config);
        let mut server = Self { child, agent, address: String::new(), token: String::new() };
        server.wait(&home.join("run/server.json"))?;
        Ok(server)
    }

    fn wait(&mut self, file: &Path) -> anyhow::Result<()> {
        let until = Instant::now() + Duration::from_secs(60);
        while Instant::now() < until {
            let text = std::fs::read_to_string(file).unwrap_or_default();
            let info: Value = serde_json::from_str(&text).unwrap_or_default();
            if info["pid"] == self.child.id() {
                self.address = format!("http://127.0.0.1:{}", info["port"]);
                info["token"].as_str().unwrap_or_default().clone_into(&mut self.token);
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        bail!("the server did not come up in a minute")
    }

    /// The process.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends JSON and gives status, session header and body.
    pub(crate) fn send(
        &self,
        path: &str,
        body: &Value,
        headers: &[(&str, &str)],
    ) -> anyhow::Result<(u16, Option<String>, String)> {
        let mut request = self
            .agent
            .post(format!("{}{path}", self.address))
            .header("Authorization", self.bearer());
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut reply = request.send_json(body)?;
        let session = reply.headers().get("mcp-session-id").and_then(|value| value.to_str().ok());
        let session = session.map(str::to_owned);
        Ok((reply.status().as_u16(), session, reply.body_mut().read_to_string()?))
    }

    /// Sends JSON and wants JSON and success back.
    pub(crate) fn post(&self, path: &str, body: &Value) -> anyhow::Result<Value> {
        let (status, _, text) = self.send(path, body, &[])?;
        wanted(path, status, &text)
    }

    /// As `post`, for a change.
    pub(crate) fn patch(&self, path: &str, body: &Value) -> anyhow::Result<Value> {
        let request = self.agent.patch(format!("{}{path}", self.address));
        let mut reply = request.header("Authorization", self.bearer()).send_json(body)?;
        wanted(path, reply.status().as_u16(), &reply.body_mut().read_to_string()?)
    }

    /// Deletes, and wants success back.
    pub(crate) fn delete(&self, path: &str) -> anyhow::Result<()> {
        let request = self.agent.delete(format!("{}{path}", self.address));
        let reply = request.header("Authorization", self.bearer()).call()?;
        if !reply.status().is_success() {
            bail!("{path}: HTTP {}", reply.status());
        }
        Ok(())
    }

    /// Reads JSON.
    pub(crate) fn get(&self, path: &str) -> anyhow::Result<Value> {
        let request = self.agent.get(format!("{}{path}", self.address));
        let mut reply = request.header("Authorization", self.bearer()).call()?;
        wanted(path, reply.status().as_u16(), &reply.body_mut().read_to_string()?)
    }

    fn bearer(&self) -> String {
        format!("Bearer {}", self.token)
    }
}

fn wanted(path: &str, status: u16, text: &str) -> anyhow::Result<Value> {
    if !(200..300).contains(&status) {
        bail!("{path}: HTTP {status}: {text}");
    }
    Ok(serde_json::from_str(text)?)
}

impl Drop for Server {
    fn drop(&mut self) {
        // A clean end, so that the database is whole for whoever looks next.
        let _ = self.send("/api/v1/shutdown", &Value::Null, &[]);
        let until = Instant::now() + Duration::from_secs(5);
        while Instant::now() < until {
            if let Ok(Some(_)) = self.child.try_wait() {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The inbox of the global store of a home.
pub(crate) fn inbox(home: &Path) -> PathBuf {
    home.join("memory/global/knowledge/inbox")
}
