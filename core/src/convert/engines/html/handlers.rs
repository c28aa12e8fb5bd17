//! Links, images and code: what of them helps a reader of the text.

use htmd::Element;
use htmd::element_handler::{HandlerResult, Handlers};

use super::{text as texts, tree};

/// What pages hang on their headings and footnotes.
const ANCHORS: &[&str] = &["", "¶", "#", "§", "↩", "↩︎", "↑", "^", "🔗"];

/// A link, unless it leads into the same page.
pub(super) fn link(handlers: &dyn Handlers, element: Element<'_>) -> Option<HandlerResult> {
    let target = tree::attribute(element.node, "href").unwrap_or_default();
    let leads_on = !target.is_empty() && !target.starts_with(['#', '?']);
    if leads_on && !target.trim_start().to_ascii_lowercase().starts_with("javascript:") {
        let content = handlers.walk_children(element.node).content;
        // A link around a picture without a name, say.
        return if content.trim().is_empty() { None } else { handlers.fallback(element) };
    }
    let content = handlers.walk_children(element.node);
    (!ANCHORS.contains(&content.content.trim())).then_some(content)
}

/// What an image is called. The image itself cannot be searched, and its address is long.
#[expect(clippy::needless_pass_by_value, reason = "as handlers are")]
pub(super) fn image(_: &dyn Handlers, element: Element<'_>) -> Option<HandlerResult> {
    let name = tree::attribute(element.node, "alt").unwrap_or_default();
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    (!name.is_empty()).then(|| name.into())
}

/// Code as it stands, with its language where a class says it.
#[expect(clippy::needless_pass_by_value, reason = "as handlers are")]
pub(super) fn code(_: &dyn Handlers, element: Element<'_>) -> Option<HandlerResult> {
    let code = tree::text(element.node);
    if code.trim().is_empty() {
        return None;
    }
    let classes = tree::all(element.node).into_iter().filter_map(|node| {
        matches!(tree::tag(&node), Some("pre" | "code"))
            .then(|| tree::attribute(&node, "class").unwrap_or_default())
    });
    let language = classes.filter_map(|classes| language(&classes)).next().unwrap_or_default();
    let fenced = texts::fenced(&language, code.trim_matches('\n'));
    Some(format!("\n\n{fenced}\n").into())
}

/// A footnote of `markup`, or where one is referred to.
pub(super) fn note(handlers: &dyn Handlers, element: Element<'_>) -> Option<HandlerResult> {
    let Some(label) = tree::attribute(element.node, "data-note") else {
        return handlers.fallback(element);
    };
    if element.tag == "sup" {
        return Some(format!("[^{label}]").into());
    }
    let content = handlers.walk_children(element.node).content;
    Some(format!("\n\n[^{label}]: {}\n\n", content.trim()).into())
}

/// `language-rust`, `lang-rust`, `sourceCode rust`, `code rust`, `brush: rust`.
fn language(classes: &str) -> Option<String> {
    let mut words = classes.split([' ', ';']).filter(|word| !word.is_empty());
    while let Some(word) = words.next() {
        let named = word.strip_prefix("language-").or_else(|| word.strip_prefix("lang-"));
        if let Some(language) = named {
            return Some(language.to_owned());
        }
        if matches!(word, "sourceCode" | "code" | "brush:") {
            return words.next().filter(|word| *word != "literal-block").map(str::to_owned);
        }
    }
    None
}
