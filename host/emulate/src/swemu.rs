//! The device behind XRT's software emulation: what Vitis called `genericpciemodel`, and no longer has.
//!
//! XRT starts a program when it loads a design, and talks with it over a socket. [`prepare_folder`] fills a folder so that this
//! program is derate, and [`serve_calls`] is the program, with the emulator's memory and kernels behind it. A second process of it
//! does the work ([`crate::watch`]), so that whatever happens to a kernel is reported.

mod calls;
mod counts;
mod elf;
mod emconfig;
mod error;
mod folder;
mod frame;
mod leave;
mod loaded;
mod patient;
mod record;
mod serve;
mod session;
mod shim;
mod socket;
mod streams;
mod wire;

pub use counts::Counts;
pub use emconfig::{count_cards, render_emconfig};
pub use error::{SwemuError, no_card};
pub use folder::{
    Folder, Launcher, PACKET_BYTES, find_libraries, is_free, is_plain, prepare_folder,
};
pub use patient::Patient;
pub use record::{
    DeviceRecord, Recorded, RecordedArgument, RecordedDesign, RecordedPlace, RecordedStream,
    RecordedUnit, read_records,
};
pub use serve::{Manner, serve_calls};
pub use session::{Ended, become_device, become_program, leads_a_session, run_session};
pub use shim::{Shim, examine_library};
pub use socket::{SOCKETS, connect_program};
