//! What the workload costs, and whether the claims about it hold.

mod analysis;
mod array;
pub mod audit;
mod build;
mod classes;
mod code;
pub mod estimate;
mod figures;
mod fusion;
mod latency;
mod pass;
mod platform;
mod precision;
pub mod present;
mod project;
mod provenance;
pub mod quantity;
mod roofline;
pub mod scenario;
mod schedule;
mod shape;
pub mod starter;
mod storage;
pub mod sweep;
mod traffic;
pub mod units;
mod verdict;
mod work;
pub mod workload;

pub use analysis::Analysis;
pub use array::{Array, Launches};
pub use build::Build;
pub use code::{Code, Declaration, ResolvedAlias};
pub use platform::{MacCost, Memory, Peak, Platform, PlatformError, QuotedPeak, Shell};
pub use precision::{Format, Precision};
pub use project::{
    Claim, ClaimedLatency, ClaimedPrecision, Claims, DesignSection, HlsSection, ModelSection, Project,
    ProjectError,
};
pub use latency::Terms;
pub use provenance::{Figure, Provenance};
pub use roofline::{Bound, Roofline};
pub use shape::{
    DumpFormat, DumpNote, DumpProblem, Excess, ModelShape, NoteKind, ProblemKind, ShapeError,
    Tensor, UnknownFormat, safetensors_header,
};
pub use schedule::Schedule;
pub use storage::{Storage, TensorFormats};
pub use units::Bytes;
pub use workload::Workload;
