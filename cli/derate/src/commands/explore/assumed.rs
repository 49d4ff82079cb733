//! What the time of kernels that are searched together rests on.

use derate_model::Usage;
use derate_model::design::KernelDesign;
use derate_model::explore::{Axis, ChipRegions, Design, FoundDesign, Objective, Unit};
use derate_model::units::figures::{quantity, significant};

use super::asked::Asked;
use super::explored::Explored;

/// What the time of the kernels rests on.
pub(super) fn list_assumed(
    asked: &Asked<'_>,
    design: &KernelDesign,
    kernels: &[Explored],
) -> Vec<String> {
    let mut list = Vec::new();
    for (kernel, explored) in design.kernels.iter().zip(kernels) {
        if let Some(first) = &kernel.same_hardware_as {
            list.push(format!(
                "{} is the same hardware as {first}: one design serves both, and it takes its room once",
                kernel.name
            ));
        }
        if explored.designs <= 1.0 {
            list.push(format!("{} stays as it is: it has no open loop in C++", kernel.name));
        }
        if kernel.cycles.is_none() && explored.designs <= 1.0 {
            list.push(format!(
                "The cycles of {} are not known; it takes room and no time",
                kernel.name
            ));
        }
        list.push(format!(
            "{} is called {} times ({}) at {} ({})",
            kernel.name,
            significant(kernel.calls.value, 6),
            kernel.calls.source,
            quantity(kernel.clock.value),
            kernel.clock.source
        ));
    }
    if kernels.iter().any(|one| one.built.counts.len() > 1) {
        list.push(
            "Units of a kernel share the calls of one layer, which do not depend on each other, and the memory"
                .to_owned(),
        );
    }
    let share = design.totals.served_share;
    if share < 0.9995 {
        list.push(format!(
            "The kernels compute {} % of the multiply-adds; the rest is in no figure here",
            significant(100.0 * share, 3)
        ));
    }
    let launch = asked.analysis.launch();
    list.push(format!("A call by the host takes {}: {}", quantity(launch.value), launch.source));
    if matches!(asked.objective, Objective::Latency(None) | Objective::Resource(_)) {
        let transfers = quantity(design.totals.transfers);
        list.push(format!("Transfers between host and card take {transfers}"));
    }
    if asked.objective == Objective::Interval {
        list.push(
            "Kernels work on different inferences at the same time, each in its own memory"
                .to_owned(),
        );
    }
    list
}

/// In which SLR each kernel of the best design has room.
pub(super) fn describe_places(
    units: &[Unit],
    axes: &[Axis],
    best: &Design,
    regions: ChipRegions,
) -> String {
    let names = FoundDesign::of_design(axes, best).values;
    let usage = |(unit, name): (&Unit, &String)| {
        let choice = unit.choices.iter().find(|one| one.name == *name);
        choice.map_or_else(Usage::default, |choice| choice.cost.usage)
    };
    let usages: Vec<Usage> = units.iter().zip(&names).map(usage).collect();
    match regions.place(&usages) {
        Some(places) => {
            let one = |(unit, place): (&Unit, &usize)| format!("{} in {place}", unit.name);
            let list: Vec<String> = units.iter().zip(&places).map(one).collect();
            format!(
                "Each kernel has room in one SLR, where each has a {}th of what the shell leaves: {}",
                regions.count,
                list.join(", ")
            )
        }
        None => format!(
            "The kernels have no room in one SLR each, where each of the {} has an equal share of the limits: some cross, which costs clock. --per-slr searches without that",
            regions.count
        ),
    }
}
