//! Files that are made, or damaged, to break what reads them, and the reasons that may be given for each.

mod archives;
mod pages;
mod pdfs;

use crate::Numbers;

pub use archives::far_cells;
pub use pages::slow_page;

/// A file, and what may become of it.
pub struct Hostile {
    /// Its name.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The codes of reasons that are right; `ok` where it may be read.
    pub outcomes: &'static [&'static str],
}

impl Hostile {
    fn new(name: &str, bytes: impl Into<Vec<u8>>, outcomes: &'static [&'static str]) -> Self {
        Self { name: name.to_owned(), bytes: bytes.into(), outcomes }
    }
}

/// Files that are made to break readers.
pub fn made() -> Vec<Hostile> {
    let mut all = archives::all();
    all.extend(pages::all());
    all.extend(pdfs::all());
    all
}

/// What may become of a document that is not whole: it is read so far, or its damage is named.
const DAMAGED: &[&str] =
    &["ok", "malformed", "empty", "needs_ocr", "unsupported", "encrypted", "crashed", "too_large"];

/// A document cut off at several places, and with bytes of it changed.
pub fn damaged(name: &str, bytes: &[u8], numbers: &mut Numbers) -> Vec<Hostile> {
    let length = bytes.len();
    let cuts = [0, 1, 5, length / 10, length / 4, length / 2, length * 3 / 4, length * 9 / 10];
    let cuts = cuts.into_iter().chain([length.saturating_sub(30), length - 1]);
    let mut all: Vec<_> = cuts.map(|cut| Hostile::new(name, &bytes[..cut], DAMAGED)).collect();
    for _ in 0..3 {
        let mut changed = bytes.to_vec();
        for _ in 0..1 + length / 500 {
            let at = numbers.below(length);
            changed[at] = u8::try_from(numbers.below(256)).unwrap_or(0);
        }
        all.push(Hostile::new(name, changed, DAMAGED));
    }
    all
}
