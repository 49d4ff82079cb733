//! A project as its files describe it: `derate.toml`, the code, and the inputs and outputs of the tools.

mod alternatives;
mod build;
mod closures;
mod code;
mod includes;
mod project;
mod storage;

pub use alternatives::{Alternative, When};
pub use build::{Build, Foreign, Named};
pub use code::{
    Code, Declaration, NotAudited, NotAuditedReport, ONLY_ANNOTATIONS, ResolvedAlias, extents,
    scalar_precision,
};
pub use includes::{Includes, Recorded};
pub use project::{
    Claim, ClaimedLatency, ClaimedPrecision, Claims, DesignSection, HlsSection, Launches, Level,
    ModelSection, Project, ProjectError, RuleLevel, Schedule, read_define,
};
pub use storage::{Storage, TensorFormats};
