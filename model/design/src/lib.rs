//! The kernels of `[[kernel]]` joined to the model: what an inference takes as they are built, whether they do the work that
//! the model needs, and whether the card has room for all of them.
//!
//! [`join_kernels`] makes a [`KernelDesign`] from an analysis. Cycles come from C++ that is modelled, from a synthesis
//! report, or from stages that are described ([`stage_cycles`]).
//!
//! ```
//! use derate_design::stage_cycles;
//!
//! // A loop of 1,024 iterations, II = 1 and depth 20, that is entered 64 times.
//! assert_eq!(stage_cycles(1024, 64, 1, 20).0, 64.0 * (1023.0 + 19.0 + 2.0));
//! ```

mod built;
mod changes;
mod claim_groups;
mod claim_model;
mod compared;
mod design;
mod explain;
mod formats;
mod handover;
mod hardware;
mod join;
mod kernel;
mod kernel_design;
mod moved_lines;
mod moved_pragmas;
mod moved_steps;
mod nest_names;
mod object_use;
mod origin;
mod pairs;
mod products;
mod regions;
mod roofs;
mod served;
mod shares;
mod stages;
mod stale;
mod subject;
mod totals;
mod transfers;

pub use built::find_built_formats;
pub use changes::{DesignChange, KernelChange};
pub use claim_groups::{ClaimGroup, GroupedClaim, group_claims, name_per};
pub use claim_model::{
    ModelledClaim, ModelledRange, Unmodelled, count_bytes, find_use, judged_work, model_claims,
};
pub use compared::{ComparedTime, TimeVerdict};
pub use design::KernelDesign;
pub use explain::{Doubt, ExplainingTerm, TermKind};
pub use formats::{KernelFormats, PortFormat, read_formats};
pub use handover::{Handover, find_handovers};
pub use join::join_kernels;
pub use kernel::{CycleRange, DesignKernel, UsedResource};
pub use kernel_design::{find_design, pair_sections, serving_span};
pub use moved_lines::follow_lines;
pub use pairs::{LoopPair, find_in_nest, has_trips, pair_loops};
pub use regions::{LargestKernel, RegionTotal, RegionUse};
pub use roofs::KernelRoof;
pub use served::{ServedOperation, ServedWork, Unserved};
pub use stages::{StageCycles, stage_cycles};
pub use stale::find_stale;
pub use subject::{ClaimSubject, SubjectTime, SubjectWork, find_subject, refuse_claim};
pub use totals::{DesignTotals, ResourceTotal};
pub use transfers::{Transfer, TransferDirection, Transfers};
