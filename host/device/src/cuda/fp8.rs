//! Products in FP8 by cuBLASLt, which tensor cores multiply from compute capability 8.9 on.

use super::memory::GpuMemory;
use super::sys::{Address, Fp8Product, Plan};
use super::{Arithmetic, Gpu};
use crate::error::CudaError;

/// Bytes that an algorithm may take beside its operands; NVIDIA recommends 32 MiB for Hopper.
const WORKSPACE: u64 = 32 << 20;

/// Ten times the compute capability from which on there are tensor cores of FP8.
const FIRST: u64 = 89;

/// Bytes from one scale to the next: cuBLASLt finds an algorithm for scales that are closer than 16, and then does not run it.
const SCALE_STEP: u64 = 16;

/// A product in FP8, set up.
pub(super) struct Fp8Plan<'a> {
    plan: Plan<'a>,
    workspace: GpuMemory,
    /// The scales that the plan points to.
    _ones: GpuMemory,
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

/// The number formats of both operands: cuBLASLt has no product of two matrices of E5M2.
pub(super) fn pair_operands(arithmetic: Arithmetic) -> [Arithmetic; 2] {
    match arithmetic {
        Arithmetic::Fp8E5m2 => [arithmetic, Arithmetic::Fp8E4m3],
        _ => [arithmetic; 2],
    }
}

impl<'a> Fp8Plan<'a> {
    /// For rows, columns and terms as cuBLASLt counts them, of operands and results of so many bytes.
    pub(super) fn new(
        gpu: &'a Gpu,
        arithmetic: Arithmetic,
        extents: [i32; 3],
        bytes: u64,
    ) -> Result<Self, CudaError> {
        gpu.require_memory(bytes.saturating_add(WORKSPACE), "a product in fp8 with its workspace")?;
        let workspace = gpu.allocate_memory(WORKSPACE)?;
        // Both operands are of the size of their numbers.
        let ones = gpu.allocate_memory(2 * SCALE_STEP)?;
        ones.fill(4, |_| 1.0_f32.to_le_bytes())?;
        let plan = gpu.cublas_lt()?.plan(&Fp8Product {
            extents,
            operands: pair_operands(arithmetic).map(Arithmetic::operand_type),
            scales: [ones.address(), ones.address().after(SCALE_STEP)],
            workspace: WORKSPACE,
        })?;
        Ok(Self { plan, workspace, _ones: ones })
    }

    /// Puts the product into the GPU's order of work.
    pub(super) fn multiply(&self, places: [Address; 3]) -> Result<(), CudaError> {
        self.plan.multiply(places, (self.workspace.address(), WORKSPACE))
    }
}
