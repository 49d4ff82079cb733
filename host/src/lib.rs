//! What the machine does: devices, compiled designs, XRT and its software emulation.
//!
//! A [`Device`] has memory and compute units. The [`emulator`] is one that is there by default: it runs the compiled HLS
//! kernels, checks and counts every access, and models the time that a card would take. [`xrt`] drives a card, and
//! [`swemu`] is the device behind XRT's own software emulation. [`xclbin`] reads and writes the container that v++ makes and
//! XRT loads. A [`mod@bench`] runs a kernel on a device and makes a
//! [`Measurement`](derate_model::measurement::Measurement) of it; [`cpu`] and [`cuda`] measure this machine and its GPUs themselves, and [`mod@roofs`] makes a platform of either. [`watch`] tells of
//! a kernel that takes its process along.

pub mod bench;
pub mod cpu;
pub mod cuda;
mod device;
pub mod emulator;
mod family;
mod interfaces;
mod interrupt;
mod memory;
mod process;
pub mod roofs;
mod scratch;
mod sha256;
mod signal;
pub mod swemu;
pub mod watch;
pub mod xclbin;
pub mod xrt;

pub use device::{Argument, Device, DeviceError, Launch, Ran};
pub use interrupt::Held as HeldSignals;
pub use memory::available_memory;
pub use scratch::Scratch;
pub use signal::{end_by_signal, meaning};
