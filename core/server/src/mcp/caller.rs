//! Who calls a tool, and from which working directory.
//!
//! Both are what the client says of itself, never what a text says. Two clients in two projects
//! have two sessions, and so never share an answer to either question.

use std::path::PathBuf;
use std::sync::OnceLock;

use coffer_domain::fact::{Actor, Author};
use coffer_domain::hidden;
use http::request::Parts;
use percent_encoding::percent_decode_str;
use rmcp::RoleServer;
use rmcp::service::RequestContext;

use super::roots::Roots;

const CWD: &str = "x-coffer-cwd";
const AGENT: &str = "x-coffer-agent";
/// The header that names a session.
pub(super) const SESSION: &str = "mcp-session-id";
/// The longest name of an agent, in characters.
const AGENT_CHARS: usize = 64;

/// Who calls.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Caller {
    /// The agent's name, when it has one.
    pub(super) agent: Option<String>,
    /// The MCP session, where there is one.
    pub(super) session: Option<String>,
    /// The working directory, when it is known.
    pub(super) cwd: Option<PathBuf>,
}

impl Caller {
    /// Who wrote what this caller writes.
    pub(super) fn author(&self) -> Author {
        Author { actor: Actor::Agent, agent: self.agent.clone() }
    }
}

/// What a session said of itself when it began, and its roots once they were asked for.
#[derive(Debug, Default)]
pub(super) struct Introduction {
    headers: OnceLock<(Option<PathBuf>, Option<String>)>,
    /// Its folders.
    pub(super) roots: Roots,
}

impl Introduction {
    /// Keeps what the first request of a session says.
    pub(super) fn keep(&self, context: &RequestContext<RoleServer>) {
        let head = context.extensions.get::<Parts>();
        _ = self.headers.set((head.and_then(cwd), head.and_then(agent)));
    }

    /// Who makes this call.
    pub(super) async fn caller(&self, context: &RequestContext<RoleServer>) -> Caller {
        let head = context.extensions.get::<Parts>();
        let (first_cwd, first_agent) = self.headers.get().cloned().unwrap_or_default();
        let named = || context.client_info().and_then(|client| tidy(&client.name));
        let cwd = match head.and_then(cwd).or(first_cwd) {
            Some(cwd) => Some(cwd),
            None => self.root(context).await,
        };
        let session = head.and_then(|head| header(head, SESSION)).map(str::to_owned);
        Caller { agent: head.and_then(agent).or(first_agent).or_else(named), session, cwd }
    }

    async fn root(&self, context: &RequestContext<RoleServer>) -> Option<PathBuf> {
        context.client_capabilities()?.roots?;
        self.roots.first(&context.peer).await
    }
}

fn header<'a>(head: &'a Parts, name: &str) -> Option<&'a str> {
    head.headers.get(name)?.to_str().ok()
}

fn cwd(head: &Parts) -> Option<PathBuf> {
    absolute(header(head, CWD)?)
}

fn agent(head: &Parts) -> Option<String> {
    tidy(&percent_decode_str(header(head, AGENT)?).decode_utf8().ok()?)
}

/// A folder on this machine, out of `file:///…`.
pub(super) fn file_uri(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    let drive = path.as_bytes().get(2) == Some(&b':');
    absolute(if cfg!(windows) && drive { &path[1..] } else { path })
}

/// An absolute path, percent-encoded UTF-8; anything else is no working directory.
fn absolute(encoded: &str) -> Option<PathBuf> {
    let decoded = percent_decode_str(encoded).decode_utf8().ok()?;
    let path = PathBuf::from(decoded.as_ref());
    (path.is_absolute() && !decoded.contains('\0')).then_some(path)
}

/// A name of an agent: one short line, all of which shows, and nobody else's name.
fn tidy(name: &str) -> Option<String> {
    let name = hidden::strip(name);
    let name: String = name.chars().filter(|c| !c.is_control()).take(AGENT_CHARS).collect();
    Author::named(name.trim()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_absolute_utf8_is_a_working_directory() {
        for (text, path) in [
            ("/home/dev/app", Some("/home/dev/app")),
            ("/home/%C3%BCber%20uns", Some("/home/über uns")),
            ("relative", None),
            ("", None),
            ("/a%00b", None),
            ("/a%FF", None),
        ] {
            assert_eq!(absolute(text), path.map(PathBuf::from), "{text}");
        }
        for (uri, path) in [
            ("file:///home/dev/a%20b", Some("/home/dev/a b")),
            ("file://localhost/x", Some("/x")),
            ("file://elsewhere/x", None),
            ("https://evil.example/x", None),
        ] {
            assert_eq!(file_uri(uri), path.map(PathBuf::from), "{uri}");
        }
    }

    #[test]
    fn names_of_agents_are_one_short_line() {
        assert_eq!(tidy("claude-code").as_deref(), Some("claude-code"));
        assert_eq!(tidy(" a\nb\u{7} ").as_deref(), Some("ab"));
        assert_eq!(tidy(&"x".repeat(500)).unwrap().len(), AGENT_CHARS);
        assert_eq!(tidy(" \n"), None);
        for taken in ["user", " User ", "us\u{200b}er", "USER\n", "unknown", "organizer", "agent"] {
            assert_eq!(tidy(taken), None, "{taken:?}");
        }
    }
}
