//! A card that is not there: its memory, its compute units, the compiled kernels, and modelled time.
//!
//! Data and traffic are real: a kernel is the compiled C++ of its HLS source, and its ports count what it reads and writes.
//! Time is not: it comes from the bandwidth and pipeline models of `derate-model` and is marked
//! [`Emulated`](derate_model::Provenance::Emulated); the wall time of this machine is kept apart from it.

mod bank;
mod builtin;
mod card;
mod compile;
mod device;
mod headers;
mod hint;
mod image;
mod kernel;
mod left_out;
mod memory;
mod registers;
mod signature;
mod time;
mod traffic;
mod unit;

pub use bank::{Bank, BankError, Bases, list_banks};
pub use builtin::{SOURCES, load_builtin_kernels};
pub use card::{EmulatedBuffer, Emulator};
pub use compile::{CompileError, UNCHECKED, build_kernels, compile_kernels};
pub use device::{Argument, Device, DeviceError, Launch, Ran};
pub use headers::find_header;
pub use image::{ImageError, load_kernels};
pub use kernel::{Kernel, KernelArgument, KernelArgumentKind, KernelError, Moved};
pub use memory::{Allocation, Memory, MemoryError};
pub use registers::{DONE, FIRST_ARGUMENT, IDLE, START, place_registers, register_span};
pub use signature::{KernelParameter, Signature, read_signatures};
pub use time::{HeldBy, Modelled, TimeError, TimedRun, model_time};
pub use traffic::{Counted, ExpectedTraffic, TrafficDifference};
pub use unit::Unit;

#[cfg(test)]
mod tests;
