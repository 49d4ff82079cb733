//! The clock that the tools reached or expect is slower than the clock that is wanted.
//!
//! ## What it does
//!
//! Holds each estimated clock period of a report against its target, each estimated frequency of a `system_estimate`
//! against its own. Where these are met, the least slack is looked at: synthesis takes the clock uncertainty off it, so a negative
//! one is a warning unless it is beyond the uncertainty. Where the reports of a run print no slack, an estimate that meets its target
//! alone and misses it with the printed uncertainty added is the same warning. It is a note where less than 2 % of the target are missing, and so it is for the clock of a bitstream that nobody claims. The clock that a bitstream reached (`DATA_CLK` of `xclbin.info`, with the decimals that `Achieved Freq` of the system clocks has) is
//! held against the claimed one, or without a claim against the `--kernel_frequency` of the command that linked it. What a report prints without a number is not taken for met: where the clock that was
//! reached is not a number, the finding is a note that says so. Beside an estimate
//! beyond the target the clock uncertainty is given and not added. Where a kernel was placed and routed in the same solution (`export_impl.xml`, of Vivado HLS `<top>_export.xml`), the clock that it reached
//! there is held against its target, and HLS' estimate beyond it is a note. Where a log beside the report says that the kernel was routed and met
//! its target, what HLS expects is a note, and so it is where a timing summary of Vivado (any `*timing*.rpt` with the routed state or routed nets) of a design with an
//! instance of the kernel has no negative slack for this period, of it or of a copy of it with the same estimate; a negative slack there is an error. Where the routing is older than the estimate by their dates, an error is a warning, and a warning a note;
//! where a date is not known, it is taken to be of the same run, and a note says so. In a design without a known instance
//! of a kernel it is a warning. Where v++ linked the design, it is a warning,
//! as v++ lowers the clock to the one that is reached. Modules of one run with the same figure are one finding, and so are
//! all of a run that miss only with the uncertainty. Targets are printed with two decimals, so an estimate within
//! half of the last digit meets it.
//!
//! Where a log of the same run has the path that is too long, a note names its longest operation with the line of the source, and the help is for
//! it. The help speaks of unrolling only where the code unrolls or is not known.
//!
//! ## Why it matters
//!
//! A latency is cycles times period. Cycles that were counted for a clock that the design does not reach give a time
//! that it does not reach either, and tools lower the clock of a kernel that fails its timing without an error.
//!
//! ## Example
//!
//! `clock = "300 MHz"` under `[claims]`, and `Frequency: 186 MHz` for `DATA_CLK` in `xclbin.info`.
//!
//! ## How to fix
//!
//! Claim the clock that was reached. To reach the other one, shorten the path that the log names: more stages for its slowest
//! operator, narrower types, a smaller unroll factor, one die per compute unit.

mod bitstream;

use std::collections::{BTreeMap, BTreeSet};

use derate_hls::{
    ModuleCalls, Report, ReportKind, ReportOrder, ReportPlace, RoutedPeriod, ScheduledOperation,
    describe_path, find_critical_path, find_template,
};
use serde_json::json;

use bitstream::report_reached;

use super::implemented::find_implementation;
use super::repeats::{ReportFinding, drop_repeats, make_key};
use super::routed_slack::report_slack;
use crate::AuditInput;
use crate::{Finding, Label, Level};
use derate_project::missed_clocks::{HALF_A_DIGIT, Missed, find_missed, find_twin_routed};
use derate_project::named_lines::say_place;
use derate_units::figures::significant;

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let reports = &input.build.reports;
    let judged = |report: &&Report| report.kind != ReportKind::RtlSynthesis;
    // Of a kernel that was routed only what HLS expects beyond the clock is worth knowing.
    let counts = |(report, one): &(&Report, Missed<'_>)| match find_implementation(input, report) {
        Some(other) => one.level == Level::Error && reached(other, ReportOrder::Unknown).is_some(),
        None => true,
    };
    let all: Vec<(&Report, Missed<'_>)> = reports
        .iter()
        .filter(judged)
        .flat_map(|report| find_missed(reports, report).into_iter().map(move |one| (report, one)))
        .filter(counts)
        .collect();
    let calls = ModuleCalls::of_reports(reports, |name| name);
    let missed = all.iter().filter_map(|(report, one)| {
        if is_implied(&calls, &all, one) {
            return None;
        }
        let mut own = report_missed(input, report, one);
        let implemented = find_implementation(input, report)
            .and_then(|other| reached(other, other.order_beside(report, reports)));
        let routed = implemented.or_else(|| report.find_routed(reports));
        if let Some(routed) = routed.or_else(|| find_twin_routed(reports, &all, (report, one))) {
            weigh_routed(input, &mut own.finding, routed);
        }
        own.finding = own.finding.with_notes(list_same(input, &calls, &all, one));
        Some(own)
    });
    let mut found = drop_repeats(input, missed);
    found.extend(reports.iter().filter_map(|report| report_reached(input, report)));
    found.extend(reports.iter().filter_map(|report| report_slack(input, report)));
    found
}

/// What Vivado reached of a kernel, where it met the target.
fn reached(report: &Report, order: ReportOrder) -> Option<RoutedPeriod> {
    let reached = report.clock.estimated.as_ref()?;
    let period = reached.value.known()?;
    let target = report.clock.target.as_ref()?.value.known()?;
    let is_met = period <= target + HALF_A_DIGIT;
    is_met.then_some(RoutedPeriod { period, span: reached.span, order })
}

/// Whether another finding has the same cause and says more: the period of the same module, where this is its slack, or that
/// of a module that this one calls, directly or through others.
fn is_implied(calls: &ModuleCalls<'_>, all: &[(&Report, Missed<'_>)], one: &Missed<'_>) -> bool {
    all.iter().any(|(_, other)| other.implies(calls, one))
}

/// What else says the same, a sentence for each module and for all slacks.
fn list_same(
    input: &AuditInput<'_>,
    calls: &ModuleCalls<'_>,
    all: &[(&Report, Missed<'_>)],
    one: &Missed<'_>,
) -> Vec<String> {
    let mut files: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (_, other) in all.iter().filter(|(_, other)| one.implies(calls, other)) {
        let what = if other.is_slack {
            format!("the same is {}", other.text)
        } else {
            format!("`{}` has the same from it,", other.name)
        };
        let file = format!("`{}`", input.sources.name(other.span.file));
        files.entry(what).or_default().insert(file);
    }
    let listed = files.into_iter().map(|(what, files)| {
        let files: Vec<String> = files.into_iter().collect();
        format!("{what} in {}", files.join(", "))
    });
    listed.collect()
}

/// Routing met the clock that HLS expects to miss. What was routed before the synthesis may be of other code: the clock may be missed. Without dates it
/// is taken to be of this synthesis: the tool puts a new log and export in place of the old ones.
fn weigh_routed(input: &AuditInput<'_>, finding: &mut Finding, routed: RoutedPeriod) {
    let (period, file) = (significant(routed.period, 4), input.sources.name(routed.span.file));
    if routed.order == ReportOrder::Older {
        finding.level = match finding.level {
            Level::Error => Level::Warning,
            _ => Level::Note,
        };
        finding.notes.push(format!(
            "`{file}` has {period} ns once routed, and it is older than this synthesis: route it again if the code is another"
        ));
        return;
    }
    finding.level = Level::Note;
    finding.message = format!("{}; once routed it takes {period} ns", finding.message);
    finding.labels.push(Label::new(routed.span, "timing is met after routing"));
    finding.notes = vec![format!("`{file}` has the clock that was reached; HLS only estimates it")];
    if routed.order == ReportOrder::Unknown {
        finding.notes.push("no date says that it was routed after this synthesis".to_owned());
    }
    "count times with the clock that is asked for".clone_into(&mut finding.help);
}

/// What the tools expect, against what they were asked for.
fn report_missed(input: &AuditInput<'_>, report: &Report, missed: &Missed<'_>) -> ReportFinding {
    let Missed { name, span, text, level, .. } = missed;
    let reports = &input.build.reports;
    let uncertainty = report.find_uncertainty(reports);
    let routed = report.kind == ReportKind::Implementation;
    let note = match uncertainty {
        _ if routed || uncertainty == Some(0.0) => None,
        _ if missed.with_margin => {
            Some("the report prints no slack; without the uncertainty the target is met".to_owned())
        }
        Some(margin) if *level != Level::Error => Some(format!(
            "the clock uncertainty of {} ns is taken off the slack; without it the target is met",
            significant(margin, 4)
        )),
        None if *level != Level::Error => Some(
            "synthesis takes the clock uncertainty off the slack, and the report does not print it"
                .to_owned(),
        ),
        Some(margin) => Some(format!(
            "the clock uncertainty of {} ns comes on top of that",
            significant(margin, 4)
        )),
        None => Some("the report prints no clock uncertainty".to_owned()),
    };
    let unroll = if input.find_speeding().may_unroll() { "a smaller unroll factor, " } else { "" };
    let is_vivado = report.tool.as_ref().is_some_and(|tool| tool.value == "Vivado HLS");
    let stages = if is_vivado { "resource" } else { "bind_op" };
    let mut help = format!(
        "take the cycles at the clock that is reached, or shorten the path: {unroll}more stages for its slowest operator (`{stages}` with `latency`), narrower or fixed-point types"
    );
    let file = input.sources.name(span.file);
    let path = missed
        .expected(reports, report)
        .and_then(|expected| find_critical_path(reports, file, name, expected));
    let said = path.and_then(|path| {
        let say = |one: &ScheduledOperation| say_place(input.code, input.sources, one);
        Some((path, describe_path(path, say)?))
    });
    let mut log = None;
    if let Some((path, (cause, own))) = said {
        help = own;
        log = Some((Label::new(path.span, "the log has the path"), cause));
    }
    let (label, cause) = log.unzip();
    let finding = Finding::new("report/timing", *level, *name)
        .by_file()
        .with_message(match level {
            Level::Error => format!("timing is not met in `{name}`: {text}"),
            _ => format!("timing of `{name}` is not met with the clock uncertainty: {text}"),
        })
        .with_label(*span, text.clone())
        .with_labels(label)
        .with_notes(cause)
        .with_notes(note)
        .with_help(help)
        .with_evidence(json!({
            "missed": name,
            "claimed_hertz": null,
            "reached_hertz": null,
        }));
    // Copies of one template have one cause, and so have modules of one run that take the same: the same operator.
    let figure = if *level == Level::Error { text } else { "" };
    let target = text.rsplit(", ").next().filter(|_| !missed.is_slack);
    let folder = report.place.as_ref().map(ReportPlace::folder);
    let is_run = |folder: &&str| *folder == "syn/report" || folder.ends_with("/syn/report");
    let cause = match find_template(name) {
        Some(template) => Some(format!("{template} {}", target.unwrap_or_default())),
        None => folder.filter(is_run).map(|folder| format!("{folder} {figure}")),
    };
    let finding = match cause {
        Some(cause) => {
            let place = format!("`{name}` ({} ns)", significant(missed.takes, 4));
            finding.with_cause(cause, place, missed.takes.abs())
        }
        None => finding,
    };
    ReportFinding { key: make_key(&[name, text]), instance: None, weight: 0, finding }
}
