//! Rules that the organizer made of what agents remembered: each says so in a comment.

use std::ops::Range;

use coffer_api::RULE_ORIGIN;
use pulldown_cmark::{Event, Tag, TagEnd};

use super::{escape, raw};

/// What a button to delete a rule has: the rule's place in the list.
pub(crate) const PLACE: &str = "data-rule";

/// Those that were seen so far.
#[derive(Default)]
pub(super) struct Derived {
    /// Each as it stands in the file, from its bullet on.
    pub(super) rules: Vec<String>,
    /// Where the outermost item stands, and how many are around what follows.
    item: Range<usize>,
    depth: usize,
}

impl Derived {
    /// What stands for a comment on where a rule comes from; `None` for all else.
    pub(super) fn mark<'a>(
        &mut self,
        markdown: &str,
        event: &Event<'a>,
        at: Range<usize>,
    ) -> Option<Event<'a>> {
        match event {
            Event::Start(Tag::Item) => {
                if self.depth == 0 {
                    self.item = at;
                }
                self.depth += 1;
            }
            Event::End(TagEnd::Item) => self.depth -= 1,
            Event::InlineHtml(comment) if comment.starts_with(RULE_ORIGIN) => {
                let button = (self.depth > 0).then(|| self.button(markdown));
                return Some(raw(badge(comment) + &button.unwrap_or_default()));
            }
            _ => {}
        }
        None
    }

    fn button(&mut self, markdown: &str) -> String {
        let rule = markdown.get(self.item.clone()).unwrap_or_default().trim_end().to_owned();
        self.rules.push(rule);
        let place = self.rules.len() - 1;
        format!(
            " <button class=\"quiet\" {PLACE}=\"{place}\" title=\"Delete this rule\" \
             aria-label=\"Delete this rule\">Delete</button>"
        )
    }
}

/// `<!-- coffer: from codex, 01J… -->`, as people read it.
fn badge(comment: &str) -> String {
    let said = comment.strip_prefix(RULE_ORIGIN).unwrap_or_default().trim_end_matches("-->").trim();
    let from = said.split_once(',').map_or(said, |(from, _)| from);
    let (from, said) = (escape(from), escape(said));
    format!(
        "<span class=\"badge\" title=\"Made by Coffer's organizer: {said}\">Derived {from}</span>"
    )
}

#[cfg(test)]
mod tests {
    use super::super::{rules_to_html, to_html};
    use pulldown_cmark::HeadingLevel;

    #[test]
    fn derived_rules_are_marked_and_only_among_rules() {
        let rules = "- Mine.\n- Use tabs. <!-- coffer: from codex, 01J<b> -->\n  - in\n\n- x <!-- mine -->\n";
        let (html, derived) = rules_to_html(rules, HeadingLevel::H4);
        assert!(html.contains(">Derived from codex</span>"), "{html}");
        assert!(
            html.contains("from codex, 01J&lt;b&gt;\"") && html.contains("&lt;!-- mine"),
            "{html}"
        );
        assert_eq!(html.matches("data-rule=\"0\"").count(), 1);
        assert_eq!(derived, ["- Use tabs. <!-- coffer: from codex, 01J<b> -->\n  - in"]);
        assert!(to_html(rules, "", HeadingLevel::H2).contains("&lt;!-- coffer: from codex"));
    }

    #[test]
    fn only_what_is_a_rule_can_be_deleted_as_one() {
        let text = "Text <!-- coffer: from codex, 1 -->\n\n- a\n  1. b <!-- coffer: from x, 2 -->\n\
            - <button data-rule=\"7\">\n\n```\n- <!-- coffer: from codex, 3 -->\n```\n";
        let (html, derived) = rules_to_html(text, HeadingLevel::H4);
        assert_eq!(derived, ["- a\n  1. b <!-- coffer: from x, 2 -->"]);
        assert_eq!(html.matches("<button").count(), 1, "{html}");
    }
}
