use derate_model::measurement::ResultCheck;

use super::expected::{ExpectedEntries, SEEDS};
use super::extent::{GIVE, to_cublas_extent};
use super::fp8::{Fp8Plan, check_capability, pair_operands};
use super::memory::GpuMemory;
use super::sys::Cublas;
use super::turns::{GpuTiming, Job, Work, draw_each, prepare_gpu, sum_bytes, time_work};
use super::{Arithmetic, Gpu};
use crate::error::{BenchError, CudaError};
use crate::measure::{Cancel, Progress, Repeat};

/// A product of matrices: `m x k` times `k x n`, each row of the first and each column of the second in one piece, as the
/// weights of a linear layer are stored.
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

/// The matrices of one product.
struct Set {
    a: GpuMemory,
    b: GpuMemory,
    c: GpuMemory,
}

/// What multiplies.
enum Multiplier<'a> {
    Cublas(&'a Cublas),
    /// FP8.
    CublasLt(Fp8Plan<'a>),
}

/// A product on a GPU.
struct Products<'a> {
    of: Product,
    extents: [i32; 3],
    bytes: [u64; 3],
    gpu: &'a Gpu,
    multiplier: Multiplier<'a>,
    expected: ExpectedEntries,
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

    /// A sentence where that GPU does not run it.
    pub(super) fn check_support(&self, gpu: &Gpu) -> Result<(), CudaError> {
        if self.arithmetic.is_fp8() {
            check_capability(gpu)?;
        }
        self.extents().map(|_| ())
    }

    /// Rows, columns and terms as cuBLAS counts them; a sentence where it does not multiply such matrices.
    fn extents(&self) -> Result<[i32; 3], CudaError> {
        let multiple = self.arithmetic.extent_multiple();
        let (Some(rows), Some(columns), Some(terms)) =
            (to_cublas_extent(self.m), to_cublas_extent(self.n), to_cublas_extent(self.k))
        else {
            return Err(self.setup_error(GIVE));
        };
        if !self.m.is_multiple_of(multiple) || !self.k.is_multiple_of(multiple) {
            return Err(self.setup_error(&format!(
                "cuBLAS takes rows and terms of such numbers in multiples of {multiple}"
            )));
        }
        Ok([rows, columns, terms])
    }

    fn setup_error(&self, what: &str) -> CudaError {
        CudaError::Setup(format!("{}: {what}", self.title()))
    }

    /// Multiplies on a GPU, and times it by the GPU's own events.
    pub fn run(
        &self,
        gpu: &Gpu,
        repeat: Repeat,
        cancel: Cancel<'_>,
        progress: Progress<'_>,
    ) -> Result<GpuTiming, BenchError> {
        self.check_support(gpu)?;
        let extents = self.extents()?;
        let bytes =
            self.bytes().ok_or_else(|| self.setup_error("that is more than any memory holds"))?;
        let arithmetic = self.arithmetic;
        let all = sum_bytes(bytes);
        let job = Job { title: self.title(), arithmetic: Some(arithmetic), bytes: all };
        prepare_gpu(gpu, &job, "a product")?;
        let multiplier = if arithmetic.is_fp8() {
            Multiplier::CublasLt(Fp8Plan::new(gpu, arithmetic, extents, all)?)
        } else {
            Multiplier::Cublas(gpu.cublas()?)
        };
        let expected = ExpectedEntries::of_product([self.m, self.n, self.k], arithmetic);
        let work = Products { of: *self, extents, bytes, gpu, multiplier, expected };
        time_work(work, &job, gpu, repeat, cancel, progress)
    }
}

impl Set {
    /// What is drawn, in the order of its seeds.
    fn operands(&self) -> [&GpuMemory; 2] {
        [&self.a, &self.b]
    }
}

impl Work for Products<'_> {
    type Set = Set;

    fn make_set(&mut self, first: Option<&Set>) -> Result<Set, CudaError> {
        let ([a, b, c], arithmetic) = (self.bytes, self.of.arithmetic);
        let memory = |bytes| self.gpu.allocate_memory(bytes);
        let set = Set { a: memory(a)?, b: memory(b)?, c: memory(c)? };
        draw_each(pair_operands(arithmetic), set.operands(), first.map(Set::operands), SEEDS)?;
        Ok(set)
    }

    fn launch_set(&self, set: &Set) -> Result<(), CudaError> {
        let places = [&set.a, &set.b, &set.c].map(GpuMemory::address);
        match &self.multiplier {
            Multiplier::Cublas(cublas) => {
                cublas.multiply(&self.of.arithmetic.to_matrices(places, self.extents))
            }
            Multiplier::CublasLt(plan) => plan.multiply(places),
        }
    }

    fn wipe_results(&self, set: &Set) -> Result<(), CudaError> {
        set.c.wipe()
    }

    fn check_set(&mut self, set: &Set) -> Result<(), CudaError> {
        self.expected.check_entries(&set.c)
    }

    fn into_check(self) -> ResultCheck {
        self.expected.into_check()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_those_of_each_matrix() {
        let product = Product { m: 4096, n: 1, k: 4096, arithmetic: Arithmetic::Fp16 };
        assert_eq!(product.bytes(), Some([33_554_432, 8192, 8192]));
        assert_eq!(Product { m: u64::MAX, ..product }.bytes(), None);
    }
}
