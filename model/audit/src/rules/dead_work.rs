//! Results are computed that nobody reads.
//!
//! ## What it does
//!
//! Nothing is searched: that smolVLA uses only the keys and values of its last text layer, and the last norm of the text model
//! not at all, is known of that model. The rule says what this costs with the project's own dump and parameters. Of other
//! workloads it says nothing.
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

use crate::Finding;
use derate_estimate::Analysis;

/// See the module's page.
pub(super) fn check(analysis: &Analysis) -> Vec<Finding> {
    super::variant::finding(analysis, "workload/dead-work", "drop_dead_work").into_iter().collect()
}
