//! Results are computed that nobody reads.
//!
//! ## What it does
//!
//! Looks for kernels of the workload whose result no other reads: of smolVLA's last text layer only the keys and values are
//! used, and the last norm of the text model not at all.
//!
//! ## Why it matters
//!
//! Queries, attention, output projection and MLP of that layer cost as much as those of any other, and change nothing.
//!
//! ## Example
//!
//! With 3 cameras the last layer's dead work is 4.67 GFLOP, 5.9 % of the prefix.
//!
//! ## How to fix
//!
//! End the last layer after its keys and values, and model it so: `drop_dead_work = true` under `[design]`.

use crate::Analysis;
use crate::audit::Finding;

/// See the module's page.
pub(super) fn check(analysis: &Analysis) -> Vec<Finding> {
    super::variant::finding(analysis, "workload/dead-work", "drop_dead_work").into_iter().collect()
}
