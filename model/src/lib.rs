//! What the workload costs, and whether the claims about it hold.

mod alternatives;
mod analysis;
pub mod audit;
pub mod bandwidth;
mod build;
mod closures;
mod code;
mod command;
pub mod estimate;
mod figures;
mod includes;
pub mod pipeline;
mod platform;
mod precision;
pub mod present;
mod project;
mod provenance;
pub mod quantity;
mod roofline;
pub mod scenario;
mod shape;
pub mod starter;
mod storage;
pub mod units;
mod verdict;
pub mod workload;

pub use alternatives::{Alternative, When};
pub use analysis::Analysis;
pub use build::{Build, Foreign, Named};
pub use code::{Code, Declaration, NotAudited, NotAuditedReport, ResolvedAlias};
pub use includes::{Includes, Recorded};
pub use platform::{
    KernelDefaults, Limits, MacCost, Memory, MemoryBanks, Peak, Platform, PlatformError,
    QuotedPeak, Resources, Shell,
};
pub use precision::{Format, Precision};
pub use project::{
    Claim, ClaimedLatency, ClaimedPrecision, Claims, HlsSection, ModelSection, Project,
    ProjectError, read_define,
};
pub use provenance::{Figure, Provenance};
pub use roofline::{Bound, Roofline};
pub use shape::{
    DumpFormat, DumpNote, DumpProblem, Excess, ModelShape, NoteKind, ProblemKind, ShapeError,
    Tensor, UnknownFormat, safetensors_header,
};
pub use storage::Storage;
pub use units::Bytes;
pub use workload::Workload;
