//! The clock that the tools reached or expect is slower than the clock that is wanted.
//!
//! ## What it does
//!
//! Holds each estimated clock period of a report against its target, each estimated frequency of a `system_estimate`
//! against its own. Where these are met, the least slack is looked at: synthesis takes the clock uncertainty off it, so a negative
//! one is a warning unless it is beyond the uncertainty. Where the reports of a run print no slack, an estimate that meets its target
//! alone and misses it with the printed uncertainty added is the same warning. The clock that a bitstream reached (`DATA_CLK` of `xclbin.info`, with the decimals that `Achieved Freq` of the system clocks has) is
//! held against the claimed one, or without a claim against the `--kernel_frequency` of the command that linked it. What a report prints without a number is not taken for met: where the clock that was
//! reached is not a number, the finding is a note that says so. Beside an estimate
//! beyond the target the clock uncertainty is given and not added. Where a kernel was placed and routed in the same solution (`export_impl.xml`, of Vivado HLS `<top>_export.xml`), the clock that it reached
//! there is held against its target, and HLS' estimate beyond it is a note. Where a log beside the report says that the kernel was routed and met
//! its target, what HLS expects is a note, and so it is where a timing summary of Vivado (any `*timing*.rpt` with the routed state or routed nets) of a design with an
//! instance of the kernel has no negative slack for this period. A routing that is older than the estimate by their dates weakens nothing;
//! where a date is not known, it is taken to be of the same run, and a note says so. A negative slack there is an error. In a design without a known instance
//! of a kernel it is a warning. Where v++ linked the design, it is a warning,
//! as v++ lowers the clock to the one that is reached. Targets are printed with two decimals, so an estimate within
//! half of the last digit meets it.
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
//! Claim the clock that was reached. To reach the other one, shorten the path that the report names: a deeper pipeline,
//! a smaller unroll factor, one die per compute unit.

use std::collections::{BTreeMap, BTreeSet};

use derate_hls::{
    Decimal, Frequency, Located, ModuleCalls, Report, ReportKind, ReportOrder, RoutedPeriod, Span,
    find_template,
};
use serde_json::json;

use super::implemented::find_implementation;
use super::repeats::{ReportFinding, drop_repeats, make_key, top_name};
use super::routed_slack::report_slack;
use crate::AuditInput;
use crate::{Finding, Label, Level};
use derate_units::Hertz;
use derate_units::figures::{quantity, significant};

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
        let mut own = report_missed(reports, report, one);
        let implemented = find_implementation(input, report)
            .and_then(|other| reached(other, other.order_beside(report, reports)));
        if let Some(routed) = implemented.or_else(|| report.find_routed(reports)) {
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

/// Who misses its clock, and where the report says so.
struct Missed<'a> {
    name: &'a str,
    span: Span,
    text: String,
    level: Level,
    /// Whether it is the slack of a report that prints no period.
    is_slack: bool,
    /// Whether it is missed with the uncertainty added, in a report that prints no slack.
    with_margin: bool,
    /// The nanoseconds that it takes, or that are too many.
    takes: f64,
}

/// Whether another finding has the same cause and says more: the period of the same module, where this is its slack, or that
/// of a module that this one calls, directly or through others.
fn is_implied(calls: &ModuleCalls<'_>, all: &[(&Report, Missed<'_>)], one: &Missed<'_>) -> bool {
    all.iter().any(|(_, other)| implies(calls, other, one))
}

fn implies(calls: &ModuleCalls<'_>, more: &Missed<'_>, one: &Missed<'_>) -> bool {
    if more.is_slack || more.span == one.span {
        return false;
    }
    if one.is_slack {
        return more.name == one.name;
    }
    // A loop may be a module of its own, and no list may say so.
    let is_loop =
        || more.name.strip_prefix(one.name).is_some_and(|rest| rest.starts_with("_Pipeline_"));
    more.name != one.name && more.text == one.text && (calls.has(one.name, more.name) || is_loop())
}

/// What else says the same, a sentence for each module and for all slacks.
fn list_same(
    input: &AuditInput<'_>,
    calls: &ModuleCalls<'_>,
    all: &[(&Report, Missed<'_>)],
    one: &Missed<'_>,
) -> Vec<String> {
    let mut files: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (_, other) in all.iter().filter(|(_, other)| implies(calls, one, other)) {
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

/// Routing met the clock that HLS expects to miss. What was routed before the synthesis says nothing of its code. Without dates it
/// is taken to be of this synthesis: the tool puts a new log and export in place of the old ones.
fn weigh_routed(input: &AuditInput<'_>, finding: &mut Finding, routed: RoutedPeriod) {
    let (period, file) = (significant(routed.period, 4), input.sources.name(routed.span.file));
    if routed.order == ReportOrder::Older {
        finding.notes.push(format!(
            "`{file}` has {period} ns once routed, and it is older than this synthesis"
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
fn report_missed(reports: &[Report], report: &Report, missed: &Missed<'_>) -> ReportFinding {
    let Missed { name, span, text, level, .. } = missed;
    let uncertainty = report.find_uncertainty(reports);
    let routed = report.kind == ReportKind::Implementation;
    let note = match uncertainty {
        _ if routed || uncertainty == Some(0.0) => None,
        _ if missed.with_margin => {
            Some("the report prints no slack; without the uncertainty the target is met".to_owned())
        }
        Some(margin) if *level == Level::Warning => Some(format!(
            "the clock uncertainty of {} ns is taken off the slack; without it the target is met",
            significant(margin, 4)
        )),
        None if *level == Level::Warning => Some(
            "synthesis takes the clock uncertainty off the slack, and the report does not print it"
                .to_owned(),
        ),
        Some(margin) => Some(format!(
            "the clock uncertainty of {} ns comes on top of that; the clock may still be missed \
             after routing",
            significant(margin, 4)
        )),
        None => Some(
            "the report prints no clock uncertainty; the clock may still be missed after routing"
                .to_owned(),
        ),
    };
    let finding = Finding::new("report/timing", *level, *name)
        .by_file()
        .with_message(match level {
            Level::Error => format!("timing is not met in `{name}`: {text}"),
            _ => format!("timing of `{name}` is not met with the clock uncertainty: {text}"),
        })
        .with_label(*span, text.clone())
        .with_notes(note)
        .with_help(
            "take the cycles at the clock that is reached, or shorten the path: a deeper pipeline, \
             a smaller unroll factor",
        )
        .with_evidence(json!({
            "missed": name,
            "claimed_hertz": null,
            "reached_hertz": null,
        }));
    let finding = match find_template(name) {
        Some(template) => {
            let target = text.rsplit(", ").next().filter(|_| !missed.is_slack);
            let cause = format!("{template} {}", target.unwrap_or_default());
            let place = format!("`{name}` ({} ns)", significant(missed.takes, 4));
            finding.with_cause(cause, place, missed.takes.abs())
        }
        None => finding,
    };
    ReportFinding { key: make_key(&[name, text]), instance: None, weight: 0, finding }
}

/// The report's own period, then the modules' periods and frequencies; where none of them is missed, the least slack.
fn find_missed<'a>(reports: &'a [Report], report: &'a Report) -> Vec<Missed<'a>> {
    let mut all = Vec::new();
    let whole = (report.clock.target.as_ref(), report.clock.estimated.as_ref());
    let by = if report.kind == ReportKind::Implementation { "reached" } else { "expected" };
    all.extend(missed_period(top_name(report), whole.0, whole.1, by));
    for module in &report.modules {
        let name = module.name.value.as_str();
        let own = (module.clock.target.as_ref(), module.clock.estimated.as_ref());
        all.extend(missed_period(name, own.0.or(whole.0), own.1, by));
        all.extend(module.frequency.as_ref().and_then(|one| missed_frequency(name, one)));
    }
    if all.is_empty() {
        all.extend(find_least_slack(reports, report));
        all.extend(list_margins(reports, report));
    }
    // The report may repeat the top's figures.
    let mut seen = BTreeSet::new();
    all.retain(|one| seen.insert(one.span));
    all
}

/// The least slack of a module or a loop, if it is negative. Synthesis takes the clock uncertainty off it, so that an estimate within
/// the target may have one: a warning, unless the uncertainty is known and smaller.
fn find_least_slack<'a>(reports: &[Report], report: &'a Report) -> Option<Missed<'a>> {
    let modules = report.modules.iter().flat_map(|module| {
        let loops = module.all_loops();
        let loops = loops.into_iter().map(|one| (one.name.value.as_str(), one.slack.as_ref()));
        std::iter::once((module.name.value.as_str(), module.slack.as_ref())).chain(loops)
    });
    let known = modules.filter_map(|(name, slack)| {
        let slack = slack?;
        Some((name, slack.span, slack.value.known()?))
    });
    let (name, span, left) = known.min_by(|a, b| a.2.total_cmp(&b.2)).filter(|one| one.2 < 0.0)?;
    let margin = report.find_uncertainty(reports);
    let beyond = margin.is_some_and(|margin| left < -margin);
    let level = if beyond { Level::Error } else { Level::Warning };
    let text = format!("a slack of {} ns", significant(left, 4));
    Some(Missed { name, span, text, level, is_slack: true, with_margin: false, takes: left })
}

/// The estimates that miss their target with the clock uncertainty added, where no report of the run prints a slack: that has it.
fn list_margins<'a>(reports: &[Report], report: &'a Report) -> Vec<Missed<'a>> {
    let folder = |one: &Report| one.place.as_ref().map(|place| place.folder().to_owned());
    let prints_slack = |one: &Report| {
        one.modules.iter().any(|module| {
            module.slack.is_some() || module.all_loops().iter().any(|one| one.slack.is_some())
        })
    };
    let mut beside = reports.iter().filter(|one| folder(one) == folder(report));
    if report.kind == ReportKind::Implementation || beside.any(prints_slack) {
        return Vec::new();
    }
    let Some(margin) = report.find_uncertainty(reports).filter(|margin| *margin > 0.0) else {
        return Vec::new();
    };
    let whole = (report.clock.target.as_ref(), report.clock.estimated.as_ref());
    let modules = report.modules.iter().map(|module| {
        let own = module.clock.target.as_ref().or(whole.0);
        (module.name.value.as_str(), own, module.clock.estimated.as_ref())
    });
    let all = std::iter::once((top_name(report), whole.0, whole.1)).chain(modules);
    all.filter_map(|(name, target, estimated)| missed_margin(name, target, estimated, margin))
        .collect()
}

/// An estimate that meets its target alone, and not with the uncertainty. Target and uncertainty have two decimals each.
fn missed_margin<'a>(
    name: &'a str,
    target: Option<&Located<Decimal>>,
    estimated: Option<&Located<Decimal>>,
    margin: f64,
) -> Option<Missed<'a>> {
    let (target, estimated) = (target?.value.known()?, estimated?);
    let takes = estimated.value.known()? + margin;
    if takes <= target + 2.0 * HALF_A_DIGIT + 1e-9 {
        return None;
    }
    let text = format!(
        "{} ns are expected and {} ns are the uncertainty, {} ns is the target",
        significant(takes - margin, 4),
        significant(margin, 4),
        significant(target, 4)
    );
    let (span, level) = (estimated.span, Level::Warning);
    Some(Missed { name, span, text, level, is_slack: false, with_margin: true, takes })
}

/// A target has two decimals in a report, so 300 MHz is "3.33" ns beside an estimate of 3.333.
const HALF_A_DIGIT: f64 = 0.005;

fn missed_period<'a>(
    name: &'a str,
    target: Option<&Located<Decimal>>,
    estimated: Option<&Located<Decimal>>,
    by: &str,
) -> Option<Missed<'a>> {
    let (target, estimated) = (target?.value.known()?, estimated?);
    let missed = |expected: &f64| *expected > target + HALF_A_DIGIT;
    let expected = estimated.value.known().filter(missed)?;
    let text = format!(
        "{} ns are {by}, {} ns is the target",
        significant(expected, 4),
        significant(target, 4)
    );
    let span = estimated.span;
    let (level, takes) = (Level::Error, expected);
    Some(Missed { name, span, text, level, is_slack: false, with_margin: false, takes })
}

fn missed_frequency<'a>(name: &'a str, frequency: &Frequency) -> Option<Missed<'a>> {
    let target = frequency.target.value.known()?;
    let expected = frequency.estimated.value.known().filter(|expected| *expected < target)?;
    let text = format!(
        "{} MHz are expected, {} MHz is the target",
        significant(expected, 4),
        significant(target, 4)
    );
    Some(Missed {
        name,
        span: frequency.estimated.span,
        text,
        level: Level::Error,
        is_slack: false,
        with_margin: false,
        takes: 1e3 / expected,
    })
}

/// The clock that a bitstream reached, against the claimed one, else against the one that it was linked for.
fn report_reached(input: &AuditInput<'_>, report: &Report) -> Option<Finding> {
    let claim = input.project.and_then(|project| project.claims.clock.as_ref());
    let linked = report.target_frequency.as_ref().filter(|_| !report.clocks.is_empty());
    let asked = claim.map(|claim| Asked { clock: claim.value, place: claim.span, is_claim: true });
    let asked = asked.or_else(|| {
        let megahertz = linked?.value.known()?;
        Some(Asked { clock: Hertz(megahertz * 1e6), place: linked?.span, is_claim: false })
    })?;
    let clock = report.clocks.iter().find(|clock| clock.name.value == "DATA_CLK")?;
    let (reached, place) = match clock.frequency.as_ref().map(|whole| find_exact(report, whole)) {
        Some(frequency) => {
            (frequency.value.known().map(|megahertz| Hertz(megahertz * 1e6)), frequency.span)
        }
        None => (None, clock.name.span),
    };
    if reached.is_some_and(|reached| reached.0 >= asked.clock.0 * (1.0 - 1e-9)) {
        return None;
    }
    let (wanted, verb) =
        (quantity(asked.clock), if asked.is_claim { "claimed" } else { "asked for" });
    let (level, message, here, notes) = match reached {
        Some(reached) => (
            if asked.is_claim { Level::Error } else { Level::Warning },
            format!("the clock that was reached is {}, {wanted} is {verb}", quantity(reached)),
            format!("the bitstream runs its kernels at {}", quantity(reached)),
            vec![format!(
                "what takes a time t at the clock that is {verb} takes {} t at the one that was reached",
                significant(asked.clock.0 / reached.0, 4)
            )],
        ),
        None => (
            Level::Note,
            format!("the clock that was reached is unknown, {wanted} is {verb}"),
            "no number of megahertz here".to_owned(),
            Vec::new(),
        ),
    };
    let subject = if asked.is_claim { "claims.clock" } else { "DATA_CLK" };
    let finding =
        Finding::new("report/timing", level, subject).with_message(message).with_label(place, here);
    // The command that links a bitstream is a line of thousands of letters.
    let finding = if asked.is_claim {
        finding.with_label(asked.place, "the claim")
    } else {
        let line = input.sources.line(asked.place);
        finding.with_note(format!("the command with `--kernel_frequency` is on line {line}"))
    };
    Some(
        finding
            .with_notes(notes)
            .with_help(
                "count times with the clock that was reached, or build for the one that is wanted",
            )
            .with_evidence(json!({
                "missed": clock.name.value,
                "claimed_hertz": asked.is_claim.then_some(asked.clock.0),
                "asked_hertz": (!asked.is_claim).then_some(asked.clock.0),
                "reached_hertz": reached.map(|reached| reached.0),
            })),
    )
}

/// The frequency of `DATA_CLK` is cut to whole MHz; the same clock is among the system's, with its decimals.
fn find_exact<'a>(report: &'a Report, whole: &'a Located<Decimal>) -> &'a Located<Decimal> {
    let system = report.clocks.iter().filter(|one| {
        one.kind.as_ref().is_some_and(|kind| kind.value == "SCALABLE")
            && one.name.value.contains("kernel")
    });
    let mut exact = system.filter_map(|one| one.frequency.as_ref()).filter(|one| {
        one.value
            .known()
            .zip(whole.value.known())
            .is_some_and(|(one, whole)| (one - whole).abs() < 1.0)
    });
    exact.next().unwrap_or(whole)
}

/// The clock that a bitstream should reach.
struct Asked {
    clock: Hertz,
    place: Span,
    is_claim: bool,
}
