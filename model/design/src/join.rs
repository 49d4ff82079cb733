//! Kernels joined to the workload.

use crate::changes::find_changes;
use crate::compared::compare_times;
use crate::design::KernelDesign;
use crate::formats::read_formats;
use crate::hardware::find_same_hardware;
use crate::kernel::{DesignKernel, UsedResource};
use crate::origin::OriginFigures;
use crate::regions::{count_units, find_region, sum_regions};
use crate::roofs::find_roof;
use crate::served::{ServedWork, find_served, find_unserved};
use crate::shares::divide_work;
use crate::totals::{DesignTotals, Times, add_resources, add_times};
use crate::transfers::{activation_precision, list_transfers};
use derate_estimate::{Analysis, KernelReading};
use derate_machine::Budget;
use derate_project::{KernelSection, ProjectError};
use derate_units::{Figure, Provenance};
use derate_workload::Part;

/// The kernels of `[[kernel]]`; `None` where there are none. The error is a line of `serves` that names nothing of the model.
pub fn join_kernels(analysis: &Analysis) -> Result<Option<KernelDesign>, ProjectError> {
    let sections = &analysis.project.kernels;
    if sections.is_empty() {
        return Ok(None);
    }
    let parts = analysis.inference_parts();
    let joined =
        sections.iter().enumerate().map(|(at, section)| join_kernel(analysis, &parts, at, section));
    let mut kernels: Vec<DesignKernel> = joined.collect::<Result<_, _>>()?;
    divide_work(sections, &mut kernels);
    find_same_hardware(sections, &mut kernels);
    let usual = activation_precision(analysis, &kernels);
    for kernel in &mut kernels {
        let format = kernel.precision.unwrap_or(usual);
        kernel.roof = find_roof(analysis, &parts, &kernel.serves, format);
        let taken = kernel.seconds().map(|time| time.value.0);
        if let Some(roof) = &mut kernel.roof {
            roof.distance = taken.map(|taken| taken / roof.time.value.0);
        }
    }
    let launch = analysis.launch();
    let transfers = list_transfers(analysis, &parts, &kernels);
    let Times { latency, range, launches } = add_times(&kernels, &launch, &transfers);
    let timed: Vec<&ServedWork> =
        kernels.iter().filter(|one| one.cycles.is_some()).map(|one| &one.serves).collect();
    let named: Vec<&ServedWork> = kernels.iter().map(|one| &one.serves).collect();
    let (untimed, all) = find_unserved(&parts, &timed);
    let (unserved, _) = find_unserved(&parts, &named);
    let left: f64 = untimed.iter().map(|one| one.multiply_adds).sum();
    let changes = find_changes(analysis, &kernels, latency.as_ref(), &launch);
    let totals = DesignTotals {
        latency,
        range,
        launches,
        transfers: transfers.seconds(),
        served_share: if all.0 > 0.0 { 1.0 - 2.0 * left / all.0 } else { 0.0 },
        unserved,
        resources: add_resources(&kernels, &Budget::of_platform(&analysis.platform)),
        regions: sum_regions(analysis, &kernels),
    };
    let measured = compare_times(analysis, &kernels, &totals, &transfers)?;
    Ok(Some(KernelDesign { kernels, totals, transfers, measured, changes }))
}

fn join_kernel(
    analysis: &Analysis,
    parts: &[Part],
    at: usize,
    section: &KernelSection,
) -> Result<DesignKernel, ProjectError> {
    let serves = find_served(parts, section)
        .map_err(|(text, reason)| ProjectError::at(&analysis.sources, text.span, reason))?;
    let calls = section.calls.as_ref().map_or_else(
        || {
            let source = "runs of the layers that it serves, from the model";
            Figure::new(serves.layer_runs, Provenance::Derived, source)
        },
        |claim| {
            Figure::new(claim.value as f64, Provenance::Assumed, "[[kernel]] calls in derate.toml")
        },
    );
    let clock = section.clock.as_ref().map_or_else(
        || analysis.design_clock(),
        |claim| Figure::new(claim.value, Provenance::Assumed, "[[kernel]] clock in derate.toml"),
    );
    let reading = analysis.kernels.get(at);
    let figures = OriginFigures::of_kernel(section, reading);
    let source = reading.and_then(KernelReading::source);
    let formats = source.map(|source| read_formats(&source.program));
    let read = formats.as_ref().and_then(|formats| formats.arithmetic);
    let region = find_region(analysis, section);
    let units = count_units(analysis, section, figures.top.as_deref());
    check_region(analysis, section)?;
    Ok(DesignKernel {
        name: section.name.value.clone(),
        serves,
        calls,
        units,
        cycles: figures.cycles,
        interval: figures.interval,
        clock,
        precision: read.or_else(|| section.precision.as_ref().map(|claim| claim.value)),
        formats,
        multiply_adds: figures.multiply_adds,
        top: figures.top,
        same_hardware_as: None,
        region,
        roof: None,
        used: multiply_use(figures.used, units),
        stages: figures.stages,
        unknown: figures.unknown,
    })
}

/// What all units take: each is built whole.
fn multiply_use(used: Vec<UsedResource>, units: u64) -> Vec<UsedResource> {
    let all = |one: UsedResource| {
        let source = format!("{units} units, each: {}", one.amount.source);
        let amount = Figure::new(one.amount.value * units as f64, one.amount.provenance, source);
        UsedResource { amount, ..one }
    };
    if units > 1 { used.into_iter().map(all).collect() } else { used }
}

/// Refuses a region that the chip does not have.
fn check_region(analysis: &Analysis, section: &KernelSection) -> Result<(), ProjectError> {
    let regions = &analysis.platform.regions;
    let Some(claim) = &section.slr else { return Ok(()) };
    if regions.is_empty() || regions.iter().any(|region| region.name == claim.value) {
        return Ok(());
    }
    let names: Vec<&str> = regions.iter().map(|region| region.name.as_str()).collect();
    let reason = format!(
        "slr: {} has no region `{}`: there are {}",
        analysis.platform.name,
        claim.value,
        names.join(", ")
    );
    Err(ProjectError::at(&analysis.sources, claim.span, reason))
}
