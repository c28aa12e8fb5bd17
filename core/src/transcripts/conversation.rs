//! A conversation as it is put together: what is said twice is told once, and what the records tell
//! of the session is kept.
//!
//! A record that stands twice has one id. Some versions wrote all that was said so far once more in
//! front of each new turn, under new ids: a run of messages that begins as the conversation did and
//! goes on as it did is such a copy.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use coffer_domain::time::Timestamp;

use super::message::{Message, Position, Role, key};
use super::private::Veil;
use super::reading::{Reading, State, Summary};
use crate::secrets::Custom;

/// The longest title, in characters.
const TITLE: usize = 80;
/// So much of a text is scrubbed for the title that it begins with, in bytes: a secret is found only
/// when it is whole.
const SCRUBBED: usize = 4 << 10;
/// So many kinds of records are counted by name, and so long is a name, in characters.
const KINDS: usize = 64;
const KIND: usize = 64;

/// A conversation under way.
pub(super) struct Conversation<'s> {
    sink: &'s mut dyn FnMut(Message),
    ids: HashSet<u64>,
    /// What was told, by role and words.
    keys: Vec<u64>,
    veil: Veil,
    copy: Option<Copy>,
    opening: Option<(u64, String)>,
    span: Option<(Timestamp, Timestamp)>,
    passed_over: BTreeMap<String, u64>,
    unknown: u64,
}

/// What may be told for the second time.
struct Copy {
    /// What began as the conversation did, until the next message shows whether it goes on so.
    held: Option<Message>,
    /// Which message would be next.
    next: usize,
    /// How many there were as it began.
    until: usize,
}

/// What the records of a session said about it.
#[derive(Debug, Default)]
pub(super) struct About {
    pub session_id: String,
    /// The agent's own title.
    pub title: Option<String>,
    pub project_path: Option<String>,
    pub git_branch: Option<String>,
    pub agent_version: Option<String>,
    pub forked_from: Option<String>,
    /// Whether it is what an agent did for another one.
    pub is_side: bool,
}

impl<'s> Conversation<'s> {
    pub(super) fn new(sink: &'s mut dyn FnMut(Message)) -> Self {
        Self {
            sink,
            ids: HashSet::new(),
            keys: Vec::new(),
            veil: Veil::default(),
            copy: None,
            opening: None,
            span: None,
            passed_over: BTreeMap::new(),
            unknown: 0,
        }
    }

    /// A record has this time.
    pub(super) fn see(&mut self, at: Option<Timestamp>) {
        if let Some(at) = at {
            let (first, last) = self.span.unwrap_or((at, at));
            self.span = Some((first.min(at), last.max(at)));
        }
    }

    /// A record of a known kind holds nothing that was said.
    pub(super) fn pass_over(&mut self, kind: &str) {
        let is_room = self.passed_over.len() < KINDS || self.passed_over.contains_key(kind);
        let name = if is_room { kind.chars().take(KIND).collect() } else { "other".to_owned() };
        *self.passed_over.entry(name).or_default() += 1;
    }

    /// A record of no known kind, or a line that is no record.
    pub(super) fn wonder_at(&mut self, kind: &str) {
        self.unknown += 1;
        self.pass_over(kind);
    }

    /// Something was said. A blank text says nothing.
    pub(super) fn say(
        &mut self,
        role: Role,
        text: String,
        id: Option<&str>,
        at: Option<Timestamp>,
    ) {
        let is_new = id.is_none_or(|id| self.ids.insert(hash(id)));
        if !is_new || text.trim().is_empty() {
            return;
        }
        let position = Position { ordinal: 0, key: key(role, &text) };
        self.compare(Message { role, text, at, position });
    }

    /// Holds back what may be a copy.
    fn compare(&mut self, message: Message) {
        let key = message.position.key;
        if let Some(copy) = &mut self.copy {
            if copy.next < copy.until && self.keys.get(copy.next) == Some(&key) {
                copy.held = None;
                copy.next += 1;
                return;
            }
            self.let_go();
        }
        if self.keys.len() > 1 && self.keys.first() == Some(&key) {
            self.copy = Some(Copy { held: Some(message), next: 1, until: self.keys.len() });
        } else {
            self.tell(message);
        }
    }

    fn let_go(&mut self) {
        if let Some(held) = self.copy.take().and_then(|copy| copy.held) {
            self.tell(held);
        }
    }

    /// What is private is left out; a message of nothing else is a blank one, and counts.
    fn tell(&mut self, mut message: Message) {
        self.keys.push(message.position.key);
        message.position.ordinal = self.keys.len() as u64;
        if let Cow::Owned(told) = self.veil.over(message.role, &message.text) {
            message.text = told;
        }
        if message.role == Role::Human && self.opening.is_none() {
            let opening = beginning(&message.text).to_owned();
            self.opening = Some((message.position.key, opening));
        }
        (self.sink)(message);
    }

    /// The end: what is known now.
    pub(super) fn finish(mut self, about: About, secrets: &Custom) -> Reading {
        self.let_go();
        let state = match (about.is_side, self.keys.len(), self.unknown) {
            (true, _, _) => State::SubAgent,
            (false, 1.., _) => State::Read,
            (false, 0, 1..) => State::FormatUnknown,
            (false, 0, 0) => State::Empty,
        };
        let opening = self.opening.as_ref();
        let titled = |text: &str| title(text, secrets);
        // An agent that made up a title knew of what is private.
        let own = about.title.as_deref().filter(|_| !self.veil.has_hidden).and_then(titled);
        let summary = Summary {
            session_id: about.session_id,
            title: own.or_else(|| opening.and_then(|(_, text)| titled(text))),
            project_path: about.project_path,
            message_count: self.keys.len() as u64,
            started_at: self.span.map(|(first, _)| first),
            last_activity_at: self.span.map(|(_, last)| last),
            git_branch: about.git_branch,
            agent_version: about.agent_version,
            forked_from: about.forked_from,
            opening: opening.map(|(key, _)| *key),
        };
        Reading { state, summary, passed_over: self.passed_over, unknown: self.unknown }
    }
}

/// As much of a text as is scrubbed for a title, up to the last word that is whole.
fn beginning(text: &str) -> &str {
    if text.len() <= SCRUBBED {
        return text;
    }
    let cut = &text[..text.floor_char_boundary(SCRUBBED)];
    &cut[..cut.rfind(char::is_whitespace).unwrap_or(0)]
}

fn hash(id: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}

/// The beginning of a text in one line, without secrets and what is private; `None` for a blank one, and for one that
/// cannot be scrubbed.
fn title(text: &str, secrets: &Custom) -> Option<String> {
    let text = beginning(text);
    let told = Veil::default().over(Role::Human, text);
    let scrubbed = secrets.scrub(&told).ok()?.text;
    let line = scrubbed.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut: String = line.chars().take(TITLE).collect();
    Some(cut.trim_end().to_owned()).filter(|title| !title.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(messages: &[(&str, &str)]) -> (Vec<String>, Reading) {
        let mut told = Vec::new();
        let mut sink = |message: Message| {
            told.push(format!("{} {}", message.position.ordinal, message.text));
        };
        let mut conversation = Conversation::new(&mut sink);
        for (number, (id, text)) in messages.iter().enumerate() {
            let role = if text.starts_with('A') { Role::Assistant } else { Role::Human };
            let at = Timestamp::from_micros(100 - number as i64);
            conversation.see(Some(at));
            conversation.say(
                role,
                (*text).to_owned(),
                Some(*id).filter(|id| !id.is_empty()),
                Some(at),
            );
        }
        let reading = conversation.finish(About::default(), &Custom::default());
        (told, reading)
    }

    #[test]
    fn what_stands_twice_is_told_once() {
        let h = |text| ("", text);
        for (messages, wanted) in [
            (vec![("1", "one"), ("2", "A"), ("1", "one"), ("1", "changed")], &["1 one", "2 A"][..]),
            // All of it again before each new turn.
            (
                vec![
                    h("one"),
                    h("A1"),
                    h("one"),
                    h("A1"),
                    h("two"),
                    h("A2"),
                    h("one"),
                    h("A1"),
                    h("two"),
                    h("A2"),
                    h("three"),
                ],
                &["1 one", "2 A1", "3 two", "4 A2", "5 three"],
            ),
            // A person may begin again.
            (
                vec![h("go on"), h("A1"), h("go on"), h("A2"), h("go on")],
                &["1 go on", "2 A1", "3 go on", "4 A2", "5 go on"],
            ),
            (vec![h("go on"), h("go on"), h("A")], &["1 go on", "2 go on", "3 A"]),
            (vec![h(" \n"), h("one")], &["1 one"]),
        ] {
            assert_eq!(told(&messages).0, wanted, "{messages:?}");
        }
    }

    #[test]
    fn the_summary_tells_of_what_was_told() {
        let reading = told(&[("1", "A before"), ("2", "one\n  two"), ("2", "again")]).1;
        let summary = &reading.summary;
        assert_eq!((reading.state, summary.message_count), (State::Read, 2));
        assert_eq!(summary.title.as_deref(), Some("one two"));
        assert_eq!(summary.opening, Some(key(Role::Human, "one two")));
        assert_eq!(summary.started_at, Some(Timestamp::from_micros(98)));
        assert_eq!(summary.last_activity_at, Some(Timestamp::from_micros(100)));
        assert_eq!(told(&[]).1.state, State::Empty);
    }

    /// A cut through a secret would leave half of it.
    #[test]
    fn a_title_is_scrubbed_before_it_is_cut() {
        let key = format!("ghp_{}", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5");
        let text = format!("{} {key} is the key", "word ".repeat(14));
        let reading = told(&[("", &text)]).1;
        let title = reading.summary.title.unwrap();
        assert!(!title.contains("ghp_") && title.ends_with("[redacted:"), "{title}");
        assert!(title.chars().count() <= TITLE);
        // Nor is a half one left where the text is cut before that.
        for before in ["go ".to_owned() + &" ".repeat(SCRUBBED - 20), String::new()] {
            let text = format!("{before}{key}{}", "x1".repeat(SCRUBBED));
            let title = told(&[("", &text)]).1.summary.title;
            assert!(!title.clone().unwrap_or_default().contains("ghp_"), "{title:?}");
        }
    }

    #[test]
    fn nothing_private_is_told_or_in_a_title() {
        let mut told = Vec::new();
        let mut sink = |message: Message| told.push(message.text);
        let mut conversation = Conversation::new(&mut sink);
        for (role, text) in [
            (Role::Human, "plant <private>the fig</private>the walnut"),
            (Role::Assistant, "ok"),
            (Role::Human, "<private>the plum"),
        ] {
            conversation.say(role, text.to_owned(), None, None);
        }
        let about = About { title: Some("Fig and walnut".to_owned()), ..About::default() };
        let summary = conversation.finish(about, &Custom::default()).summary;
        assert_eq!(summary.title.as_deref(), Some("plant the walnut"));
        assert_eq!(
            (summary.message_count, told),
            (3, vec!["plant the walnut".to_owned(), "ok".to_owned(), String::new()])
        );
    }

    #[test]
    fn kinds_are_counted_and_bounded() {
        let mut sink = |_: Message| {};
        let mut conversation = Conversation::new(&mut sink);
        for number in 0..1_000 {
            conversation.wonder_at(&format!("kind {number} {}", "x".repeat(1_000)));
        }
        let reading = conversation.finish(About::default(), &Custom::default());
        assert_eq!((reading.state, reading.unknown), (State::FormatUnknown, 1_000));
        assert!(reading.passed_over.len() <= KINDS + 1 && reading.passed_over["other"] > 900);
    }
}
