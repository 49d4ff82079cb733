//! The design takes more of a resource than there is.
//!
//! ## What it does
//!
//! Reads what each module, or each kernel of a placed design, uses of BRAM, DSP, FF, LUT and URAM, and compares it with
//! what the part has, or takes the share that the report prints. Where the report prints no such count and is for the
//! platform's chip, the platform file's counts are used. It names each resource that is used more than there is, with the
//! module that uses most of it; all of one report and module are one finding, as grave as the gravest. Where the report lists instances, memories and FIFOs,
//! the notes name the largest, and the help begins with the first. It speaks of unrolling only where the code unrolls or is not known; a share of exactly 100 %, which may be rounded, is a note. A count that is not a number is
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
//! Begin with the largest part that the notes name. Tile smaller, unroll less, keep fewer buffers on the chip, or build for a part that has so much.

use std::collections::BTreeSet;

use derate_hls::{
    BiggestPart, ModuleCalls, PartSort, Report, Resource, Span, UtilisationKind, list_biggest_parts,
};
use serde::Serialize;

use super::implemented::is_superseded;
use super::repeats::{ReportFinding, drop_repeats, make_key};
use crate::AuditInput;
use crate::{Finding, Label, Level};
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
    let found = own.iter().filter(|one| is_worst(one, &own)).map(|one| {
        let inner: Vec<&Excess<'_>> = every().filter(|inner| is_in(inner, one)).collect();
        let mut found = report_excess(input, one, &list_beside(one, &own), &inner);
        let inner: BTreeSet<String> = inner
            .into_iter()
            .map(|inner| {
                format!("`{}` in it takes {} %", inner.module, significant(inner.percent, 4))
            })
            .collect();
        found.finding = found.finding.with_notes(inner);
        found
    });
    drop_repeats(input, found)
}

/// What a module takes too much of by one report, the gravest first, of equals the largest share. What is exactly all that there
/// is counts alone.
fn list_beside<'e>(excess: &'e Excess<'e>, all: &[&'e Excess<'e>]) -> Vec<&'e Excess<'e>> {
    let is_beside = |one: &&&Excess<'_>| {
        let place = |one: &Excess<'_>| (one.module.to_owned(), one.span.file, one.percent > 100.0);
        std::ptr::eq(**one, excess) || excess.percent > 100.0 && place(one) == place(excess)
    };
    let mut beside: Vec<&Excess<'_>> = all.iter().filter(is_beside).copied().collect();
    beside.sort_by(|a, b| a.judge().0.cmp(&b.judge().0).then(b.percent.total_cmp(&a.percent)));
    beside
}

/// Whether the others beside it are as grave at most: all are one finding.
fn is_worst(excess: &Excess<'_>, all: &[&Excess<'_>]) -> bool {
    list_beside(excess, all).first().is_some_and(|first| std::ptr::eq(*first, excess))
}

/// `does not fit: LUT 281.5 %, BRAM_18K 130.7 %; may not fit: FF 124.5 %`.
fn say_shares(beside: &[&Excess<'_>]) -> String {
    let groups = beside.chunk_by(|a, b| a.judge().1 == b.judge().1);
    let said = groups.filter_map(|group| {
        let share =
            |one: &&Excess<'_>| format!("{} {} %", one.resource, significant(one.percent, 4));
        let shares: Vec<String> = group.iter().map(share).collect();
        Some(format!("{}: {}", group.first()?.judge().1, shares.join(", ")))
    });
    said.collect::<Vec<_>>().join("; ")
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

/// `2,340 of 2,200 DSP`.
fn say_count(excess: &Excess<'_>) -> String {
    let Excess { resource, used, available, percent, .. } = *excess;
    let number = used.map_or_else(|| "an unknown number".to_owned(), |n| grouped(n as f64));
    match available {
        Some(available) => format!("{number} of {} {resource}", grouped(available as f64)),
        None => format!("{number} {resource}: {} % of what there is", significant(percent, 4)),
    }
}

fn report_excess(
    input: &AuditInput<'_>,
    excess: &Excess<'_>,
    beside: &[&Excess<'_>],
    inner: &[&Excess<'_>],
) -> ReportFinding {
    let Excess { resource, module, used, available, percent, is_whole, span, .. } = *excess;
    let name = if is_whole { "the design".to_owned() } else { format!("`{module}`") };
    let over = percent > 100.0;
    let rounded = "the report prints a rounded share and no count of what there is: it may be \
                   more than all";
    let (level, _) = excess.judge();
    let estimate = "an estimate of HLS; place and route usually takes fewer";
    let file = input.sources.name(span.file);
    let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    let reports = &input.build.reports;
    let parts = used.map(|used| list_biggest_parts(reports, folder, [module, resource], used));
    let parts = parts.unwrap_or_default();
    let is_new = |part: &&BiggestPart| !inner.iter().any(|one| one.module == part.name);
    let largest = parts
        .iter()
        .filter(is_new)
        .map(|part| format!("{} takes {} {resource}", part.describe(), grouped(part.used as f64)));
    let others = beside.iter().filter(|one| !std::ptr::eq(**one, excess));
    let finding = Finding::new("report/utilisation", level, format!("{module}: {resource}"))
        .by_file()
        .with_message(format!("{name} {}", say_shares(beside)))
        .with_label(span, say_count(excess))
        .with_labels(others.map(|one| Label::new(one.span, say_count(one))))
        .with_notes((!over && available.is_none()).then_some(rounded))
        .with_notes((level == Level::Warning).then_some(estimate))
        .with_notes(largest)
        .with_help(help_excess(input, &parts, resource))
        .with_evidence(excess);
    // Two forms of one synthesis may differ in a few units, and one of them prints whole percents.
    let key = make_key(&[module, resource, &percent.floor().to_string()]);
    ReportFinding { key, instance: None, weight: usize::from(available.is_some()), finding }
}

/// What to look at first, and what helps: only what the design has can be taken back.
fn help_excess(input: &AuditInput<'_>, parts: &[BiggestPart], resource: &str) -> String {
    let unroll = if input.find_speeding().may_unroll() { "unroll less, " } else { "" };
    let general =
        format!("tile smaller, {unroll}keep fewer buffers on the chip, or choose a larger part");
    let Some(first) = parts.first() else { return general };
    let own = match first.sort {
        PartSort::Memory => "give it fewer or narrower elements, or keep it in external memory",
        PartSort::Rest if first.name == "FIFO" => "use fewer or shallower streams",
        PartSort::Instance if resource == "DSP" && is_double(&first.name) => {
            "compute it in `float` or fixed point, or take the values from a table"
        }
        _ => return format!("begin with {}; {general}", first.describe()),
    };
    format!("begin with {}: {own}; or choose a larger part", first.describe())
}

/// Whether an operator of the tool computes in double precision.
fn is_double(module: &str) -> bool {
    module.contains("_double")
        || ["_dadd", "_dsub", "_dmul", "_ddiv"].iter().any(|it| module.contains(it))
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
