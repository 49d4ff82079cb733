//! What the emulator, a card and this machine have in common.

use std::time::Duration;

use derate_model::Figure;
use derate_model::units::Cycles;

use super::{Counted, Modelled};

/// What a run is given for one argument of a kernel.
#[derive(Debug)]
pub enum Argument<'a, B> {
    /// The address of a buffer's first byte.
    Buffer(&'a B),
    /// The bits of a number, from the lowest.
    Scalar(u64),
}

/// One run of a compute unit.
#[derive(Debug)]
pub struct Launch<'a, B> {
    /// The compute unit: `krnl_memcpy_1`.
    pub unit: &'a str,
    /// Its kernel's arguments, in order.
    pub arguments: Vec<Argument<'a, B>>,
    /// The cycles that the kernel computes, apart from waiting for memory, where they are modelled.
    pub cycles: Option<Figure<Cycles>>,
}

/// What became of runs that went side by side.
#[derive(Clone, Debug)]
pub struct Ran {
    /// From the first start to the last end, on this machine's clock.
    pub wall: Duration,
    /// The time that a card would take; `None` on a device whose wall time is the real one.
    pub modelled: Option<Modelled>,
    /// The bytes that each run moved, where the device counts them.
    pub counted: Vec<Counted>,
}

/// Why a device failed. Each is a sentence that says where.
#[derive(Debug, thiserror::Error)]
pub enum DeviceError {
    /// A bank that is not there, a size that does not fit.
    #[error(transparent)]
    Memory(#[from] super::MemoryError),
    /// A kernel that went wrong.
    #[error(transparent)]
    Kernel(#[from] super::KernelError),
    /// Time that cannot be modelled.
    #[error(transparent)]
    Time(#[from] super::TimeError),
    /// Arguments that do not fit the kernel, a unit that is not there.
    #[error("{0}")]
    Launch(String),
}

/// A device with memory in banks and compute units that run kernels on it.
pub trait Device {
    /// Memory on the device, given back when it is dropped.
    type Buffer;

    /// Memory of so many bytes in a bank, counted from 0. It reads as zeros.
    fn allocate(&self, bank: usize, bytes: u64) -> Result<Self::Buffer, DeviceError>;

    /// The same for a unit's argument, counted from 0, which a design may connect to a bank of its own: then `bank` is not
    /// asked.
    fn allocate_for(
        &self,
        (_unit, _argument): (&str, usize),
        bank: usize,
        bytes: u64,
    ) -> Result<Self::Buffer, DeviceError> {
        self.allocate(bank, bytes)
    }

    /// Copies to the device, `offset` bytes into the buffer.
    fn write(&self, buffer: &Self::Buffer, offset: u64, bytes: &[u8]) -> Result<(), DeviceError>;

    /// Copies from the device.
    fn read(&self, buffer: &Self::Buffer, offset: u64, bytes: &mut [u8])
    -> Result<(), DeviceError>;

    /// Starts all launches, side by side where they are of different units, and waits for the last one.
    fn run(&self, launches: &[Launch<'_, Self::Buffer>]) -> Result<Ran, DeviceError>;
}
