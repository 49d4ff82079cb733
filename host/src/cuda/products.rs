use derate_model::measurement::Check;

use super::entries::{entry, spread, sum};
use super::memory::Memory;
use super::stopwatch::launches;
use super::sys::Matrices;
use super::{Arithmetic, CudaError, Gpu};
use crate::bench::{BenchError, Cancel, Progress, Repeat};

/// Rows and columns whose crossings are compared.
const COMPARED: u64 = 16;
const SEEDS: [u64; 2] = [1, 2];
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

    /// Multiplies on a GPU, and times it by the GPU's own events. Sets of operands take turns, together larger
    /// than the cache where as many as that take is few enough.
    pub fn run(
        &self,
        gpu: &Gpu,
        repeat: Repeat,
        cancel: Cancel<'_>,
        progress: Progress<'_>,
    ) -> Result<Timed, BenchError> {
        let Self { m, n, k, arithmetic } = *self;
        let title = self.title();
        let wrong = |what: &str| CudaError::Setup(format!("{title}: {what}"));
        let extent = |size: u64| i32::try_from(size).ok().filter(|&size| size > 0);
        let (Some(rows), Some(columns), Some(terms)) = (extent(m), extent(n), extent(k)) else {
            return Err(wrong("give extents of 1 to 2147483647").into());
        };
        let multiple = arithmetic.multiple();
        if !m.is_multiple_of(multiple) || !k.is_multiple_of(multiple) {
            return Err(wrong("cuBLAS takes the rows and the terms in multiples of 4 there").into());
        }
        let bytes = self.bytes().ok_or_else(|| wrong("that is more than any memory"))?;
        gpu.enter()?;
        let one = bytes.iter().fold(0_u64, |sum, part| sum.saturating_add(*part));
        gpu.room(one, &format!("a product of {title}"))?;
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
                set.c.copy_from(&first.c)?;
            } else {
                let size = usize::try_from(arithmetic.operand_bytes()).unwrap_or(4);
                set.a.fill(size, |number| arithmetic.encode(entry(SEEDS[0], number)))?;
                set.b.fill(size, |number| arithmetic.encode(entry(SEEDS[1], number)))?;
                // No sum has these bits: what is not written is found.
                set.c.fill(2, |_| [0x7f; 4])?;
            }
            made.push(set);
        }
        let mut turns = made.iter().cycle();
        let mut launch = || {
            let Some(set) = turns.next() else { return Ok(()) };
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
        for _ in 0..sets {
            launch()?;
        }
        let each = launches(watch.time(1, &mut launch)?);
        let mut seconds = Vec::with_capacity(repeat.repetitions);
        let all = repeat.warm_up + repeat.repetitions;
        for at in 0..all {
            if cancel() {
                return Err(BenchError::Cancelled);
            }
            progress(&format!("{title} on {}: {} of {all}", gpu.name(), at + 1));
            let took = watch.time(each, &mut launch)?;
            if at >= repeat.warm_up {
                seconds.push(took);
            }
        }
        let check = self.check(&made)?;
        let beyond_cache = one.saturating_mul(sets) > cache;
        Ok(Timed { seconds, launches: each, sets: made.len(), beyond_cache, check })
    }

    /// Compares entries that are spread over each result with what they must be: the sums are whole numbers, which are
    /// rounded once, when they are stored.
    fn check(&self, sets: &[Set]) -> Result<Check, CudaError> {
        let Self { m, n, k, arithmetic } = *self;
        let size = arithmetic.result_bytes();
        let (mut passed, mut worst) = (true, 0.0_f64);
        for column in spread(n, COMPARED) {
            for row in spread(m, COMPARED) {
                let exact = sum(SEEDS, row, column, k);
                for set in sets {
                    let bytes = set
                        .c
                        .element((column * m + row) * size, usize::try_from(size).unwrap_or(4))?;
                    let error = (arithmetic.decode(bytes) - exact).abs();
                    // What is not a number is never within a bound.
                    passed &= error <= arithmetic.roundoff() * exact.abs();
                    worst = worst.max(error / exact.abs().max(1.0));
                }
            }
        }
        let method = format!(
            "entries at {COMPARED} rows and columns at most, spread over each result, against sums in whole numbers"
        );
        Ok(Check { passed, method, worst_error: Some(worst), bound: Some(arithmetic.roundoff()) })
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
