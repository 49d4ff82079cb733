//! Whether a module works beside a slower one in a dataflow.

use crate::{Module, Report};

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
/// and takes less.
pub fn find_hidden_stage<'n>(
    reports: &[Report],
    region: &str,
    stages: impl IntoIterator<Item = &'n str>,
    module: &str,
) -> Option<HiddenModule> {
    let cycles = |name: &str| {
        let modules = reports.iter().flat_map(|report| &report.modules);
        let own = modules.filter(|one| one.name.value == name);
        own.filter_map(|one| one.latency.as_ref()?.value.known()).max()
    };
    let stages: Vec<&str> = stages.into_iter().collect();
    let own = cycles(module).filter(|_| stages.contains(&module))?;
    let interval = stages.into_iter().filter_map(cycles).max()?;
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
