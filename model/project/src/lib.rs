//! A project as its files say it: `derate.toml`, the code, and what the tools were told and printed.

pub mod alternatives;
mod build;
mod closures;
pub mod code;
mod includes;
mod project;
pub mod storage;

pub use alternatives::{Alternative, When, open};
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
