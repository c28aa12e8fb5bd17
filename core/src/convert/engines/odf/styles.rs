//! What the names of styles mean: titles, code, quotes, bold and italic text, numbered lists.

use std::collections::HashMap;

use roxmltree::Node;

use crate::convert::engines::xml;

/// Chains of styles are no longer than this.
const MOST_PARENTS: usize = 16;

/// The styles of a document.
pub(super) struct Styles {
    styles: HashMap<String, Style>,
    /// For each list style, the depths at which it numbers.
    lists: HashMap<String, Vec<usize>>,
}

#[derive(Default)]
struct Style {
    parent: Option<String>,
    bold: Option<bool>,
    italic: Option<bool>,
}

/// What a paragraph is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Title,
    Code,
    Quote,
}

impl Styles {
    pub(super) fn of(roots: &[Node<'_, '_>]) -> Self {
        let mut styles = Self { styles: HashMap::new(), lists: HashMap::new() };
        for node in roots.iter().flat_map(Node::descendants).filter(Node::is_element) {
            let Some(name) = xml::attribute(node, "name") else { continue };
            match node.tag_name().name() {
                "style" => drop(styles.styles.insert(name.to_owned(), style(node))),
                "list-style" => drop(styles.lists.insert(name.to_owned(), numbered(node))),
                _ => {}
            }
        }
        styles
    }

    /// What a paragraph of this style is.
    pub(super) fn kind(&self, name: &str) -> Kind {
        for name in self.chain(name) {
            match name.replace("_20_", " ").to_lowercase().as_str() {
                "title" => return Kind::Title,
                "preformatted text" | "source code" | "html preformatted" => return Kind::Code,
                "quotations" | "quote" | "intense quote" | "block text" => return Kind::Quote,
                _ => {}
            }
        }
        Kind::Text
    }

    /// Whether text of this style is bold, and italic.
    pub(super) fn look(&self, name: &str) -> (bool, bool) {
        let chain: Vec<_> =
            self.chain(name).into_iter().filter_map(|name| self.styles.get(name)).collect();
        let bold = chain.iter().find_map(|style| style.bold).unwrap_or(false);
        (bold, chain.iter().find_map(|style| style.italic).unwrap_or(false))
    }

    /// Whether a list of this style numbers at this depth.
    pub(super) fn numbers(&self, list: &str, depth: usize) -> bool {
        self.lists.get(list).is_some_and(|depths| depths.contains(&depth))
    }

    /// A style and those it is based on.
    fn chain<'a>(&'a self, name: &'a str) -> Vec<&'a str> {
        let next = |name: &&'a str| self.styles.get(*name)?.parent.as_deref();
        std::iter::successors(Some(name), next).take(MOST_PARENTS).collect()
    }
}

fn style(node: Node<'_, '_>) -> Style {
    let text = xml::children(node).find(|child| xml::is(*child, "text-properties"));
    let is = |name: &str, wanted: &[&str]| {
        let value = text.and_then(|text| xml::attribute(text, name))?;
        Some(wanted.contains(&value))
    };
    Style {
        parent: xml::attribute(node, "parent-style-name").map(str::to_owned),
        bold: is("font-weight", &["bold", "600", "700", "800", "900"]),
        italic: is("font-style", &["italic", "oblique"]),
    }
}

fn numbered(node: Node<'_, '_>) -> Vec<usize> {
    let levels = xml::children(node).filter(|child| xml::is(*child, "list-level-style-number"));
    // A number that is not shown is no number.
    let shown =
        levels.filter(|level| xml::attribute(*level, "num-format").is_some_and(|f| !f.is_empty()));
    let depths = shown.filter_map(|level| xml::attribute(level, "level")?.parse::<usize>().ok());
    depths.map(|level| level.saturating_sub(1)).collect()
}
