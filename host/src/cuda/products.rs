use std::cell::Cell;

use derate_model::measurement::Check;

use super::entries::entry;
use super::expected::{Expected, SEEDS};
use super::memory::Memory;
use super::stopwatch::launches;
use super::sys::Matrices;
use super::{Arithmetic, CudaError, Gpu, mantissa};
use crate::bench::{BenchError, Cancel, Progress, Repeat};

/// Several times the last-level cache, so that a product finds no operands there.
const CACHES: u64 = 4;
const MOST_SETS: u64 = 64;

/// A product of matrices: `m x k` times `k x n`, each row of the first and each column of the second in one piece, as the
/// weights of a linear layer stand.
#[derive(Clone, Copy, Debug)]
pub struct Product {
    /// Rows of the result.
    pub m: u64,
    /// Columns of the result; 1 is a matrix times a vector.
    pub n: u64,
    /// Products that are summed in each element.
    pub k: u64,
    /// How it is computed.
    pub arithmetic: Arithmetic,
}

/// What a GPU took.
#[derive(Clone, Debug)]
pub struct Timed {
    /// Seconds of one launch, in each repetition.
    pub seconds: Vec<f64>,
    /// Launches of a repetition, one after another.
    pub launches: u32,
    /// Sets of operands that took turns.
    pub sets: usize,
    /// Whether together they are larger than the last-level cache.
    pub beyond_cache: bool,
    /// Whether it was right.
    pub check: Check,
}

/// The matrices of one product.
struct Set {
    a: Memory,
    b: Memory,
    c: Memory,
}

impl Product {
    fn title(&self) -> String {
        format!("{} x {} x {} in {}", self.m, self.n, self.k, self.arithmetic.name())
    }

    /// Bytes of the first operand, the second, and the result.
    pub fn bytes(&self) -> Option<[u64; 3]> {
        let Self { m, n, k, arithmetic } = *self;
        let (operand, result) = (arithmetic.operand_bytes(), arithmetic.result_bytes());
        let of = |rows: u64, columns: u64, size| rows.checked_mul(columns)?.checked_mul(size);
        Some([of(m, k, operand)?, of(k, n, operand)?, of(m, n, result)?])
    }

    /// Rows, columns and terms as cuBLAS counts them; a sentence where it does not multiply such matrices.
    pub(super) fn extents(&self) -> Result<[i32; 3], CudaError> {
        let multiple = self.arithmetic.multiple();
        let extent = |size: u64| i32::try_from(size).ok().filter(|&size| size > 0);
        let (Some(rows), Some(columns), Some(terms)) =
            (extent(self.m), extent(self.n), extent(self.k))
        else {
            return Err(self.wrong("give extents of 1 to 2147483647"));
        };
        if !self.m.is_multiple_of(multiple) || !self.k.is_multiple_of(multiple) {
            return Err(self.wrong("cuBLAS takes the rows and the terms in multiples of 4 there"));
        }
        Ok([rows, columns, terms])
    }

    fn wrong(&self, what: &str) -> CudaError {
        CudaError::Setup(format!("{}: {what}", self.title()))
    }

    /// Multiplies on a GPU, and times it by the GPU's own events. Sets of operands take turns, together larger
    /// than the cache where as many as that take is few enough. Results are wiped before each repetition, and that of its
    /// last launch is looked at after it: of the launches before, on the same operands, the time alone tells.
    pub fn run(
        &self,
        gpu: &Gpu,
        repeat: Repeat,
        cancel: Cancel<'_>,
        progress: Progress<'_>,
    ) -> Result<Timed, BenchError> {
        let [rows, columns, terms] = self.extents()?;
        let (title, arithmetic) = (self.title(), self.arithmetic);
        let bytes = self.bytes().ok_or_else(|| self.wrong("that is more than any memory"))?;
        mantissa::own_environment(arithmetic)?;
        gpu.enter()?;
        let one = bytes.iter().fold(0_u64, |sum, part| sum.saturating_add(*part));
        gpu.room(one, &format!("a product of {title}"))?;
        let whole = arithmetic != Arithmetic::Fp32 || mantissa::is_whole(gpu)?;
        let cache = gpu.last_level_cache()?;
        let sets = sets(one, cache, gpu.free_memory()?);
        let (cublas, watch) = (gpu.cublas()?, gpu.stopwatch()?);
        let mut made: Vec<Set> = Vec::new();
        for _ in 0..sets {
            let [a, b, c] = bytes;
            let set = Set { a: gpu.memory(a)?, b: gpu.memory(b)?, c: gpu.memory(c)? };
            if let Some(first) = made.first() {
                set.a.copy_from(&first.a)?;
                set.b.copy_from(&first.b)?;
            } else {
                let size = usize::try_from(arithmetic.operand_bytes()).unwrap_or(4);
                set.a.fill(size, |number| arithmetic.encode(entry(SEEDS[0], number)))?;
                set.b.fill(size, |number| arithmetic.encode(entry(SEEDS[1], number)))?;
            }
            made.push(set);
        }
        let multiply = |set: &Set| {
            cublas.multiply(&Matrices {
                a: set.a.address(),
                b: set.b.address(),
                c: set.c.address(),
                m: rows,
                n: columns,
                k: terms,
                operands: arithmetic.operands(),
                result: arithmetic.result(),
                compute: arithmetic.compute(),
            })
        };
        // The first makes cuBLAS load its kernels.
        made.iter().try_for_each(multiply)?;
        let (mut turns, last) = (made.iter().cycle(), Cell::new(None));
        let mut launch = || {
            last.set(turns.next());
            last.get().map_or(Ok(()), multiply)
        };
        let each = launches(watch.time(1, &mut launch)?);
        let mut expected = Expected::of(self);
        let mut seconds = Vec::with_capacity(repeat.repetitions);
        let all = repeat.warm_up + repeat.repetitions;
        for at in 0..all {
            if cancel() {
                return Err(BenchError::Cancelled);
            }
            progress(&format!("{title} on {}: {} of {all}", gpu.name(), at + 1));
            made.iter().try_for_each(|set| set.c.wipe())?;
            let took = watch.time(each, &mut launch)?;
            if at >= repeat.warm_up {
                seconds.push(took);
            }
            if let Some(set) = last.get() {
                expected.hold(&set.c)?;
            }
        }
        // Whatever stopped within the last repetition is found now.
        made.iter().try_for_each(|set| set.c.wipe())?;
        made.iter().try_for_each(multiply)?;
        made.iter().try_for_each(|set| expected.hold(&set.c))?;
        let beyond_cache = one.saturating_mul(sets) > cache;
        let check = expected.check();
        let check = Check { passed: check.passed && whole, ..check };
        Ok(Timed { seconds, launches: each, sets: made.len(), beyond_cache, check })
    }
}

/// How many sets of operands take turns: together several times the cache, and at most half of the memory that is free.
fn sets(one: u64, cache: u64, free: u64) -> u64 {
    let one = one.max(1);
    let wanted = (CACHES * cache).div_ceil(one).clamp(1, MOST_SETS);
    wanted.min((free / 2 / one).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_take_turns_where_the_cache_would_hold_them() {
        // 4096 x 4096 in FP16 on a cache of 50 MiB, and one that is larger than it.
        assert_eq!(sets(33_570_816, 50 << 20, 80 << 30), 7);
        assert_eq!(sets(1 << 30, 50 << 20, 80 << 30), 1);
        assert_eq!(sets(1024, 50 << 20, 80 << 30), 64);
        assert_eq!(sets(1 << 30, 0, 1 << 30), 1);
        assert_eq!(sets(1 << 20, 50 << 20, 8 << 20), 4);
    }

    #[test]
    fn bytes_are_those_of_each_matrix() {
        let product = Product { m: 4096, n: 1, k: 4096, arithmetic: Arithmetic::Fp16 };
        assert_eq!(product.bytes(), Some([33_554_432, 8192, 8192]));
        assert_eq!(Product { m: u64::MAX, ..product }.bytes(), None);
    }
}
