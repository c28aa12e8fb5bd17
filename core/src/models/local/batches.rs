//! Which texts go through the model together: those of about the same length, so that little is
//! filled up, and few enough that memory stays small and the deadline is looked at often.

/// Texts in a batch.
const TEXTS: usize = 16;
/// Tokens in a batch, filled up to its longest text.
const TOKENS: usize = 1_024;

/// The positions of what can be read, in batches; the shortest come first.
pub(super) fn by_length(inputs: &[Option<Vec<u32>>]) -> Vec<Vec<usize>> {
    let length = |at: &usize| inputs[*at].as_ref().map_or(0, Vec::len);
    let mut order: Vec<usize> = (0..inputs.len()).filter(|at| inputs[*at].is_some()).collect();
    order.sort_by_key(length);
    let mut batches: Vec<Vec<usize>> = Vec::new();
    for at in order {
        let fits = |batch: &&mut Vec<usize>| {
            batch.len() < TEXTS && (batch.len() + 1) * length(&at) <= TOKENS
        };
        match batches.last_mut().filter(fits) {
            Some(batch) => batch.push(at),
            None => batches.push(vec![at]),
        }
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_hold_each_text_once_and_stay_small() {
        let inputs: Vec<_> =
            (0..100_usize).map(|n| (n % 9 != 0).then(|| vec![0; 1 + n * 37 % 512])).collect();
        let batches = by_length(&inputs);
        let mut all: Vec<usize> = batches.concat();
        let lengths: Vec<_> = all.iter().map(|at| inputs[*at].as_ref().unwrap().len()).collect();
        assert!(lengths.is_sorted());
        all.sort_unstable();
        let readable: Vec<_> = (0..100).filter(|n| n % 9 != 0).collect();
        assert_eq!(all, readable);
        for batch in &batches {
            let longest = inputs[*batch.last().unwrap()].as_ref().unwrap().len();
            assert!(batch.len() <= TEXTS && batch.len() * longest <= TOKENS, "{batch:?}");
        }
        assert!(batches.iter().any(|batch| batch.len() > 8));
    }

    #[test]
    fn a_text_beyond_all_bounds_goes_alone() {
        let inputs = vec![Some(vec![0; 5_000]), Some(vec![0; 5_000])];
        assert_eq!(by_length(&inputs), [vec![0], vec![1]]);
    }
}
