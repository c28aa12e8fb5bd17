//! The difference between two versions of a text as one replaced part, which can be turned back.

use std::fmt;

/// What stood at a place, and what stands there now.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Splice {
    /// Where, in bytes.
    pub at: usize,
    /// Before.
    pub removed: String,
    /// After.
    pub inserted: String,
}

/// The texts are another program's, and may hold anything.
impl fmt::Debug for Splice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Splice({}: -{} +{})", self.at, self.removed.len(), self.inserted.len())
    }
}

impl Splice {
    /// What leads from one text to another.
    pub(super) fn between(before: &str, after: &str) -> Self {
        let same = |(one, other): &(u8, u8)| one == other;
        let mut at = before.bytes().zip(after.bytes()).take_while(same).count();
        while !(before.is_char_boundary(at) && after.is_char_boundary(at)) {
            at -= 1;
        }
        let (one, other) = (&before[at..], &after[at..]);
        let mut end = one.bytes().rev().zip(other.bytes().rev()).take_while(same).count();
        while !(one.is_char_boundary(one.len() - end) && other.is_char_boundary(other.len() - end))
        {
            end -= 1;
        }
        let (removed, inserted) = (&one[..one.len() - end], &other[..other.len() - end]);
        Self { at, removed: removed.to_owned(), inserted: inserted.to_owned() }
    }

    /// The text before, if the one after has what was inserted at the place.
    pub(super) fn undone(&self, after: &str) -> Option<String> {
        self.undone_at(after, self.at)
    }

    fn undone_at(&self, after: &str, at: usize) -> Option<String> {
        let rest = after.get(at..)?.strip_prefix(self.inserted.as_str())?;
        Some([&after[..at], &self.removed, rest].concat())
    }

    /// The texts before, for each place where what was inserted may have come to stand.
    pub(super) fn undone_anywhere<'a>(
        &'a self,
        after: &'a str,
    ) -> impl Iterator<Item = String> + 'a {
        let wanted = (!self.inserted.is_empty()).then_some(self.inserted.as_str());
        let places = wanted.into_iter().flat_map(|wanted| after.match_indices(wanted));
        places.filter_map(|(at, _)| self.undone_at(after, at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_change_can_be_turned_back(before in "[aü\n]{0,12}", after in "[aü\n]{0,12}") {
            let splice = Splice::between(&before, &after);
            prop_assert_eq!(splice.undone(&after), Some(before));
        }
    }

    #[test]
    fn only_what_differs_is_kept() {
        let splice = Splice::between("{\"a\": 1}", "{\"a\": 1, \"b\": 2}");
        assert_eq!((splice.at, &splice.removed[..], &splice.inserted[..]), (7, "", ", \"b\": 2"));
        assert_eq!(splice.undone("{\"x\": 1, \"b\": 2}").as_deref(), Some("{\"x\": 1}"));
        assert_eq!(splice.undone("{}"), None);
        let elsewhere: Vec<_> = splice.undone_anywhere("{\"long\": 1, \"b\": 2}").collect();
        assert_eq!(elsewhere, ["{\"long\": 1}"]);
    }
}
