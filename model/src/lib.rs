//! What the workload costs, and whether the claims about it hold: the front of the crates in this folder.
//!
//! ```
//! use std::path::Path;
//!
//! use derate_model::{audit::audit, load::Preprocess, load_project};
//!
//! # let folder = tempfile::tempdir()?;
//! # let folder = folder.path();
//! # std::fs::write(folder.join("model_shape.txt"), "layer.weight torch.Size([64, 64]) torch.bfloat16\n")?;
//! # std::fs::write(folder.join("weights.h"), "using bfloat16_t = float;\nbfloat16_t w[64][64];\n")?;
//! # std::fs::write(
//! #     folder.join("derate.toml"),
//! #     "[model]\nshapes = \"model_shape.txt\"\nworkload = \"linear\"\n[hls]\nsources = [\"weights.h\"]\n[platform]\nname = \"u280\"\n",
//! # )?;
//! let project = load_project(folder, &Preprocess::default())?;
//! let findings = audit(&project.analysis).findings;
//! assert!(findings.iter().any(|finding| finding.code == "precision/alias-width"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use derate_advice as advice;
pub use derate_audit as audit;
pub use derate_compare as compare;
pub use derate_design as design;
pub use derate_dump::{
    DumpExcess, DumpFormat, DumpNote, DumpProblem, ModelShape, NoteKind, ProblemKind, ShapeError,
    Tensor, UnknownFormat, safetensors_header,
};
pub use derate_estimate::{self as estimate, Analysis, Array, Terms, scenario, starter, sweep};
pub use derate_explore as explore;
pub use derate_fix as fix;
pub use derate_kernel::{self as kernel, pipeline};
pub use derate_load::{self as load, load_project};
pub use derate_machine::{
    ArithmeticPeak, Budget, BuildFile, Disputed, DspCost, HostLink, KernelDefaults, Limits,
    MacCost, Memory, MemoryBanks, NamedPart, PartName, Peak, Platform, PlatformError, Processor,
    ProcessorKind, ProcessorMemory, QuotedPeak, ResourceKind, Resources, Shell, Target,
    UnknownPeak, Usage, bandwidth, find_named_parts,
};
pub use derate_measure::{self as measurement, points};
pub use derate_predict::{self as predict, accuracy, formats, gemm_time, language};
pub use derate_project::{
    Alternative, Build, Claim, ClaimedLatency, ClaimedPrecision, Claims, Code, Declaration,
    DesignSection, Foreign, HlsSection, Includes, KernelOrigin, KernelSection, KernelSource,
    Launches, Level, ModelSection, Named, NotAudited, NotAuditedReport, Project, ProjectError,
    Recorded, ResolvedAlias, RuleLevel, Schedule, Storage, TensorFormats, Timer, When, read_define,
};
pub use derate_units::{
    self as units, Bound, Bytes, ElementFormat, Encoding, Extra, Figure, Mixture, Per, Precision,
    Provenance, Roofline, json, quantity,
};
pub use derate_workload::{self as workload, Workload, operator};
