//! What the machine does: devices, compiled designs, XRT and its software emulation.
//!
//! [`Xclbin`] reads and writes the container that v++ makes and XRT loads.

mod sha256;
pub mod swemu;
pub mod xclbin;
pub mod xrt;
