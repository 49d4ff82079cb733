//! Packed number formats of weights: their codes, what scales them, and matrices of them, for the processor and for GPUs.

mod code;
mod format;
mod matrix;

pub(crate) use code::Code;
pub(crate) use format::{PackedFormat, Scale};
pub(crate) use matrix::PackedMatrix;

/// Roundings of a term beside those of its sum: those of its scales.
pub(crate) const EXTRA_ROUNDINGS: usize = 16;
