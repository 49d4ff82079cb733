//! How long a GEMM takes on a GPU: a model of tiles and caches whose constants are fitted to published timings.
//!
//! A product of `m x k` by `k x n` is cut into tiles of `a x b` results, each of which one unit (a streaming multiprocessor)
//! computes; the contraction may be shared out among `s` units. With peak `P` in OP/s, memory bandwidth `B` in B/s, `U` units, a
//! cache of `L` bytes and elements of `e` bytes, and the fitted [`GemmConstants`] by name, their microseconds and nanoseconds taken
//! as seconds:
//!
//! ```text
//! tiles   = batch x ceil(m / a) x ceil(n / b) x s
//! waves   = tail x ceil(tiles / U) + (1 - tail) x max(1, tiles / U)
//! d       = k / s, in whole steps of 64
//! one     = max(2 a b d / (compute x P / U) x (1 + edge x (1/a + 1/b)), step x d / 1024) + tile x a b / 128^2
//! compute = waves x one
//! read    = max(bytes that the cache has not kept / (read x B), (tiles x (a + b) x d x e + sums) / (cache_rate x B))
//! sums    = 2 x s x 4 x batch x m x n, where s > 1: partial sums of 4 bytes, written and read
//! write   = max(bytes that leave the cache / (write x B), bytes / (cache_rate x B))
//! time    = launch + quantise + sqrt(compute^2 + read^2 + write^2) + (split, where s > 1), the least over a, b and s
//! ```
//!
//! A cache that keeps `c` bytes misses `1 / (1 + (c / w)^4)` of what is used again after `w` bytes. `c` is a factor, which a fit may put above 1, times `L`; `w`
//! counts the copies of the weights that take turns where the timings were taken. FP8 timings hold the quantisation of the
//! left operand: `batch x m / U x (quantise_row + k x quantise_element)`. Some libraries have no small tiles: `a` is at least
//! `least_rows` and `b` at least `least_columns`, unless the product itself is smaller.
//!
//! Where a device has no timings, [`ThreeConstants`] fitted on others in the same arithmetic stand in, with a wider band. Where the
//! peak is unknown, no several devices have timings in the arithmetic, or a product lies outside of those that were timed, the
//! time is unknown.

mod band;
mod candidates;
mod conditions;
mod constants;
mod elements;
mod error;
mod fit;
mod fitted;
mod machine;
mod model;
mod nelder_mead;
mod parts;
mod region;
mod three;
mod timed;

pub use band::{ErrorBand, left_out};
pub use conditions::TimingConditions;
pub use constants::GemmConstants;
pub use elements::ElementBytes;
pub use error::GemmTimeError;
pub use fit::{GemmTiming, fit_constants, fit_error};
pub use fitted::{Borrowed, Fitted, FittedFile, RegionBand};
pub use machine::GpuFigures;
pub use model::{GemmEstimate, GemmModel, gemm_parts};
pub(crate) use nelder_mead::find_minimum;
pub use parts::GemmParts;
pub use region::DominantPart;
pub use three::ThreeConstants;
pub use timed::TimedRange;

#[cfg(test)]
mod tests;
