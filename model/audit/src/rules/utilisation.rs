//! The design takes more of a resource than there is.
//!
//! ## What it does
//!
//! Reads what each module, or each kernel of a placed design, uses of BRAM, DSP, FF, LUT and URAM, and compares it with
//! what the part has, or takes the share that the report prints. Where the report prints no count of what there is and is
//! for the platform's chip, the platform file's counts stand in. It names each resource of which more is used than there
//! is, with the module that uses most of it; a share of exactly 100 %, which may be rounded, is a note. A count that is no number is neither too much nor little enough.
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

use super::cases::{Case, file, labels, top};
use super::evidence;
use super::repeats::{Said, key, once};
use crate::{Finding, Label, Level};
use derate_estimate::Analysis;
use derate_machine::Platform;
use derate_units::figures::{grouped, significant};

/// What the finding stands on.
#[derive(Debug, Serialize)]
struct Overfull {
    file: String,
    resources: Vec<Excess>,
}

/// One resource of which there is not enough.
#[derive(Clone, Debug, Serialize)]
struct Excess {
    resource: String,
    module: String,
    used: Option<u64>,
    available: Option<u64>,
    percent: f64,
}

/// See the module's page.
pub(super) fn check(analysis: &Analysis) -> Vec<Finding> {
    let reports = &analysis.build.reports;
    let over = |one: &Excess| one.percent > 100.0;
    let all = |report| fullest(analysis, report).into_iter();
    let mut found = once(reports.iter().filter_map(|report| {
        finding(analysis, report, all(report).filter(|(one, _)| over(one)).unzip())
    }));
    found.extend(once(reports.iter().filter_map(|report| {
        finding(analysis, report, all(report).filter(|(one, _)| !over(one)).unzip())
    })));
    found
}

/// Blocks of one kind on the platform's chip, as synthesis counts them; nothing where the report is of another chip.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bounded on both sides")]
fn on_chip(platform: &Platform, report: &Report, resource: &str) -> Option<u64> {
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

/// A finding on resources all of which are too much, or all at the limit.
fn finding(
    analysis: &Analysis,
    report: &Report,
    (excesses, cases): (Vec<Excess>, Vec<Case>),
) -> Option<Said> {
    let first = excesses.first()?;
    let over = first.percent > 100.0;
    let rounded = !over && excesses.iter().any(|one| one.available.is_none());
    let file = file(&analysis.sources, &cases);
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
            key(&[&one.module, &one.resource, &used])
        })
        .collect();
    let finding = Finding {
        code: "report/utilisation",
        level: if over { Level::Error } else { Level::Note },
        subject: file.clone(),
        message: format!(
            "`{}` {}: {}",
            if excesses.len() == 1 { &first.module } else { top(report) },
            if over { "does not fit" } else { "is at the limit of what there is" },
            shares.join(", ")
        ),
        labels: labels(&cases),
        notes: if rounded {
            vec!["the report prints a rounded share and no count of what there is: it may be more than all".to_owned()]
        } else {
            Vec::new()
        },
        help: "tile smaller, unroll less, keep fewer buffers on the chip, or choose a larger part"
            .to_owned(),
        evidence: evidence(&Overfull { file, resources: all }),
        fixes: Vec::new(),
    };
    Some(Said { keys, weight: usize::from(first.available.is_some()), finding })
}

/// Of each resource of which all there is or more is used, the row that uses most.
fn fullest(analysis: &Analysis, report: &Report) -> Vec<(Excess, Case)> {
    let modules =
        report.modules.iter().map(|module| (module.name.value.as_str(), &module.resources, true));
    let kernels = report
        .utilisation
        .iter()
        .filter(|row| !matches!(row.kind, UtilisationKind::Budget | UtilisationKind::Unused));
    // What is placed is counted in other blocks, and stands beside the budget that it has.
    let rows = modules.chain(kernels.map(|row| (row.name.value.as_str(), &row.resources, false)));
    let mut worst: Vec<(Excess, Case)> = Vec::new();
    for (module, resources, synthesised) in rows {
        for (resource, amount) in resources {
            let chip = synthesised.then(|| on_chip(&analysis.platform, report, resource)).flatten();
            let Some((excess, case)) = excess(module, resource, amount, chip) else { continue };
            match worst.iter_mut().find(|(other, _)| other.resource == excess.resource) {
                Some(other) if other.0.percent < excess.percent => *other = (excess, case),
                Some(_) => {}
                None => worst.push((excess, case)),
            }
        }
    }
    worst
}

fn excess(
    module: &str,
    resource: &str,
    amount: &Resource,
    chip: Option<u64>,
) -> Option<(Excess, Case)> {
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
    let case = Case::new(module, Label::new(amount.used.span, text));
    let (resource, module) = (resource.to_owned(), module.to_owned());
    Some((Excess { resource, module, used, available, percent }, case))
}
