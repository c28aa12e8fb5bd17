//! One item: the question about it, the verdict, and what becomes of it.

use coffer_domain::store::StoreName;
use coffer_env::clock;
use serde_json::json;

use super::Organizer;
use super::reorg::whole;
use super::verdict::{Answer, Verdict};
use crate::engine::{ANSWER, EngineFailure, Said, Writer, estimated, read};
use crate::error::Result;
use crate::memory::{Applied, Item, Topic};

const INSTRUCTIONS: &str = include_str!("prompts/item.md");
const REPAIR: &str = include_str!("prompts/repair.md");
/// The most tokens of a topic's text that an answer has room for, beside its other fields.
const ROOM: u64 = ANSWER as u64 - 512;
/// So many topics are shown with an item.
const TOPICS: usize = 3;
/// The most that a message names of what is lost.
const NAMED: usize = 200;

/// What is asked about an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The item, relative to the store.
    pub item: String,
    /// The topics that go with it, by their slugs.
    pub topics: Vec<String>,
    /// What the model is given, as JSON.
    pub material: String,
    /// About how many tokens that is, instructions included.
    pub tokens: u64,
}

/// Whether there is something to ask about an item.
pub(super) enum Asking {
    /// What the question is.
    Of(Box<Material>, Question),
    /// No model can file it, and why.
    Never(String),
    /// It is gone.
    Gone,
}

/// An item with the topics that it may belong to.
pub(super) struct Material {
    item: Item,
    topics: Vec<Topic>,
}

/// What became of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    Created,
    Merged,
    RuleAdded,
    /// The rule stood there already.
    RuleKnown,
    /// The model leaves it.
    Kept,
    /// It was taken away meanwhile.
    Gone,
    /// It stays in the inbox, and why.
    Skipped(String),
}

impl Organizer {
    /// What is asked about an item as it stands now.
    pub(super) fn question(&self, store: &StoreName, path: &str) -> Result<Asking> {
        let Some(item) = self.memory.item(store, path)? else { return Ok(Asking::Gone) };
        let description = item.description.as_deref().unwrap_or_default();
        if estimated(&item.text) > ROOM {
            let reason = "it is too long for one answer of a model; part it, or file it by hand";
            return Ok(Asking::Never(reason.to_owned()));
        }
        if !self.engine.may_send(&[&item.title, description, &item.text].join("\n")) {
            let reason = "it holds a secret, and no model can file what it may not see";
            return Ok(Asking::Never(reason.to_owned()));
        }
        // A topic that cannot come back whole is not offered.
        let fits = |topic: &Topic| {
            estimated(&topic.text) + estimated(&item.text) <= ROOM
                && self.engine.may_send(&whole(topic).collect::<Vec<_>>().join("\n"))
        };
        let about = format!("{}\n{}", item.title, item.text);
        let topics = self.memory.likely_topics(store, &about, TOPICS, fits)?;
        let files = self.memory.rules_files(store)?;
        let shown = |topic: &Topic| {
            json!({"slug": topic.slug, "title": topic.title, "description": topic.description,
                "body": topic.text})
        };
        let material = json!({
            "item": {"title": item.title, "description": item.description, "text": item.text,
                "by": item.author, "written": item.created_at.to_string()},
            "topics": topics.iter().map(shown).collect::<Vec<_>>(),
            "rules_files": files.iter().map(|file| &file.category).collect::<Vec<_>>(),
        });
        let material = material.to_string();
        let question = Question {
            item: path.to_owned(),
            topics: topics.iter().map(|topic| topic.slug.clone()).collect(),
            tokens: estimated(INSTRUCTIONS) + estimated(&material),
            material,
        };
        Ok(Asking::Of(Box::new(Material { item, topics }), question))
    }

    /// Asks, checks, asks once more for what is lost, and does what the verdict says.
    pub(super) fn decide(
        &self,
        writer: &Writer,
        store: &StoreName,
        material: Material,
        question: &Question,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Outcome, EngineFailure> {
        let Material { item, topics } = material;
        let mut said =
            vec![Said::System(INSTRUCTIONS.to_owned()), Said::User(question.material.clone())];
        let mut verdict = ask(writer, &mut said, &topics, go_on)?;
        let lost = verdict.lost(&item);
        if !lost.is_empty() {
            said.push(Said::User(REPAIR.replace("{lost}", &listed(&lost))));
            verdict = ask(writer, &mut said, &topics, go_on)?;
            let lost = verdict.lost(&item);
            if !lost.is_empty() {
                return Ok(Outcome::Skipped(format!("the model's text loses {}", listed(&lost))));
            }
        }
        Ok(self
            .apply(store, &item, verdict)
            .unwrap_or_else(|error| Outcome::Skipped(error.to_string())))
    }

    fn apply(&self, store: &StoreName, item: &Item, verdict: Verdict) -> Result<Outcome> {
        let now = clock::now();
        let (applied, outcome) = match verdict {
            Verdict::Keep => return Ok(Outcome::Kept),
            Verdict::Merge(topic, text) => {
                let at = (topic.slug.as_str(), Some(&topic));
                (self.memory.put_topic(store, at, &text, Some(item), now)?, Outcome::Merged)
            }
            Verdict::Create(slug, text) => {
                let slug = self.memory.free_slug(store, &slug)?;
                let at = (slug.as_str(), None);
                (self.memory.put_topic(store, at, &text, Some(item), now)?, Outcome::Created)
            }
            Verdict::Rule(category, rule) => {
                let applied = self.memory.put_rule(store, &category, &rule, item, now)?;
                (applied, Outcome::RuleAdded)
            }
        };
        Ok(match applied {
            Applied::Done => outcome,
            Applied::Same => Outcome::RuleKnown,
            Applied::Moved => Outcome::Skipped("it, or its topic, changed meanwhile".to_owned()),
        })
    }
}

/// Goes on with the conversation, and keeps what was said.
fn ask(
    writer: &Writer,
    said: &mut Vec<Said>,
    topics: &[Topic],
    go_on: &dyn Fn() -> bool,
) -> Result<Verdict, EngineFailure> {
    let completed = writer.go_on(said, &[], go_on)?;
    said.push(Said::Model { text: completed.text.clone(), calls: Vec::new() });
    let answer: Answer = read(&completed.text)?;
    answer.verdict(topics).map_err(EngineFailure::Malformed)
}

fn listed(lost: &[String]) -> String {
    let named: Vec<String> = lost.iter().take(NAMED).map(|token| format!("`{token}`")).collect();
    named.join(", ")
}
