use std::ffi::{CStr, CString, c_char, c_int};
use std::fmt;
use std::ptr;
use std::sync::OnceLock;

use super::super::library::NVRTC;
use crate::error::CudaError;
use crate::error::NVRTC as NAME;

type Program = *mut std::ffi::c_void;
type Status = c_int;

/// `NVRTC_ERROR_COMPILATION`, whose reason is in the log.
const COMPILATION: Status = 6;

/// Bytes of a log that are shown: the first errors, which cause the others.
const TOLD: usize = 2000;

super::table! {
    Table of NVRTC;
    version = "nvrtcVersion": unsafe extern "C" fn(*mut c_int, *mut c_int) -> Status;
    error_string = "nvrtcGetErrorString": unsafe extern "C" fn(Status) -> *const c_char;
    architectures = "nvrtcGetNumSupportedArchs": unsafe extern "C" fn(*mut c_int) -> Status;
    list = "nvrtcGetSupportedArchs": unsafe extern "C" fn(*mut c_int) -> Status;
    create = "nvrtcCreateProgram": unsafe extern "C" fn(
        *mut Program, *const c_char, *const c_char, c_int, *const *const c_char, *const *const c_char,
    ) -> Status;
    destroy = "nvrtcDestroyProgram": unsafe extern "C" fn(*mut Program) -> Status;
    compile = "nvrtcCompileProgram": unsafe extern "C" fn(Program, c_int, *const *const c_char) -> Status;
    log_size = "nvrtcGetProgramLogSize": unsafe extern "C" fn(Program, *mut usize) -> Status;
    log = "nvrtcGetProgramLog": unsafe extern "C" fn(Program, *mut c_char) -> Status;
    binary_size = "nvrtcGetCUBINSize": unsafe extern "C" fn(Program, *mut usize) -> Status;
    binary = "nvrtcGetCUBIN": unsafe extern "C" fn(Program, *mut c_char) -> Status;
    ptx_size = "nvrtcGetPTXSize": unsafe extern "C" fn(Program, *mut usize) -> Status;
    ptx = "nvrtcGetPTX": unsafe extern "C" fn(Program, *mut c_char) -> Status;
}

/// For which GPUs, by the compute capability, ten times the number.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(in super::super) enum Target {
    /// For those alone, in their own instructions: a driver runs them that is older than the compiler, of one major version of
    /// CUDA.
    Own(i32),
    /// For those and all later ones, in PTX, which a driver translates that is as new as the compiler.
    Later(i32),
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Own(capability) => write!(f, "sm_{capability}"),
            Self::Later(capability) => write!(f, "compute_{capability}"),
        }
    }
}

/// What compiles CUDA C at run time; it needs no GPU.
#[derive(Debug)]
pub(in super::super) struct Nvrtc {
    table: Table,
}

/// A source on its way.
struct Compiled<'a> {
    nvrtc: &'a Nvrtc,
    program: Program,
}

impl Nvrtc {
    /// Loaded once for a driver of that CUDA, its major number; it stays.
    pub(in super::super) fn get(driver: Option<i32>) -> Result<&'static Self, CudaError> {
        static NVRTC: OnceLock<Result<Nvrtc, CudaError>> = OnceLock::new();
        let load = || Table::load(driver).map(|table| Self { table });
        NVRTC.get_or_init(load).as_ref().map_err(Clone::clone)
    }

    fn done(&self, status: Status, what: &'static str) -> Result<(), CudaError> {
        if status == 0 {
            return Ok(());
        }
        // SAFETY: it gives a string that is never freed, or none.
        let text = unsafe { (self.table.error_string)(status) };
        let why = if text.is_null() {
            format!("status {status}")
        } else {
            // SAFETY: as above.
            unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
        };
        Err(CudaError::Call { library: NAME, what, status, why })
    }

    /// 12 and 9 of `12.9`.
    pub(in super::super) fn version(&self) -> Result<[i32; 2], CudaError> {
        let (mut major, mut minor) = (0, 0);
        // SAFETY: two numbers are written.
        let status = unsafe { (self.table.version)(&raw mut major, &raw mut minor) };
        self.done(status, "say its version")?;
        Ok([major, minor])
    }

    /// The compute capabilities that it compiles for, ten times the number: `90`.
    pub(in super::super) fn architectures(&self) -> Result<Vec<i32>, CudaError> {
        let mut count = 0;
        // SAFETY: a number is written.
        let status = unsafe { (self.table.architectures)(&raw mut count) };
        self.done(status, "say what it compiles for")?;
        let mut all = vec![0; usize::try_from(count).unwrap_or(0)];
        if !all.is_empty() {
            // SAFETY: as many are written as it said there are.
            self.done(unsafe { (self.table.list)(all.as_mut_ptr()) }, "say what it compiles for")?;
        }
        Ok(all)
    }

    /// What the driver loads, of a source without headers: a GPU's own instructions, or PTX. Where it does not compile, the
    /// error has the compiler's own words.
    pub(in super::super) fn compile(
        &self,
        source: &CStr,
        to: Target,
    ) -> Result<Vec<u8>, CudaError> {
        let mut program = ptr::null_mut();
        // SAFETY: the texts end in a zero and are copied; there are no headers.
        let status = unsafe {
            (self.table.create)(
                &raw mut program,
                source.as_ptr(),
                c"kernels.cu".as_ptr(),
                0,
                ptr::null(),
                ptr::null(),
            )
        };
        self.done(status, "take derate's kernels")?;
        let compiled = Compiled { nvrtc: self, program };
        let option = CString::new(format!("--gpu-architecture={to}")).unwrap_or_default();
        let place = option.as_ptr();
        // SAFETY: as many options as the count says, with a zero at its end.
        let status = unsafe { (self.table.compile)(program, 1, &raw const place) };
        let what = "compile derate's kernels";
        if status == COMPILATION {
            return Err(CudaError::Call { library: NAME, what, status, why: compiled.log()? });
        }
        self.done(status, what)?;
        let table = &self.table;
        match to {
            Target::Own(_) => compiled.bytes(table.binary_size, table.binary),
            Target::Later(_) => compiled.bytes(table.ptx_size, table.ptx),
        }
    }
}

impl Compiled<'_> {
    /// What the library tells the size of, and then writes; a zero follows.
    fn bytes(
        &self,
        size: unsafe extern "C" fn(Program, *mut usize) -> Status,
        write: unsafe extern "C" fn(Program, *mut c_char) -> Status,
    ) -> Result<Vec<u8>, CudaError> {
        let mut count = 0;
        // SAFETY: the program lives, and a number is written.
        self.nvrtc.done(unsafe { size(self.program, &raw mut count) }, "give what it compiled")?;
        let mut all = vec![0_u8; count.saturating_add(1)];
        // SAFETY: as many bytes are written as it said, and there is one more.
        let status = unsafe { write(self.program, all.as_mut_ptr().cast()) };
        self.nvrtc.done(status, "give what it compiled")?;
        Ok(all)
    }

    /// On one line, as every sentence.
    fn log(&self) -> Result<String, CudaError> {
        let log = self.bytes(self.nvrtc.table.log_size, self.nvrtc.table.log)?;
        let log = CStr::from_bytes_until_nul(&log).unwrap_or_default().to_string_lossy();
        let lines: Vec<&str> = log.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let all = lines.join(" | ");
        let most = (0..=TOLD.min(all.len())).rev().find(|&at| all.is_char_boundary(at));
        Ok(all.get(..most.unwrap_or(0)).unwrap_or_default().to_owned())
    }
}

impl Drop for Compiled<'_> {
    fn drop(&mut self) {
        // Nobody is left who could ask.
        // SAFETY: created by `compile`, and destroyed once.
        let _ = unsafe { (self.nvrtc.table.destroy)(&raw mut self.program) };
    }
}
