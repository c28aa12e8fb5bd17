//! The tree of a page: how deep it is, what it is called, and a few repairs.

use std::rc::Rc;

use htmd::Node;
use markup5ever_rcdom::NodeData;

use super::Rejected;

/// Deeper pages are made to break readers; converting goes as deep as the page.
const MOST_DEPTH: usize = 512;

/// Refuses a tree that is too deep.
pub(super) fn bounded(root: &Rc<Node>) -> Result<(), Rejected> {
    let mut waiting = vec![(Rc::clone(root), 0)];
    while let Some((node, depth)) = waiting.pop() {
        if depth > MOST_DEPTH {
            let what = format!("its elements are nested more than {MOST_DEPTH} deep");
            return Err(Rejected::Malformed(what));
        }
        waiting.extend(node.children.borrow().iter().map(|child| (Rc::clone(child), depth + 1)));
    }
    Ok(())
}

/// The first `title`.
pub(super) fn title(root: &Rc<Node>) -> Option<String> {
    let title = all(root).into_iter().find(|node| tag(node) == Some("title"));
    title.map(|title| text(&title)).filter(|title| !title.trim().is_empty())
}

/// Lists that stand in a list go into the item before them; what is hidden, and the page's foot, go.
pub(super) fn tidy(root: &Rc<Node>) {
    for node in all(root) {
        node.children.borrow_mut().retain(|child| !is_clutter(&node, child));
        join(&node);
        if is_list(&node) {
            adopt(&node);
        }
    }
}

/// What is never text of the page.
const SKIPPED: &[&str] = &[
    "script", "style", "head", "noscript", "template", "nav", "svg", "math", "iframe", "object",
    "button", "select", "dialog", "link", "meta",
];

/// The element that says that it is what the page is about, unless the page's heading stands outside.
pub(super) fn main(root: &Rc<Node>) -> Option<Rc<Node>> {
    let nodes = all(root);
    let mut mains = nodes.iter().filter(|node| tag(node) == Some("main"));
    let main = mains.next().filter(|_| mains.next().is_none())?;
    let counts = |nodes: &[Rc<Node>]| nodes.iter().filter(|node| tag(node) == Some("h1")).count();
    let inside = counts(&all(main));
    (inside > 0 || counts(&nodes) == 0).then(|| Rc::clone(main))
}

fn is_clutter(parent: &Node, node: &Rc<Node>) -> bool {
    let is_skipped = tag(node).is_some_and(|tag| SKIPPED.contains(&tag));
    if is_skipped || tag(node) == Some("li") && is_blank(node) {
        return true;
    }
    let is_role = |role| attribute(node, "role").is_some_and(|value| value == role);
    let is_foot = tag(node) == Some("footer") && tag(parent) == Some("body");
    let is_hidden = attribute(node, "hidden").is_some()
        || attribute(node, "aria-hidden").is_some_and(|value| value == "true");
    is_foot || is_hidden || is_role("navigation") || is_role("contentinfo") || is_role("search")
}

/// Whether there is nothing to read in an element.
fn is_blank(node: &Rc<Node>) -> bool {
    let mut waiting = vec![Rc::clone(node)];
    while let Some(node) = waiting.pop() {
        let is_text = match &node.data {
            NodeData::Text { contents } => !contents.borrow().trim().is_empty(),
            _ => tag(&node) == Some("img"),
        };
        if is_text {
            return false;
        }
        let children = node.children.borrow();
        let read =
            children.iter().filter(|child| !tag(child).is_some_and(|tag| SKIPPED.contains(&tag)));
        waiting.extend(read.map(Rc::clone));
    }
    true
}

fn is_list(node: &Node) -> bool {
    matches!(tag(node), Some("ul" | "ol"))
}

/// Writers that nest by indents end a list where the depth changes; what follows right after goes on.
fn join(parent: &Rc<Node>) {
    let children = std::mem::take(&mut *parent.children.borrow_mut());
    let mut kept: Vec<Rc<Node>> = Vec::with_capacity(children.len());
    for child in children {
        let is_blank = |node: &&Rc<Node>| tag(node).is_some() || !text(node).trim().is_empty();
        let before = kept.iter().rev().find(is_blank);
        match before.filter(|before| goes_on(before, &child)) {
            Some(before) => {
                for moved in std::mem::take(&mut *child.children.borrow_mut()) {
                    moved.parent.set(Some(Rc::downgrade(before)));
                    before.children.borrow_mut().push(moved);
                }
            }
            None => kept.push(child),
        }
    }
    *parent.children.borrow_mut() = kept;
}

fn goes_on(before: &Node, list: &Node) -> bool {
    let children = list.children.borrow();
    let first = children.iter().find(|child| tag(child).is_some());
    let begins_deeper = first.is_some_and(|first| is_list(first));
    is_list(before)
        && is_list(list)
        && (begins_deeper || tag(before) == tag(list) && tag(list) == Some("ul"))
}

fn adopt(list: &Rc<Node>) {
    let children = std::mem::take(&mut *list.children.borrow_mut());
    let mut kept: Vec<Rc<Node>> = Vec::with_capacity(children.len());
    for child in children {
        let item = kept.iter().rev().find(|node| tag(node) == Some("li"));
        match item.filter(|_| is_list(&child)) {
            Some(item) => {
                child.parent.set(Some(Rc::downgrade(item)));
                item.children.borrow_mut().push(child);
            }
            None => kept.push(child),
        }
    }
    *list.children.borrow_mut() = kept;
}

/// A node and all below it, in their order.
pub(super) fn all(root: &Rc<Node>) -> Vec<Rc<Node>> {
    let (mut found, mut waiting) = (Vec::new(), vec![Rc::clone(root)]);
    while let Some(node) = waiting.pop() {
        waiting.extend(node.children.borrow().iter().rev().map(Rc::clone));
        found.push(node);
    }
    found
}

/// The text of a node as it stands.
pub(super) fn text(node: &Rc<Node>) -> String {
    let mut text = String::new();
    for node in all(node) {
        match &node.data {
            NodeData::Text { contents } => text.push_str(&contents.borrow()),
            NodeData::Element { name, .. } if &name.local == "br" => text.push('\n'),
            _ => {}
        }
    }
    text
}

/// The name of an element.
pub(super) fn tag(node: &Node) -> Option<&str> {
    match &node.data {
        NodeData::Element { name, .. } => Some(&name.local),
        _ => None,
    }
}

/// An attribute of an element.
pub(super) fn attribute(node: &Node, wanted: &str) -> Option<String> {
    let NodeData::Element { attrs, .. } = &node.data else { return None };
    let attrs = attrs.borrow();
    let found = attrs.iter().find(|attribute| &attribute.name.local == wanted);
    found.map(|attribute| attribute.value.to_string())
}
