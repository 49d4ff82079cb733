//! A card that is not there: its memory, its compute units, the compiled kernels, and modelled time.
//!
//! Data and traffic are real: a kernel is the compiled C++ of its HLS source, and its ports count what it reads and writes.
//! Time is not: it comes from the bandwidth and pipeline models of `derate-model` and is marked
//! [`Emulated`](derate_model::Provenance::Emulated); the wall time of this machine is kept apart from it.

mod bank;
mod builtin;
mod card;
mod channel;
mod compile;
mod device;
mod headers;
mod hint;
mod image;
mod image_error;
mod kernel;
mod kernel_argument;
mod left_out;
mod memory;
mod registers;
mod signature;
mod sys;
mod time;
mod timed_run;
mod traffic;
mod unit;

pub use bank::{Bank, BankError, Bases, list_banks};
pub use builtin::load_builtin_kernels;
pub use card::{EmulatedBuffer, Emulator};
pub use channel::Channel;
pub use compile::{
    Built, CompileError, KernelSource, build_kernels, compile_check, compile_kernels, is_opencl_c,
};
pub use device::{Argument, Device, DeviceError, Launch, Ran};
pub use headers::find_header;
pub use image::load_kernels;
pub use image_error::ImageError;
pub use kernel::{Kernel, KernelError, Moved};
pub use kernel_argument::{KernelArgument, KernelArgumentKind};
pub use memory::{Allocation, Memory, MemoryError};
pub use registers::{
    DONE, FIRST_ARGUMENT, IDLE, START, place_registers, register_span, result_span,
};
pub use signature::{KernelParameter, Signature, read_signatures};
pub(crate) use time::time_banks;
pub use time::{HeldBy, Modelled, TimeError, model_time};
pub use timed_run::TimedRun;
pub use traffic::{Counted, ExpectedTraffic, TrafficDifference};
pub use unit::Unit;

#[cfg(test)]
mod tests;
