//! The same product is computed in every denoising step.
//!
//! ## What it does
//!
//! Nothing is searched: smolVLA's cross-attention is known to project the cached keys and values of the prefix again in every
//! step. The rule gives the cost with the project's own dump and parameters. It does not judge other workloads.
//!
//! ## Why it matters
//!
//! The work is done once per step and is needed once. On an accelerator it costs array time and reads weights and cache
//! again.
//!
//! ## Example
//!
//! `denoise_steps = 10`: nine tenths of 80 + 80 products of 241 x 320 x 320 are for nothing, 7.11 GFLOP with 3 cameras.
//!
//! ## How to fix
//!
//! Project the keys and values once before the steps, and model it so: `hoist_cross_kv = true` under `[design]`.

use crate::Finding;
use derate_estimate::Analysis;

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    super::saved_work::make_finding(analysis, "workload/loop-invariant", "hoist_cross_kv")
        .into_iter()
        .collect()
}
