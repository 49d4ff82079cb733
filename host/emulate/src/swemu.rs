//! The device behind XRT's software emulation: what Vitis called `genericpciemodel`, and no longer has.
//!
//! XRT starts a program when it loads a design, and talks with it over a socket. [`prepare`] fills a folder so that this
//! program is derate, and [`serve`] is the program, with the emulator's memory and kernels behind it. A second process of it
//! does the work ([`crate::watch`]), so that whatever happens to a kernel is told.

mod calls;
mod counts;
mod emconfig;
mod error;
mod folder;
mod frame;
mod leave;
mod loaded;
mod patient;
mod serve;
mod session;
mod shim;
mod socket;
mod wire;

pub use counts::Counts;
pub use emconfig::cards;
pub use error::{SwemuError, no_card};
pub use folder::{Folder, Launcher, is_free, is_plain, libraries, prepare};
pub use patient::Patient;
pub use serve::serve;
pub use session::{Ended, become_device, become_program, leads_a_session, session};
pub use shim::{Shim, shim};
pub use socket::{SOCKETS, connect};
