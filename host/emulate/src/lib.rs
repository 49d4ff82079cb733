//! A card without hardware.
//!
//! | module | has |
//! |---|---|
//! | [`emulator`] | banks, compute units and compiled HLS kernels; bytes are counted, time is modelled |
//! | [`xclbin`] | the container that v++ makes and XRT loads: read, written, linked from kernel sources |
//! | [`swemu`] | the device behind XRT's software emulation |
//! | [`watch`] | a second process for kernels, so that a crash of one is reported |
//!
//! A kernel of derate copies a page from one bank to another:
//!
//! ```
//! use derate_emulate::emulator::{Bases, Emulator, load_builtin_kernels};
//! use derate_emulate::{Argument, Device, Launch};
//! use derate_model::Platform;
//!
//! let mut card = Emulator::new(&Platform::named("u280")?, Bases::Card)?;
//! let kernels = load_builtin_kernels()?;
//! let memcpy = kernels.iter().find(|one| one.name == "krnl_memcpy").ok_or("no such kernel")?;
//! card.add_units(memcpy, 1);
//!
//! let (from, to) = (card.allocate(0, 4096)?, card.allocate(1, 4096)?);
//! card.write(&from, 0, &[7; 4096])?;
//! let arguments =
//!     vec![Argument::Buffer(&from), Argument::Buffer(&to), Argument::Scalar(4096 / 64)];
//! let ran = card.run(&[Launch { unit: "krnl_memcpy_1", arguments, cycles: None }])?;
//!
//! let mut copy = [0; 4096];
//! card.read(&to, 0, &mut copy)?;
//! assert_eq!(copy, [7; 4096]);
//! assert_eq!(ran.counted[0].moved[0].read, 4096);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod emulator;
mod family;
mod interfaces;
mod interrupt;
mod process;
pub mod profile;
mod scratch;
mod sha256;
mod signal;
pub mod swemu;
pub mod watch;
pub mod xclbin;

pub use emulator::{Argument, Device, DeviceError, Launch, Ran};
pub use interrupt::HeldSignals;
pub use scratch::Scratch;
pub use signal::{end_by_signal, explain_signal};
