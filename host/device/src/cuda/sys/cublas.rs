use std::ffi::{c_int, c_uint, c_void};
use std::ptr;
use std::sync::OnceLock;

use super::super::library::CUBLAS;
use super::Address;
use crate::error::{CUBLAS as NAME, CudaError};

/// How the elements of a matrix are stored; the numbers are `cudaDataType`'s.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[repr(u32)]
pub(in super::super) enum DataType {
    R32F = 0,
    R16F = 2,
    R8I = 3,
    R32I = 10,
    R16BF = 14,
    R8FE4M3 = 28,
    R8FE5M2 = 29,
}

/// What multiplies and adds; the numbers are `cublasComputeType_t`'s.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[repr(u32)]
pub(in super::super) enum ComputeType {
    F32 = 68,
    /// No arithmetic of fewer bits in its place, whatever the library would else choose.
    PedanticF32 = 69,
    I32 = 72,
    FastTf32 = 77,
}

impl ComputeType {
    /// The scale of the product, and behind it that of what was there before.
    pub(super) fn one_and_zero(self) -> *const c_void {
        static FLOAT: [f32; 2] = [1.0, 0.0];
        static INTEGER: [i32; 2] = [1, 0];
        match self {
            Self::I32 => INTEGER.as_ptr().cast(),
            Self::F32 | Self::PedanticF32 | Self::FastTf32 => FLOAT.as_ptr().cast(),
        }
    }
}

/// `C = A B` of `m x k` and `k x n`, stored by columns; where an operand is transposed, it is stored so: A is `k x m`, B `n x k`.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Matrices {
    pub(in super::super) a: Address,
    pub(in super::super) b: Address,
    pub(in super::super) c: Address,
    pub(in super::super) m: c_int,
    pub(in super::super) n: c_int,
    pub(in super::super) k: c_int,
    pub(in super::super) transposed: [bool; 2],
    pub(in super::super) operands: DataType,
    pub(in super::super) result: DataType,
    pub(in super::super) compute: ComputeType,
}

/// Products of one size, each so many elements behind the one before it.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Batch {
    pub(in super::super) one: Matrices,
    /// Elements from one A, B and C to the next.
    pub(in super::super) steps: [i64; 3],
    pub(in super::super) count: c_int,
}

impl Matrices {
    /// How each operand is stored, and the elements from one of its columns to the next.
    fn operands(&self) -> [(c_uint, c_int); 2] {
        let [a, b] = self.transposed;
        let way = |transposed| if transposed { TRANSPOSED } else { NOT_TRANSPOSED };
        [(way(a), if a { self.k } else { self.m }), (way(b), if b { self.n } else { self.k })]
    }
}

pub(super) type Handle = *mut c_void;
pub(super) type Status = c_int;
/// `cublasOperation_t`, and the one algorithm that later versions know.
const NOT_TRANSPOSED: c_uint = 0;
pub(super) const TRANSPOSED: c_uint = 1;
const DEFAULT: c_int = -1;
/// `CUBLAS_STATUS_NOT_SUPPORTED`.
pub(super) const NOT_SUPPORTED: Status = 15;
/// `CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION`: parts of a sum that is split are added in what they are summed in, and not
/// in the 16 bits of the result, which cuBLAS may do without it. Only so is a product in FP16 or BF16 one that is summed in FP32.
const SUMS_STAY_WIDE: c_int = 16;

super::table! {
    Table of CUBLAS;
    create = "cublasCreate_v2": unsafe extern "C" fn(*mut Handle) -> Status;
    destroy = "cublasDestroy_v2": unsafe extern "C" fn(Handle) -> Status;
    set_mode = "cublasSetMathMode": unsafe extern "C" fn(Handle, c_int) -> Status;
    version = "cublasGetVersion_v2": unsafe extern "C" fn(Handle, *mut c_int) -> Status;
    gemm = "cublasGemmEx": unsafe extern "C" fn(
        Handle, c_uint, c_uint, c_int, c_int, c_int, *const c_void, *const c_void, c_uint, c_int,
        *const c_void, c_uint, c_int, *const c_void, *mut c_void, c_uint, c_int, c_uint, c_int,
    ) -> Status;
    batched = "cublasGemmStridedBatchedEx": unsafe extern "C" fn(
        Handle, c_uint, c_uint, c_int, c_int, c_int, *const c_void, *const c_void, c_uint, c_int, i64,
        *const c_void, c_uint, c_int, i64, *const c_void, *mut c_void, c_uint, c_int, i64, c_int, c_uint, c_int,
    ) -> Status;
}

/// cuBLAS in the context that was current when it was opened.
#[derive(Debug)]
pub(in super::super) struct Cublas {
    table: &'static Table,
    handle: Handle,
}

// SAFETY: a handle may be used from any thread, from one at a time: it is not `Sync`.
unsafe impl Send for Cublas {}

/// What a call of cuBLAS or cuBLASLt says.
pub(super) fn check_status(
    library: &'static str,
    status: Status,
    what: &'static str,
) -> Result<(), CudaError> {
    // `cublasStatus_t`, as its documentation names them.
    let why = match status {
        0 => return Ok(()),
        1 => "not initialised",
        3 => "no memory",
        7 => "a value that it does not take",
        8 => "this GPU does not have what it needs",
        11 => "memory that it cannot reach",
        13 => "the work failed on the GPU",
        14 => "an internal failure",
        NOT_SUPPORTED => "not supported",
        _ => "a failure of another kind",
    };
    Err(CudaError::Call { library, what, status, why: format!("{why} (status {status})") })
}

fn done(status: Status, what: &'static str) -> Result<(), CudaError> {
    check_status(NAME, status, what)
}

impl Cublas {
    /// The library is loaded once and stays.
    pub(in super::super) fn open(driver: i32) -> Result<Self, CudaError> {
        static TABLE: OnceLock<Result<Table, CudaError>> = OnceLock::new();
        let table =
            TABLE.get_or_init(|| Table::load(Some(driver))).as_ref().map_err(Clone::clone)?;
        let mut handle = ptr::null_mut();
        // SAFETY: a context is current.
        done(unsafe { (table.create)(&raw mut handle) }, "start")?;
        let opened = Self { table, handle };
        // SAFETY: the handle is open.
        let status = unsafe { (table.set_mode)(opened.handle, SUMS_STAY_WIDE) };
        done(status, "keep its sums in single precision")?;
        Ok(opened)
    }

    /// `130002` of 13.0.2, `120103` of 12.1.3.
    pub(in super::super) fn version(&self) -> Result<i32, CudaError> {
        let mut version = 0;
        // SAFETY: the handle is open.
        done(unsafe { (self.table.version)(self.handle, &raw mut version) }, "say its version")?;
        Ok(version)
    }

    /// Puts a product into the device's order of work.
    pub(in super::super) fn multiply(&self, of: &Matrices) -> Result<(), CudaError> {
        let [(a_way, a_lead), (b_way, b_lead)] = of.operands();
        let scale = of.compute.one_and_zero();
        // SAFETY: the memory of the three is as large as their extents say, as `Product` makes it; the two scales are four
        // bytes each, and read before the call returns.
        let status = unsafe {
            (self.table.gemm)(
                self.handle,
                a_way,
                b_way,
                of.m,
                of.n,
                of.k,
                scale,
                of.a.0 as *const c_void,
                of.operands as c_uint,
                a_lead,
                of.b.0 as *const c_void,
                of.operands as c_uint,
                b_lead,
                scale.byte_add(4),
                of.c.0 as *mut c_void,
                of.result as c_uint,
                of.m,
                of.compute as c_uint,
                DEFAULT,
            )
        };
        done(status, "multiply")
    }

    /// Puts all products of a batch into the device's order of work.
    pub(in super::super) fn multiply_all(&self, batch: &Batch) -> Result<(), CudaError> {
        let (of, [step_a, step_b, step_c]) = (&batch.one, batch.steps);
        let [(a_way, a_lead), (b_way, b_lead)] = of.operands();
        let scale = of.compute.one_and_zero();
        // SAFETY: as of `multiply`, of all products.
        let status = unsafe {
            (self.table.batched)(
                self.handle,
                a_way,
                b_way,
                of.m,
                of.n,
                of.k,
                scale,
                of.a.0 as *const c_void,
                of.operands as c_uint,
                a_lead,
                step_a,
                of.b.0 as *const c_void,
                of.operands as c_uint,
                b_lead,
                step_b,
                scale.byte_add(4),
                of.c.0 as *mut c_void,
                of.result as c_uint,
                of.m,
                step_c,
                batch.count,
                of.compute as c_uint,
                DEFAULT,
            )
        };
        done(status, "multiply")
    }
}

impl Drop for Cublas {
    fn drop(&mut self) {
        // Nobody is left who could ask.
        // SAFETY: opened by `open`, and closed once.
        let _ = unsafe { (self.table.destroy)(self.handle) };
    }
}
