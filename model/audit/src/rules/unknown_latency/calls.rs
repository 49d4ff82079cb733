//! Which module has which others in it.

use std::collections::{BTreeMap, BTreeSet};

use derate_hls::Report;

use super::base_of;

/// Each module with all that it has in it and itself, as all reports together show it.
pub(super) struct Calls<'a> {
    within: BTreeMap<&'a str, BTreeSet<&'a str>>,
}

impl<'a> Calls<'a> {
    pub(super) fn of_reports(reports: &'a [Report]) -> Self {
        let mut called: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for report in reports {
            for module in &report.modules {
                let name = base_of(&module.name.value);
                let own = called.entry(name).or_default();
                own.extend(module.calls.iter().map(|one| base_of(one)));
                let caller = module.caller.and_then(|at| report.modules.get(at));
                if let Some(caller) = caller {
                    called.entry(base_of(&caller.name.value)).or_default().insert(name);
                }
            }
        }
        Self { within: called.keys().map(|name| (*name, collect_within(&called, name))).collect() }
    }

    /// The module and all that it has in it.
    pub(super) fn within<'s>(
        &'s self,
        module: &str,
    ) -> impl Iterator<Item = &'a str> + use<'s, 'a> {
        self.within.get(module).into_iter().flatten().copied()
    }

    /// The modules that have one in them, in order of their names.
    pub(super) fn around(&self, module: &str) -> Vec<&'a str> {
        let has =
            |(name, inner): &(&&str, &BTreeSet<&str>)| **name != module && inner.contains(module);
        self.within.iter().filter(has).map(|(name, _)| *name).collect()
    }
}

/// A module and all that it has in it.
fn collect_within<'a>(
    called: &BTreeMap<&'a str, BTreeSet<&'a str>>,
    module: &'a str,
) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::from([module]);
    let mut open = vec![module];
    while let Some(name) = open.pop() {
        let inner = called.get(name).into_iter().flatten();
        open.extend(inner.filter(|inner| found.insert(**inner)));
    }
    found
}
