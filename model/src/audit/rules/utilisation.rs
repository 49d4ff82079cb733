//! The design takes more of a resource than there is.
//!
//! ## What it does
//!
//! Reads what each module, or each kernel of a placed design, uses of BRAM, DSP, FF, LUT and URAM, and compares it with
//! what the part has, or takes the share that the report prints. It names each resource of which more is used than
//! there is, with the module that uses most of it. A count that is no number is neither too much nor little enough.
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
use crate::Analysis;
use crate::audit::{Finding, Label, Level};
use crate::figures::{grouped, significant};

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
    once(analysis.build.reports.iter().filter_map(|report| finding(analysis, report)))
}

fn finding(analysis: &Analysis, report: &Report) -> Option<Said> {
    let (excesses, cases): (Vec<Excess>, Vec<Case>) = overfull(report).into_iter().unzip();
    let first = excesses.first()?;
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
        level: Level::Error,
        subject: file.clone(),
        message: format!(
            "`{}` does not fit: {}",
            if excesses.len() == 1 { &first.module } else { top(report) },
            shares.join(", ")
        ),
        labels: labels(&cases),
        notes: Vec::new(),
        help: "tile smaller, unroll less, keep fewer buffers on the chip, or choose a larger part"
            .to_owned(),
        evidence: evidence(&Overfull { file, resources: all }),
        fixes: Vec::new(),
    };
    Some(Said { keys, weight: usize::from(first.available.is_some()), finding })
}

/// Of each resource of which more is used than there is, the row that uses most.
fn overfull(report: &Report) -> Vec<(Excess, Case)> {
    let modules =
        report.modules.iter().map(|module| (module.name.value.as_str(), &module.resources));
    let kernels = report
        .utilisation
        .iter()
        .filter(|row| !matches!(row.kind, UtilisationKind::Budget | UtilisationKind::Unused));
    let rows = modules.chain(kernels.map(|row| (row.name.value.as_str(), &row.resources)));
    let mut worst: Vec<(Excess, Case)> = Vec::new();
    for (module, resources) in rows {
        for (resource, amount) in resources {
            let Some((excess, case)) = excess(module, resource, amount) else { continue };
            match worst.iter_mut().find(|(other, _)| other.resource == excess.resource) {
                Some(other) if other.0.percent < excess.percent => *other = (excess, case),
                Some(_) => {}
                None => worst.push((excess, case)),
            }
        }
    }
    worst
}

fn excess(module: &str, resource: &str, amount: &Resource) -> Option<(Excess, Case)> {
    let used = amount.used.value.known();
    let available = amount.available.as_ref().and_then(|available| available.value.known());
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
    if !percent.is_finite() || percent <= 100.0 {
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
