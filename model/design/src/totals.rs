//! All kernels together: an inference, and the card.

use crate::kernel::DesignKernel;
use crate::served::Unserved;
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
    /// Calls one after another, with their launches; of the kernels whose cycles are known.
    pub latency: Option<Figure<Seconds>>,
    /// The range of it.
    pub range: Option<[Seconds; 2]>,
    /// Time of the host's calls in it.
    pub launches: Seconds,
    /// Share of the model's multiply-adds that kernels with a time serve, 0 to 1.
    pub served_share: f64,
    /// Matrix products that no kernel serves.
    pub unserved: Vec<Unserved>,
    /// Resources.
    pub resources: Vec<ResourceTotal>,
}

/// The design as its kernels are.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KernelDesign {
    /// In the order of `derate.toml`.
    pub kernels: Vec<DesignKernel>,
    /// All of them together.
    pub totals: DesignTotals,
}

/// The sum of times and launches.
pub(crate) fn add_times(
    kernels: &[DesignKernel],
    launch: &Figure<Seconds>,
) -> (Option<Figure<Seconds>>, Option<[Seconds; 2]>, Seconds) {
    let timed: Vec<(&DesignKernel, Figure<Seconds>)> =
        kernels.iter().filter_map(|one| Some((one, one.seconds()?))).collect();
    let calls: f64 = timed.iter().map(|(one, _)| one.calls.value).sum();
    let launches = calls * launch.value.0;
    if timed.is_empty() {
        return (None, None, Seconds(0.0));
    }
    let sum: f64 = timed.iter().map(|(_, time)| time.value.0).sum();
    let inputs = timed.iter().map(|(_, time)| time.provenance).chain([launch.provenance]);
    let edge = |pick: fn(&crate::CycleRange) -> f64| {
        let one = |kernel: &DesignKernel| {
            let cycles = kernel.cycles.as_ref().map_or(0.0, pick);
            cycles * kernel.calls.value / kernel.clock.value.0
        };
        Seconds(timed.iter().map(|(kernel, _)| one(kernel)).sum::<f64>() + launches)
    };
    let latency = Figure::new(
        Seconds(sum + launches),
        Provenance::of_inputs(inputs),
        format!("{} kernels one after another, and their launches: {}", timed.len(), launch.source),
    );
    (Some(latency), Some([edge(|range| range.low), edge(|range| range.high)]), Seconds(launches))
}

/// What the kernels take of each resource that any of them names.
pub(crate) fn add_resources(kernels: &[DesignKernel], budget: &Budget) -> Vec<ResourceTotal> {
    let total = |resource: ResourceKind| {
        let named = kernels.iter().flat_map(|kernel| &kernel.used);
        let named: Vec<_> = named.filter(|one| one.resource == resource).collect();
        let unknown = kernels.iter().filter(|kernel| kernel.amount(resource).is_none());
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
