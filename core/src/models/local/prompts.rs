//! What is said before a text, for models that were taught so.

use std::collections::BTreeMap;

use crate::models::Role;
use crate::models::name::ModelName;

/// The longest prompt that is taken.
const LONGEST: usize = 1_000;

/// Words before questions and before passages; mostly none.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Prompts {
    query: String,
    passage: String,
}

impl Prompts {
    /// Those that the folder names; else those of the e5 family, known by its name.
    pub(super) fn of(mut named: BTreeMap<String, String>, name: &ModelName) -> Self {
        named.retain(|_, prompt| prompt.len() <= LONGEST);
        let mut take = |words: &[&str]| words.iter().find_map(|word| named.remove(*word));
        let (query, passage) = (take(&["query"]), take(&["passage", "document"]));
        match (query, passage) {
            (None, None) if name.has_word("e5") => {
                Self { query: "query: ".to_owned(), passage: "passage: ".to_owned() }
            }
            (query, passage) => {
                Self { query: query.unwrap_or_default(), passage: passage.unwrap_or_default() }
            }
        }
    }

    /// The words before a text of a role.
    pub(super) fn of_role(&self, role: Role) -> &str {
        match role {
            Role::Query => &self.query,
            Role::Passage => &self.passage,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompts_come_from_the_folder_or_the_family() {
        let of = |pairs: &[(&str, &str)], name: &str| {
            let named = pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
            let prompts = Prompts::of(named, &ModelName::parse(name).unwrap());
            (prompts.query, prompts.passage)
        };
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(of(&[], "all-MiniLM-L6-v2"), pair("", ""));
        assert_eq!(of(&[], "multilingual-e5-small"), pair("query: ", "passage: "));
        assert_eq!(of(&[("query", "q "), ("document", "d ")], "e5"), pair("q ", "d "));
        assert_eq!(of(&[("query", "ask: ")], "x"), pair("ask: ", ""));
        assert_eq!(of(&[("query", &"x".repeat(1_001))], "x"), pair("", ""));
    }
}
