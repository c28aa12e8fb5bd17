//! The weights of a model: a safetensors file, read tensor by tensor.
//!
//! It is read, not mapped into memory: a mapped file that another program shortens would end the
//! process, and what the model works with is copied out of it in any case. So at most one tensor is
//! in memory twice.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};

use candle_core::{DType, Device, Tensor};
use safetensors::Dtype;
use safetensors::tensor::{Metadata, TensorInfo};

use super::folder::{WEIGHTS, damaged};
use crate::models::ModelFailure;

/// The longest header that is read; that of a model with a thousand tensors has 100 KB.
const HEADER: u64 = 8 << 20;

/// An open file of weights.
pub(super) struct Weights {
    file: File,
    header: Metadata,
    start: u64,
    prefix: &'static str,
}

impl Weights {
    /// Reads what a file of so many bytes says that it holds.
    pub(super) fn open(mut file: File, size: u64) -> Result<Self, ModelFailure> {
        let mut length = [0; 8];
        file.read_exact(&mut length).map_err(|error| broken(&error))?;
        let length = u64::from_le_bytes(length);
        if length > HEADER || length > size.saturating_sub(8) {
            return Err(damaged(WEIGHTS, "has no header that can be read"));
        }
        let mut header = vec![0; usize::try_from(length).unwrap_or(0)];
        file.read_exact(&mut header).map_err(|error| broken(&error))?;
        let header: Metadata = serde_json::from_slice(&header)
            .map_err(|error| damaged(WEIGHTS, format!("has a damaged header: {error}")))?;
        let end = header.tensors().values().map(|info| info.data_offsets.1).max().unwrap_or(0);
        let start = 8 + length;
        if u64::try_from(end).map_or(true, |end| end != size - start) {
            return Err(damaged(WEIGHTS, "is cut off, or longer than its header says"));
        }
        Ok(Self { file, header, start, prefix: "" })
    }

    /// Lets names be looked for behind the first of some prefixes under which there is a tensor.
    pub(super) fn look_below(&mut self, prefixes: &[&'static str], name: &str) {
        let is_there = |prefix: &&&str| self.header.info(&format!("{prefix}{name}")).is_some();
        self.prefix = prefixes.iter().find(is_there).copied().unwrap_or_default();
    }

    /// The numbers of rows and columns of a matrix.
    pub(super) fn size(&self, name: &str) -> Result<(usize, usize), ModelFailure> {
        match self.info(name)?.shape[..] {
            [rows, columns] if rows > 0 && columns > 0 => Ok((rows, columns)),
            _ => Err(damaged(WEIGHTS, format!("has a `{name}` that is no table"))),
        }
    }

    /// Whether there is a tensor of a name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.info(name).is_ok()
    }

    /// A tensor, of the shape that it must have.
    pub(super) fn tensor(&mut self, name: &str, shape: &[usize]) -> Result<Tensor, ModelFailure> {
        let TensorInfo { dtype, shape: found, data_offsets: (from, to) } = self.info(name)?.clone();
        if found != shape {
            let what = format!("has a `{name}` of shape {found:?}, where {shape:?} is needed");
            return Err(damaged(WEIGHTS, what));
        }
        let dtype = match dtype {
            Dtype::F32 => DType::F32,
            Dtype::F16 => DType::F16,
            Dtype::BF16 => DType::BF16,
            Dtype::F64 => DType::F64,
            other => {
                let what = format!("has a `{name}` of numbers of type {other:?}; F32 is needed");
                return Err(damaged(WEIGHTS, what));
            }
        };
        let bytes = self.bytes(from, to).map_err(|error| broken(&error))?;
        let tensor = Tensor::from_raw_buffer(&bytes, dtype, shape, &Device::Cpu);
        tensor.and_then(|tensor| tensor.to_dtype(DType::F32)).map_err(|error| unfit(name, &error))
    }

    fn info(&self, name: &str) -> Result<&TensorInfo, ModelFailure> {
        let full = format!("{}{name}", self.prefix);
        self.header.info(&full).ok_or_else(|| damaged(WEIGHTS, format!("has no tensor `{full}`")))
    }

    /// The header was compared with the file's size, so that this asks for no more than there is.
    fn bytes(&mut self, from: usize, to: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; to - from];
        self.file.seek(SeekFrom::Start(self.start + from as u64))?;
        self.file.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}

/// Weights that do not fit together.
pub(super) fn unfit(name: &str, error: &candle_core::Error) -> ModelFailure {
    damaged(WEIGHTS, format!("has a `{name}` that does not fit: {error}"))
}

fn broken(error: &io::Error) -> ModelFailure {
    if error.kind() == io::ErrorKind::UnexpectedEof {
        return damaged(WEIGHTS, "is cut off");
    }
    ModelFailure::Unavailable(format!("cannot read `{WEIGHTS}`: {error}"))
}
