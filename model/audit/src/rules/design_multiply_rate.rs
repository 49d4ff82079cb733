//! A kernel would need more multiply-adds per cycle than its DSP slices and LUT can do.
//!
//! ## What it does
//!
//! Divides the multiply-adds that a kernel of `[[kernel]]` serves by its cycles, and compares the rate with what its DSP
//! slices do at the densest packing that the platform file has for the precision, and its LUT at `b x b / 2` for a product
//! of `b` bits, which is less than any multiplier takes. Where the LUT are not known, it is a warning. DSP that are modelled
//! from the source are not judged.
//!
//! ## Why it matters
//!
//! Cycles or DSP are those of another kernel, or the kernel does less than it says. Whichever it is, the latency is not that
//! of the model.
//!
//! ## Example
//!
//! An MLP in 25.05 ms on 59 DSP at 150 MHz would do 10.9 multiply-adds per DSP and cycle; one slice does two of 8 bits.
//!
//! ## How to fix
//!
//! Take cycles and resources from the same build, and see whether the loops do the whole work (`design/work`).

use derate_units::Provenance;
use derate_units::figures::{grouped, significant};
use serde_json::json;

use crate::{Finding, Level};
use derate_design::DesignKernel;
use derate_design::{find_design, pair_sections};
use derate_estimate::Analysis;
use derate_machine::ResourceKind;
use derate_project::KernelSection;

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    let Some(design) = find_design(analysis) else { return Vec::new() };
    let judge = |(section, kernel)| judge_kernel(analysis, section, kernel);
    pair_sections(analysis, &design).filter_map(judge).collect()
}

/// Multiply-adds per slice and cycle, at most: of the precision where it is known, else of any.
fn densest_packing(analysis: &Analysis, kernel: &DesignKernel) -> Option<f64> {
    let macs = analysis.platform.macs.iter();
    let fits =
        macs.filter(|one| kernel.precision.is_none_or(|precision| precision == one.precision));
    fits.map(|one| one.macs_per_dsp.value).max_by(f64::total_cmp)
}

fn judge_kernel(
    analysis: &Analysis,
    section: &KernelSection,
    kernel: &DesignKernel,
) -> Option<Finding> {
    let needed = kernel.needed_per_cycle()?;
    let dsp = kernel.used.iter().find(|one| one.resource == ResourceKind::Dsp)?;
    // What the model of the source counts is of the same loops as its cycles.
    let slices = Some(dsp.amount.value).filter(|_| dsp.amount.provenance != Provenance::Derived)?;
    let packing = densest_packing(analysis, kernel)?;
    let bits = kernel.precision.map_or(4.0, |precision| precision.bits().into());
    let lut = kernel.amount(ResourceKind::Lut);
    let from_lut = lut.map(|lut| lut / (bits * bits / 2.0));
    let most = slices * packing + from_lut.unwrap_or(0.0);
    if needed <= most {
        return None;
    }
    let name = &kernel.name;
    let level = if lut.is_some() { Level::Error } else { Level::Warning };
    let finding = Finding::new("design/multiply-rate", level, name)
        .with_message(format!(
            "`{name}` would need {} multiply-adds per cycle, and its {} DSP do at most {}",
            significant(needed, 3),
            grouped(slices),
            significant(slices * packing, 3)
        ))
        .with_label(
            section.name.span,
            format!("{} multiply-adds per DSP and cycle", significant(needed / slices.max(1.0), 3)),
        )
        .with_note(match from_lut {
            Some(rate) => format!("its LUT do at most {} more", significant(rate, 3)),
            None => "how many LUT it takes is not known; they may do the rest".to_owned(),
        })
        .with_help(
            "take cycles and resources from one build, and see whether the loops do all the work",
        )
        .with_evidence(json!({
            "kernel": name, "needed_per_cycle": needed, "dsp": slices,
            "multiply_adds_per_dsp": packing, "lut": lut,
        }));
    Some(finding)
}
