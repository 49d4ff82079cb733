//! All kernels together need more of a resource than the card has.
//!
//! ## What it does
//!
//! Adds up DSP, block memory, URAM, LUT and FF of all kernels of `[[kernel]]`, and compares the sums with what the shell
//! leaves. A kernel that does not say how much it takes counts nothing. It is an error where amounts of reports and of
//! `derate.toml` alone exceed the card, else a warning. Kernels that are placed in one region of the chip, by `slr` of
//! `[[kernel]]` or by the v++ configuration, are also held against that region: a warning. The array of `[design]` alone is
//! held against the DSP slices: an error.
//!
//! ## Why it matters
//!
//! Each kernel alone may fit. What does not fit together cannot be placed, and its latency is of nothing.
//!
//! ## Example
//!
//! An attention kernel with 111 % of the BRAM of a U280.
//!
//! ## How to fix
//!
//! Unroll less, keep smaller buffers, share a kernel among layers, or build for a larger card.

use derate_units::Provenance;
use derate_units::figures::{grouped, significant};
use serde_json::json;

use crate::{Finding, Level};
use derate_design::find_design;
use derate_design::{KernelDesign, RegionTotal, ResourceTotal};
use derate_estimate::scenario::design_array;
use derate_estimate::{Analysis, EstimateError};

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    let array = judge_array(analysis).into_iter();
    let Some(design) = find_design(analysis) else { return array.collect() };
    let totals = design.totals.resources.iter();
    let totals = totals.filter_map(|total| judge_total(analysis, &design, total));
    let regions = design.totals.regions.totals.iter();
    let regions = regions.filter_map(|total| judge_region(analysis, total));
    array.chain(totals).chain(regions).collect()
}

fn judge_array(analysis: &Analysis) -> Option<Finding> {
    let Err(EstimateError::ArrayTooLarge { dsp, source_of_cost, budget }) = design_array(analysis)?
    else {
        return None;
    };
    let rows = analysis.project.design.rows.as_ref()?;
    let columns = analysis.project.design.columns.as_ref()?;
    let finding = Finding::new("design/resources", Level::Error, "the array of [design]")
        .with_message(format!(
            "the array of [design] takes {} of {} DSP: {} %",
            grouped(dsp),
            grouped(budget),
            significant(100.0 * dsp / budget, 3)
        ))
        .with_label(rows.span, format!("{} x {} elements", rows.value, columns.value))
        .with_notes(Some(format!("{} DSP: {source_of_cost}", grouped(dsp))))
        .with_help("make the array smaller, or give its operators' cost as dsp_per_mac")
        .with_evidence(json!({ "resource": "DSP", "used": dsp, "available": budget }));
    Some(finding)
}

fn judge_region(analysis: &Analysis, total: &RegionTotal) -> Option<Finding> {
    if total.used.value <= total.available {
        return None;
    }
    let first = total.kernels.first()?;
    let section = analysis.project.kernels.iter().find(|one| one.name.value == *first)?;
    let span = section.slr.as_ref().map_or(section.name.span, |slr| slr.span);
    let (name, region) = (total.resource.name(), &total.region);
    let finding = Finding::new("design/resources", Level::Warning, format!("{name} of {region}"))
        .with_message(format!(
            "the kernels in {region} take {} of its {} {name}: {} %",
            grouped(total.used.value.round()),
            grouped(total.available),
            significant(100.0 * total.used.value / total.available, 3)
        ))
        .with_label(span, format!("{} in {region}", total.kernels.join(", ")))
        .with_help("place a kernel in another region, or make it smaller")
        .with_evidence(json!({
            "resource": name, "region": region, "used": total.used.value,
            "available": total.available,
        }));
    Some(finding)
}

fn judge_total(
    analysis: &Analysis,
    design: &KernelDesign,
    total: &ResourceTotal,
) -> Option<Finding> {
    let available = total.available.filter(|available| total.used.value > *available)?;
    let amount =
        |kernel: &derate_design::DesignKernel| kernel.amount(total.resource).unwrap_or(0.0);
    let most = design.kernels.iter().enumerate();
    let most = most.max_by(|a, b| amount(a.1).total_cmp(&amount(b.1)).then(b.0.cmp(&a.0)));
    let (at, kernel) = most?;
    let name = total.resource.name();
    let stated = design.count_hardware(total.resource);
    let stated = stated.iter().filter(|one| one.amount.provenance != Provenance::Derived);
    // What is modelled decides where the rest alone would fit.
    let modelled = stated.map(|one| one.amount.value).sum::<f64>() <= available;
    let level = if modelled { Level::Warning } else { Level::Error };
    let finding = Finding::new("design/resources", level, name)
        .with_message(format!(
            "the kernels together take {} of {} {name}: {} %",
            grouped(total.used.value.round()),
            grouped(available),
            significant(100.0 * total.used.value / available, 3)
        ))
        .with_label(
            analysis.project.kernels[at].name.span,
            format!("`{}` takes {}", kernel.name, grouped(amount(kernel).round())),
        )
        .with_notes(modelled.then_some(
            "amounts that are modelled from the source decide this; they are not synthesised",
        ))
        .with_help(
            "unroll less, keep smaller buffers, share a kernel among layers, or use a larger card",
        )
        .with_evidence(json!({
            "resource": name, "used": total.used.value, "available": available,
        }));
    Some(finding)
}
