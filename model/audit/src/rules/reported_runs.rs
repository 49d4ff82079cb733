//! How often the loops and modules of a report run in one run of the top.

use derate_hls::{Module, Report, ReportedLoop};

/// Loops in one another, and callers above one another, are not followed deeper.
const DEPTH: usize = 32;

/// All iterations of a loop in one run of the top, over all modules that have it; `None` where a trip count on the way is not one
/// number. A flattened nest has the name of its inner loop at its end.
pub(super) fn count_iterations(report: &Report, name: &str) -> Option<u64> {
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

/// The runs of a module in one run of the top.
pub(super) fn count_runs(report: &Report, module: &Module) -> Option<u64> {
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
        let trips = || one.trip_count.as_ref()?.value.known();
        if std::ptr::eq(one, wanted) {
            return trips();
        }
        let inner = count_trips(&one.loops, wanted, deeper)?;
        Some(trips()?.saturating_mul(inner))
    })
}
