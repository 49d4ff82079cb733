//! The text of a design, and the directives that make it.

use super::Variation;
use super::banks::find_overcut;
use super::chosen::ChosenLoops;
use super::cost::{endless_cost, working_cost};
use super::cuts::{cut_arrays, join_cuts};
use super::port_group::{PortGroup, widen_interfaces};
use crate::Cost;
use derate_hls::TclDirective;
use derate_kernel::{Directives, Program, ScheduleCache, Settings, estimate_design};
use std::sync::Mutex;

/// A kernel with names filled in, and what its ports are.
pub(super) struct Variant {
    pub(super) program: Program,
    /// Names of its ports behind a bus.
    pub(super) buses: Vec<String>,
    pub(super) groups: Vec<PortGroup>,
    /// Of each axis, the value that leaves the kernel as it is written, whether the axis has it or not.
    pub(super) values: Vec<Option<String>>,
    /// Where the axis has it.
    pub(super) written: Vec<Option<usize>>,
    /// The functions of its designs, as scheduled.
    pub(super) cache: Mutex<ScheduleCache>,
}

/// All directives of a design.
pub(super) fn direct_design(
    variations: &[Variation],
    given: &Directives,
    variant: &Variant,
    point: &[usize],
) -> Directives {
    let mut directives = given.clone();
    directives.list.extend(list_own(variations, given, variant, point));
    directives
}

/// The directives of a design that are neither in the source nor given.
pub(super) fn list_own(
    variations: &[Variation],
    given: &Directives,
    variant: &Variant,
    point: &[usize],
) -> Vec<TclDirective> {
    let chosen = variations.iter().zip(point.iter().copied()).zip(&variant.written);
    let chosen: Vec<(&Variation, usize)> =
        chosen.filter(|((_, at), own)| Some(*at) != **own).map(|(one, _)| one).collect();
    let loops = ChosenLoops::of_point(&chosen, &variant.groups);
    let mut list = cut_arrays(&variant.program, &loops, given, &variant.buses);
    list.extend(loops.unroll_directives());
    for (variation, at) in chosen {
        let own = variation.directive(at).filter(|one| !join_cuts(&mut list, one));
        list.extend(own);
        if let Some((group, lanes)) = variation.widened(at, &variant.groups) {
            list.extend(widen_interfaces(&variant.program, group, lanes));
        }
    }
    list
}

/// What a design costs, and the array of which it would have more banks than the tool takes: it then takes forever.
pub(super) fn judge_design(
    variations: &[Variation],
    given: &Directives,
    settings: &Settings,
    work: f64,
    (variant, point): (Option<&Variant>, &[usize]),
) -> (Cost, Option<String>) {
    let Some(variant) = variant else { return (working_cost(None, work), None) };
    let own = list_own(variations, given, variant, point);
    if let Some(array) = find_overcut(&variant.program, given, &own) {
        return (endless_cost(), Some(array.to_owned()));
    }
    let mut directives = given.clone();
    directives.list.extend(own);
    let answer = estimate_design(&variant.program, &directives, settings, &variant.cache);
    (working_cost(Some(&answer), work), None)
}
