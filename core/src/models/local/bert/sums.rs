//! Sums, in place and on the threads that the caller chose.
//!
//! Candle's own sums of large tensors take a thread on each core, and these spin until the next sum:
//! a folder of passages would keep the whole machine busy.

use candle_core::cpu::erf::erf_f32;
use candle_core::{CpuStorage, InplaceOp2, Layout, Result, Tensor, bail};
use rayon::iter::{IndexedParallelIterator as _, ParallelIterator as _};
use rayon::slice::ParallelSliceMut as _;

/// What stands between the two halves of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::models::local) enum Activation {
    /// By the error function.
    Gelu,
    /// Its approximation.
    GeluTanh,
    /// What is below zero is zero.
    Relu,
}

impl Activation {
    fn of(self, x: f32) -> f32 {
        match self {
            Self::Gelu => 0.5 * x * (1.0 + erf_f32(x * std::f32::consts::FRAC_1_SQRT_2)),
            Self::GeluTanh => {
                let inner = (2.0 / std::f32::consts::PI).sqrt() * (x + 0.044_715 * x * x * x);
                0.5 * x * (1.0 + inner.tanh())
            }
            Self::Relu => x.max(0.0),
        }
    }
}

/// Adds a matrix of so many rows: the tensor is as many equal blocks of rows as long, and each row of
/// a block gets the block's row. Nobody else may hold the tensor.
pub(super) fn add(to: &Tensor, rows: &Tensor, then: Option<Activation>) -> Result<()> {
    to.inplace_op2(rows, &Sum { then })
}

struct Sum {
    then: Option<Activation>,
}

impl InplaceOp2 for Sum {
    fn name(&self) -> &'static str {
        "sum"
    }

    fn cpu_fwd(
        &self,
        to: &mut CpuStorage,
        to_layout: &Layout,
        rows: &CpuStorage,
        rows_layout: &Layout,
    ) -> Result<()> {
        let (count, width) = rows_layout.shape().dims2()?;
        let places = (to_layout.contiguous_offsets(), rows_layout.contiguous_offsets());
        let ((CpuStorage::F32(to), CpuStorage::F32(rows)), (Some((a, b)), Some((c, d)))) =
            ((to, rows), places)
        else {
            bail!("sums are of plain numbers")
        };
        let (to, rows) = (&mut to[a..b], &rows[c..d]);
        if rows.is_empty() || !to.len().is_multiple_of(rows.len()) {
            bail!("{} numbers are no blocks of {count} rows of {width}", to.len())
        }
        let block = to.len() / rows.len();
        to.par_chunks_exact_mut(width).enumerate().for_each(|(at, row)| {
            let added = &rows[at / block * width..][..width];
            row.iter_mut().zip(added).for_each(|(x, added)| *x += added);
            if let Some(activation) = self.then {
                row.iter_mut().for_each(|x| *x = activation.of(*x));
            }
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use candle_core::Device;

    use super::*;

    fn sum(to: &[f32], rows: &[f32], count: usize, then: Option<Activation>) -> Result<Vec<f32>> {
        let width = rows.len() / count;
        let rows = Tensor::from_slice(rows, (count, width), &Device::Cpu)?;
        let to = Tensor::from_slice(to, to.len(), &Device::Cpu)?;
        add(&to, &rows, then)?;
        to.to_vec1()
    }

    #[test]
    fn each_block_gets_its_row() {
        let to = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
        let one = sum(&to, &[10.0, 20.0], 1, None).unwrap();
        assert_eq!(one, [11.0, 22.0, 13.0, 24.0, 15.0, 26.0, 17.0, 28.0]);
        let two = sum(&to, &[10.0, 20.0, 30.0, 40.0], 2, None).unwrap();
        assert_eq!(two, [11.0, 22.0, 13.0, 24.0, 35.0, 46.0, 37.0, 48.0]);
        let all = sum(&to, &to, 4, None).unwrap();
        assert_eq!(all, [2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0]);
        assert!(sum(&to, &[1.0, 2.0, 3.0], 1, None).is_err());
    }

    #[test]
    fn activations_are_those_that_models_were_taught_with() {
        let of = |activation: Activation| {
            sum(&[-2.0, -1.0, 0.0, 1.5], &[0.0], 1, Some(activation)).unwrap()
        };
        let near = |found: Vec<f32>, wanted: [f32; 4]| {
            assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-5), "{found:?}");
        };
        near(of(Activation::Gelu), [-0.045_500, -0.158_655, 0.0, 1.399_789]);
        near(of(Activation::GeluTanh), [-0.045_402, -0.158_808, 0.0, 1.399_572]);
        near(of(Activation::Relu), [0.0, 0.0, 0.0, 1.5]);
    }
}
