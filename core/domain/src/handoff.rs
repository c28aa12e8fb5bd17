//! Handoff scenes: the working state of one branch, as a file.

use crate::fact::{Rejected, checked_text};
use crate::frontmatter::{self, Field};
use crate::time::Timestamp;

/// The most characters a scene may have.
const SCENE_CHARS: usize = 65_536;

/// The working state of one branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scene {
    /// The branch's exact name, or 12 characters of the commit when detached.
    pub branch: String,
    /// The commit that was checked out when it was saved.
    pub head: Option<String>,
    /// When it was saved.
    pub updated_at: Timestamp,
    /// The text.
    pub body: String,
}

impl Scene {
    /// A scene to be saved.
    ///
    /// # Errors
    ///
    /// Empty texts, and texts of more than 65,536 characters.
    pub fn new(
        branch: String,
        head: Option<String>,
        body: &str,
        now: Timestamp,
    ) -> Result<Self, Rejected> {
        let body = checked_text(body, SCENE_CHARS)?;
        Ok(Self { branch, head, updated_at: now.whole_second(), body })
    }

    /// The whole file.
    pub fn render(&self) -> String {
        let updated_at = self.updated_at.to_string();
        let mut fields =
            vec![("branch", Field::Text(&self.branch)), ("updated_at", Field::Text(&updated_at))];
        fields.extend(self.head.as_deref().map(|head| ("head", Field::Text(head))));
        frontmatter::render(&fields, &self.body)
    }

    /// Reads a file; a hand-written one without `branch` is named by its stem.
    pub fn read(text: &str, stem: &str, modified: Timestamp) -> Self {
        let (fields, _) = frontmatter::parse(text);
        Self {
            branch: fields.get_str("branch").unwrap_or(stem).to_owned(),
            head: fields.get_str("head").map(str::to_owned),
            updated_at: fields
                .get_str("updated_at")
                .and_then(Timestamp::parse)
                .map_or(modified, |time| time.max(modified.whole_second())),
            body: frontmatter::split(text).body_text().to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scene_reads_back() {
        let now = Timestamp::from_micros(1_780_000_000_000_000);
        for branch in ["main", "feat/x: y", "no", "-rf", "分支", "a\"b"] {
            let scene = Scene::new(branch.into(), Some("0a1b2c".into()), "half way\n\n- next", now)
                .unwrap();
            assert_eq!(Scene::read(&scene.render(), "stem", now), scene, "{branch}");
        }
    }
}
