use std::sync::Arc;

use super::XrtError;
use super::open::Open;
use super::sys::Handle;

/// Which way the data go.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Direction {
    /// From the host to the device.
    ToDevice,
    /// From the device to the host.
    FromDevice,
}

/// Memory of a device. Runs that were given it keep it.
#[derive(Clone, Debug)]
pub struct XrtBuffer {
    shared: Arc<Allocated>,
}

#[derive(Debug)]
struct Allocated {
    handle: Handle,
    bytes: usize,
    device: Arc<Open>,
}

impl Drop for Allocated {
    fn drop(&mut self) {
        self.device.keep_failure(self.device.api.free(&self.handle), "free a buffer");
    }
}

impl XrtBuffer {
    pub(super) fn new(device: Arc<Open>, handle: Handle, bytes: usize) -> Self {
        Self { shared: Arc::new(Allocated { handle, bytes, device }) }
    }

    pub(super) fn handle(&self) -> &Handle {
        &self.shared.handle
    }

    /// Bytes.
    pub fn len(&self) -> usize {
        self.shared.bytes
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.shared.bytes == 0
    }

    /// Where it lies on the device.
    pub fn address(&self) -> u64 {
        self.shared.device.api.address(&self.shared.handle)
    }

    fn done(&self, done: bool, what: &str, bytes: usize, offset: usize) -> Result<(), XrtError> {
        let size = self.shared.bytes;
        let call = || format!("{what} {bytes} bytes from {offset} of a buffer of {size}");
        done.then_some(()).ok_or_else(|| XrtError::Call(call()))
    }

    fn fits(&self, bytes: usize, offset: usize) -> bool {
        offset.checked_add(bytes).is_some_and(|end| end <= self.shared.bytes)
    }

    /// Moves a part between the copy on the host and the device.
    pub fn sync(&self, way: Direction, bytes: usize, offset: usize) -> Result<(), XrtError> {
        let from = way == Direction::FromDevice;
        let done = self.fits(bytes, offset)
            && self.shared.device.api.sync(&self.shared.handle, from, bytes, offset);
        self.done(done, if from { "fetch" } else { "send" }, bytes, offset)
    }

    /// Writes into the copy on the host, and sends it.
    pub fn write(&self, data: &[u8], offset: usize) -> Result<(), XrtError> {
        let done = self.fits(data.len(), offset)
            && self.shared.device.api.write(&self.shared.handle, data, offset);
        self.done(done, "write", data.len(), offset)?;
        self.sync(Direction::ToDevice, data.len(), offset)
    }

    /// Fetches a part, and reads it from the copy on the host.
    pub fn read(&self, data: &mut [u8], offset: usize) -> Result<(), XrtError> {
        self.sync(Direction::FromDevice, data.len(), offset)?;
        let done = self.shared.device.api.read(&self.shared.handle, data, offset);
        self.done(done, "read", data.len(), offset)
    }
}
