//! Secrets of 30 kinds in 13 forms, and lines that hold none.
//!
//! Each secret has the shape of a real one, with its checksum where the kind has one, and is made when
//! it is asked for: a file with a secret in it would be taken for a leak.

mod benign;
mod forms;
mod kinds;

pub use benign::{BENIGN, Benign, lines};
pub use forms::FORMS;
pub use kinds::KINDS;

use crate::Numbers;

/// A text with one secret.
#[derive(Debug, Clone)]
pub struct Case {
    /// Which of [`KINDS`].
    pub kind: &'static str,
    /// Which of [`FORMS`].
    pub form: &'static str,
    /// The text.
    pub text: String,
    /// The parts of the text that must go, as they stand in it.
    pub hidden: Vec<String>,
    /// What stands before and after the secret and must stay; empty where the form has nothing.
    pub around: [String; 2],
}

/// A secret by itself.
struct Secret {
    /// As a file or a terminal shows it.
    text: String,
    /// The parts of it that are secret.
    hidden: Vec<String>,
}

/// One text for every kind in every form.
#[must_use]
pub fn cases(seed: u64) -> Vec<Case> {
    let mut numbers = Numbers::new(seed);
    let mut cases = Vec::new();
    for (kind, make) in kinds::TABLE {
        for (form, shape) in forms::TABLE {
            let secret = make(&mut numbers);
            let (text, hidden, around) = shape(&mut numbers, &secret).into_parts();
            cases.push(Case { kind, form, text, hidden, around });
        }
    }
    cases
}

impl Case {
    /// The first eight characters of the secret in a row that are still in a text.
    #[must_use]
    pub fn remains<'a>(&'a self, text: &str) -> Option<&'a str> {
        let windows = self.hidden.iter().flat_map(|part| windows(part));
        windows.into_iter().find(|window| text.contains(window))
    }
}

/// All parts of a text that have eight characters; fewer could be there by chance.
fn windows(part: &str) -> impl Iterator<Item = &str> {
    const LENGTH: usize = 8;
    let last = part.len().checked_sub(LENGTH);
    last.into_iter().flat_map(move |last| (0..=last).filter_map(|at| part.get(at..at + LENGTH)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_holds_what_must_go_and_the_seed_decides() {
        for case in cases(3) {
            let is_there = |part: &String| case.text.contains(part.as_str());
            assert!(!case.hidden.is_empty() && case.hidden.iter().all(is_there), "{case:?}");
            assert!(case.remains(&case.text).is_some(), "{case:?}");
            assert!(case.around.iter().all(is_there), "{case:?}");
            assert_eq!(case.remains("nothing"), None);
        }
        let texts = |seed| cases(seed).into_iter().map(|case| case.text).collect::<Vec<_>>();
        assert_eq!(texts(5), texts(5));
        assert_ne!(texts(5), texts(6));
    }

    #[test]
    fn there_are_thirty_kinds_in_thirteen_forms() {
        assert_eq!((KINDS.len(), FORMS.len()), (30, 13));
        assert_eq!(cases(1).len(), 390);
    }
}
