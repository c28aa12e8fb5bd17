//! Stores and knowledge bases under one roof: list, enable, disable, delete.

use crate::kb::KnowledgeBaseConfigOut;
use crate::stores::StoreConfigOut;
use crate::{reply, request, words};

words! {
    /// What a resource is.
    pub enum ResourceKind {
        /// A memory store.
        Memory,
        /// A knowledge base.
        KnowledgeBase,
    }
}

reply! {
    /// A store or knowledge base.
    pub struct ResourceOut {
        /// `<kind>:<name>`.
        #[serde(rename = "ref")]
        pub reference: String,
        /// What it is.
        pub kind: ResourceKind,
        /// Its name.
        pub name: String,
        /// What it is for.
        pub description: Option<String>,
        /// Its settings.
        pub config: ResourceConfigOut,
        /// Whether recall, search and injection use it.
        pub enabled: bool,
        /// RFC 3339.
        pub created_at: String,
        /// RFC 3339.
        pub updated_at: String,
    }

    /// Settings of a store or knowledge base.
    #[serde(untagged)]
    pub enum ResourceConfigOut {
        /// Of a store.
        Store(StoreConfigOut),
        /// Of a knowledge base.
        KnowledgeBase(KnowledgeBaseConfigOut),
    }

    /// All resources.
    pub struct ResourcesOut {
        /// The resources.
        pub resources: Vec<ResourceOut>,
    }
}

request! {
    /// Which resources.
    #[cfg_attr(feature = "schema", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
    pub struct ResourcesQuery {
        /// Only this kind.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub kind: Option<ResourceKind>,
    }
}
