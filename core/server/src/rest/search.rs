//! Search over all stores and knowledge bases.

use axum::Json as Out;
use axum::extract::State;
use coffer_api::recall::{RecallOut, SearchIn};
use coffer_api::resources::ResourceKind;
use coffer_api::routes;
use coffer_core::Error;
use coffer_core::kb::{KnowledgeBases, Searched, reference};
use coffer_core::memory::{Memory, Recall};
use coffer_domain::kb::KbName;
use coffer_domain::store::StoreName;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Reply;
use crate::app::App;
use crate::blocking::blocking;
use crate::error::Failure;
use crate::extract::{self, Json};
use crate::wire::{recall, search as wire};

/// The routes of this file.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(everywhere))
}

/// Ask all enabled stores and knowledge bases, or some of them.
#[utoipa::path(post, path = routes::SEARCH, operation_id = "search", tag = "recall",
    request_body = SearchIn, responses((status = 200, body = RecallOut)))]
async fn everywhere(
    State(memory): State<Memory>,
    State(kb): State<KnowledgeBases>,
    Json(body): Json<SearchIn>,
) -> Reply<RecallOut> {
    let SearchIn { query, top_k, kinds, stores } = body;
    let asked = recall::question(query, None, top_k)?;
    let among = Among::read(kinds, stores)?;
    let found = blocking(move || {
        let recalled = memory.recall(&among.stores(&memory)?, &asked)?;
        let searched = search_all(&kb, &among.bases(&kb)?, &asked)?;
        Ok::<_, Error>(wire::merged(recalled, searched, asked.top_k))
    });
    found.await.map(Out)
}

/// Which stores and knowledge bases are asked: of some kinds, all or those that are named.
struct Among {
    kinds: Option<Vec<ResourceKind>>,
    named: Option<(Vec<StoreName>, Vec<KbName>)>,
}

impl Among {
    fn read(kinds: Option<Vec<ResourceKind>>, names: Option<Vec<String>>) -> Result<Self, Failure> {
        let Some(names) = names else { return Ok(Self { kinds, named: None }) };
        let (mut stores, mut bases) = (Vec::new(), Vec::new());
        for name in &names {
            match name.strip_prefix("knowledge_base:") {
                Some(base) => bases.push(extract::base(base)?),
                None => stores.push(extract::store(name)?),
            }
        }
        Ok(Self { kinds, named: Some((stores, bases)) })
    }

    fn wants(&self, kind: ResourceKind) -> bool {
        self.kinds.as_ref().is_none_or(|kinds| kinds.contains(&kind))
    }

    fn stores(&self, memory: &Memory) -> Result<Vec<StoreName>, Error> {
        if !self.wants(ResourceKind::Memory) {
            return Ok(Vec::new());
        }
        if let Some((stores, _)) = &self.named {
            return Ok(stores.clone());
        }
        let stores = memory.stores()?.into_iter().filter(|store| store.enabled);
        Ok(stores.map(|store| store.name).collect())
    }

    fn bases(&self, kb: &KnowledgeBases) -> Result<Vec<KbName>, Error> {
        if !self.wants(ResourceKind::KnowledgeBase) {
            return Ok(Vec::new());
        }
        if let Some((_, bases)) = &self.named {
            return Ok(bases.clone());
        }
        let bases = kb.all()?.into_iter().filter(|base| base.enabled);
        Ok(bases.map(|base| base.name).collect())
    }
}

fn search_all(
    kb: &KnowledgeBases,
    bases: &[KbName],
    asked: &Recall,
) -> Result<Vec<(String, Searched)>, Error> {
    let search = |name: &KbName| Ok((reference(name), kb.search(name, &asked.query, asked.top_k)?));
    bases.iter().map(search).collect()
}
