//! Cards and processors, and what their memory gives.

pub mod bandwidth;
mod catalogue_error;
mod cited;
mod embedded;
pub mod m_axi;
mod platform;
mod processor;
mod target;

pub use catalogue_error::PlatformError;
pub use platform::{
    DspCost, KernelDefaults, Limits, MacCost, Memory, MemoryBanks, Peak, Platform, QuotedPeak,
    ROUNDED, Resources, Shell,
};
pub use processor::{
    ArithmeticPeak, Disputed, Processor, ProcessorKind, ProcessorMemory, UnknownPeak,
};
pub use target::Target;
