//! What a part refers to: other parts, and addresses outside.

use crate::convert::engines::container::Container;
use crate::convert::engines::{Rejected, xml};

/// The namespace of attributes that name a relation.
pub(super) const NAMESPACE: &str =
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// The relations of one part.
pub(super) struct Relations {
    folder: String,
    all: Vec<Relation>,
}

struct Relation {
    id: String,
    kind: String,
    target: String,
    is_outside: bool,
}

impl Relations {
    pub(super) fn of(container: &mut Container<'_>, part: &str) -> Result<Self, Rejected> {
        let (folder, name) = part.rsplit_once('/').unwrap_or(("", part));
        let beside = format!("{folder}/_rels/{name}.rels");
        let text = container.text(&beside)?.unwrap_or_else(|| "<none/>".to_owned());
        let document = xml::parse(&beside, &text)?;
        let all = document.descendants().filter_map(|node| {
            Some(Relation {
                id: node.attribute("Id")?.to_owned(),
                kind: node.attribute("Type")?.rsplit('/').next()?.to_owned(),
                target: node.attribute("Target")?.to_owned(),
                is_outside: node.attribute("TargetMode") == Some("External"),
            })
        });
        Ok(Self { folder: folder.to_owned(), all: all.collect() })
    }

    /// The part of this id.
    pub(super) fn part(&self, id: &str) -> Option<String> {
        let found = self.all.iter().find(|relation| relation.id == id && !relation.is_outside)?;
        Some(self.path(&found.target))
    }

    /// The first part of this kind.
    pub(super) fn of_kind(&self, kind: &str) -> Option<String> {
        let found = self.all.iter().find(|relation| relation.kind == kind)?;
        Some(self.path(&found.target))
    }

    /// The address of this id, when it leads outside.
    pub(super) fn address(&self, id: &str) -> Option<&str> {
        let found = self.all.iter().find(|relation| relation.id == id && relation.is_outside);
        found.map(|relation| relation.target.as_str())
    }

    /// A target as the name of a part: relative to the part's folder, or from the root.
    fn path(&self, target: &str) -> String {
        if let Some(absolute) = target.strip_prefix('/') {
            return absolute.to_owned();
        }
        let mut steps: Vec<&str> = self.folder.split('/').collect();
        for step in target.split('/') {
            match step {
                ".." => drop(steps.pop()),
                "." | "" => {}
                step => steps.push(step),
            }
        }
        steps.join("/")
    }
}
