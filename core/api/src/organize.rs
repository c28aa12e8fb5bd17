//! Passes of the engine over a store: the inbox into topics and rules, and the topics in order.

use crate::{reply, request, words};

words! {
    /// How a pass over the inbox ended.
    pub enum OrganizeStatus {
        /// It went through.
        Organized,
        /// The inbox is empty.
        Empty,
        /// No engine is configured.
        NoModel,
        /// The day's tokens are used up.
        Budget,
        /// The model could not be reached.
        Unavailable,
    }

    /// How a pass over the topics ended.
    pub enum ReorgStatus {
        /// It went through.
        Reorganized,
        /// There are no topics.
        Empty,
        /// No engine is configured.
        NoModel,
        /// The day's tokens are used up.
        Budget,
        /// The model could not be reached, or did not do what it was asked.
        Unavailable,
    }
}

reply! {
    /// Something that was left as it is.
    pub struct SkippedOut {
        /// The file, relative to the store.
        pub item: String,
        /// Why.
        pub reason: String,
    }

    /// What a pass over the inbox did.
    pub struct OrganizeOut {
        /// How it ended.
        pub status: OrganizeStatus,
        /// Items that found their place, or that the model keeps where they are.
        pub items_processed: u64,
        /// New topics.
        pub topics_created: u64,
        /// Topics that took an item in.
        pub topics_updated: u64,
        /// New rules.
        pub rules_appended: u64,
        /// Files of more than 100 rules that were split.
        pub rules_files_split: u64,
        /// Items that stay in the inbox because something went wrong.
        pub skipped: u64,
        /// What went wrong.
        pub problems: Vec<SkippedOut>,
        /// The model.
        pub model: Option<String>,
    }

    /// What a pass over the topics did.
    pub struct ReorgOut {
        /// How it ended.
        pub status: ReorgStatus,
        /// Topics before.
        pub topics_before: u64,
        /// Topics after.
        pub topics_after: u64,
        /// Topics that were written.
        pub topics_written: u64,
        /// Topics that were superseded.
        pub topics_superseded: u64,
        /// Names, numbers, paths and code that stand in no topic any more; `superseded/` has them.
        pub lost: Vec<String>,
        /// What went wrong.
        pub problems: Vec<SkippedOut>,
        /// The model.
        pub model: Option<String>,
    }

    /// What the model would be asked about one item.
    pub struct WouldSendOut {
        /// The item, relative to the store.
        pub item: String,
        /// The topics that would go with it, by their slugs.
        pub topics: Vec<String>,
        /// The text that would be sent, without secrets, beside the instructions.
        pub text: String,
        /// About how many tokens that is, instructions included.
        pub tokens: u64,
    }

    /// What a pass over the inbox would send.
    pub struct OrganizeRehearsalOut {
        /// A question an item.
        pub would_send: Vec<WouldSendOut>,
        /// About how many tokens in all, without the answers.
        pub tokens: u64,
    }
}

request! {
    /// How long to wait, and whether to do it at all.
    #[cfg_attr(feature = "schema", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
    pub struct OrganizeQuery {
        /// Seconds, 0 to 600, default 30.
        #[cfg_attr(feature = "schema", param(minimum = 0, maximum = 600))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub wait: Option<u32>,
        /// Only say what would be sent; no model is asked.
        #[serde(default)]
        pub dry_run: bool,
    }
}
