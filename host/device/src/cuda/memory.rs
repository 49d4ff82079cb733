use super::sys::{Address, Driver};
use crate::error::CudaError;

/// Bytes that go to the GPU at once.
const CHUNK: usize = 1 << 24;

/// Four of them are 3.4e38 in FP32 and 2139062143 in 32 bits, two are not a number in FP16.
const WIPED: u8 = 0x7f;

/// Memory of a GPU; freed when this is dropped.
#[derive(Debug)]
pub(super) struct GpuMemory {
    driver: &'static Driver,
    address: Address,
    bytes: u64,
}

fn to_size(bytes: u64) -> Result<usize, CudaError> {
    usize::try_from(bytes).map_err(|_| {
        CudaError::Setup(format!("{bytes} bytes are more than this machine addresses"))
    })
}

impl GpuMemory {
    pub(super) fn new(driver: &'static Driver, bytes: u64) -> Result<Self, CudaError> {
        let address = driver.alloc(to_size(bytes)?)?;
        Ok(Self { driver, address, bytes })
    }

    pub(super) fn address(&self) -> Address {
        self.address
    }

    /// Fills it with elements of `size` bytes, each of them the first bytes of what `element` says of its number.
    pub(super) fn fill(
        &self,
        size: usize,
        mut element: impl FnMut(u64) -> [u8; 4],
    ) -> Result<(), CudaError> {
        let (all, step) = (to_size(self.bytes)?, CHUNK / size * size);
        let mut chunk = Vec::with_capacity(step.min(all));
        let (mut at, mut number) = (0, 0);
        while at < all {
            chunk.clear();
            while chunk.len() < step.min(all - at) {
                chunk.extend_from_slice(element(number).get(..size).unwrap_or_default());
                number += 1;
            }
            self.driver.write(self.address.after(at as u64), &chunk)?;
            at += chunk.len();
        }
        Ok(())
    }

    /// Writes bytes from an offset on.
    pub(super) fn write(&self, offset: u64, bytes: &[u8]) -> Result<(), CudaError> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.driver.write(self.address.after(offset), bytes)
    }

    /// Puts bits everywhere that no sum of a bench has, in the GPU's order of work: what is not written after it is found.
    pub(super) fn wipe(&self) -> Result<(), CudaError> {
        self.driver.set(self.address, WIPED, to_size(self.bytes)?)
    }

    /// Reads an element of so many bytes at an offset.
    pub(super) fn element(&self, offset: u64, bytes: usize) -> Result<[u8; 4], CudaError> {
        let mut element = [0; 4];
        if offset.saturating_add(bytes as u64) <= self.bytes
            && let Some(part) = element.get_mut(..bytes)
        {
            self.driver.read(part, self.address.after(offset))?;
        }
        Ok(element)
    }

    /// Reads so many bytes from an offset on; those behind its end stay zero.
    pub(super) fn read(&self, offset: u64, bytes: u64) -> Result<Vec<u8>, CudaError> {
        let mut all = vec![0; to_size(bytes)?];
        let there = to_size(self.bytes.saturating_sub(offset).min(bytes))?;
        if let Some(part) = all.get_mut(..there).filter(|part| !part.is_empty()) {
            self.driver.read(part, self.address.after(offset))?;
        }
        Ok(all)
    }

    /// Puts a copy of another, as long as the shorter one, into the GPU's order of work.
    pub(super) fn copy_from(&self, from: &Self) -> Result<(), CudaError> {
        self.driver.copy(self.address, from.address, to_size(self.bytes.min(from.bytes))?)
    }
}

impl Drop for GpuMemory {
    fn drop(&mut self) {
        self.driver.free(self.address);
    }
}
