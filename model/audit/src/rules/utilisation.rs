//! The design takes more of a resource than there is.
//!
//! ## What it does
//!
//! Reads what each module, or each kernel of a placed design, uses of BRAM, DSP, FF, LUT and URAM, and compares it with
//! what the part has, or takes the share that the report prints. Where the report prints no such count and is for the
//! platform's chip, the platform file's counts are used. It names each resource that is used more than there is, with the
//! module that uses most of it; a share of exactly 100 %, which may be rounded, is a note. A count that is not a number is
//! not judged.
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

use derate_hls::{Report, Resource, UtilisationKind};
use serde::Serialize;
use serde_json::json;

use super::occurrences::{Occurrence, file_of, first_labels, top_name};
use super::repeats::{ReportFinding, drop_repeats, make_key};
use crate::{Finding, Label, Level};
use derate_estimate::Analysis;
use derate_machine::Platform;
use derate_units::figures::{grouped, significant};

/// One resource that the part does not have enough of.
#[derive(Clone, Debug, Serialize)]
struct Excess {
    resource: String,
    module: String,
    used: Option<u64>,
    available: Option<u64>,
    percent: f64,
}

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    let reports = &analysis.build.reports;
    let over = |one: &Excess| one.percent > 100.0;
    let all = |report| find_fullest(analysis, report).into_iter();
    let mut found = drop_repeats(reports.iter().filter_map(|report| {
        make_finding(analysis, report, all(report).filter(|(one, _)| over(one)).unzip())
    }));
    found.extend(drop_repeats(reports.iter().filter_map(|report| {
        make_finding(analysis, report, all(report).filter(|(one, _)| !over(one)).unzip())
    })));
    found
}

/// Blocks of one kind on the platform's chip, as synthesis counts them; nothing where the report is of another chip.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bounded on both sides")]
fn count_on_chip(platform: &Platform, report: &Report, resource: &str) -> Option<u64> {
    // Package and speed grade do not change what is on the chip.
    let chip = |part: &str| part.split('-').next().map(str::to_ascii_lowercase);
    let part = report.part.as_ref().and_then(|part| chip(&part.value))?;
    if platform.part.as_ref().and_then(|part| chip(&part.value))? != part {
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

/// A finding on resources that are all over the limit, or all at it.
fn make_finding(
    analysis: &Analysis,
    report: &Report,
    (excesses, cases): (Vec<Excess>, Vec<Occurrence>),
) -> Option<ReportFinding> {
    let first = excesses.first()?;
    let over = first.percent > 100.0;
    let rounded = !over && excesses.iter().any(|one| one.available.is_none());
    let file = file_of(&analysis.sources, &cases);
    let mut all = excesses.clone();
    all.sort_by(|a, b| b.percent.total_cmp(&a.percent).then_with(|| a.resource.cmp(&b.resource)));
    let shares: Vec<String> = all
        .iter()
        .map(|excess| format!("{} {} %", excess.resource, significant(excess.percent, 4)))
        .collect();
    let keys = excesses
        .iter()
        .map(|one| {
            let used = one.used.map_or_else(|| one.percent.to_string(), |used| used.to_string());
            make_key(&[&one.module, &one.resource, &used])
        })
        .collect();
    let finding = Finding::new(
        "report/utilisation",
        if over { Level::Error } else { Level::Note },
        file.clone(),
    )
    .with_message(format!(
        "`{}` {}: {}",
        if excesses.len() == 1 { &first.module } else { top_name(report) },
        if over { "does not fit" } else { "is at the limit of what there is" },
        shares.join(", ")
    ))
    .with_labels(first_labels(&cases))
    .with_notes(if rounded {
        vec![
            "the report prints a rounded share and no count of what there is: it may be \
                  more than all"
                .to_owned(),
        ]
    } else {
        Vec::new()
    })
    .with_help(
        "tile smaller, unroll less, keep fewer buffers on the chip, or choose a \
                    larger part",
    )
    .with_evidence(json!({ "file": file, "resources": all }));
    Some(ReportFinding { keys, weight: usize::from(first.available.is_some()), finding })
}

/// For each resource that is fully used or more, the row that uses most of it.
fn find_fullest(analysis: &Analysis, report: &Report) -> Vec<(Excess, Occurrence)> {
    let modules =
        report.modules.iter().map(|module| (module.name.value.as_str(), &module.resources, true));
    let kernels = report
        .utilisation
        .iter()
        .filter(|row| !matches!(row.kind, UtilisationKind::Budget | UtilisationKind::Unused));
    // A placed design counts other blocks, and its report prints the budget.
    let rows = modules.chain(kernels.map(|row| (row.name.value.as_str(), &row.resources, false)));
    let mut worst: Vec<(Excess, Occurrence)> = Vec::new();
    for (module, resources, synthesised) in rows {
        for (resource, amount) in resources {
            let chip =
                synthesised.then(|| count_on_chip(&analysis.platform, report, resource)).flatten();
            let Some((excess, case)) = find_excess(module, resource, amount, chip) else {
                continue;
            };
            match worst.iter_mut().find(|(other, _)| other.resource == excess.resource) {
                Some(other) if other.0.percent < excess.percent => *other = (excess, case),
                Some(_) => {}
                None => worst.push((excess, case)),
            }
        }
    }
    worst
}

fn find_excess(
    module: &str,
    resource: &str,
    amount: &Resource,
    chip: Option<u64>,
) -> Option<(Excess, Occurrence)> {
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
    if !percent.is_finite() || percent < 100.0 {
        return None;
    }
    let amount_of = used.map_or_else(|| "an unknown number".to_owned(), |n| grouped(n as f64));
    let text = match available {
        Some(available) => format!("{amount_of} of {} {resource}", grouped(available as f64)),
        None => format!("{amount_of} {resource}: {} % of what there is", significant(percent, 4)),
    };
    let case = Occurrence::new(module, Label::new(amount.used.span, text));
    let (resource, module) = (resource.to_owned(), module.to_owned());
    Some((Excess { resource, module, used, available, percent }, case))
}
