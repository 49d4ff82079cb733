//! The clocks that a report expects to be missed.

use std::collections::BTreeSet;

use derate_hls::{
    Decimal, Frequency, Located, ModuleCalls, Report, ReportKind, RoutedPeriod, Span, top_name,
};
use derate_units::figures::significant;

use crate::Level;

/// A target has two decimals in a report, so 300 MHz is "3.33" ns beside an estimate of 3.333.
pub const HALF_A_DIGIT: f64 = 0.005;

/// Who misses its clock, and where the report says so.
pub struct Missed<'a> {
    /// The module, the top or the loop.
    pub name: &'a str,
    /// Where it is printed.
    pub span: Span,
    /// What is expected, and what is wanted.
    pub text: String,
    /// How much it matters.
    pub level: Level,
    /// Whether it is the slack of a report that prints no period.
    pub is_slack: bool,
    /// Whether it is missed with the uncertainty added, in a report that prints no slack.
    pub with_margin: bool,
    /// The nanoseconds that it takes, or that are too many.
    pub takes: f64,
}

impl Missed<'_> {
    /// The period in ns that is expected, without the uncertainty; it follows from a slack where target and uncertainty are known.
    #[must_use]
    pub fn expected(&self, reports: &[Report], report: &Report) -> Option<f64> {
        let margin = report.find_uncertainty(reports);
        if self.is_slack {
            return Some(report.clock.target.as_ref()?.value.known()? - margin? - self.takes);
        }
        if self.with_margin { Some(self.takes - margin?) } else { Some(self.takes) }
    }

    /// Whether another one has the same cause and says less: the slack of the same module, or the period of one that calls this
    /// one, directly or through others.
    #[must_use]
    pub fn implies(&self, calls: &ModuleCalls<'_>, one: &Missed<'_>) -> bool {
        if self.is_slack || self.span == one.span {
            return false;
        }
        if one.is_slack {
            return self.name == one.name;
        }
        // A loop may be a module of its own, and no list may say so.
        let is_loop =
            || self.name.strip_prefix(one.name).is_some_and(|rest| rest.starts_with("_Pipeline_"));
        self.name != one.name
            && self.text == one.text
            && (calls.has(one.name, self.name) || is_loop())
    }
}

/// The report's own period, then the modules' periods and frequencies; where none of them is missed, the least slack.
#[must_use]
pub fn find_missed<'a>(reports: &'a [Report], report: &'a Report) -> Vec<Missed<'a>> {
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
    let target = report.clock.target.as_ref().and_then(|target| target.value.known());
    let level = match target.or(report.counted_period) {
        _ if beyond => Level::Error,
        Some(target) => weigh_margin(-left, target),
        None => Level::Warning,
    };
    let text = format!("a slack of {} ns", significant(left, 4));
    Some(Missed { name, span, text, level, is_slack: true, with_margin: false, takes: left })
}

/// The share of the period below which what is missing with the uncertainty is slight: place and route differ by more.
const SLIGHT: f64 = 0.02;

/// How much it matters that so many nanoseconds are missing, with the uncertainty added.
fn weigh_margin(lacks: f64, target: f64) -> Level {
    if lacks < SLIGHT * target { Level::Note } else { Level::Warning }
}

/// The estimates that miss their target with the clock uncertainty added, where no report of the run prints a slack: that has it.
fn list_margins<'a>(reports: &[Report], report: &'a Report) -> Vec<Missed<'a>> {
    let folder = |one: &Report| one.place.as_ref().map(|place| place.folder().to_owned());
    // That of a loop in XML is the target without the uncertainty, whatever the module takes.
    let prints_slack = |one: &Report| one.modules.iter().any(|module| module.slack.is_some());
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
    let (span, level) = (estimated.span, weigh_margin(takes - target, target));
    Some(Missed { name, span, text, level, is_slack: false, with_margin: true, takes })
}

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
/// What routing reached of another copy of the module, with the same expectation and the same target: steps of one build are kept in
/// folders beside each other.
#[must_use]
pub fn find_twin_routed(
    reports: &[Report],
    all: &[(&Report, Missed<'_>)],
    (report, one): (&Report, &Missed<'_>),
) -> Option<RoutedPeriod> {
    let target = |report: &Report| report.clock.target.as_ref()?.value.known();
    let expected = one.expected(reports, report)?;
    all.iter().find_map(|(other, it)| {
        let is_twin = it.name == one.name
            && it.expected(reports, other) == Some(expected)
            && target(other) == target(report);
        is_twin.then(|| other.find_routed(reports)).flatten()
    })
}
