//! From a scenario to its figures.

use super::bandwidths::list_bandwidths;
use super::claimed::{claimed_parts, with_claimed};
use super::gap::{part_launches, sum_latency};
use super::grid::estimate_grid;
use super::part::estimate_part;
use super::peaks::list_peaks;
use super::rows::Roofs;
use super::sensitivity::rank_assumptions;
use super::synthesised::list_synthesised;
use super::totals::sum_totals;
use super::variants::list_variants;
use super::{
    Ceiling, ClaimKey, Estimate, LatencyRoofs, MissingPart, PartEstimate, ScenarioEstimate,
};
use crate::pass::Setting;
use crate::scenario::{Assumptions, ScenarioKind, Skipped, by_precision, ladder_steps};
use crate::{Analysis, EstimateError};
use derate_project::{ClaimedLatency, Schedule, TensorFormats};
use derate_units::figures::quantity;
use derate_units::{Bytes, Figure, Provenance};
use derate_workload::Part;
use derate_workload::classes::{LayerClass, classify_layers};

const SCHEMA: &str = "derate.estimate/1";

/// The ladder under every schedule, the claim's own kernels at each precision, and the grid.
pub fn estimate(analysis: &Analysis) -> Estimate {
    let (steps, mut skipped) = ladder_steps(analysis);
    let (scenarios, failed) = estimate_scenarios(analysis, &steps);
    skipped.extend(failed);
    let last = steps.last();
    Estimate {
        command: analysis.command("estimate", "--format json"),
        scenarios,
        variants: last.map(|s| list_variants(analysis, s)).unwrap_or_default(),
        sensitivity: last.map(|s| rank_assumptions(analysis, s)).unwrap_or_default(),
        by_precision: by_precision(analysis)
            .iter()
            .filter_map(|scenario| estimate_claimed(analysis, scenario).ok())
            .collect(),
        grid: estimate_grid(analysis),
        skipped,
        ..estimate_nothing(analysis)
    }
}

/// Every part under every schedule of each scenario, and the scenarios that cannot be estimated.
pub fn estimate_scenarios(
    analysis: &Analysis,
    steps: &[Assumptions],
) -> (Vec<ScenarioEstimate>, Vec<Skipped>) {
    let (mut scenarios, mut skipped) = (Vec::new(), Vec::new());
    for step in steps {
        match estimate_schedules(analysis, step) {
            Ok(estimates) => scenarios.extend(estimates),
            Err(error) => skipped.push(Skipped::new(step.kind, &error)),
        }
    }
    (scenarios, skipped)
}

/// All that does not depend on a scenario.
fn estimate_nothing(analysis: &Analysis) -> Estimate {
    let claimed_latency =
        analysis.project.claims.latency.as_ref().and_then(|claim| match claim.value {
            ClaimedLatency::Known(time) => Some(time),
            ClaimedLatency::Unknown => None,
        });
    Estimate {
        schema: SCHEMA,
        command: String::new(),
        workload: analysis.workload.name().to_owned(),
        platform: analysis.platform.name.clone(),
        batch: analysis.batch(),
        scenarios: Vec::new(),
        skipped: Vec::new(),
        variants: Vec::new(),
        sensitivity: Vec::new(),
        synthesised: list_synthesised(analysis),
        bandwidths: list_bandwidths(analysis),
        latency_roofs: claimed_latency.map(|_| LatencyRoofs::claimed(analysis)),
        claimed_latency,
        raw_bits: analysis.code.raw_bits(),
        missing_parts: analysis
            .workload
            .missing_parts()
            .into_iter()
            .map(|(part, error)| MissingPart { part, reason: error.to_string() })
            .collect(),
        by_precision: Vec::new(),
        grid: Vec::new(),
        peaks: list_peaks(analysis),
    }
}

impl Estimate {
    /// An estimate of one scenario alone.
    pub fn of_one(analysis: &Analysis, scenario: ScenarioEstimate) -> Self {
        Self {
            command: format!("{} --format json", scenario.command),
            scenarios: vec![scenario],
            ..estimate_nothing(analysis)
        }
    }
}

/// One scenario under its own schedule; the error says why it cannot be estimated.
pub fn estimate_one(
    analysis: &Analysis,
    scenario: &Assumptions,
) -> Result<ScenarioEstimate, EstimateError> {
    let parameters = scenario.parameters(analysis);
    let inference = analysis.workload.inference_parts(&parameters);
    let parts = if scenario.schedule == Schedule::Unfused {
        with_claimed(analysis, &parameters, inference)
    } else {
        inference
    };
    let formats = scenario.storage.formats(&analysis.shape);
    estimate_parts(analysis, scenario, &parts, &formats, scenario.schedule)
}

/// The claim's own kernels alone.
fn estimate_claimed(
    analysis: &Analysis,
    scenario: &Assumptions,
) -> Result<ScenarioEstimate, EstimateError> {
    let parts = claimed_parts(analysis, &scenario.parameters(analysis));
    let formats = scenario.storage.formats(&analysis.shape);
    estimate_parts(analysis, scenario, &parts, &formats, Schedule::Unfused)
}

/// One scenario under each schedule that differs, unfused first; the claim's own kernels are in the first alone.
fn estimate_schedules(
    analysis: &Analysis,
    scenario: &Assumptions,
) -> Result<Vec<ScenarioEstimate>, EstimateError> {
    let parameters = scenario.parameters(analysis);
    let inference = analysis.workload.inference_parts(&parameters);
    let all = with_claimed(analysis, &parameters, inference.clone());
    let formats = scenario.storage.formats(&analysis.shape);
    // Where no kernel is known to read what another writes, every schedule is the same.
    let differs = |schedule: &Schedule| {
        analysis.workload.is_whole() || [Schedule::Unfused, scenario.schedule].contains(schedule)
    };
    Schedule::ALL
        .into_iter()
        .filter(differs)
        .map(|schedule| {
            let parts = if schedule == Schedule::Unfused { &all } else { &inference };
            estimate_parts(analysis, scenario, parts, &formats, schedule)
        })
        .collect()
}

fn estimate_parts(
    analysis: &Analysis,
    scenario: &Assumptions,
    parts: &[Part],
    formats: &TensorFormats,
    schedule: Schedule,
) -> Result<ScenarioEstimate, EstimateError> {
    let held = |part: &Part| scenario.holds_weights(analysis, part);
    let classes = classify_layers(parts, formats, &held).map_err(EstimateError::UnknownFormat)?;
    // Roofs of what an inference never runs are not roofs of the scenario.
    let runs = |class: &LayerClass| parts[class.part].never_runs.is_none();
    let of_running = scenario.peaks_of(analysis, classes.iter().filter(|class| runs(class)));
    let all = scenario.peaks_of(analysis, &classes);
    let setting = scenario.setting(analysis, &all, schedule);
    let ceilings = if of_running.is_empty() { all.clone() } else { of_running };
    let roofs = Roofs {
        whole: analysis.workload.is_whole(),
        bandwidth: scenario.bandwidth.value,
        capacity: setting.capacity,
        peaks: &all,
        no_latency: explain_no_latency(scenario),
        provenance: scenario.provenance(analysis, &all),
    };
    let mut refused = Vec::new();
    let estimates: Vec<PartEstimate> = parts
        .iter()
        .enumerate()
        .map(|(index, part)| {
            let own: Vec<&LayerClass> = classes.iter().filter(|c| c.part == index).collect();
            estimate_part(part, &own, &roofs, &setting, part_launches(scenario, part), &mut refused)
        })
        .collect();
    let running: Vec<&PartEstimate> = estimates.iter().filter(|part| part.runs).collect();
    let mut totals = sum_totals(running.iter().map(|part| (&part.totals, 1)));
    let terms = running.iter().map(|part| part.latency);
    let latency = sum_latency(analysis, scenario, terms, &totals, roofs.provenance);
    totals.latency_seconds = latency.as_ref().map(|latency| latency.seconds);
    Ok(ScenarioEstimate {
        kind: scenario.kind,
        name: scenario.name(),
        change: scenario.change(),
        command: analysis.command("estimate", &scenario.arguments())
            + &schedule_option(analysis, scenario, schedule),
        schedule,
        chosen: schedule == analysis.project.design.schedule(),
        precision: scenario.storage.name(),
        tokens: scenario.tokens.clone(),
        bandwidth: scenario.bandwidth.clone(),
        on_chip: free_on_chip(analysis, scenario, &setting),
        peak_basis: scenario.peaks.source(),
        whole: analysis.workload.is_whole(),
        has_tokens: analysis.workload.assumes_tokens(),
        unclaimed: match scenario.kind {
            ScenarioKind::Claimed => list_unclaimed(analysis),
            _ => Vec::new(),
        },
        ceilings: ceilings
            .into_iter()
            .filter_map(|(precision, peak)| {
                let peak = peak.ok()?;
                let is_own_claim = scenario.peaks.is_own_claim(analysis, precision);
                let ridge = peak.rate.value / scenario.bandwidth.value;
                Some(Ceiling { peak, ridge, is_own_claim })
            })
            .collect(),
        totals,
        latency,
        refused,
        parts: estimates,
    })
}

/// On-chip memory for operands: what is left of it where weights are held there.
fn free_on_chip(analysis: &Analysis, scenario: &Assumptions, setting: &Setting) -> Figure<Bytes> {
    let chip = analysis.on_chip();
    let held = Bytes(chip.value.0 - setting.capacity);
    if held.0 <= 0.0 {
        return chip;
    }
    let weights = scenario.storage.name();
    let source = format!(
        "{} ({}), less {} of weights ({weights}) that [design] hold keeps",
        quantity(chip.value),
        chip.source,
        quantity(held)
    );
    let provenance = Provenance::of_inputs([chip.provenance]);
    Figure::new(Bytes(setting.capacity), provenance, source)
}

/// The option that a command needs for this schedule: without it, the design runs under its own, all else unfused.
fn schedule_option(analysis: &Analysis, scenario: &Assumptions, schedule: Schedule) -> String {
    let own = match scenario.array() {
        Some(_) => analysis.project.design.schedule(),
        None => Schedule::Unfused,
    };
    if schedule == own { String::new() } else { format!(" --schedule {}", schedule.name()) }
}

/// Why a scenario has no latency.
fn explain_no_latency(scenario: &Assumptions) -> &'static str {
    match scenario.array() {
        Some(_) => "",
        None => {
            "the latency is unknown: this scenario has no design: give rows and columns of its array under [design], and see scenario `design`; the roofline time, of the same schedule, is a lower bound of it"
        }
    }
}

/// The figures that scenario `claimed` needs and `derate.toml` does not claim.
fn list_unclaimed(analysis: &Analysis) -> Vec<ClaimKey> {
    let claims = &analysis.project.claims;
    [
        (ClaimKey::Precision, claims.precision.is_none()),
        (ClaimKey::Tokens, claims.sequence_length.is_none() && analysis.workload.assumes_tokens()),
        (ClaimKey::Bandwidth, claims.bandwidth.is_none()),
        (ClaimKey::Peak, claims.peak.is_empty()),
    ]
    .into_iter()
    .filter_map(|(key, is_missing)| is_missing.then_some(key))
    .collect()
}
