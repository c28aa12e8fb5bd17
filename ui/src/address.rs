//! Addresses of the viewer's own pages.

use coffer_api::routes::encode;

use crate::wording::LaneTab;

pub(crate) const AGENTS: &str = "/agents";
pub(crate) const ACTIVITY: &str = "/activity";
pub(crate) const BASES: &str = "/bases";
pub(crate) const SETTINGS: &str = "/settings";

/// A store's page, at its knowledge.
pub(crate) fn store(name: &str) -> String {
    let mut address = "/stores/".to_owned();
    encode(name, &mut address);
    address
}

/// A store's page, at one of its lanes.
pub(crate) fn lane(name: &str, lane: LaneTab) -> String {
    match lane {
        LaneTab::Knowledge => store(name),
        other => format!("{}/{}", store(name), other.word()),
    }
}

/// A knowledge base's page.
pub(crate) fn base(name: &str) -> String {
    let mut address = format!("{BASES}/");
    encode(name, &mut address);
    address
}

/// A document's own page.
pub(crate) fn document(base_name: &str, id: &str) -> String {
    let mut address = format!("{}/documents/", base(base_name));
    encode(id, &mut address);
    address
}

/// An agent's page, at what Coffer has in its files.
pub(crate) fn agent(name: &str) -> String {
    let mut address = format!("{AGENTS}/");
    encode(name, &mut address);
    address
}

/// An agent's page, at its conversations.
pub(crate) fn conversations(agent_name: &str) -> String {
    format!("{}/conversations", agent(agent_name))
}

/// A conversation's own page.
pub(crate) fn conversation(agent_name: &str, id: &str) -> String {
    let mut address = format!("{}/", conversations(agent_name));
    encode(id, &mut address);
    address
}

/// A fact's own page.
pub(crate) fn fact(store_name: &str, id: &str) -> String {
    let mut address = format!("{}/facts/", store(store_name));
    encode(id, &mut address);
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_encoded() {
        assert_eq!(fact("global", "01J"), "/stores/global/facts/01J");
        assert_eq!(document("docs", "01J"), "/bases/docs/documents/01J");
        assert_eq!(conversation("codex", "a/b"), "/agents/codex/conversations/a%2Fb");
        assert_eq!(store("a/b"), "/stores/a%2Fb");
        assert_eq!(lane("global", LaneTab::Knowledge), "/stores/global");
        assert_eq!(lane("global", LaneTab::Log), "/stores/global/log");
    }
}
