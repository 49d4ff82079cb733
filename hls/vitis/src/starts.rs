//! How often loops that are modules of their own are started.

use std::collections::BTreeSet;

use crate::{Module, Report, ReportedLoop};

/// Loops in one another, and callers above one another, are not followed deeper.
const DEPTH: usize = 32;

/// The runs of all loops that the tool made modules of (`top_Pipeline_loop`), in one run of the top. A loop whose trip count
/// is not a number counts as one.
pub fn count_starts(report: &Report, top: &str) -> u64 {
    let mut starts: u64 = 0;
    let mut known = BTreeSet::new();
    for module in report.modules.iter().filter(|module| is_loop(&module.name.value)) {
        known.insert(module.name.value.as_str());
        starts = starts.saturating_add(count_runs(report, module));
    }
    // The text of one module names what it calls, and not where.
    let modules = report.modules.iter().filter(|module| module.name.value == top);
    let called = modules.flat_map(|module| &module.calls);
    let others = called.filter(|name| is_loop(name) && !known.contains(name.as_str()));
    starts.saturating_add(others.count() as u64)
}

/// The runs of all pipelined loops in one run of the top.
pub fn count_pipelined(report: &Report) -> u64 {
    let of_module = |module: &Module| {
        let loops = module.all_loops().into_iter().filter(|one| one.pipelined == Some(true));
        let runs = loops.map(|one| {
            let all = count_trips(&module.loops, &one.name.value, DEPTH).unwrap_or(1);
            all / one.trip_count.as_ref().and_then(|trips| trips.value.max()).unwrap_or(1).max(1)
        });
        let runs = runs.fold(0_u64, |sum, runs| sum.saturating_add(runs.max(1)));
        runs.saturating_mul(count_runs(report, module))
    };
    report.modules.iter().map(of_module).fold(0, u64::saturating_add)
}

fn is_loop(module: &str) -> bool {
    module.contains("_Pipeline_")
}

fn count_runs(report: &Report, module: &Module) -> u64 {
    let mut runs: u64 = 1;
    let mut inner = module;
    for _ in 0..DEPTH {
        let Some(caller) = inner.caller.and_then(|at| report.modules.get(at)) else { break };
        if let Some(name) = &inner.caller_loop {
            runs = runs.saturating_mul(count_trips(&caller.loops, name, DEPTH).unwrap_or(1));
        }
        inner = caller;
    }
    runs
}

/// The iterations of the loop with this name, those of the loops around it included.
fn count_trips(loops: &[ReportedLoop], name: &str, depth: usize) -> Option<u64> {
    let deeper = depth.checked_sub(1)?;
    loops.iter().find_map(|one| {
        let trips = one.trip_count.as_ref().and_then(|trips| trips.value.max()).unwrap_or(1);
        if one.name.value == name {
            return Some(trips);
        }
        Some(trips.saturating_mul(count_trips(&one.loops, name, deeper)?))
    })
}
