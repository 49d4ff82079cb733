//! Products in FP8 by cuBLASLt, which tensor cores multiply from compute capability 8.9 on.

use derate_model::measurement::ResultCheck;

use super::expected::{ExpectedEntries, SEEDS};
use super::memory::GpuMemory;
use super::sys::{Eight, Plan};
use super::turns::{GpuTiming, Job, Work, draw_each, prepare_gpu, time_work};
use super::{Arithmetic, Gpu};
use crate::error::{BenchError, CudaError};
use crate::measure::{Cancel, Progress, Repeat};

/// Bytes that an algorithm may take beside its operands; NVIDIA recommends 32 MiB for Hopper.
const WORKSPACE: u64 = 32 << 20;

/// Ten times the compute capability from which on there are tensor cores of FP8.
const FIRST: u64 = 89;

/// What is multiplied.
pub(super) struct EightProduct {
    /// Extents and arithmetic: `8 x 8 x 8 in fp8`.
    pub(super) title: String,
    pub(super) arithmetic: Arithmetic,
    /// Rows, columns and terms, and the same as cuBLASLt counts them.
    pub(super) sizes: [u64; 3],
    pub(super) extents: [i32; 3],
    /// Bytes of both operands and of the result.
    pub(super) bytes: [u64; 3],
}

struct Set {
    a: GpuMemory,
    b: GpuMemory,
    c: GpuMemory,
}

struct Products<'a> {
    bytes: [u64; 3],
    operands: [Arithmetic; 2],
    gpu: &'a Gpu,
    plan: Plan<'a>,
    workspace: GpuMemory,
    /// The scales that the plan points to.
    _ones: GpuMemory,
    expected: ExpectedEntries,
}

/// A sentence where a GPU has nothing that multiplies FP8.
pub(super) fn check_capability(gpu: &Gpu) -> Result<(), CudaError> {
    let own = gpu.capability_number()?;
    if own >= FIRST {
        return Ok(());
    }
    Err(CudaError::Setup(format!(
        "products in fp8 need tensor cores of compute capability 8.9 or later, this GPU has {}.{}: give fp16, or weights in mxfp8 or int8-row, which derate's own kernels expand",
        own / 10,
        own % 10
    )))
}

/// Multiplies on a GPU, and times it by the GPU's own events.
pub(super) fn run_product(
    of: EightProduct,
    gpu: &Gpu,
    repeat: Repeat,
    cancel: Cancel<'_>,
    progress: Progress<'_>,
) -> Result<GpuTiming, BenchError> {
    check_capability(gpu)?;
    let EightProduct { title, arithmetic, sizes, extents, bytes } = of;
    let all = bytes.into_iter().fold(0, u64::saturating_add);
    let job = Job { title, arithmetic: Some(arithmetic), bytes: all };
    prepare_gpu(gpu, &job, "a product")?;
    gpu.require_memory(all.saturating_add(WORKSPACE), "a product in fp8 with its workspace")?;
    let workspace = gpu.allocate_memory(WORKSPACE)?;
    // Both operands are of the size of their numbers.
    let ones = gpu.allocate_memory(8)?;
    ones.fill(4, |_| 1.0_f32.to_le_bytes())?;
    // cuBLASLt has no product of two matrices of E5M2.
    let operands = [arithmetic, Arithmetic::Fp8E4m3];
    let plan = gpu.cublas_lt()?.plan(&Eight {
        extents,
        operands: operands.map(Arithmetic::operand_type),
        scales: [ones.address(), ones.address().after(4)],
        workspace: WORKSPACE,
    })?;
    let expected = ExpectedEntries::of_product(sizes, arithmetic);
    let work = Products { bytes, operands, gpu, plan, workspace, _ones: ones, expected };
    time_work(work, &job, gpu, repeat, cancel, progress)
}

impl Work for Products<'_> {
    type Set = Set;

    fn make_set(&mut self, first: Option<&Set>) -> Result<Set, CudaError> {
        let [a, b, c] = self.bytes;
        let memory = |bytes| self.gpu.allocate_memory(bytes);
        let set = Set { a: memory(a)?, b: memory(b)?, c: memory(c)? };
        let first = first.map(|first| [&first.a, &first.b]);
        draw_each(self.operands, [&set.a, &set.b], first, SEEDS)?;
        Ok(set)
    }

    fn launch_set(&self, set: &Set) -> Result<(), CudaError> {
        let places = [&set.a, &set.b, &set.c].map(GpuMemory::address);
        self.plan.multiply(places, (self.workspace.address(), WORKSPACE))
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
