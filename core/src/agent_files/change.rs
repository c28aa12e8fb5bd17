//! One step of an edit as the ledger keeps it, and turning it back in a text that went on living.

use super::flaw::Flaw;
use super::node::Step;
use super::splice::Splice;
use super::text::Text;

/// What one step did to a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    /// Which entry it was for.
    pub entry: String,
    /// The way from the entry to the value that changed; none for all of it.
    pub below: Vec<Step>,
    /// The value before, as it was written; `None` where there was none.
    pub prior: Option<String>,
    /// How many steps of the way to the value were there before.
    pub there: usize,
    /// The text that was replaced.
    pub splice: Splice,
}

impl Change {
    /// A value as it was before: written anew, or gone.
    pub(super) fn turned_back(&self, text: &Text, way: &[Step]) -> Result<Text, Flaw> {
        if text.node().at(way).is_none() {
            return Ok(text.clone());
        }
        match &self.prior {
            Some(prior) => text.set_written(way, prior),
            None => self.cut_out(text, way, |next| next.node().at(way).is_none()),
        }
    }

    /// A value that was inserted taken out: the very text, where it is still there and nothing else
    /// goes with it, else whatever the value is written as now. `is_gone` must hold afterwards.
    pub(super) fn cut_out(
        &self,
        text: &Text,
        way: &[Step],
        is_gone: impl Fn(&Text) -> bool,
    ) -> Result<Text, Flaw> {
        let cut = text.remove(way, self.there)?;
        let candidates = self.splice.undone_anywhere(text.body());
        let proven = candidates.filter_map(|body| text.proven(body, |_| cut.node().clone()).ok());
        Ok(proven.into_iter().find(is_gone).unwrap_or(cut))
    }
}
