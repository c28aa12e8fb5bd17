//! Reads that several parts of the page show: made once, so that they agree.

use coffer_api::agents::{AgentOut, AgentsOut, CandidatesOut};
use coffer_api::kb::{KnowledgeBaseOut, KnowledgeBasesOut};
use coffer_api::routes;
use coffer_api::settings::SettingsOut;
use coffer_api::status::StatusOut;
use coffer_api::stores::{MemoryStoreOut, MemoryStoresOut};
use leptos::prelude::*;

use crate::api::Api;
use crate::live::{Live, follows};
use crate::query::Query;
use crate::wording;

/// Stores, knowledge bases, agents, status and preferences, kept fresh.
#[derive(Clone, Copy)]
pub(crate) struct Shared {
    pub(crate) stores: Query<MemoryStoresOut>,
    pub(crate) bases: Query<KnowledgeBasesOut>,
    pub(crate) agents: Query<AgentsOut>,
    pub(crate) candidates: Query<CandidatesOut>,
    pub(crate) status: Query<StatusOut>,
    pub(crate) settings: Query<SettingsOut>,
}

/// The shared reads, anywhere below the root of the page.
pub(crate) fn use_shared() -> Shared {
    expect_context()
}

impl Shared {
    pub(crate) fn new(api: Api, live: Live) -> Self {
        let (stores, bases) = (live.of_any_store(), live.of_any_base());
        let (agents, settings) = (live.of_agents(), live.of_settings());
        Self {
            stores: Query::new(move || stores.follow(), move |()| sorted_stores(api)),
            bases: Query::at(api, follows(bases, routes::KNOWLEDGE_BASES)),
            agents: Query::at(api, follows(agents, routes::AGENTS)),
            candidates: Query::at(api, follows(agents, routes::AGENT_CANDIDATES)),
            status: Query::at(api, move || {
                stores.follow();
                bases.follow();
                settings.follow();
                routes::STATUS.to_owned()
            }),
            settings: Query::at(api, follows(settings, routes::SETTINGS)),
        }
    }

    /// A store by its name, followed.
    pub(crate) fn store(self, name: &str) -> Option<MemoryStoreOut> {
        self.stores.latest()?.memory_stores.iter().find(|store| store.name == name).cloned()
    }

    /// A knowledge base by its name, followed.
    pub(crate) fn base(self, name: &str) -> Option<KnowledgeBaseOut> {
        self.bases.latest()?.knowledge_bases.iter().find(|base| base.name == name).cloned()
    }

    /// A registered agent by its name, followed.
    pub(crate) fn agent(self, name: &str) -> Option<AgentOut> {
        self.agents.latest()?.agents.iter().find(|agent| agent.name == name).cloned()
    }

    /// Whether a language model is set, once it is known.
    pub(crate) fn has_model(self) -> Memo<Option<bool>> {
        Memo::new(move |_| self.status.latest().map(|status| status.engine.configured))
    }

    /// What a store is called, followed.
    pub(crate) fn store_title(self, name: &str) -> String {
        match self.store(name) {
            Some(store) => wording::store(&store),
            None if name == wording::GLOBAL => "Global".to_owned(),
            None => name.to_owned(),
        }
    }
}

async fn sorted_stores(api: Api) -> Result<MemoryStoresOut, crate::failure::Failure> {
    let mut reply: MemoryStoresOut = api.get(routes::STORES).await?;
    wording::sort_stores(&mut reply.memory_stores);
    Ok(reply)
}
