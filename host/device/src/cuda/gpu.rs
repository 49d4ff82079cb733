use std::cell::OnceCell;

use super::CudaName;
use super::kernels::Kernels;
use super::memory::GpuMemory;
use super::stopwatch::Stopwatch;
use super::sys::{Attribute, Context, Cublas, CublasLt, Driver};
use crate::error::CudaError;

/// An open GPU. One thread at a time uses it.
#[derive(Debug)]
pub struct Gpu {
    // Opened for the first product, and compiled for the first operator that has more than products; closed before the context.
    cublas: OnceCell<Cublas>,
    cublas_lt: OnceCell<CublasLt>,
    kernels: OnceCell<Kernels>,
    lost: OnceCell<String>,
    context: Context,
    driver: &'static Driver,
    name: String,
}

impl Gpu {
    /// Opens a GPU, by its position among those that the driver shows.
    pub fn open(name: CudaName) -> Result<Self, CudaError> {
        let driver = Driver::get()?;
        let count = driver.count()?;
        if i32::from(name.0) >= count {
            return Err(CudaError::NoDevice { index: name.0, count });
        }
        let context = driver.open(name.0)?;
        let mut gpu = Self {
            cublas: OnceCell::new(),
            cublas_lt: OnceCell::new(),
            kernels: OnceCell::new(),
            lost: OnceCell::new(),
            context,
            driver,
            name: String::new(),
        };
        gpu.name = driver.name(&gpu.context)?;
        Ok(gpu)
    }

    /// What the driver calls it: `NVIDIA H200`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Bytes of its last-level cache.
    pub fn last_level_cache(&self) -> Result<u64, CudaError> {
        self.read_attribute(Attribute::LastLevelCache)
    }

    /// Its compute capability: `9.0`.
    pub fn capability(&self) -> Result<String, CudaError> {
        let (major, minor) =
            (self.read_attribute(Attribute::Major)?, self.read_attribute(Attribute::Minor)?);
        Ok(format!("{major}.{minor}"))
    }

    /// The newest CUDA that the driver knows: `13.0`.
    pub fn driver_version(&self) -> Result<String, CudaError> {
        let version = self.driver.version()?;
        Ok(format!("{}.{}", version / 1000, version % 1000 / 10))
    }

    /// cuBLAS' own version: `13.0.2`.
    pub fn cublas_version(&self) -> Result<String, CudaError> {
        let version = self.cublas()?.version()?;
        Ok(dot_version(version.unsigned_abs() as usize))
    }

    /// cuBLASLt's own version.
    pub(super) fn cublas_lt_version(&self) -> Result<String, CudaError> {
        Ok(dot_version(self.cublas_lt()?.version()))
    }

    /// Ten times its compute capability: 90.
    pub(super) fn capability_number(&self) -> Result<u64, CudaError> {
        Ok(self.read_attribute(Attribute::Major)? * 10 + self.read_attribute(Attribute::Minor)?)
    }

    fn read_attribute(&self, which: Attribute) -> Result<u64, CudaError> {
        Ok(u64::try_from(self.driver.attribute(&self.context, which)?).unwrap_or(0))
    }

    /// Makes this thread the one that uses it.
    pub(super) fn make_current(&self) -> Result<(), CudaError> {
        if let Some(why) = self.lost.get() {
            return Err(CudaError::Lost(why.clone()));
        }
        self.driver.enter(&self.context)
    }

    pub(super) fn cublas(&self) -> Result<&Cublas, CudaError> {
        if let Some(cublas) = self.cublas.get() {
            return Ok(cublas);
        }
        self.make_current()?;
        let opened = Cublas::open(self.driver.version()? / 1000)?;
        Ok(self.cublas.get_or_init(|| opened))
    }

    /// What multiplies FP8.
    pub(super) fn cublas_lt(&self) -> Result<&CublasLt, CudaError> {
        if let Some(opened) = self.cublas_lt.get() {
            return Ok(opened);
        }
        self.make_current()?;
        let opened = CublasLt::open(self.driver.version()? / 1000)?;
        Ok(self.cublas_lt.get_or_init(|| opened))
    }

    /// derate's own kernels, compiled for it once.
    pub(super) fn own_kernels(&self) -> Result<&Kernels, CudaError> {
        if let Some(kernels) = self.kernels.get() {
            return Ok(kernels);
        }
        self.make_current()?;
        let capability = self.capability_number()?;
        let compiled = Kernels::new(self.driver, i32::try_from(capability).unwrap_or(0))?;
        Ok(self.kernels.get_or_init(|| compiled))
    }

    /// Takes note of a failure after which it answers nothing to this process, as it is after a wrong address, say: whatever
    /// is asked after it would fail in the words of what was asked before.
    pub(super) fn note_loss(&self, error: &CudaError) {
        if matches!(error, CudaError::Call { .. }) && self.driver.memory().is_err() {
            self.lost.get_or_init(|| error.to_string());
        }
    }

    /// Refuses what it has not the memory for.
    pub(super) fn require_memory(&self, bytes: u64, what: &str) -> Result<(), CudaError> {
        let free = self.free_memory()?;
        if bytes > free {
            return Err(CudaError::Room { what: what.to_owned(), bytes, free });
        }
        Ok(())
    }

    pub(super) fn free_memory(&self) -> Result<u64, CudaError> {
        Ok(self.driver.memory()?.0 as u64)
    }

    /// Bytes of its memory.
    pub fn capacity(&self) -> Result<u64, CudaError> {
        self.make_current()?;
        Ok(self.driver.memory()?.1 as u64)
    }

    pub(super) fn allocate_memory(&self, bytes: u64) -> Result<GpuMemory, CudaError> {
        GpuMemory::new(self.driver, bytes)
    }

    pub(super) fn new_stopwatch(&self) -> Result<Stopwatch, CudaError> {
        Stopwatch::new(self.driver)
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        // Where it cannot be entered, the libraries say so themselves.
        let _ = self.driver.enter(&self.context);
        self.kernels.take();
        self.cublas.take();
        self.cublas_lt.take();
        self.driver.close(&self.context);
    }
}

/// Two digits each behind the major version: 11.4.2 is 110402.
fn dot_version(version: usize) -> String {
    let [major, minor, patch] = [version / 10_000, version / 100 % 100, version % 100];
    format!("{major}.{minor}.{patch}")
}
