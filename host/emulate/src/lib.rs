//! A card without hardware: compiled designs, the emulator that runs them, and the device behind XRT's software emulation.

pub mod emulator;
mod family;
mod interfaces;
mod interrupt;
mod process;
mod scratch;
mod sha256;
mod signal;
pub mod swemu;
pub mod watch;
pub mod xclbin;

pub use emulator::{Argument, Device, DeviceError, Launch, Ran};
pub use interrupt::Held as HeldSignals;
pub use scratch::Scratch;
pub use signal::{end_by_signal, meaning};
