//! Lines that look like secrets to a careless eye, and lines that look like nothing.

mod code;
mod encoded;
mod ids;
mod prose;

use crate::Numbers;

type Make = fn(&mut Numbers) -> String;

/// A line, and what it is a sample of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Benign {
    /// One of [`BENIGN`].
    pub sort: &'static str,
    /// One line, without its end.
    pub text: String,
}

const TABLES: [&[(&str, Make)]; 4] = [ids::TABLE, encoded::TABLE, code::TABLE, prose::TABLE];

/// How many sorts there are.
pub const BENIGN: usize =
    ids::TABLE.len() + encoded::TABLE.len() + code::TABLE.len() + prose::TABLE.len();

/// So many lines, every sort equally often.
#[must_use]
pub fn lines(seed: u64, many: usize) -> Vec<Benign> {
    let mut numbers = Numbers::new(seed);
    let sorts = TABLES.into_iter().flatten().cycle().take(many);
    sorts.map(|(sort, make)| Benign { sort, text: make(&mut numbers) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_lines_of_every_sort() {
        let lines = lines(2, 20_000);
        assert_eq!(lines.len(), 20_000);
        assert!(lines.iter().all(|line| !line.text.contains('\n') && !line.text.is_empty()));
        let sorts: std::collections::BTreeSet<_> = lines.iter().map(|line| line.sort).collect();
        assert_eq!(sorts.len(), BENIGN);
    }
}
