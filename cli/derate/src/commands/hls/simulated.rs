//! What co-simulation counted, by solution and top.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use derate_hls::{Cosim, Figure, FileId, Report, ReportKind};

/// The cycles that passing co-simulations counted at most; `None` where two of a solution differ.
pub(super) struct Simulations(BTreeMap<(PathBuf, String), Option<u64>>);

impl Simulations {
    /// Those of the reports of some folders.
    pub(super) fn of(folders: &BTreeMap<PathBuf, Vec<(FileId, Report)>>) -> Self {
        let mut found: BTreeMap<(PathBuf, String), Option<u64>> = BTreeMap::new();
        let all = folders
            .iter()
            .flat_map(|(place, reports)| reports.iter().map(move |(_, report)| (place, report)));
        for (place, report) in all.filter(|(_, report)| report.kind == ReportKind::Cosim) {
            let Some(top) = report.top.as_ref().map(|top| top.value.clone()) else { continue };
            let passed = report.cosim.iter().filter(|one| has_passed(one));
            let figures = passed.filter_map(|one| one.latency.max.as_ref());
            let Some(cycles) = figures.filter_map(|one| Figure::known(&one.value)).max() else {
                continue;
            };
            let known = found.entry((find_solution(place), top)).or_insert(Some(cycles));
            *known = known.filter(|known| *known == cycles);
        }
        Self(found)
    }

    /// What the simulation of a top took that is of the same solution as the reports in `place`; outside of solutions, the one
    /// simulation of that top that there is.
    pub(super) fn find(&self, place: &Path, top: &str) -> Option<u64> {
        let solution = find_solution(place);
        if let Some(own) = self.0.get(&(solution, top.to_owned())) {
            return *own;
        }
        let others = self.0.iter().filter(|((_, name), _)| name == top);
        let others: BTreeSet<_> = others.map(|((folder, _), cycles)| (folder, cycles)).collect();
        match Vec::from_iter(others)[..] {
            [(_, cycles)] if step_of(place).is_none() => *cycles,
            _ => None,
        }
    }
}

fn has_passed(one: &Cosim) -> bool {
    one.status.value.eq_ignore_ascii_case("pass")
}

/// The step of a solution, `syn` or `sim`, that a folder of reports is of: how many parts of the path come before it.
fn step_of(place: &Path) -> Option<usize> {
    let parts: Vec<_> = place.components().collect();
    parts.iter().rposition(|part| matches!(part.as_os_str().to_str(), Some("syn" | "sim")))
}

/// The folder of the solution that reports in a folder are of; the folder itself where it is of none.
fn find_solution(place: &Path) -> PathBuf {
    match step_of(place) {
        Some(step) => place.components().take(step).collect(),
        None => place.to_owned(),
    }
}
