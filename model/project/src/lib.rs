//! A project as its files describe it: `derate.toml`, the code, and the inputs and outputs of the tools.
//!
//! ```
//! use derate_hls::Sources;
//! use derate_project::Project;
//! use derate_units::Hertz;
//!
//! let mut sources = Sources::default();
//! let text = "[platform]\nname = \"u280\"\n[claims]\nclock = \"300 MHz\"\n";
//! let file = sources.add("derate.toml", text);
//! let project = Project::parse(&sources, file)?;
//! assert_eq!(project.claims.clock.map(|claim| claim.value), Some(Hertz(300e6)));
//! # Ok::<(), derate_project::ProjectError>(())
//! ```

pub mod access_words;
pub mod addend;
pub mod alias_bits;
pub mod alias_twin;
pub mod alias_uses;
pub mod alias_variants;
mod alternatives;
pub mod argument_bounds;
pub mod asked_interval;
mod build;
pub mod burst_weight;
mod closures;
mod code;
mod guard;
mod includes;
pub mod lost_sum;
pub mod mask;
pub mod missed_clocks;
pub mod named_lines;
pub mod open_macro;
pub mod partial_sum;
pub mod pipelined_callers;
pub mod pipelined_whole;
mod project;
pub mod reached;
pub mod reuse_factors;
pub mod simulation_cause;
pub mod sole_output;
pub mod speeding;
mod storage;
pub mod tables;
pub mod tails;
pub mod terms;
pub mod tiled_loops;

pub use alternatives::{Alternative, When};
pub use build::{Build, Foreign, Named, Script};
pub use code::{
    CallMap, Code, Declaration, NotAudited, NotAuditedReport, ONLY_ANNOTATIONS, ResolvedAlias,
    ResolvedStructure, UnitTexts, extents, scalar_precision,
};
pub use guard::condition_holds;
pub use includes::{Includes, Recorded};
pub use project::{
    Claim, ClaimPer, ClaimedFigure, ClaimedLatency, ClaimedPrecision, Claims, DesignSection,
    FigureClaim, HlsSection, KernelOrigin, KernelReport, KernelSection, KernelSource, Launches,
    Level, MeasuredOrigin, MeasuredSection, ModelSection, Project, ProjectError, RuleLevel,
    Schedule, StageList, StageSection, StatedUse, Timer, TransferSection, read_define,
};
pub use storage::{Storage, TensorFormats};
