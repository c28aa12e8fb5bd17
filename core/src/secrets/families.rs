//! The families of secrets, one table for each group. The formats are public knowledge, as their
//! issuers document them; the tables are ours.
//!
//! The order is a rank: where two families find the same text, the mark names the earlier one.

mod assignments;
mod chat;
mod cloud;
mod code;
mod headers;
mod keys;
mod models;
mod payments;
mod prose;
mod urls;

use super::rule::Rule;

/// Every rule, the most telling ones first.
pub(super) fn rules() -> impl Iterator<Item = &'static Rule> {
    let by_shape = [keys::RULES, cloud::RULES, code::RULES, models::RULES, chat::RULES];
    let by_place = [payments::RULES, urls::RULES, headers::RULES, assignments::RULES, prose::RULES];
    by_shape.into_iter().chain(by_place).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn there_are_enough_families_and_their_names_can_be_read() {
        let kinds: BTreeSet<_> = rules().map(|rule| rule.kind).collect();
        assert!(kinds.len() >= 60, "{}", kinds.len());
        for rule in rules() {
            let is_plain =
                |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
            assert!(rule.kind.bytes().all(is_plain), "{}", rule.kind);
            assert!(!rule.keywords.is_empty() && rule.keywords.iter().all(|word| word.len() >= 2));
        }
    }
}
