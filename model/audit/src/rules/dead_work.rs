//! Results are computed that nobody reads.
//!
//! ## What it does
//!
//! Nothing is searched: smolVLA is known to use only the keys and values of its last text layer, and not to use the last norm
//! of the text model. The rule gives the cost with the project's own dump and parameters. It does not judge other workloads.
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

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    super::saved_work::make_finding(analysis, "workload/dead-work", "drop_dead_work")
        .into_iter()
        .collect()
}
