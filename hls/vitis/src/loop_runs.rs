//! How often the loops and modules of a report run in one run of the top.

use crate::{Module, Report, ReportedLoop};

/// Loops in one another, and callers above one another, are not followed deeper.
const DEPTH: usize = 32;

/// All iterations of a loop in one run of the top, over all modules that have it; `None` where a trip count on the way is not one
/// number. A flattened nest has the name of its inner loop at its end.
pub fn count_iterations(report: &Report, name: &str) -> Option<u64> {
    let mut all: Option<u64> = None;
    for module in &report.modules {
        for one in module.all_loops().into_iter().filter(|one| is_called(one, name)) {
            let own =
                count_trips(&module.loops, one, DEPTH)?.saturating_mul(count_runs(report, module)?);
            all = Some(all.unwrap_or(0).saturating_add(own));
        }
    }
    all
}

/// A loop that costs little: the cycles that its interval costs in one run of the top, and the cycles of that.
pub struct SmallCost {
    /// Cycles that the interval costs.
    pub lost: u64,
    /// Cycles of one run of the top.
    pub whole: u64,
}

/// What costs less than so much of the top's time is worth a note.
const SHARE: f64 = 0.01;

/// What an interval above its target costs, `(II - target) * (trips - 1)` in each run, where the reports have all of it and it is
/// less than 1 % of the top's latency.
#[allow(clippy::cast_precision_loss)]
pub fn find_small_cost(
    reports: &[Report],
    module: &str,
    name: &str,
    [target, reached]: [u64; 2],
) -> Option<SmallCost> {
    let cost = |report: &Report| {
        let top = report.top_module()?.latency.as_ref()?;
        let whole = top.value.max().filter(|_| !top.value.is_type_range())?;
        let mut lost: u64 = 0;
        let mut has_it = false;
        for own in report.modules.iter().filter(|one| one.name.value == module) {
            let loops = own.all_loops();
            let one = loops.into_iter().find(|one| one.name.value == name)?;
            let trips = one.trip_count.as_ref()?.value.max().filter(|trips| *trips > 0)?;
            let runs = count_trips(&own.loops, one, DEPTH)? / trips;
            let each = reached.saturating_sub(target).saturating_mul(trips - 1);
            lost = lost
                .saturating_add(each.saturating_mul(runs).saturating_mul(count_runs(report, own)?));
            has_it = true;
        }
        (has_it && whole > 0).then_some(SmallCost { lost, whole })
    };
    // The report of a module has the time of the module alone.
    let whole = reports.iter().filter_map(cost).max_by_key(|one| one.whole)?;
    ((whole.lost as f64) < whole.whole as f64 * SHARE).then_some(whole)
}

/// The runs of a module in one run of the top.
fn count_runs(report: &Report, module: &Module) -> Option<u64> {
    let mut runs: u64 = 1;
    let mut inner = module;
    for _ in 0..DEPTH {
        let Some(caller) = inner.caller.and_then(|at| report.modules.get(at)) else { break };
        if let Some(name) = &inner.caller_loop {
            let around = caller.all_loops().into_iter().find(|one| one.name.value == *name)?;
            runs = runs.saturating_mul(count_trips(&caller.loops, around, DEPTH)?);
        }
        inner = caller;
    }
    let is_top = report.top.as_ref().is_some_and(|top| top.value == inner.name.value);
    is_top.then_some(runs)
}

fn is_called(one: &ReportedLoop, name: &str) -> bool {
    let rest = one.name.value.strip_suffix(name);
    rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('_'))
}

/// The iterations of a loop, those of the loops around it included.
fn count_trips(loops: &[ReportedLoop], wanted: &ReportedLoop, depth: usize) -> Option<u64> {
    let deeper = depth.checked_sub(1)?;
    loops.iter().find_map(|one| {
        let trips =
            || one.trip_count.as_ref().filter(|one| !one.value.is_type_range())?.value.known();
        if std::ptr::eq(one, wanted) {
            return trips();
        }
        let inner = count_trips(&one.loops, wanted, deeper)?;
        Some(trips()?.saturating_mul(inner))
    })
}
