//! Books: the chapters of an EPUB in the order in which they are read.

use super::container::Container;
use super::{Draft, Rejected, html, xml};

const CONTAINER: &str = "META-INF/container.xml";

pub(super) fn convert(bytes: &[u8]) -> Result<Draft, Rejected> {
    let mut container = Container::open(bytes)?;
    if container.holds("META-INF/rights.xml") {
        return Err(Rejected::Encrypted);
    }
    let package = package(&mut container)?;
    let text = container.needed(&package)?;
    let document = xml::parse(&package, &text)?;
    let root = document.root();
    let folder = package.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut chapters = Vec::new();
    for part in spine(root) {
        let part = path(folder, &part);
        if let Some(bytes) = container.part(&part)? {
            chapters.push(html::convert(&bytes)?.markdown);
        }
    }
    let title = xml::find(root, "title").map(xml::text);
    Ok(Draft { markdown: chapters.join("\n\n"), title, engine: html::ENGINE })
}

/// The part that lists the others.
fn package(container: &mut Container<'_>) -> Result<String, Rejected> {
    let text = container.needed(CONTAINER)?;
    let document = xml::parse(CONTAINER, &text)?;
    let root = xml::find(document.root(), "rootfile").and_then(|node| node.attribute("full-path"));
    root.map(str::to_owned)
        .ok_or_else(|| Rejected::Malformed(format!("`{CONTAINER}` names no package")))
}

/// What is read, in its order, without the table of contents.
fn spine(root: roxmltree::Node<'_, '_>) -> Vec<String> {
    let items: Vec<_> = root.descendants().filter(|node| xml::is(*node, "item")).collect();
    let read = root.descendants().filter(|node| xml::is(*node, "itemref"));
    let parts = read.filter_map(|node| {
        let id = node.attribute("idref")?;
        let item = items.iter().find(|item| item.attribute("id") == Some(id))?;
        let is_contents =
            item.attribute("properties").is_some_and(|all| all.split(' ').any(|one| one == "nav"));
        item.attribute("href").filter(|_| !is_contents).map(str::to_owned)
    });
    parts.collect()
}

/// A part named from the folder of the package, its escapes undone.
fn path(folder: &str, href: &str) -> String {
    let href = href.split('#').next().unwrap_or(href);
    let href = percent_encoding::percent_decode_str(href).decode_utf8_lossy();
    let mut steps: Vec<&str> = folder.split('/').filter(|step| !step.is_empty()).collect();
    for step in href.split('/') {
        match step {
            ".." => drop(steps.pop()),
            "." | "" => {}
            step => steps.push(step),
        }
    }
    steps.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_found_from_the_package() {
        assert_eq!(path("OEBPS/text", "../a%20b.xhtml#x"), "OEBPS/a b.xhtml");
        assert_eq!(path("", "ch.xhtml"), "ch.xhtml");
    }
}
