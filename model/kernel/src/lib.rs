//! Kernels from a program: what Vitis HLS would make of them. The closed forms of cycles are those of [`pipeline`].
//!
//! ```
//! use derate_kernel::pipeline::pipelined_loop;
//!
//! // 1,024 iterations with II = 1 and depth 10: (T - 1) x II + max(D - 1, II).
//! assert_eq!(pipelined_loop(1024, 1, 10).0, 1032.0);
//! ```

mod answer;
mod engine;
mod estimate;
mod graph;
mod operators;
mod resources;
mod runs;
mod uncertainty;

pub use derate_program::{
    self as ir, Program, TopError, UnitReader, constant_trips, find_top_candidates, read_program,
};
pub use derate_syntax::ast::Unread;

pub use answer::*;
pub use derate_machine::{
    Family, FlowTarget, Part, find_card_part, find_part, known_parts, pipeline,
};
pub use derate_operators::{Cause, Constants, ConstantsError, DEFAULT_TOOL, Settings};
pub use engine::{Directives, ScheduleCache};
pub use estimate::{estimate_design, estimate_kernel, estimate_wide};
pub use runs::{LoopRuns, count_runs};
pub use uncertainty::{Uncertainty, states_in_doubt, uncertainty};
