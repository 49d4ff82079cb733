//! What the machine does: devices, compiled designs, XRT and its software emulation.
//!
//! This crate only re-exports what a program needs from two rooms:
//!
//! | room | has |
//! |---|---|
//! | [`derate_emulate`] | the emulated card, the xclbin container, the device behind XRT's software emulation |
//! | [`derate_device`] | XRT cards, CUDA GPUs and this processor, and the benches that measure them |
//!
//! ```
//! use derate_host::operators::OperatorDevice;
//! use derate_host::xclbin::Xclbin;
//!
//! let cpu = OperatorDevice::whole_cpu();
//! println!("{}", cpu.name());
//! let error = Xclbin::read("notes.txt", b"not a design").unwrap_err();
//! assert!(error.to_string().starts_with("notes.txt is not an xclbin"));
//! ```

pub use derate_device::{BenchError, CudaError};
pub use derate_device::{
    available_memory, bench, cpu, cuda, measure, operators, oracle, roofs, xrt,
};
pub use derate_emulate::{
    Argument, Device, DeviceError, HeldSignals, Launch, Ran, Scratch, emulator, end_by_signal,
    explain_signal, profile, swemu, watch, xclbin,
};
