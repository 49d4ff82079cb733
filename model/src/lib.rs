//! What the workload costs, and whether the claims about it hold.

pub mod accuracy;
mod alternatives;
mod analysis;
mod array;
pub mod audit;
mod axes;
pub mod bandwidth;
mod build;
mod catalogue_error;
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
mod layer_formats;
mod m_axi;
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
pub mod project_bandwidth;
mod provenance;
pub mod quantity;
mod rate_figure;
mod roofline;
pub mod scenario;
mod setting;
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
pub use array::Array;
pub use build::{Build, Foreign, Named};
pub use catalogue_error::PlatformError;
pub use code::{Code, Declaration, NotAudited, NotAuditedReport, ResolvedAlias};
pub use encoding::{Encoding, Extra, Per};
pub use includes::{Includes, Recorded};
pub use latency::Terms;
pub use mixture::Mixture;
pub use platform::{
    DspCost, KernelDefaults, Limits, MacCost, Memory, MemoryBanks, Peak, Platform, QuotedPeak,
    Resources, Shell,
};
pub use precision::{Format, Precision};
pub use processor::{
    ArithmeticPeak, Disputed, Processor, ProcessorKind, ProcessorMemory, UnknownPeak,
};
pub use project::{
    Claim, ClaimedLatency, ClaimedPrecision, Claims, DesignSection, HlsSection, Launches, Level,
    ModelSection, Project, ProjectError, RuleLevel, Schedule, read_define,
};
pub use provenance::{Figure, Provenance};
pub use roofline::{Bound, Roofline};
pub use shape::{
    DumpFormat, DumpNote, DumpProblem, Excess, ModelShape, NoteKind, ProblemKind, ShapeError,
    Tensor, UnknownFormat, safetensors_header,
};
pub use storage::{Storage, TensorFormats};
pub use target::Target;
pub use units::Bytes;
pub use workload::Workload;
