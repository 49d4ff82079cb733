//! Efficiencies that fit runs best.

use super::case::ComparedRun;
use super::{Efficiency, Half, split};
use crate::gemm_time::find_minimum;
use derate_units::Seconds;

/// Which constants beside the two shares there are.
#[derive(Clone, Copy, Debug)]
struct Form {
    cached: bool,
    launch: bool,
}

/// The plainest first: of two that do equally well it is taken.
const FORMS: [Form; 4] = [
    Form { cached: false, launch: false },
    Form { cached: false, launch: true },
    Form { cached: true, launch: false },
    Form { cached: true, launch: true },
];

/// A constant must make the error on runs left out smaller by this part of it to be worth its place.
const PAYS: f64 = 0.1;

/// Fewer shapes than this decide on no third constant.
const ENOUGH: usize = 6;

/// Calls of the model in a search.
const CALLS: usize = 600;

/// The mean of `|ln(model / measured)|`.
pub(super) fn mean_error(cases: &[&ComparedRun], with: &Efficiency) -> f64 {
    let off = |case: &&ComparedRun| (case.model_time(with) / case.measured_time()).ln().abs();
    cases.iter().map(off).sum::<f64>() / cases.len().max(1) as f64
}

/// The efficiencies with the least error on `cases`, and no more than the roofline's; a cache's share and a launch only where
/// they make the error smaller on runs that a fit of the others has not seen.
pub(super) fn fit_efficiency(cases: &[&ComparedRun]) -> Efficiency {
    let mut best = (FORMS[0], f64::INFINITY);
    let halves = split::split_shapes(cases.iter().map(|case| &case.key));
    if halves.len() >= ENOUGH {
        let side = |half| -> Vec<&ComparedRun> {
            let own = |case: &&ComparedRun| halves.get(&case.key) == Some(&half);
            cases.iter().copied().filter(own).collect()
        };
        let sides = [side(Half::Fitted), side(Half::Tested)];
        for form in FORMS {
            let left_out = error_left_out(&sides, form);
            if left_out < best.1 * (1.0 - PAYS) {
                best = (form, left_out);
            }
        }
    }
    let found = fit_form(cases, best.0);
    if mean_error(cases, &found) <= mean_error(cases, &Efficiency::ROOFLINE) {
        drop_undetermined(cases, found)
    } else {
        Efficiency::ROOFLINE
    }
}

/// The error on each side, none of whose shapes is on the other, of what is fitted on the other.
fn error_left_out([one, other]: &[Vec<&ComparedRun>; 2], form: Form) -> f64 {
    mean_error(other, &fit_form(one, form)) + mean_error(one, &fit_form(other, form))
}

/// The largest share of a roof that a fit may find: 1, or what the fastest of these runs reached where the roof is too low.
fn find_largest_share(cases: &[&ComparedRun]) -> f64 {
    let reached =
        cases.iter().map(|case| case.model_time(&Efficiency::ROOFLINE) / case.measured_time());
    reached.fold(1.0, f64::max)
}

/// A search from several starts, in logarithms: every constant stays above zero.
fn fit_form(cases: &[&ComparedRun], form: Form) -> Efficiency {
    let largest = find_largest_share(cases);
    let of = |point: &[f64]| {
        let mut values = point.iter().map(|value| value.exp());
        let mut next = || values.next();
        let mut share = || next().map(|share| share.min(largest));
        let (compute, memory) = (share(), share());
        let cached = if form.cached { next() } else { None };
        let launch_seconds = if form.launch { next().map(|us| Seconds(us * 1e-6)) } else { None };
        Efficiency { compute, memory, cached, launch_seconds }
    };
    let shortest = cases.iter().map(|case| case.measured_time().0).fold(f64::INFINITY, f64::min);
    let mut best = (Efficiency::ROOFLINE, f64::INFINITY);
    for share in [0.3_f64, 0.9] {
        for launch in [0.1, 0.7] {
            let mut start = vec![share.ln(), share.ln()];
            start.extend(form.cached.then(|| 1.5_f64.ln()));
            start.extend(form.launch.then(|| (launch * shortest.max(1e-9) * 1e6).ln()));
            let mut error = |point: &[f64]| mean_error(cases, &of(point));
            let first = find_minimum(&mut error, &start, 0.4, CALLS);
            let (point, value) = find_minimum(&mut error, &first.0, 0.1, CALLS);
            if value < best.1 {
                best = (of(&point), value);
            }
            if !form.launch {
                break;
            }
        }
    }
    best.0
}

/// Without what makes no difference to these runs: nothing says what it is.
fn drop_undetermined(cases: &[&ComparedRun], found: Efficiency) -> Efficiency {
    let mut kept = found;
    let own = mean_error(cases, &found);
    for without in [
        |e: Efficiency| Efficiency { compute: None, ..e },
        |e: Efficiency| Efficiency { cached: None, ..e },
        |e: Efficiency| Efficiency { memory: None, ..e },
        |e: Efficiency| Efficiency { launch_seconds: None, ..e },
    ] {
        let tried = without(kept);
        if mean_error(cases, &tried) <= own + 1e-9 {
            kept = tried;
        }
    }
    kept
}
