//! The regions of the chip, and the kernels in them.

use derate_estimate::Analysis;
use derate_hls::{Connectivity, Kernels};
use derate_machine::{Budget, ResourceKind};
use derate_project::{KernelOrigin, KernelSection};
use derate_units::{Figure, Provenance};
use serde::Serialize;

use crate::hardware::count_hardware;
use crate::kernel::DesignKernel;

/// What the kernels that are placed in a region take of one resource.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RegionTotal {
    /// The region: `SLR0`.
    pub region: String,
    /// Which resource.
    pub resource: ResourceKind,
    /// What they take.
    pub used: Figure<f64>,
    /// The most that a design may use of the region.
    pub available: f64,
    /// The kernels.
    pub kernels: Vec<String>,
}

/// The kernel without a region that takes most of a resource, against the region that has most of it: a design that fits one
/// kernel in one region needs at least this.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LargestKernel {
    /// The kernel.
    pub kernel: String,
    /// Which resource.
    pub resource: ResourceKind,
    /// What it takes.
    pub used: f64,
    /// What the region with most of it has.
    pub available: f64,
}

/// The resources of the kernels by region.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RegionUse {
    /// Of the kernels whose region is known.
    pub totals: Vec<RegionTotal>,
    /// Of the others.
    pub largest: Vec<LargestKernel>,
}

/// The `nk=` of a kernel: v++ names it by its top function.
fn list_linked<'c>(
    connectivity: &'c Connectivity,
    section: &KernelSection,
    top: Option<&str>,
) -> Vec<&'c Kernels> {
    let stated = match &section.origin {
        KernelOrigin::Source(source) => source.top.as_ref().map(|top| top.value.as_str()),
        _ => None,
    };
    let names = [Some(section.name.value.as_str()), stated, top];
    let is_own = |one: &&Kernels| names.contains(&Some(one.kernel.value.as_str()));
    connectivity.kernels.iter().filter(is_own).collect()
}

/// The compute units of a kernel: what `derate.toml` says, else what the v++ configuration makes, else one.
pub(crate) fn count_units(analysis: &Analysis, section: &KernelSection, top: Option<&str>) -> u64 {
    if let Some(claim) = &section.units {
        return claim.value;
    }
    let linked = analysis.build.connectivity.as_ref();
    let linked = linked.map(|(_, connectivity)| list_linked(connectivity, section, top));
    let counts = linked.into_iter().flatten().map(|one| one.count.value);
    counts.reduce(u64::saturating_add).filter(|count| *count > 0).unwrap_or(1)
}

/// The region of a kernel: what `derate.toml` says, else the one where the v++ configuration puts all of its units.
pub(crate) fn find_region(analysis: &Analysis, section: &KernelSection) -> Option<String> {
    if let Some(claim) = &section.slr {
        return Some(claim.value.clone());
    }
    let (_, connectivity) = analysis.build.connectivity.as_ref()?;
    let own = list_linked(connectivity, section, None);
    let units: Vec<String> = own.into_iter().flat_map(Kernels::unit_names).collect();
    let pins = connectivity.slr.iter().filter(|pin| units.contains(&pin.unit.value));
    let regions: Vec<&str> = pins.map(|pin| pin.slr.value.as_str()).collect();
    let first = *regions.first()?;
    let is_whole = regions.len() == units.len() && regions.iter().all(|one| *one == first);
    is_whole.then(|| first.to_owned())
}

/// The kernels against the regions of the platform; nothing where it does not say what those have.
pub(crate) fn sum_regions(analysis: &Analysis, kernels: &[DesignKernel]) -> RegionUse {
    let regions = &analysis.platform.regions;
    let mut all = RegionUse::default();
    for region in regions {
        let budget = Budget::of_region(region);
        let inside = |kernel: &&DesignKernel| kernel.region.as_deref() == Some(&region.name);
        let inside: Vec<&DesignKernel> = kernels.iter().filter(inside).collect();
        for resource in ResourceKind::ALL {
            let used = count_hardware(&inside, resource);
            let Some(available) = budget.limit(resource).filter(|_| !used.is_empty()) else {
                continue;
            };
            all.totals.push(RegionTotal {
                region: region.name.clone(),
                resource,
                used: Figure::new(
                    used.iter().map(|one| one.amount.value).sum(),
                    Provenance::of_inputs(used.iter().map(|one| one.amount.provenance)),
                    format!("sum of {} kernels", used.len()),
                ),
                available,
                kernels: inside.iter().map(|kernel| kernel.name.clone()).collect(),
            });
        }
    }
    for resource in ResourceKind::ALL {
        let limits = regions.iter().filter_map(|region| Budget::of_region(region).limit(resource));
        let Some(available) = limits.reduce(f64::max) else { continue };
        let free = kernels.iter().filter(|kernel| kernel.region.is_none());
        let amounts = free.filter_map(|kernel| Some((kernel, kernel.amount(resource)?)));
        let Some((kernel, used)) = amounts.reduce(|a, b| if b.1 > a.1 { b } else { a }) else {
            continue;
        };
        all.largest.push(LargestKernel { kernel: kernel.name.clone(), resource, used, available });
    }
    all
}
