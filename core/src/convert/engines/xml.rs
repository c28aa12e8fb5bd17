//! XML of documents: no entities but the five, no file read besides, bounded.

use roxmltree::{Document, Node, ParsingOptions};

use super::Rejected;

/// More nodes would not fit into memory.
const MOST_NODES: u32 = 20_000_000;

/// The tree of a text. A document type, which could define entities, is refused.
pub(super) fn parse<'a>(part: &str, text: &'a str) -> Result<Document<'a>, Rejected> {
    let options =
        ParsingOptions { allow_dtd: false, nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    Document::parse_with_options(text, options)
        .map_err(|error| Rejected::Malformed(format!("`{part}` is no XML: {error}")))
}

/// The first element of this name below a node, however deep.
pub(super) fn find<'a, 'input>(node: Node<'a, 'input>, name: &str) -> Option<Node<'a, 'input>> {
    node.descendants().find(|node| is(*node, name))
}

/// Whether it is an element of this name, whatever its namespace.
pub(super) fn is(node: Node<'_, '_>, name: &str) -> bool {
    node.is_element() && node.tag_name().name() == name
}

/// The elements right below a node.
pub(super) fn children<'a, 'input>(
    node: Node<'a, 'input>,
) -> impl Iterator<Item = Node<'a, 'input>> {
    node.children().filter(Node::is_element)
}

/// An attribute, whatever its namespace.
pub(super) fn attribute<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    node.attributes().find(|attribute| attribute.name() == name).map(|found| found.value())
}

/// All text below a node.
pub(super) fn text(node: Node<'_, '_>) -> String {
    let texts = node.descendants().filter(Node::is_text).filter_map(|node| node.text());
    texts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_of_a_document_are_refused() {
        let bomb = "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><a>&x;</a>";
        assert_eq!(parse("a.xml", bomb).err().unwrap().code(), "malformed");
    }
}
