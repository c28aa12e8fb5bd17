//! From an answer to vectors: as many as texts, in their order, of one width, of length 1.

use super::wire::{EmbeddingOut, EmbeddingsOut};

/// The vectors of an answer to `count` texts, each `width` wide where that is known.
///
/// # Errors
///
/// What is wrong with the answer, as in "answered …".
pub(super) fn of_answer(
    answer: EmbeddingsOut,
    count: usize,
    width: Option<usize>,
) -> Result<Vec<Vec<f32>>, String> {
    let rows = answer.data;
    if rows.len() != count {
        return Err(format!("answered {} vectors to {count} texts", rows.len()));
    }
    let mut vectors = in_order(rows)?;
    let width = width.or_else(|| vectors.first().map(Vec::len)).unwrap_or(0);
    for vector in &mut vectors {
        if vector.len() != width || width == 0 {
            let found = vector.len();
            return Err(format!(
                "answers vectors of {found} numbers instead of {width}; set `dimensions` to what \
                 the model has, or leave it out"
            ));
        }
        normalize(vector)?;
    }
    Ok(vectors)
}

/// Answers may come in any order; where no row says which text it is for, they are in order.
fn in_order(rows: Vec<EmbeddingOut>) -> Result<Vec<Vec<f32>>, String> {
    if rows.iter().all(|row| row.index.is_none()) {
        return Ok(rows.into_iter().map(|row| row.embedding).collect());
    }
    let mut places: Vec<Option<Vec<f32>>> = vec![None; rows.len()];
    for row in rows {
        // Some leave out a zero.
        let place = places.get_mut(row.index.unwrap_or(0)).filter(|place| place.is_none());
        *place.ok_or("answered vectors that do not say which text they are for")? =
            Some(row.embedding);
    }
    Ok(places.into_iter().flatten().collect())
}

fn normalize(vector: &mut [f32]) -> Result<(), String> {
    let square: f64 = vector.iter().map(|number| f64::from(*number).powi(2)).sum();
    let length = square.sqrt();
    if !length.is_finite() || length == 0.0 {
        return Err("answered a vector without a direction".to_owned());
    }
    for number in vector {
        #[expect(clippy::cast_possible_truncation, reason = "vectors are kept in single precision")]
        let unit = (f64::from(*number) / length) as f32;
        *number = unit;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(rows: &[(Option<usize>, &[f32])]) -> EmbeddingsOut {
        let row = |(index, numbers): &(Option<usize>, &[f32])| EmbeddingOut {
            index: *index,
            embedding: numbers.to_vec(),
        };
        EmbeddingsOut { data: rows.iter().map(row).collect() }
    }

    #[test]
    fn vectors_come_in_order_and_of_length_one() {
        let (x, y): (&[f32], &[f32]) = (&[2.0, 0.0], &[3.0, 4.0]);
        for rows in [
            [(Some(1), y), (Some(0), x)],
            [(Some(0), x), (Some(1), y)],
            [(None, x), (None, y)],
            [(None, x), (Some(1), y)],
            [(Some(1), y), (None, x)],
        ] {
            let vectors = of_answer(answer(&rows), 2, Some(2)).unwrap();
            assert_eq!(vectors, [[1.0, 0.0], [0.6, 0.8]]);
        }
    }

    #[test]
    fn what_cannot_be_used_is_refused() {
        let (x, wide): (&[f32], &[f32]) = (&[2.0, 0.0], &[1.0, 0.0, 0.0]);
        for (rows, width, reason) in [
            (vec![(Some(0), x)], Some(2), "1 vectors to 2 texts"),
            (vec![(Some(0), x), (Some(1), x), (Some(2), x)], None, "3 vectors to 2 texts"),
            (vec![(Some(0), x), (Some(0), x)], None, "which text"),
            (vec![(Some(0), x), (Some(2), x)], None, "which text"),
            (vec![(None, x), (Some(0), x)], None, "which text"),
            (vec![(Some(0), x), (Some(1), wide)], None, "3 numbers instead of 2"),
            (vec![(Some(0), x), (Some(1), x)], Some(3), "2 numbers instead of 3"),
            (vec![(Some(0), &[]), (Some(1), &[])], None, "0 numbers"),
            (vec![(Some(0), x), (Some(1), &[0.0, 0.0])], None, "direction"),
            (vec![(Some(0), x), (Some(1), &[f32::NAN, 1.0])], None, "direction"),
            (vec![(Some(0), x), (Some(1), &[f32::INFINITY, 1.0])], None, "direction"),
        ] {
            let refused = of_answer(answer(&rows), 2, width).unwrap_err();
            assert!(refused.contains(reason), "{refused}");
        }
    }
}
