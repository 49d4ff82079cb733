//! The loops of a kernel do not do the work that the model needs.
//!
//! ## What it does
//!
//! Counts the multiply-adds in the loops of a kernel of `[[kernel]]`, times its calls, and compares them with the matrix
//! products that it `serves`; where several kernels serve an operation, each with its share: `share`, else by calls. Fewer are an error. More than one and a half times as many are a warning: padding, or work
//! that is done twice. A kernel whose source has a part that is not read is not judged.
//!
//! ## Why it matters
//!
//! A kernel that skips work is fast for a wrong reason. Its latency says nothing about the model.
//!
//! ## Example
//!
//! A tiled MLP whose innermost statement multiplies one lane of each tile does 6.7 M of 2,416 M multiply-adds.
//!
//! ## How to fix
//!
//! Let the loops cover the whole of each tile, correct `serves` and `calls`, or pad less. Where the host passes sizes, say which:
//! `arguments = { rows = 32000 }` in `[[kernel]]`; else loops are counted by their `loop_tripcount`.

use derate_units::figures::{grouped, significant};
use serde_json::json;

use crate::{Finding, Level};
use derate_design::DesignKernel;
use derate_design::{find_design, pair_sections, serving_span};
use derate_estimate::Analysis;
use derate_project::KernelSection;

/// Counts differ by less where borders are left out.
const ENOUGH: f64 = 0.99;
/// Elementwise work beside the products, and padding that nobody minds.
const TOO_MUCH: f64 = 1.5;

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    let Some(design) = find_design(analysis) else { return Vec::new() };
    let judge = |(section, kernel)| judge_kernel(section, kernel);
    pair_sections(analysis, &design).filter_map(judge).collect()
}

fn judge_kernel(section: &KernelSection, kernel: &DesignKernel) -> Option<Finding> {
    let (done, needed) = (kernel.work_done()?, kernel.serves.multiply_adds());
    let is_known = kernel.unknown.is_empty() && needed > 0.0;
    let share = done / needed;
    if !is_known || (ENOUGH..=TOO_MUCH).contains(&share) {
        return None;
    }
    let name = &kernel.name;
    let is_less = share < ENOUGH;
    let level = if is_less { Level::Error } else { Level::Warning };
    let message = if is_less {
        format!(
            "`{name}` does {} of the {} multiply-adds that it serves: {} %",
            grouped(done.round()),
            grouped(needed),
            significant(100.0 * share, 3)
        )
    } else {
        format!("`{name}` does {} times the multiply-adds that it serves", significant(share, 3))
    };
    let calls = grouped(kernel.calls.value);
    let finding = Finding::new("design/work", level, name)
        .with_message(message)
        .with_label(
            serving_span(section),
            format!("{} multiply-adds per inference in {calls} calls", grouped(needed)),
        )
        .with_note(format!(
            "the loops of one call do {}",
            grouped((done / kernel.calls.value).round())
        ))
        .with_evidence(json!({
            "kernel": name, "done": done, "needed": needed, "calls": kernel.calls.value,
        }));
    Some(finding.with_help(if is_less {
        "let the loops cover the whole of each tile, or correct `serves`, `calls` and `arguments`"
    } else {
        "pad less, or correct `serves`, `calls` and `arguments`"
    }))
}
