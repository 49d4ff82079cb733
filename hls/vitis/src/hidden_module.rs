//! Whether a module works beside a slower one in a dataflow.

use crate::{Figure, Located, Module, Report};

/// Callers above one another are not followed further.
const DEPTH: usize = 32;

/// A module that works beside slower ones: what it takes, and how often the dataflow that it is in starts.
pub struct HiddenModule {
    /// The module with the dataflow.
    pub region: String,
    /// Its cycles from start to start, at least.
    pub interval: u64,
    /// The cycles of the stage that the module is, or is in.
    pub own: u64,
}

/// Finds the dataflow whose slowest stage is longer than the one with a module: what the module loses costs nothing.
pub fn find_hidden_module(reports: &[Report], module: &str) -> Option<HiddenModule> {
    let mut inner = module.to_owned();
    for _ in 0..DEPTH {
        let modules = || reports.iter().flat_map(|report| &report.modules);
        let own = modules().filter(|one| one.name.value == inner);
        let own = own.filter_map(|one| one.latency.as_ref()?.value.max()).max()?;
        let outer = find_caller(reports, &inner)?;
        let starts = outer.interval.as_ref().filter(|one| !one.value.is_type_range());
        let is_region = outer.dataflow
            || outer.pipeline.as_ref().is_some_and(|word| word.value.contains("dataflow"));
        if let Some(interval) = starts.and_then(|one| one.value.min()).filter(|_| is_region)
            && own.saturating_mul(100) < interval.saturating_mul(99)
        {
            return Some(HiddenModule { region: outer.name.value.clone(), interval, own });
        }
        inner.clone_from(&outer.name.value);
    }
    None
}

/// Finds the slowest of the stages of a dataflow, by the names of its calls, where no report lists them: the module is one of them
/// and takes less. The reports of the folder that the module's report is in are compared, by the cycles from start to start where they
/// have them.
pub fn find_hidden_stage<'n>(
    reports: &[Report],
    folder: &str,
    region: &str,
    stages: impl IntoIterator<Item = &'n str>,
    module: &str,
) -> Option<HiddenModule> {
    let stages: Vec<&str> = stages.into_iter().collect();
    if !stages.contains(&module) {
        return None;
    }
    let is_beside = |one: &&Report| one.place.as_ref().is_some_and(|it| it.folder() == folder);
    let beside: Vec<&Module> =
        reports.iter().filter(is_beside).flat_map(|one| &one.modules).collect();
    let cycles = |name: &str| {
        let own = beside.iter().filter(|one| one.name.value == name);
        own.filter_map(|one| {
            let known = |figure: &Located<Figure>| figure.value.known();
            one.interval.as_ref().and_then(known).or_else(|| known(one.latency.as_ref()?))
        })
        .max()
    };
    let own = cycles(module)?;
    let interval = stages.iter().filter_map(|name| cycles(name)).max()?;
    let hidden = HiddenModule { region: region.to_owned(), interval, own };
    (own.saturating_mul(100) < interval.saturating_mul(99)).then_some(hidden)
}

/// The module that calls another one, where all reports name one alone.
fn find_caller<'r>(reports: &'r [Report], inner: &str) -> Option<&'r Module> {
    let callers = reports.iter().flat_map(|report| {
        report.modules.iter().enumerate().filter(move |(at, module)| {
            let calls = || module.calls.iter().any(|one| one == inner);
            let is_of_tree = |one: &Module| one.name.value == inner && one.caller == Some(*at);
            module.name.value != inner && (calls() || report.modules.iter().any(is_of_tree))
        })
    });
    let mut callers = callers.map(|(_, module)| module);
    let first = callers.next()?;
    callers.all(|other| other.name.value == first.name.value).then_some(first)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

    use super::*;
    use crate::{Sources, read_report};

    /// Whether stage `a` waits for `b`, as the reports in these folders have latency, interval and pipeline of both.
    fn is_hidden(stages: [(&str, &str, &str, &str); 2]) -> bool {
        let mut sources = Sources::default();
        let reports = ["a", "b"].into_iter().zip(stages).map(|(name, (folder, latency, interval, kind))| {
            let bar = "    +---------+---------+----------+----------+-----+-----+---------+\n";
            let text = format!(
                "== Vitis HLS Report for '{name}'\n* Date: x\n\n== Performance Estimates\n+ Latency:\n    * Summary:\n{bar}\
                     |  Latency (cycles) |  Latency (absolute) |  Interval | Pipeline|\n    \
                 |   min   |   max   |    min   |    max   | min | max |   Type  |\n{bar}    \
                 | {latency} | {latency} | 1 us | 1 us | {interval} | {interval} | {kind} |\n{bar}"
            );
            let file = sources.add(format!("{folder}/{name}_csynth.rpt"), text);
            read_report(&sources, file).unwrap()
        });
        let reports: Vec<Report> = reports.collect();
        assert!(find_hidden_stage(&reports, "r", "top", ["b"], "a").is_none(), "no stage");
        find_hidden_stage(&reports, "r", "top", ["a", "b"], "a").is_some()
    }

    #[test]
    fn a_stage_that_starts_more_often_hides_nothing() {
        assert!(is_hidden([("r", "100", "100", "no"), ("r", "900", "900", "no")]));
        assert!(!is_hidden([("r", "100", "100", "no"), ("r", "900", "1", "yes")]), "pipelined");
        assert!(!is_hidden([("r", "100", "100", "no"), ("s", "900", "900", "no")]), "another run");
    }
}
