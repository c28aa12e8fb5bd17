//! Words of the wire, as people say them.

pub(crate) mod agents;
pub(crate) mod conversations;
pub(crate) mod distilled;

use coffer_api::facts::{Actor, FactOut, Lane, Scope};
use coffer_api::hidden;
use coffer_api::recall::Mode;
use coffer_api::stores::MemoryStoreOut;

use crate::format::humanize;
use crate::markdown;
use crate::time;

/// The name of the store for everything.
pub(crate) const GLOBAL: &str = "global";

/// The sections of a store's page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LaneTab {
    Knowledge,
    Rules,
    Journal,
    Handoff,
    Log,
    /// No lane, but what an agent is told of all of them.
    Start,
}

impl LaneTab {
    pub(crate) const ALL: [Self; 6] =
        [Self::Knowledge, Self::Rules, Self::Journal, Self::Handoff, Self::Log, Self::Start];

    /// How addresses name it.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Knowledge => "knowledge",
            Self::Rules => "rules",
            Self::Journal => "journal",
            Self::Handoff => "handoff",
            Self::Log => "log",
            Self::Start => "start",
        }
    }

    /// How people name it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Knowledge => "Knowledge",
            Self::Rules => "Rules",
            Self::Journal => "Journal",
            Self::Handoff => "Handoff",
            Self::Log => "Log",
            Self::Start => "At start",
        }
    }

    /// The one that an address names; knowledge when it names none.
    pub(crate) fn from_word(word: &str) -> Option<Self> {
        if word.is_empty() {
            return Some(Self::Knowledge);
        }
        Self::ALL.into_iter().find(|lane| lane.word() == word)
    }
}

/// A lane of the wire, for people.
pub(crate) const fn lane(lane: Lane) -> &'static str {
    match lane {
        Lane::Knowledge => "Knowledge",
        Lane::Rules => "Rules",
        Lane::Journal => "Journal",
        Lane::Handoff => "Handoff",
    }
}

/// What a document is called on the page: a day of the journal by its date.
pub(crate) fn title(lane: Lane, title: &str) -> String {
    match lane {
        Lane::Journal => time::long_day_name(title),
        Lane::Knowledge | Lane::Rules | Lane::Handoff => hidden::expose(title).into_owned(),
    }
}

/// How a recall looked, for people.
pub(crate) const fn mode(mode: Mode) -> &'static str {
    match mode {
        Mode::Grep => "literal text",
        Mode::Keyword => "keywords",
        Mode::Vector => "meaning",
        Mode::Hybrid => "keywords and meaning",
    }
}

/// What a store is called on the page.
pub(crate) fn store(store: &MemoryStoreOut) -> String {
    if store.scope == Scope::Global && store.label.is_none() {
        return "Global".to_owned();
    }
    hidden::expose(&store.display_name).into_owned()
}

/// Global first, then projects by their names.
pub(crate) fn sort_stores(stores: &mut [MemoryStoreOut]) {
    stores.sort_by_cached_key(|store| {
        (store.scope != Scope::Global, store.display_name.to_lowercase(), store.name.clone())
    });
}

/// Whether a fact still lies in the inbox.
pub(crate) fn is_inbox(fact: &FactOut) -> bool {
    let folder = fact.folder_path.replace('\\', "/");
    folder.ends_with("/knowledge/inbox") || folder.contains("/knowledge/inbox/")
}

/// Who wrote a fact, in a word or two.
pub(crate) fn who(fact: &FactOut) -> String {
    match (fact.actor, &fact.agent) {
        (_, Some(agent)) => hidden::expose(agent).into_owned(),
        (Actor::Agent, None) => "An agent".to_owned(),
        (Actor::User, None) => "You".to_owned(),
    }
}

/// Characters of a summary: more than fit into a line.
const SUMMARY: usize = 200;

/// One line under a fact's title: its description, else how its text begins, unless the title says
/// the same.
pub(crate) fn summary(fact: &FactOut) -> String {
    let line = match &fact.description {
        Some(description) => hidden::expose(description).into_owned(),
        None => markdown::to_words(&fact.text, &fact.title).chars().take(SUMMARY).collect(),
    };
    if line == hidden::expose(&fact.title) { String::new() } else { line }
}

/// An event of the audit trail.
pub(crate) fn event(event: &str) -> String {
    let known = KNOWN_EVENTS.iter().find(|(word, _)| *word == event);
    known.map_or_else(|| humanize(event), |(_, words)| (*words).to_owned())
}

/// Events that this version writes, in the order of a list to choose from.
pub(crate) const KNOWN_EVENTS: &[(&str, &str)] = &[
    ("memory_added", "Fact remembered"),
    ("memory_updated", "Fact changed"),
    ("memory_deleted", "Fact deleted"),
    ("memory_cleared", "Store cleared"),
    ("memory_restored", "Version restored"),
    ("memory_organized", "Inbox organized"),
    ("memory_reorganized", "Topics tidied"),
    ("journal_append", "Journal entry added"),
    ("handoff_saved", "Handoff saved"),
    ("memory_store_relinked", "Moved project found again"),
    ("memory_stores_merged", "Stores merged"),
    ("kb_document_ingested", "Document added"),
    ("kb_document_updated", "Document changed"),
    ("kb_document_deleted", "Document deleted"),
    ("kb_reindexed", "Knowledge base reindexed"),
    ("resource_created", "Store created"),
    ("resource_deleted", "Store deleted"),
    ("resource_enabled", "Store switched on"),
    ("resource_disabled", "Store switched off"),
    ("agent_mcp_installed", "Agent given the MCP server"),
    ("agent_mcp_uninstalled", "MCP server taken from an agent"),
    ("agent_hook_installed", "Agent given the session hook"),
    ("agent_hook_uninstalled", "Session hook taken from an agent"),
    ("agent_native_memory_disabled", "Agent's own memory switched off"),
    ("agent_native_memory_restored", "Agent's own memory restored"),
    ("token_rotated", "Access token replaced"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn fact(title: &str, description: Option<&str>, text: &str, folder: &str) -> FactOut {
        FactOut {
            id: "01J".into(),
            store_name: "global".into(),
            scope: Scope::Global,
            lane: Lane::Knowledge,
            title: title.into(),
            description: description.map(Into::into),
            text: text.into(),
            actor: Actor::Agent,
            agent: None,
            origin_session_id: None,
            path: format!("{folder}/a.md"),
            folder_path: folder.into(),
            content_sha256: String::new(),
            created_at: String::new(),
            updated_at: String::new(),
        }
    }

    #[test]
    fn the_inbox_is_known_by_its_folder() {
        for (folder, inbox) in [
            ("/home/a/.coffer/memory/global/knowledge/inbox", true),
            ("C:\\coffer\\memory\\global\\knowledge\\inbox", true),
            ("/m/global/knowledge", false),
            ("/m/inbox/knowledge", false),
        ] {
            assert_eq!(is_inbox(&fact("t", None, "x", folder)), inbox, "{folder}");
        }
    }

    #[test]
    fn a_summary_never_repeats_the_title() {
        assert_eq!(summary(&fact("a", Some("b"), "c", "/")), "b");
        assert_eq!(summary(&fact("a", None, "# a\n\nbody", "/")), "body");
        assert_eq!(summary(&fact("a", None, "a", "/")), "");
    }

    #[test]
    fn lanes_are_found_by_their_words() {
        assert_eq!(LaneTab::from_word(""), Some(LaneTab::Knowledge));
        for lane in LaneTab::ALL {
            assert_eq!(LaneTab::from_word(lane.word()), Some(lane));
        }
        assert_eq!(LaneTab::from_word("nonsense"), None);
    }

    #[test]
    fn unknown_events_are_still_words() {
        assert_eq!(event("memory_added"), "Fact remembered");
        assert_eq!(event("kb_page_turned"), "Kb page turned");
    }
}
