//! What the model says about an item, and whether it makes sense.

use coffer_domain::conserve::lost;
use coffer_domain::fact::{checked_label, checked_text};
use serde::Deserialize;

use crate::memory::{Item, Topic, TopicText};

/// The most characters of a topic document.
const TOPIC_CHARS: usize = 200_000;
/// The most characters of a rule.
const RULE_CHARS: usize = 4_096;

/// The answer's shape.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Answer {
    action: Action,
    #[serde(default)]
    topic: Option<String>,
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    description: Option<String>,
    #[serde(default)]
    body: Option<String>,
    #[serde(default)]
    rule: Option<String>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Action {
    Merge,
    Create,
    Rule,
    Keep,
}

/// A verdict that makes sense.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The whole new text of one of the topics that were given.
    Merge(Topic, TopicText),
    /// A new topic, with the slug that the model wants.
    Create(String, TopicText),
    /// A rule, and the file that the model wants it in.
    Rule(String, String),
    /// Leave it.
    Keep,
}

impl Answer {
    /// What it means, or why it means nothing.
    pub(super) fn verdict(self, topics: &[Topic]) -> Result<Verdict, String> {
        match self.action {
            Action::Keep => Ok(Verdict::Keep),
            Action::Merge => {
                let slug = self.topic.as_deref().unwrap_or_default().trim();
                let topic = topics.iter().find(|topic| topic.slug == slug).cloned();
                let topic = topic.ok_or_else(|| format!("no topic `{slug}` was given"))?;
                Ok(Verdict::Merge(topic, self.text()?))
            }
            Action::Create => {
                let slug = self.topic.clone().filter(|slug| !slug.trim().is_empty());
                let text = self.text()?;
                Ok(Verdict::Create(slug.unwrap_or_else(|| text.title.clone()), text))
            }
            Action::Rule => {
                let rule = self.rule.as_deref().unwrap_or_default();
                let rule = checked_text(rule, RULE_CHARS).map_err(|no| format!("`rule`: {no}"))?;
                let rule = rule.split_whitespace().collect::<Vec<_>>().join(" ");
                Ok(Verdict::Rule(self.topic.unwrap_or_default(), rule))
            }
        }
    }

    fn text(&self) -> Result<TopicText, String> {
        let of = |field: &Option<String>| field.clone().unwrap_or_default();
        topic_text(&of(&self.title), &of(&self.description), &of(&self.body))
    }
}

/// A topic's text, if it can be one.
pub(super) fn topic_text(title: &str, description: &str, body: &str) -> Result<TopicText, String> {
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let label = |name, text: &str| checked_label(name, text).map_err(|no| no.to_string());
    Ok(TopicText {
        title: label("title", &one_line(title))?,
        description: match one_line(description).as_str() {
            "" => String::new(),
            text => label("description", text)?,
        },
        text: checked_text(body, TOPIC_CHARS).map_err(|no| format!("`body`: {no}"))?,
    })
}

/// What a model wants a topic to be called; it is made safe later.
pub(super) fn checked_slug(slug: &str) -> Result<String, String> {
    let slug = slug.trim();
    if slug.is_empty() { Err("`slug` is blank".to_owned()) } else { Ok(slug.to_owned()) }
}

impl Verdict {
    /// What of the item, and of the topic before, is in the verdict's text no more.
    pub(super) fn lost(&self, item: &Item) -> Vec<String> {
        let said = |text: &TopicText| [&*text.title, &text.description, &text.text].join("\n");
        let description = item.description.as_deref().unwrap_or_default();
        let of_item = [own_title(&item.title, item.name()), &item.text, description];
        match self {
            Self::Keep => Vec::new(),
            Self::Rule(_, rule) => lost(of_item, rule),
            Self::Create(_, text) => lost(of_item, &said(text)),
            Self::Merge(topic, text) => {
                let description = topic.description.as_deref().unwrap_or_default();
                let title = own_title(&topic.title, &topic.slug);
                let of_topic = [title, description, &topic.text];
                lost(of_item.into_iter().chain(of_topic), &said(text))
            }
        }
    }
}

/// A title, if somebody gave it: not the name of the file, and not the beginning of the text.
fn own_title<'t>(title: &'t str, stem: &str) -> &'t str {
    if title == stem || title.ends_with('…') { "" } else { title }
}
