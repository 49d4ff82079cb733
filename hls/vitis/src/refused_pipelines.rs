//! Which pipelines of a run the tool did not make.

use std::collections::BTreeSet;

use crate::csynth::{Refusal, RefusedPipeline, Report, ReportedLoop};
use crate::loop_runs::{has_part, is_part};
use crate::violations::is_pipelined;
use crate::{Span, base_of, copied_function, top_name};

/// A pipeline that was not made, and what the reports of the run have of it.
#[derive(Clone, Debug)]
pub struct Refused<'a> {
    /// What the log says.
    pub log: &'a RefusedPipeline,
    /// The report that has the loop or the function.
    pub report: &'a Report,
    /// The loop's name there; that of the function for a whole one.
    pub name: &'a str,
    /// Where the report has it.
    pub span: Span,
    /// Whether it may be a loop in this one instead: an old log names none.
    pub may_be_within: bool,
}

impl Refused<'_> {
    /// Whether it is the loop of a function, or a nest that the tool made of it and others.
    #[must_use]
    pub fn is_of(&self, function: &str, label: &str) -> bool {
        let named = self.log.loop_name.as_deref();
        let is_it =
            named.map_or_else(|| !self.log.is_function && self.may_be(label), |name| name == label);
        is_it && copied_function(&self.log.module) == function
    }

    /// Whether it may be a loop that the log does not name: reports give loops without a label numbers.
    fn may_be(&self, label: &str) -> bool {
        let number = self.name.strip_prefix("Loop").map(str::trim_start);
        let is_numbered = number.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        self.may_be_within || is_numbered || has_part(self.name, label)
    }
}

/// The pipelines that logs say were not made, and that the reports of their tops have without one: each once. The loop that an old
/// log does not name is one of those of its module that are not pipelined and have loops in them. `logs` are of tops without
/// reports: of those with one log what it names.
pub fn list_refused<'a>(reports: &'a [Report], logs: &'a [Report]) -> Vec<Refused<'a>> {
    let mut found: Vec<Refused<'a>> = Vec::new();
    let mut seen = BTreeSet::new();
    for log in reports {
        for one in &log.schedule.refused {
            let own = reports.iter().filter(|report| top_name(report) == top_name(log));
            for report in own {
                let Some(refused) = find_row(report, one) else { continue };
                if seen.insert((top_name(log), one.module.as_str(), refused.name)) {
                    found.push(refused);
                }
            }
        }
    }
    let is_only =
        |log: &&Report| logs.iter().filter(|one| top_name(one) == top_name(log)).count() == 1;
    for log in logs.iter().filter(is_only) {
        let named = log.schedule.refused.iter().filter_map(|one| Some((one, find_name(one)?)));
        for (one, name) in
            named.filter(|(one, name)| seen.insert((top_name(log), one.module.as_str(), *name)))
        {
            let refused =
                Refused { log: one, report: log, name, span: one.span, may_be_within: false };
            found.push(refused);
        }
    }
    found
}

/// What the log itself names: no loop that the tool made a function of.
fn find_name(log: &RefusedPipeline) -> Option<&str> {
    let module = log.module.as_str();
    let whole = (log.is_function && base_of(module) == module).then_some(module);
    log.loop_name.as_deref().or(whole)
}

fn find_row<'a>(report: &'a Report, log: &'a RefusedPipeline) -> Option<Refused<'a>> {
    // Names of templates have other signs in a log.
    let name = log.module.replace('.', "_");
    let mut own = report.modules.iter().filter(|one| one.name.value.replace('.', "_") == name);
    let module = own.next()?;
    if log.is_function {
        let (name, span) = (module.name.value.as_str(), module.name.span);
        let is_whole = base_of(name) == name && !is_pipelined(module);
        return is_whole.then_some(Refused { log, report, name, span, may_be_within: false });
    }
    let all = module.all_loops();
    let is_open = |one: &&&ReportedLoop| {
        let reached = one.ii_achieved.as_ref().and_then(|ii| ii.value.known());
        one.pipelined == Some(false) && reached.is_none()
    };
    let mut open = all.iter().filter(is_open);
    let (row, may_be_within) = if let Some(name) = log.loop_name.as_deref() {
        (open.find(|one| is_part(one, name))?, false)
    } else {
        let calls = matches!(log.why, Refusal::Callee(_));
        let mut around = open.filter(|one| calls || !one.loops.is_empty());
        (around.next()?, around.next().is_some())
    };
    Some(Refused { log, report, name: &row.name.value, span: row.name.span, may_be_within })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

    use super::*;
    use crate::{Sources, read_report};

    const MODULE: &str = "\
================================================================
== Vivado HLS Report for 'sort'
================================================================
* Date:           Mon May 11 10:00:00 2026

* Version:        2018.3 (Build 2405991 on Thu Dec 06 23:56:15 MST 2018)
* Project:        p
* Solution:       s


================================================================
== Performance Estimates
================================================================
+ Latency (clock cycles):
    + Detail:
        * Loop:
        +-----------+-----+-----+----------+-----------+-----------+------+----------+
        |           |  Latency  | Iteration|  Initiation Interval  | Trip |          |
        | Loop Name | min | max |  Latency |  achieved |   target  | Count| Pipelined|
        +-----------+-----+-----+----------+-----------+-----------+------+----------+
        |- outer    |  100|  100|        50|          -|          -|     2|    no    |
        | + inner   |   40|   40|        10|          -|          -|     4|    no    |
        +-----------+-----+-----+----------+-----------+-----------+------+----------+
";

    /// The row that is taken for a line of a log, and whether it may be `inner`.
    fn find_unnamed(why: Refusal, report: &str) -> (String, bool) {
        let mut sources = Sources::default();
        let file = sources.add("sort_csynth.rpt", report);
        let report = read_report(&sources, file).unwrap();
        let (module, span) = ("sort".to_owned(), Span { file, start: 0, end: 1 });
        let log = RefusedPipeline { module, loop_name: None, is_function: false, why, span };
        let row = find_row(&report, &log).unwrap();
        (row.name.to_owned(), row.is_of("sort", "inner"))
    }

    #[test]
    fn a_loop_without_a_name_may_be_any_that_fits() {
        // Either may call the function; only one has a loop in it.
        let callee = Refusal::Callee("merge".to_owned());
        assert_eq!(find_unnamed(callee, MODULE), ("outer".to_owned(), true));
        assert_eq!(find_unnamed(Refusal::Loops, MODULE), ("outer".to_owned(), false));
        // Reports number what has no label.
        let numbered = MODULE.replace("|- outer ", "|- Loop 1");
        assert_eq!(find_unnamed(Refusal::Loops, &numbered), ("Loop 1".to_owned(), true));
    }
}
