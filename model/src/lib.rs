//! What the workload costs, and whether the claims about it hold.

pub mod accuracy;
mod alternatives;
mod analysis;
mod array;
pub mod audit;
pub mod bandwidth;
mod build;
mod cited;
mod classes;
mod closures;
mod code;
mod command;
pub mod compare;
mod embedded;
mod encoding;
pub mod estimate;
mod figures;
pub mod formats;
mod fusion;
pub mod gemm_time;
mod hold;
mod includes;
pub mod json;
pub mod language;
mod latency;
pub mod measurement;
mod mixture;
pub mod operator;
mod pass;
pub mod pipeline;
mod platform;
pub mod points;
mod precision;
pub mod predict;
pub mod present;
mod processor;
mod project;
mod provenance;
pub mod quantity;
mod rate_figure;
mod roofline;
pub mod scenario;
mod schedule;
mod shape;
pub mod starter;
mod storage;
pub mod sweep;
mod target;
mod traffic;
pub mod units;
mod verdict;
mod work;
pub mod workload;

pub use alternatives::{Alternative, When};
pub use analysis::Analysis;
pub use array::{Array, Launches};
pub use build::{Build, Foreign, Named};
pub use code::{Code, Declaration, NotAudited, NotAuditedReport, ResolvedAlias};
pub use encoding::{Encoding, Extra, Per};
pub use includes::{Includes, Recorded};
pub use latency::Terms;
pub use mixture::Mixture;
pub use platform::{
    DspCost, KernelDefaults, Limits, MacCost, Memory, MemoryBanks, Peak, Platform, PlatformError,
    QuotedPeak, Resources, Shell,
};
pub use precision::{Format, Precision};
pub use processor::{
    ArithmeticPeak, Disputed, Processor, ProcessorKind, ProcessorMemory, UnknownPeak,
};
pub use project::{
    Claim, ClaimedLatency, ClaimedPrecision, Claims, DesignSection, HlsSection, ModelSection,
    Project, ProjectError, read_define,
};
pub use provenance::{Figure, Provenance};
pub use roofline::{Bound, Roofline};
pub use schedule::Schedule;
pub use shape::{
    DumpFormat, DumpNote, DumpProblem, Excess, ModelShape, NoteKind, ProblemKind, ShapeError,
    Tensor, UnknownFormat, safetensors_header,
};
pub use storage::{Storage, TensorFormats};
pub use target::Target;
pub use units::Bytes;
pub use workload::Workload;
