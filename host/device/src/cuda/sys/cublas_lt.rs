use std::ffi::{c_float, c_int, c_uint, c_void};
use std::ptr;
use std::sync::OnceLock;

use super::super::library::CUBLAS_LT;
use super::cublas::{Handle, NOT_SUPPORTED, Status, TRANSPOSED, check_status};
use super::{Address, ComputeType, DataType};
use crate::error::{CUBLAS_LT as NAME, CudaError};

/// `cublasLtMatmulDescAttributes_t`: how A is stored, and where the scales of A and B are on the device.
const TRANSPOSE_A: c_uint = 3;
const SCALE_A: c_uint = 17;
const SCALE_B: c_uint = 18;
/// Sums and scales in single precision.
const SUMS: ComputeType = ComputeType::F32;
/// `cublasLtMatmulPreferenceAttributes_t`: bytes of workspace that an algorithm may take.
const WORKSPACE: c_uint = 1;

/// `cublasLtMatmulHeuristicResult_t`.
#[repr(C)]
struct Heuristic {
    algorithm: [u64; 8],
    workspace: usize,
    state: c_int,
    waves: c_float,
    reserved: [c_int; 4],
}

super::table! {
    Table of CUBLAS_LT;
    create = "cublasLtCreate": unsafe extern "C" fn(*mut Handle) -> Status;
    destroy = "cublasLtDestroy": unsafe extern "C" fn(Handle) -> Status;
    version = "cublasLtGetVersion": unsafe extern "C" fn() -> usize;
    new_product = "cublasLtMatmulDescCreate": unsafe extern "C" fn(*mut Handle, c_uint, c_uint) -> Status;
    set_product = "cublasLtMatmulDescSetAttribute":
        unsafe extern "C" fn(Handle, c_uint, *const c_void, usize) -> Status;
    end_product = "cublasLtMatmulDescDestroy": unsafe extern "C" fn(Handle) -> Status;
    new_layout = "cublasLtMatrixLayoutCreate": unsafe extern "C" fn(*mut Handle, c_uint, u64, u64, i64) -> Status;
    end_layout = "cublasLtMatrixLayoutDestroy": unsafe extern "C" fn(Handle) -> Status;
    new_preference = "cublasLtMatmulPreferenceCreate": unsafe extern "C" fn(*mut Handle) -> Status;
    set_preference = "cublasLtMatmulPreferenceSetAttribute":
        unsafe extern "C" fn(Handle, c_uint, *const c_void, usize) -> Status;
    end_preference = "cublasLtMatmulPreferenceDestroy": unsafe extern "C" fn(Handle) -> Status;
    choose = "cublasLtMatmulAlgoGetHeuristic": unsafe extern "C" fn(
        Handle, Handle, Handle, Handle, Handle, Handle, Handle, c_int, *mut Heuristic, *mut c_int,
    ) -> Status;
    multiply = "cublasLtMatmul": unsafe extern "C" fn(
        Handle, Handle, *const c_void, *const c_void, Handle, *const c_void, Handle, *const c_void,
        *const c_void, Handle, *mut c_void, Handle, *const c_void, *mut c_void, usize, *mut c_void,
    ) -> Status;
}

/// A product `C = A^T B` of FP8, stored by columns: A is `k x m`, B `k x n`, C `m x n` in FP32.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Fp8Product {
    pub(in super::super) extents: [c_int; 3],
    pub(in super::super) operands: [DataType; 2],
    /// FP32 numbers on the device, one for each operand.
    pub(in super::super) scales: [Address; 2],
    pub(in super::super) workspace: u64,
}

/// cuBLASLt; it needs no context until it multiplies.
#[derive(Debug)]
pub(in super::super) struct CublasLt {
    table: &'static Table,
    handle: Handle,
}

// SAFETY: a handle may be used from any thread.
unsafe impl Send for CublasLt {}

/// A product that is set up, with the algorithm that the library chose.
#[derive(Debug)]
pub(in super::super) struct Plan<'a> {
    of: &'a CublasLt,
    product: Handle,
    /// Of A, B and C, then the preference.
    parts: [Handle; 4],
    algorithm: [u64; 8],
}

fn done(status: Status, what: &'static str) -> Result<(), CudaError> {
    check_status(NAME, status, what)
}

impl CublasLt {
    /// The library is loaded once and stays.
    pub(in super::super) fn open(driver: i32) -> Result<Self, CudaError> {
        static TABLE: OnceLock<Result<Table, CudaError>> = OnceLock::new();
        let table =
            TABLE.get_or_init(|| Table::load(Some(driver))).as_ref().map_err(Clone::clone)?;
        let mut handle = ptr::null_mut();
        // SAFETY: it writes a handle.
        done(unsafe { (table.create)(&raw mut handle) }, "start")?;
        Ok(Self { table, handle })
    }

    /// `130002` of 13.0.2.
    pub(in super::super) fn version(&self) -> usize {
        // SAFETY: it takes nothing.
        unsafe { (self.table.version)() }
    }

    /// Sets a product up, and has the library choose how.
    pub(in super::super) fn plan(&self, of: &Fp8Product) -> Result<Plan<'_>, CudaError> {
        let (table, [rows_of_c, columns_of_c, terms]) = (self.table, of.extents);
        let what = "set a product in FP8 up";
        let mut plan = Plan {
            of: self,
            product: ptr::null_mut(),
            parts: [ptr::null_mut(); 4],
            algorithm: [0; 8],
        };
        // SAFETY: it writes a handle, which the plan ends.
        done(
            unsafe {
                (table.new_product)(&raw mut plan.product, SUMS as c_uint, DataType::R32F as c_uint)
            },
            what,
        )?;
        let set = |key, value: *const c_void, bytes| {
            // SAFETY: the value is of so many bytes, and read before the call returns.
            done(unsafe { (table.set_product)(plan.product, key, value, bytes) }, what)
        };
        let way = TRANSPOSED;
        set(TRANSPOSE_A, (&raw const way).cast(), 4)?;
        for (key, scale) in [SCALE_A, SCALE_B].into_iter().zip(&of.scales) {
            set(key, (&raw const scale.0).cast(), 8)?;
        }
        let layouts = [
            (of.operands[0], terms, rows_of_c),
            (of.operands[1], terms, columns_of_c),
            (DataType::R32F, rows_of_c, columns_of_c),
        ];
        let mut parts = plan.parts;
        for (part, (kind, rows, columns)) in parts.iter_mut().zip(layouts) {
            let [rows_here, columns_here] =
                [rows, columns].map(|own| u64::from(own.unsigned_abs()));
            // SAFETY: it writes a handle, which the plan ends.
            let status = unsafe {
                (table.new_layout)(part, kind as c_uint, rows_here, columns_here, rows.into())
            };
            if let Err(error) = done(status, what) {
                plan.parts = parts;
                return Err(error);
            }
        }
        // SAFETY: as above.
        let status = unsafe { (table.new_preference)(&raw mut parts[3]) };
        plan.parts = parts;
        done(status, what)?;
        let workspace = usize::try_from(of.workspace).unwrap_or(0);
        // SAFETY: the value is of 8 bytes.
        let status = unsafe {
            (table.set_preference)(parts[3], WORKSPACE, (&raw const workspace).cast(), 8)
        };
        done(status, what)?;
        let mut best =
            Heuristic { algorithm: [0; 8], workspace: 0, state: 0, waves: 0.0, reserved: [0; 4] };
        let mut found = 0;
        let [a, b, c, preference] = parts;
        // SAFETY: the handles are open, and there is room for one answer.
        let status = unsafe {
            (table.choose)(
                self.handle,
                plan.product,
                a,
                b,
                c,
                c,
                preference,
                1,
                &raw mut best,
                &raw mut found,
            )
        };
        done(status, "find a way to multiply FP8")?;
        done(if found == 1 { best.state } else { NOT_SUPPORTED }, "find a way to multiply FP8")?;
        plan.algorithm = best.algorithm;
        Ok(plan)
    }
}

impl Plan<'_> {
    /// Puts the product into the device's order of work: A, B, C, and the workspace that the plan was made for.
    pub(in super::super) fn multiply(
        &self,
        [a, b, c]: [Address; 3],
        workspace: (Address, u64),
    ) -> Result<(), CudaError> {
        let scale = SUMS.one_and_zero();
        let [a_of, b_of, c_of, _] = self.parts;
        // SAFETY: the memory is as large as the layouts say; the two scales are read before the call returns.
        let status = unsafe {
            (self.of.table.multiply)(
                self.of.handle,
                self.product,
                scale,
                a.0 as *const c_void,
                a_of,
                b.0 as *const c_void,
                b_of,
                scale.byte_add(4),
                c.0 as *const c_void,
                c_of,
                c.0 as *mut c_void,
                c_of,
                self.algorithm.as_ptr().cast(),
                workspace.0.0 as *mut c_void,
                usize::try_from(workspace.1).unwrap_or(0),
                ptr::null_mut(),
            )
        };
        done(status, "multiply FP8")
    }
}

impl Drop for Plan<'_> {
    fn drop(&mut self) {
        let table = self.of.table;
        let [a, b, c, preference] = self.parts;
        // Nobody is left who could ask; what was not made is not ended.
        for layout in [a, b, c].into_iter().filter(|own| !own.is_null()) {
            // SAFETY: made by `plan`, and ended once.
            let _ = unsafe { (table.end_layout)(layout) };
        }
        if !preference.is_null() {
            // SAFETY: as above.
            let _ = unsafe { (table.end_preference)(preference) };
        }
        if !self.product.is_null() {
            // SAFETY: as above.
            let _ = unsafe { (table.end_product)(self.product) };
        }
    }
}

impl Drop for CublasLt {
    fn drop(&mut self) {
        // SAFETY: opened by `open`, and closed once.
        let _ = unsafe { (self.table.destroy)(self.handle) };
    }
}
