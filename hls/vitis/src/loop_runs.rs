//! How often the loops and modules of a report run in one run of the top.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Figure, FileId, Located, Module, Report, ReportPlace, ReportedLoop};

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
#[derive(Debug, PartialEq, Eq)]
pub struct SmallCost {
    /// Cycles that the interval costs.
    pub lost: u64,
    /// Cycles of one run of the top.
    pub whole: u64,
    /// Whether the report does not know the cycles of a run, so that `whole` is what its known rows have at least.
    pub is_bound: bool,
}

/// The cycles of one run of the top, and whether they are a bound: where the report does not know them, the longest known row that
/// runs in every run of the top is one.
fn find_whole(report: &Report) -> Option<(u64, bool)> {
    let of = |latency: Option<&Located<Figure>>| {
        let latency = &latency?.value;
        latency.max().filter(|cycles| *cycles > 0 && !latency.is_type_range())
    };
    let top = report.top_module()?;
    if let Some(whole) = of(top.latency.as_ref()) {
        return Some((whole, false));
    }
    let rows = report.modules.iter().filter_map(|module| {
        let own = of(module.latency.as_ref());
        let loops = module.loops.iter().filter_map(|one| of(one.latency.as_ref()));
        let own = loops.chain(own).max()?;
        Some(own.saturating_mul(count_runs(report, module).filter(|runs| *runs > 0)?))
    });
    Some((rows.max()?, true))
}

/// What costs less than so much of the top's time is worth a note.
const SHARE: f64 = 0.01;

/// What an interval above its target costs, `(II - target) * (trips - 1)` in each run, where the reports have all of it and it is
/// less than 1 % of the top's latency. `place` is the file that has the loop.
#[allow(clippy::cast_precision_loss)]
pub fn find_small_cost(
    (reports, place): (&[Report], FileId),
    module: &str,
    name: &str,
    [target, reached]: [u64; 2],
) -> Option<SmallCost> {
    let folder = |file: FileId| {
        let of = |report: &&Report| report.top.as_ref().is_some_and(|top| top.span.file == file);
        reports.iter().find(of)?.place.as_ref().map(|place| place.folder().to_owned())
    };
    let own_folder = folder(place);
    let cost = |report: &Report| {
        let (whole, is_bound) = find_whole(report)?;
        // Another folder may be of another run, and a bound of that says nothing here.
        if is_bound && report.place.as_ref().map(ReportPlace::folder) != own_folder.as_deref() {
            return None;
        }
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
        has_it.then_some(SmallCost { lost, whole, is_bound })
    };
    // The report of a module has the time of the module alone.
    let whole = reports.iter().filter_map(cost).max_by_key(|one| one.whole)?;
    ((whole.lost as f64) < whole.whole as f64 * SHARE).then_some(whole)
}

/// The cycles of loops in one run of the top, those of nests that the tool made one loop of included, and `more` beside them, where
/// the report has all of it and it is less than 1 % of the top's latency.
#[allow(clippy::cast_precision_loss)]
pub fn find_small_loops(report: &Report, names: &BTreeSet<&str>, more: u64) -> Option<SmallCost> {
    let (whole, is_bound) = find_whole(report)?;
    let mut lost = more;
    for name in names {
        let mut has_it = false;
        for module in &report.modules {
            for one in module.all_loops().into_iter().filter(|one| is_part(one, name)) {
                let latency = one.latency.as_ref()?.value.max()?;
                let trips = one.trip_count.as_ref()?.value.max().filter(|trips| *trips > 0)?;
                let around = count_trips(&module.loops, one, DEPTH)? / trips;
                let runs = around.saturating_mul(count_runs(report, module)?);
                lost = lost.saturating_add(latency.saturating_mul(runs));
                has_it = true;
            }
        }
        if !has_it {
            return None;
        }
    }
    ((lost as f64) < whole as f64 * SHARE).then_some(SmallCost { lost, whole, is_bound })
}

/// Whether a loop is the one of a name, or a nest that the tool made of it and others.
pub(crate) fn is_part(one: &ReportedLoop, name: &str) -> bool {
    has_part(&one.name.value, name)
}

/// Whether a name is that of a loop, or of a nest that the tool made of it and others.
pub(crate) fn has_part(all: &str, name: &str) -> bool {
    all.match_indices(name).any(|(at, _)| {
        let (before, after) = (&all[..at], &all[at + name.len()..]);
        (before.is_empty() || before.ends_with('_')) && (after.is_empty() || after.starts_with('_'))
    })
}

/// The runs of a module in one run of the top, from all places that call it; `None` where one of them is not known.
fn count_runs(report: &Report, module: &Module) -> Option<u64> {
    let at = report.modules.iter().position(|one| std::ptr::eq(one, module))?;
    count_calls(report, at, &mut BTreeMap::new(), DEPTH)
}

fn count_calls(
    report: &Report,
    at: usize,
    known: &mut BTreeMap<usize, Option<u64>>,
    depth: usize,
) -> Option<u64> {
    if let Some(runs) = known.get(&at) {
        return *runs;
    }
    let (deeper, module) = (depth.checked_sub(1)?, report.modules.get(at)?);
    let Some(first) = module.caller else {
        let is_top = report.top.as_ref().is_some_and(|top| top.value == module.name.value);
        return is_top.then_some(1);
    };
    let others = module.other_callers.iter().map(|(caller, around)| (*caller, around));
    let callers: Vec<(usize, &Option<String>)> =
        std::iter::once((first, &module.caller_loop)).chain(others).collect();
    // A module that names it, and not where.
    let is_known = |caller: usize| callers.iter().any(|(one, _)| *one == caller);
    let mut naming = report.modules.iter().enumerate();
    let is_open =
        naming.any(|(other, one)| one.calls.contains(&module.name.value) && !is_known(other));
    let mut runs = (!is_open).then_some(0_u64);
    for (caller, around) in callers {
        let own = count_calls(report, caller, known, deeper);
        let own = own.and_then(|own| {
            let Some(name) = around else { return Some(own) };
            let caller = report.modules.get(caller)?;
            let around = caller.all_loops().into_iter().find(|one| one.name.value == *name)?;
            Some(own.saturating_mul(count_trips(&caller.loops, around, DEPTH)?))
        });
        runs = runs.zip(own).map(|(runs, own)| runs.saturating_add(own));
    }
    known.insert(at, runs);
    runs
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
