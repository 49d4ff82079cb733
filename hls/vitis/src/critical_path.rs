//! The path that is longer than the clock allows, as the log beside a report says.

use crate::csynth::{CriticalPath, Report, ScheduledOperation};

/// A report has periods with three decimals, a log has those of operations with two or three.
const SAME_NS: f64 = 0.06;

/// The path of a module in the nearest log of the same run: its operations take together what the report expects, in ns.
#[must_use]
pub fn find_critical_path<'a>(
    reports: &'a [Report],
    path: &str,
    module: &str,
    expected: f64,
) -> Option<&'a CriticalPath> {
    let is_it = |one: &&Report| one.place.as_ref().is_some_and(|place| place.path() == path);
    let report = reports.iter().find(is_it)?;
    let takes = |one: &CriticalPath| one.operations.iter().map(|(_, takes)| takes).sum::<f64>();
    let logs = reports.iter().flat_map(|log| log.schedule.paths.iter().map(move |one| (log, one)));
    let own = logs.filter(|(_, one)| {
        !one.operations.is_empty()
            && one.module == module
            && (takes(one) - expected).abs() < SAME_NS
    });
    own.max_by_key(|(log, _)| log.count_common(report)).map(|(_, one)| one)
}

/// An operation with so much of a path is what to change.
const MOST: f64 = 0.6;

/// Words for a path: what it is, and what helps. `say` names the place of an operation.
#[must_use]
pub fn describe_path(
    path: &CriticalPath,
    say: impl Fn(&ScheduledOperation) -> Option<String>,
) -> Option<(String, String)> {
    let named = |one: &ScheduledOperation| {
        let at = say(one).map_or_else(String::new, |it| format!(" of `{it}`"));
        format!("`{}`{at}", one.what)
    };
    let all: f64 = path.operations.iter().map(|(_, takes)| takes).sum();
    let (longest, share) = path.find_longest()?;
    if share >= MOST {
        let cause = format!(
            "{} takes {:.2} of the {all:.2} ns of the longest path",
            named(longest),
            share * all
        );
        let own = named(longest);
        let help = if is_operator(&longest.what) {
            format!(
                "give the {own} more stages (`bind_op` with `latency`; `resource` in Vivado HLS) or narrower operands"
            )
        } else {
            format!("take the {own} out of the path: keep what it gives in a register for a cycle")
        };
        return Some((cause, help));
    }
    let ((first, _), (last, _)) = (path.operations.first()?, path.operations.last()?);
    let cause = format!(
        "the longest path has {} operations, from {} to {}; {} is the longest with {:.2} ns",
        path.operations.len(),
        named(first),
        named(last),
        named(longest),
        share * all
    );
    let help = format!(
        "split the path at {}: narrower types, more stages for its operators (`bind_op` with `latency`), or a part of it in the iteration before",
        named(longest)
    );
    Some((cause, help))
}

/// Whether it is an operator that can have more stages.
fn is_operator(what: &str) -> bool {
    ["mul", "add", "sub", "div", "rem", "sqrt", "exp", "log"].iter().any(|it| what.contains(it))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

    use super::*;
    use crate::{Sources, read_report};

    fn describe(steps: &str, expected: f64) -> Option<(String, String)> {
        let log = format!(
            "INFO: [HLS 200-10] Synthesizing 'conv' ...\nINFO: [HLS 200-10] -- Implementing module 'conv' \n\
             WARNING: [SCHED 204-21] The critical path in module 'conv' consists of the following:\n{steps}"
        );
        let report = "== Vitis HLS Report for 'conv'\n* Date: x\n";
        let mut sources = Sources::default();
        let files =
            [sources.add("p/vitis_hls.log", log), sources.add("p/s/conv_csynth.rpt", report)];
        let reports: Vec<Report> =
            files.iter().map(|file| read_report(&sources, *file).unwrap()).collect();
        let path = find_critical_path(&reports, "p/s/conv_csynth.rpt", "conv", expected)?;
        describe_path(path, |one| one.places.first().map(|(file, line)| format!("{file}:{line}")))
    }

    const MUL: &str = "\t'mul' operation ('m', f.cpp:354) [258]  (4.52 ns)\n";

    #[test]
    fn one_operation_is_what_to_change_where_it_takes_most() {
        let (cause, help) = describe(MUL, 4.52).unwrap();
        assert_eq!(cause, "`mul` of `f.cpp:354` takes 4.52 of the 4.52 ns of the longest path");
        assert!(help.starts_with("give the `mul` of `f.cpp:354` more stages"), "{help}");
        assert!(describe(MUL, 4.7).is_none(), "of another run");
        let chain = format!("{MUL}\t'add' operation ('a', f.cpp:355) [9]  (3.9 ns)\n");
        let (cause, help) = describe(&chain, 8.42).unwrap();
        assert!(cause.starts_with("the longest path has 2 operations"), "{cause}");
        assert!(help.starts_with("split the path"), "{help}");
        let load = "\t'load' operation ('l', f.cpp:7) on array 'a' [9]  (3 ns)\n";
        assert!(describe(load, 3.0).unwrap().1.starts_with("take the `load`"));
    }
}
