//! The compiled design: the `axlf` container and what its sections say.
//!
//! [`Xclbin::read`] takes a file apart without copying it, [`Xclbin::write`] puts it together again byte for byte.
//! [`Design`] is what the known sections say of memories, kernels and compute units; [`link_design`] makes one from kernel
//! sources and a v++ configuration.

mod bytes;
mod clock;
mod connection;
mod container;
mod design;
mod error;
mod header;
mod inspect;
mod ip;
mod kernel;
mod kind;
mod layout;
mod link;
mod memory;
mod metadata;
mod payload;
mod serialize;
mod source;
mod tree;

pub use clock::Clock;
pub use connection::Connection;
pub use container::{Section, Xclbin};
pub use design::Design;
pub use error::{LinkError, XclbinError};
pub use header::{BYTES as HEADER_BYTES, DesignMode, Header, Uuid};
pub use inspect::{
    ConnectionReport, InspectReport, MemoryReport, SectionReport, UnitReport, inspect_design,
};
pub use ip::{Control, Ip};
pub use kernel::{ArgumentKind, DesignArgument, DesignKernel, Instance, KernelPort, PortMode};
pub use kind::SectionKind;
pub use layout::LayoutError;
pub use link::{LinkNote, Linked, link_design};
pub use memory::{DesignBank, MemoryKind};
pub use metadata::{Connected, Metadata, Streamed, read_metadata};
pub use payload::{CodeError, make_payload, read_code};
pub use source::{DesignSource, digest_texts};
