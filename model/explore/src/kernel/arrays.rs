//! Arrays whose ports hold the interval of a loop: their cuts are open.

use super::candidate::{Candidate, unite};
use super::cuts::find_owners;
use super::nest::Nests;
use super::written::cut_factor;
use super::{Variation, VariationTarget};
use derate_kernel::ir::{Object, ObjectKind};
use derate_kernel::{HeldBy, KernelAnswer};

/// Dimensions of an array that are open.
const MOST_DIMS: usize = 3;
/// Banks of one dimension.
const MOST_BANKS: u64 = 64;
/// A loop with a smaller share opens no array.
const LEAST_SHARE: f64 = 0.01;

/// Opens the cuts of the arrays that hold loops.
pub(super) fn open_arrays(nests: &Nests<'_>, written: &KernelAnswer, found: &mut Vec<Candidate>) {
    for run in &nests.runs {
        let Some(HeldBy::Memory { array, accesses, ports, .. }) = &run.answer.held_by else {
            continue;
        };
        let share = nests.find_share(run);
        if share.is_some_and(|share| share < LEAST_SHARE) {
            continue;
        }
        let wanted = accesses.div_ceil((*ports).max(1)).next_power_of_two();
        for (function, object) in find_owners(nests.program, &run.answer.function, array) {
            let owner = &nests.program.functions[function];
            let Some(object) = owner.objects.get(object) else { continue };
            if !is_cut_by_tool(object, function == 0, written) {
                continue;
            }
            for (at, length) in object.dims.iter().enumerate().take(MOST_DIMS) {
                let dim = at as u64 + 1;
                let Some(own) = cut_factor(owner, &object.name, dim, nests.given) else { continue };
                let most = wanted.saturating_mul(own).min(MOST_BANKS);
                let values = list_banks(own, most, *length);
                if values.len() > 1 {
                    let variation = name_cut(&owner.name, &object.name, dim, &values);
                    unite(found, Candidate { variation, share, is_advised: false });
                }
            }
        }
    }
}

/// The axis of the banks of one dimension.
pub(super) fn name_cut(function: &str, array: &str, dim: u64, banks: &[u64]) -> Variation {
    let (function, array) = (function.to_owned(), array.to_owned());
    Variation {
        target: VariationTarget::Partition { function, array, dim },
        values: banks.iter().map(u64::to_string).collect(),
    }
}

/// Whether the tool takes `array_partition` of it: UG1399 supports none of a port behind a bus.
pub(super) fn is_cut_by_tool(object: &Object, is_top: bool, written: &KernelAnswer) -> bool {
    let is_port =
        |kind: &str| written.ports.iter().any(|one| one.name == object.name && one.kind == kind);
    object.kind == ObjectKind::Array && !(is_top && is_port("m_axi"))
}

/// What is written, then powers of two up to what the loop wants, at most one bank an element.
fn list_banks(own: u64, most: u64, length: u64) -> Vec<u64> {
    let powers = (1..=6).map(|n| 1_u64 << n);
    let wanted = powers.filter(|banks| *banks > own && *banks <= most && *banks <= length);
    [own].into_iter().chain(wanted).collect()
}
