//! What pages are put together from.

pub(crate) mod chart;
pub(crate) mod choice;
pub(crate) mod copy;
pub(crate) mod diff;
pub(crate) mod document;
pub(crate) mod empty;
pub(crate) mod entries;
pub(crate) mod fact;
pub(crate) mod file_actions;
pub(crate) mod filter;
pub(crate) mod icon;
pub(crate) mod marked;
pub(crate) mod notices;
pub(crate) mod outside;
pub(crate) mod pager;
pub(crate) mod place;
pub(crate) mod proposal;
pub(crate) mod prose;
pub(crate) mod row;
pub(crate) mod search;
pub(crate) mod shown;
pub(crate) mod sidebar;
pub(crate) mod switch;
pub(crate) mod title;
pub(crate) mod trouble;
pub(crate) mod when;
