//! The design takes more of a resource than there is.
//!
//! ## What it does
//!
//! Reads what each module, or each kernel of a placed design, uses of BRAM, DSP, FF, LUT and URAM, and compares it with
//! what the part has, or takes the share that the report prints. Where the report prints no such count and is for the
//! platform's chip, the platform file's counts are used. It names each resource that is used more than there is, with the
//! module that uses most of it; a share of exactly 100 %, which may be rounded, is a note. A count that is not a number is
//! not judged. LUT and FF of HLS are estimates: 1.6 to 2.8 times the LUT and up to 1.3 times the FF that the same design
//! takes once it is placed (151 kernels of a public set). So FF up to 130 % are a warning, and LUT up to 196 %: 2.8 times the 70 %
//! of LUT up to which Vivado's own guideline (`report_failfast`) expects to place and route. Where Vivado's own
//! report of a kernel (`export_impl.xml`, `export_syn.xml`, of Vivado HLS `<top>_export.xml`) lies in the same solution, it is judged, and HLS' estimate is not.
//!
//! ## Why it matters
//!
//! Synthesis reports happily what no card can hold. Latency, bandwidth and peak of a design that cannot be placed are
//! figures of nothing.
//!
//! ## Example
//!
//! `9934 (246%)` under `BRAM` of `csynth.rpt`.
//!
//! ## How to fix
//!
//! Tile smaller, unroll less, keep fewer buffers on the chip, or build for a part that has so much.

use std::collections::BTreeSet;

use derate_hls::{ModuleCalls, Report, Resource, Span, UtilisationKind};
use serde::Serialize;

use super::implemented::is_superseded;
use super::repeats::{ReportFinding, drop_repeats, make_key};
use crate::AuditInput;
use crate::{Finding, Level};
use derate_machine::{PartName, Platform};
use derate_units::figures::{grouped, significant};

/// One resource that the part does not have enough of.
#[derive(Debug, Serialize)]
struct Excess<'a> {
    resource: &'a str,
    module: &'a str,
    used: Option<u64>,
    available: Option<u64>,
    percent: f64,
    /// Whether HLS estimates it.
    #[serde(skip)]
    estimated: bool,
    /// Whether it is what all kernels use together.
    #[serde(skip)]
    is_whole: bool,
    #[serde(skip)]
    span: Span,
}

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let judged = input.build.reports.iter().filter(|report| !is_superseded(input, report));
    let all: Vec<(&Report, Vec<Excess<'_>>)> =
        judged.map(|report| (report, find_fullest(input.platform, report))).collect();
    // What a module takes, its top takes, too.
    let is_of_top = |report: &Report, one: &Excess<'_>| {
        let mut tops = all.iter().filter(|(top, _)| top.has_beside(report, &input.build.reports));
        tops.any(|(_, excesses)| excesses.iter().any(|other| other.resource == one.resource))
    };
    // What a module takes is in what the one takes that calls it.
    let calls = ModuleCalls::of_reports(&input.build.reports, |name| name);
    let is_in = |inner: &Excess<'_>, outer: &Excess<'_>| {
        inner.resource == outer.resource
            && inner.module != outer.module
            && inner.percent <= outer.percent
            && calls.has(outer.module, inner.module)
    };
    let every = || all.iter().flat_map(|(_, excesses)| excesses);
    let own = all
        .iter()
        .flat_map(|(report, excesses)| excesses.iter().filter(move |one| !is_of_top(report, one)));
    let own: Vec<&Excess<'_>> = own.filter(|one| !every().any(|outer| is_in(one, outer))).collect();
    let found = own.iter().map(|one| {
        let inner: BTreeSet<String> = every()
            .filter(|inner| is_in(inner, one))
            .map(|inner| {
                format!("`{}` in it takes {} %", inner.module, significant(inner.percent, 4))
            })
            .collect();
        let mut found = report_excess(one, &list_shares(one, &own));
        found.finding = found.finding.with_notes(inner);
        found
    });
    drop_repeats(input, found)
}

/// `LUT 281.5 %, BRAM_18K 130.7 %`: what a module takes too much of, by one report and with one verdict, the worst first.
fn list_shares(excess: &Excess<'_>, all: &[&Excess<'_>]) -> String {
    let is_beside = |one: &&&Excess<'_>| {
        (one.module, one.span.file, one.judge())
            == (excess.module, excess.span.file, excess.judge())
    };
    let mut beside: Vec<&&Excess<'_>> = all.iter().filter(is_beside).collect();
    beside.sort_by(|a, b| b.percent.total_cmp(&a.percent));
    let shares =
        beside.iter().map(|one| format!("{} {} %", one.resource, significant(one.percent, 4)));
    shares.collect::<Vec<_>>().join(", ")
}

/// Blocks of one kind on the platform's chip, as synthesis counts them; nothing where the report is of another chip.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bounded on both sides")]
fn count_on_chip(platform: &Platform, report: &Report, resource: &str) -> Option<u64> {
    // Package and speed grade do not change what is on the chip.
    let part = report.part.as_ref().and_then(|part| PartName::parse(&part.value))?;
    if platform.part_name()?.device() != part.device() {
        return None;
    }
    let of = &platform.resources;
    let count = match resource {
        "DSP" => Some(platform.dsp.value),
        // Synthesis counts halves of 18 Kb.
        "BRAM_18K" => of.bram36.as_ref().map(|blocks| blocks.value * 2.0),
        "FF" => of.ff.as_ref().map(|blocks| blocks.value),
        "LUT" => of.lut.as_ref().map(|blocks| blocks.value),
        "URAM" => of.uram.as_ref().map(|blocks| blocks.value),
        _ => None,
    };
    count.filter(|count| (1.0..1e12).contains(count)).map(|count| count as u64)
}

/// The share, in percent, up to which an estimate of HLS may fit once it is placed: the largest excess that was seen, and for LUT
/// the 70 % that a part can be filled to after `report_failfast`.
fn shrunk_share(resource: &str) -> f64 {
    match resource {
        "LUT" => 196.0,
        "FF" => 130.0,
        _ => 0.0,
    }
}

impl Excess<'_> {
    fn judge(&self) -> (Level, &'static str) {
        let over = self.percent > 100.0;
        match (over, self.estimated && self.percent <= shrunk_share(self.resource)) {
            (true, false) => (Level::Error, "does not fit"),
            (true, true) => (Level::Warning, "may not fit"),
            (false, _) => (Level::Note, "is at the limit of what there is"),
        }
    }
}

fn report_excess(excess: &Excess<'_>, shares: &str) -> ReportFinding {
    let Excess { resource, module, used, available, percent, is_whole, span, .. } = *excess;
    let name = if is_whole { "the design".to_owned() } else { format!("`{module}`") };
    let over = percent > 100.0;
    let share = significant(percent, 4);
    let number = used.map_or_else(|| "an unknown number".to_owned(), |n| grouped(n as f64));
    let text = match available {
        Some(available) => format!("{number} of {} {resource}", grouped(available as f64)),
        None => format!("{number} {resource}: {share} % of what there is"),
    };
    let rounded = "the report prints a rounded share and no count of what there is: it may be \
                   more than all";
    let (level, verdict) = excess.judge();
    let estimate = "an estimate of HLS; place and route usually takes fewer";
    let finding = Finding::new("report/utilisation", level, format!("{module}: {resource}"))
        .by_file()
        .with_message(format!("{name} {verdict}: {shares}"))
        .with_label(span, text)
        .with_notes((!over && available.is_none()).then_some(rounded))
        .with_notes((level == Level::Warning).then_some(estimate))
        .with_help(
            "tile smaller, unroll less, keep fewer buffers on the chip, or choose a larger part",
        )
        .with_evidence(excess);
    // Two forms of one synthesis may differ in a few units, and one of them prints whole percents.
    let key = make_key(&[module, resource, &percent.floor().to_string()]);
    ReportFinding { key, instance: None, weight: usize::from(available.is_some()), finding }
}

/// For each resource that is fully used or more, the row that uses most of it.
fn find_fullest<'a>(platform: Option<&Platform>, report: &'a Report) -> Vec<Excess<'a>> {
    let modules =
        report.modules.iter().map(|module| (module.name.value.as_str(), &module.resources));
    let kernels = report
        .utilisation
        .iter()
        .filter(|row| !matches!(row.kind, UtilisationKind::Budget | UtilisationKind::Unused));
    // A placed design counts other blocks, and its report prints the budget. A kernel that takes all of it is named.
    let mut kernels: Vec<_> = kernels.collect();
    kernels.sort_by_key(|row| row.kind == UtilisationKind::Used);
    let kernels = kernels.into_iter().map(|row| {
        (row.name.value.as_str(), &row.resources, Some(row.kind == UtilisationKind::Used))
    });
    let rows = modules.map(|(name, resources)| (name, resources, None)).chain(kernels);
    let mut worst: Vec<Excess<'_>> = Vec::new();
    for (module, resources, placed) in rows {
        let synthesised = placed.is_none();
        for (resource, amount) in resources {
            let chip = platform.filter(|_| synthesised);
            let chip = chip.and_then(|platform| count_on_chip(platform, report, resource));
            let found = find_excess(module, resource, amount, chip);
            let Some(excess) = found.map(|one| Excess {
                estimated: synthesised,
                is_whole: placed == Some(true),
                ..one
            }) else {
                continue;
            };
            match worst.iter_mut().find(|other| other.resource == excess.resource) {
                Some(other) if other.percent < excess.percent => *other = excess,
                Some(_) => {}
                None => worst.push(excess),
            }
        }
    }
    worst
}

fn find_excess<'a>(
    module: &'a str,
    resource: &'a str,
    amount: &Resource,
    chip: Option<u64>,
) -> Option<Excess<'a>> {
    let used = amount.used.value.known();
    let printed = amount.available.as_ref().and_then(|available| available.value.known());
    let available = printed.or(chip.filter(|_| amount.available.is_none()));
    let percent = match (used, available) {
        (Some(used), Some(available)) if available > 0 => {
            // The printed share is rounded.
            used as f64 / available as f64 * 100.0
        }
        (Some(used), Some(_)) if used > 0 => return None,
        _ => {
            let share = amount.share.as_ref()?.value.trim_start_matches('~');
            share.trim_end_matches('%').trim().parse::<f64>().ok()?
        }
    };
    let span = amount.used.span;
    (percent.is_finite() && percent >= 100.0).then_some(Excess {
        resource,
        module,
        used,
        available,
        percent,
        estimated: false,
        is_whole: false,
        span,
    })
}
