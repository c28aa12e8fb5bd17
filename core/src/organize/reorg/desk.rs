//! The four tools of a reorg. They are the engine's alone: no agent is offered them.

use std::collections::HashMap;

use coffer_domain::store::StoreName;
use coffer_env::clock;
use serde::Deserialize;
use serde_json::json;

use super::whole;
use crate::engine::{ANSWER, Engine, Tool, estimated};
use crate::error::Result;
use crate::memory::{Applied, Memory, Topic};
use crate::organize::verdict::{checked_slug, topic_text};

/// What the model may call.
pub(super) const TOOLS: [Tool; 4] = [
    Tool {
        name: "list_topics",
        description: "All topic documents: slug, title, description, length.",
        parameters: r#"{"type":"object","properties":{}}"#,
    },
    Tool {
        name: "read_topic",
        description: "One document, whole.",
        parameters: r#"{"type":"object","properties":{"slug":{"type":"string"}},"required":["slug"]}"#,
    },
    Tool {
        name: "write_topic",
        description: "Writes a document, new or in the place of one that you read. The body is the whole text, Markdown without frontmatter.",
        parameters: r#"{"type":"object","properties":{"slug":{"type":"string"},"title":{"type":"string"},"description":{"type":"string"},"body":{"type":"string"}},"required":["slug","title","description","body"]}"#,
    },
    Tool {
        name: "supersede_topic",
        description: "Retires a document that you read and whose facts all stand elsewhere.",
        parameters: r#"{"type":"object","properties":{"slug":{"type":"string"},"reason":{"type":"string"}},"required":["slug","reason"]}"#,
    },
];

/// What the tools work on, and what the model has seen of it.
pub(super) struct Desk<'m> {
    memory: &'m Memory,
    engine: &'m Engine,
    store: &'m StoreName,
    /// The version of each topic that was read or written in this pass.
    seen: HashMap<String, Topic>,
    pub(super) written: u64,
    pub(super) superseded: u64,
}

#[derive(Deserialize)]
struct Slug {
    slug: String,
}

#[derive(Deserialize)]
struct Written {
    slug: String,
    title: String,
    #[serde(default)]
    description: String,
    body: String,
}

#[derive(Deserialize)]
struct Superseded {
    slug: String,
    #[serde(default)]
    reason: String,
}

impl<'m> Desk<'m> {
    pub(super) fn new(memory: &'m Memory, engine: &'m Engine, store: &'m StoreName) -> Self {
        Self { memory, engine, store, seen: HashMap::new(), written: 0, superseded: 0 }
    }

    /// What a call gives, for the model: JSON, or what is wrong with the call.
    pub(super) fn answer(&mut self, tool: &str, arguments: &str) -> String {
        let given = if arguments.trim().is_empty() { "{}" } else { arguments };
        let done = match tool {
            "list_topics" => self.list(),
            "read_topic" => read(given).and_then(|Slug { slug }| self.read(&slug)),
            "write_topic" => read(given).and_then(|written| self.write(written)),
            "supersede_topic" => read(given).and_then(|superseded| self.supersede(&superseded)),
            _ => Err(format!("there is no tool `{tool}`")),
        };
        done.unwrap_or_else(|reason| format!("error: {reason}"))
    }

    fn list(&self) -> Result<String, String> {
        let topics = told(self.memory.topics(self.store))?;
        let topics: Vec<_> = topics
            .iter()
            .map(|topic| {
                json!({"slug": topic.slug, "title": topic.title, "description": topic.description,
                    "characters": topic.text.chars().count()})
            })
            .collect();
        Ok(json!(topics).to_string())
    }

    fn read(&mut self, slug: &str) -> Result<String, String> {
        let topic = told(self.memory.topic(self.store, slug))?;
        let topic = topic.ok_or_else(|| format!("there is no topic `{slug}`"))?;
        // What it does not see whole, or cannot write whole, it must not write anew.
        if estimated(&topic.text) > u64::from(ANSWER) {
            return Err(format!(
                "`{slug}` is too long to be written in one answer; leave it as it is"
            ));
        }
        if !self.engine.may_send(&whole(&topic).collect::<Vec<_>>().join("\n")) {
            return Err(format!(
                "`{slug}` is not shown, since it holds a secret; leave it as it is"
            ));
        }
        let shown = json!({"slug": topic.slug, "title": topic.title,
            "description": topic.description, "body": topic.text});
        self.seen.insert(topic.slug.clone(), topic);
        Ok(shown.to_string())
    }

    fn write(&mut self, written: Written) -> Result<String, String> {
        let Written { slug, title, description, body } = written;
        let text = topic_text(&title, &description, &body)?;
        let present = told(self.memory.topic(self.store, &slug))?;
        let before = match (&present, self.seen.get(&slug)) {
            // Whoever took it away does not want it back.
            (None, Some(_)) => {
                return Err(format!("`{slug}` was taken away meanwhile; leave it so"));
            }
            (None, None) => None,
            (Some(_), Some(seen)) => Some(seen.clone()),
            (Some(_), None) => return Err(format!("read `{slug}` first")),
        };
        let slug = match before {
            Some(_) => slug,
            None => told(self.memory.free_slug(self.store, &checked_slug(&slug)?))?,
        };
        let at = (slug.as_str(), before.as_ref());
        match told(self.memory.put_topic(self.store, at, &text, None, clock::now()))? {
            Applied::Moved => Err(format!("`{slug}` changed meanwhile; read it again")),
            Applied::Done | Applied::Same => {
                self.written += 1;
                // It may be written again, from the version that stands there now.
                if let Some(topic) = told(self.memory.topic(self.store, &slug))? {
                    self.seen.insert(slug.clone(), topic);
                }
                Ok(json!({"written": slug}).to_string())
            }
        }
    }

    fn supersede(&mut self, superseded: &Superseded) -> Result<String, String> {
        let Superseded { slug, reason } = superseded;
        let seen = self.seen.get(slug).ok_or_else(|| format!("read `{slug}` first"))?;
        match told(self.memory.retire_topic(self.store, seen, reason, clock::now()))? {
            Applied::Moved => Err(format!("`{slug}` changed meanwhile; read it again")),
            Applied::Done | Applied::Same => {
                self.superseded += 1;
                self.seen.remove(slug);
                Ok(json!({"superseded": slug}).to_string())
            }
        }
    }
}

fn read<T: serde::de::DeserializeOwned>(arguments: &str) -> Result<T, String> {
    serde_json::from_str(arguments).map_err(|error| format!("the arguments are wrong: {error}"))
}

fn told<T>(result: Result<T>) -> Result<T, String> {
    result.map_err(|error| error.to_string())
}
