//! Which figures of modules and loops any of several reports knows.

use std::collections::BTreeSet;

use crate::module_names::top_name;
use crate::{Figure, Located, Report, ReportedLoop};

/// The latencies of modules, and the trips and latencies of loops by their module or its top.
#[derive(Default)]
pub struct KnownFigures<'a> {
    modules: BTreeSet<&'a str>,
    trips: BTreeSet<(&'a str, &'a str)>,
    latencies: BTreeSet<(&'a str, &'a str)>,
}

impl<'a> KnownFigures<'a> {
    /// What these reports know.
    pub fn of_reports(reports: &'a [Report]) -> Self {
        let mut known = Self::default();
        for (report, module) in reports.iter().flat_map(|r| r.modules.iter().map(move |m| (r, m))) {
            let name = module.name.value.as_str();
            if is_known(module.latency.as_ref()) {
                known.modules.insert(name);
            }
            let top = top_name(report);
            // A loop that the tool put into a module of its own is one of the top; others may have its name.
            let of_top = name
                .strip_prefix(top)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with("_Pipeline_"));
            let owners = [Some(name), of_top.then_some(top)].into_iter().flatten();
            for (one, owner) in module
                .all_loops()
                .into_iter()
                .flat_map(|one| owners.clone().map(move |owner| (one, owner)))
            {
                let key = (owner, one.name.value.as_str());
                if is_known(one.trip_count.as_ref()) {
                    known.trips.insert(key);
                }
                if is_known(one.latency.as_ref()) {
                    known.latencies.insert(key);
                }
            }
        }
        known
    }

    /// Whether some report knows the latency of a module.
    #[must_use]
    pub fn has_module(&self, module: &str) -> bool {
        self.modules.contains(module)
    }

    /// Whether some report knows how often a loop of this module or of its top runs.
    #[must_use]
    pub fn has_trips(&self, module: &str, top: &str, one: &ReportedLoop) -> bool {
        let name = one.name.value.as_str();
        [module, top].iter().any(|owner| self.trips.contains(&(owner, name)))
    }

    /// Whether some report knows how long a loop of this module or of its top takes.
    #[must_use]
    pub fn has_latency(&self, module: &str, top: &str, one: &ReportedLoop) -> bool {
        let name = one.name.value.as_str();
        [module, top].iter().any(|owner| self.latencies.contains(&(owner, name)))
    }
}

fn is_known(figure: Option<&Located<Figure>>) -> bool {
    figure.is_some() && find_unknown(figure).is_none()
}

/// The count, if it is a word in place of a number or has an end that is not a number.
#[must_use]
pub fn find_unknown(figure: Option<&Located<Figure>>) -> Option<&Located<Figure>> {
    figure.filter(|figure| figure.value.min().is_none() || figure.value.max().is_none())
}
