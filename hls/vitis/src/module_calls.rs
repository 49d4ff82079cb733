//! Which module has which others in it.

use std::collections::{BTreeMap, BTreeSet};

use crate::Report;

/// Each module with all that it has in it and itself, as all reports together show it.
pub struct ModuleCalls<'a> {
    within: BTreeMap<&'a str, BTreeSet<&'a str>>,
    /// What each module calls itself.
    direct: BTreeMap<&'a str, BTreeSet<&'a str>>,
}

impl<'a> ModuleCalls<'a> {
    /// All reports together; the modules go by what `name_of` makes of their names.
    pub fn of_reports(reports: &'a [Report], name_of: fn(&'a str) -> &'a str) -> Self {
        let mut called: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        let mut direct = called.clone();
        for report in reports {
            // All modules of a report are in its top, and so are those that have reports of their own beside it.
            let beside = reports.iter().filter(|module| report.has_beside(module, reports));
            let beside = beside.filter_map(|module| module.top.as_ref().map(|top| &top.value));
            let inner = report.modules.iter().map(|module| &module.name.value);
            if let Some(top) = &report.top {
                let own = called.entry(name_of(&top.value)).or_default();
                own.extend(inner.chain(beside).map(|name| name_of(name)));
            }
            for module in &report.modules {
                let name = name_of(&module.name.value);
                let own = direct.entry(name).or_default();
                own.extend(module.calls.iter().map(|one| name_of(one)));
                let caller = module.caller.and_then(|at| report.modules.get(at));
                if let Some(caller) = caller {
                    direct.entry(name_of(&caller.name.value)).or_default().insert(name);
                }
            }
        }
        for (name, inner) in &direct {
            called.entry(name).or_default().extend(inner);
        }
        let within = called.keys().map(|name| (*name, collect_within(&called, name))).collect();
        Self { within, direct }
    }

    /// Whether a module has another one in it, as far as the reports show it. Reports of several designs may have each of two in
    /// the other: then it is not known.
    pub fn has(&self, outer: &str, inner: &str) -> bool {
        let has = |outer: &str, inner: &str| {
            self.within.get(outer).is_some_and(|all| all.contains(inner))
        };
        has(outer, inner) && !has(inner, outer)
    }

    /// Whether a module calls another one itself.
    pub fn has_direct(&self, outer: &str, inner: &str) -> bool {
        outer != inner && self.direct.get(outer).is_some_and(|all| all.contains(inner))
    }

    /// The module and all that it has in it.
    pub fn within<'s>(&'s self, module: &str) -> impl Iterator<Item = &'a str> + use<'s, 'a> {
        self.within.get(module).into_iter().flatten().copied()
    }

    /// The modules that have one in them, in order of their names.
    pub fn around(&self, module: &str) -> Vec<&'a str> {
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

/// What the instances of one template have in common: their names end in `_s` and differ in numbers alone, those of types and of
/// other arguments.
pub fn find_template(name: &str) -> Option<String> {
    let parts: Vec<&str> =
        name.strip_suffix("_s")?.split(|sign: char| sign.is_ascii_digit()).collect();
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    (parts.len() > 1).then(|| parts.join("#"))
}
