//! Cards and processors: what they compute at most, and what their memory gives.
//!
//! A card's peaks are derived from its DSP slices, a processor's are given. Each figure has its source. The files of the
//! catalogue are in `platforms/`. [`bandwidth`] models ports, pseudo channels and bursts in flight, [`pipeline`] has the cycles
//! of loops, functions and dataflow in closed form.
//!
//! ```
//! use derate_machine::Platform;
//! use derate_units::{BytesPerSecond, Precision};
//!
//! let card = Platform::named("u280")?;
//! assert_eq!(card.memory.physical_peak().value, BytesPerSecond(460.8e9));
//! let peak = card.peak(Precision::FP32, &card.clock).expect("the file has its cost");
//! assert_eq!(peak.variant, "5 DSP per MAC");
//! # Ok::<(), derate_machine::PlatformError>(())
//! ```

pub mod bandwidth;
pub mod banks;
mod budget;
mod catalogue_error;
mod chip;
mod cited;
mod concurrent_uses;
mod dsp_type;
mod embedded;
mod flow;
pub mod m_axi;
mod named_part;
mod part_name;
mod peak_range;
pub mod pipeline;
mod platform;
mod processor;
mod target;
mod usage;

pub use budget::Budget;
pub use catalogue_error::PlatformError;
pub use chip::{Family, Part, find_card_part, find_part, known_parts};
pub use concurrent_uses::{ConcurrentUses, Meeting, SmallShare};
pub use dsp_type::DspType;
pub use flow::FlowTarget;
pub use named_part::{BuildFile, NamedPart, find_named_parts, read_named_part};
pub use part_name::{PartName, Series};
pub use peak_range::PeakRange;
pub use platform::{
    Attachment, DspCost, HostLink, KernelDefaults, Limits, MacCost, Memory, MemoryBanks, Peak,
    Platform, QuotedPeak, ROUNDED, Region, Resources, Shell,
};
pub use processor::{
    ArithmeticPeak, Disputed, Processor, ProcessorKind, ProcessorMemory, UnknownPeak,
};
pub use target::Target;
pub use usage::{ResourceKind, Usage};
