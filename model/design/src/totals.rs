//! All kernels together: an inference, and the card.

use crate::hardware::count_hardware;
use crate::kernel::DesignKernel;
use crate::regions::RegionUse;
use crate::served::Unserved;
use crate::transfers::Transfers;
use derate_machine::{Budget, ResourceKind};
use derate_units::{Figure, Provenance, Seconds};
use serde::Serialize;

/// A resource that all kernels together take.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ResourceTotal {
    /// Which.
    pub resource: ResourceKind,
    /// What the kernels take that say it.
    pub used: Figure<f64>,
    /// What the shell leaves; `None` where the platform file does not say.
    pub available: Option<f64>,
    /// Kernels that do not say how much they take.
    pub unknown: Vec<String>,
}

/// An inference as the kernels are built.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DesignTotals {
    /// Calls one after another, with their launches and what host and card exchange; of the kernels whose cycles are known.
    pub latency: Option<Figure<Seconds>>,
    /// The range of it.
    pub range: Option<[Seconds; 2]>,
    /// Time of the host's calls in it.
    pub launches: Seconds,
    /// Time of transfers between host and card in it.
    pub transfers: Seconds,
    /// Share of the model's multiply-adds that kernels with a time serve, 0 to 1.
    pub served_share: f64,
    /// Matrix products that no kernel serves.
    pub unserved: Vec<Unserved>,
    /// Resources.
    pub resources: Vec<ResourceTotal>,
    /// Resources by region of the chip.
    pub regions: RegionUse,
}

/// An inference with its range, and the launches in it.
pub(crate) struct Times {
    pub(crate) latency: Option<Figure<Seconds>>,
    pub(crate) range: Option<[Seconds; 2]>,
    pub(crate) launches: Seconds,
}

/// The sum of times, launches and transfers.
pub(crate) fn add_times(
    kernels: &[DesignKernel],
    launch: &Figure<Seconds>,
    transfers: &Transfers,
) -> Times {
    let timed: Vec<(&DesignKernel, Figure<Seconds>)> =
        kernels.iter().filter_map(|one| Some((one, one.seconds()?))).collect();
    let calls: f64 = timed.iter().map(|(one, _)| one.calls.value).sum();
    let launches = calls * launch.value.0;
    if timed.is_empty() {
        return Times { latency: None, range: None, launches: Seconds(0.0) };
    }
    let moved = transfers.seconds().0;
    let sum: f64 = timed.iter().map(|(_, time)| time.value.0).sum();
    let moves = transfers.list.iter().filter_map(|one| Some(one.time.as_ref()?.provenance));
    let inputs = timed.iter().map(|(_, time)| time.provenance).chain([launch.provenance]);
    let edge = |pick: fn(&crate::CycleRange) -> f64| {
        let one = |kernel: &DesignKernel| {
            let cycles = kernel.cycles.as_ref().map_or(0.0, pick);
            kernel.seconds_of(cycles)
        };
        Seconds(timed.iter().map(|(kernel, _)| one(kernel)).sum::<f64>() + launches + moved)
    };
    let latency = Figure::new(
        Seconds(sum + launches + moved),
        Provenance::of_inputs(inputs.chain(moves)),
        format!(
            "{} kernels one after another, {} transfers, and launches: {}",
            timed.len(),
            transfers.list.len(),
            launch.source
        ),
    );
    let range = Some([edge(|range| range.low), edge(|range| range.high)]);
    Times { latency: Some(latency), range, launches: Seconds(launches) }
}

/// What the kernels take of each resource that any of them names. Kernels that are one hardware count once.
pub(crate) fn add_resources(kernels: &[DesignKernel], budget: &Budget) -> Vec<ResourceTotal> {
    let all: Vec<&DesignKernel> = kernels.iter().collect();
    let total = |resource: ResourceKind| {
        let named = count_hardware(&all, resource);
        let says = |hardware: &str| {
            let same = kernels.iter().filter(|kernel| kernel.hardware() == hardware);
            same.into_iter().any(|kernel| kernel.amount(resource).is_some())
        };
        let unknown = kernels.iter().filter(|kernel| !says(kernel.hardware()));
        let used = Figure::new(
            named.iter().map(|one| one.amount.value).sum(),
            Provenance::of_inputs(named.iter().map(|one| one.amount.provenance)),
            format!("sum of {} kernels", named.len()),
        );
        (!named.is_empty()).then(|| ResourceTotal {
            resource,
            used,
            available: budget.limit(resource),
            unknown: unknown.map(|kernel| kernel.name.clone()).collect(),
        })
    };
    ResourceKind::ALL.into_iter().filter_map(total).collect()
}
