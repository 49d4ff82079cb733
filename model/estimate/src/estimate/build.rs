//! From a scenario to its figures.

use super::gap::{latency, part_launches};
use super::part::part_estimate;
use super::peaks::peak_rows;
use super::rows::Roofs;
use super::totals::sum;
use super::{
    Ceiling, Estimate, LatencyRoofs, MissingPart, PartEstimate, ScenarioEstimate, Skipped,
    bandwidths, grid, sensitivity, synthesised, variants,
};
use crate::Analysis;
use crate::pass::Setting;
use crate::scenario::{PeakBasis, Scenario, by_precision, ladder};
use crate::setting::{held, parameters, peaks, provenance, setting};
use derate_project::{ClaimedLatency, Schedule, TensorFormats};
use derate_units::figures::quantity;
use derate_units::{Bytes, Figure, Provenance};
use derate_workload::classes::{LayerClass, classify_layers};
use derate_workload::{InferenceParameters, Part};

const SCHEMA: &str = "derate.estimate/1";

/// The ladder under every schedule, the claim's own kernels at each precision, and the grid.
pub fn estimate(analysis: &Analysis) -> Estimate {
    let (steps, left_out) = ladder(analysis);
    let (scenarios, mut skipped) = scenarios(analysis, &steps);
    skipped
        .splice(0..0, left_out.into_iter().map(|(scenario, reason)| Skipped { scenario, reason }));
    let last = steps.last();
    Estimate {
        command: analysis.command("estimate", "--format json"),
        scenarios,
        variants: last.map(|s| variants::variants(analysis, s)).unwrap_or_default(),
        sensitivity: last.map(|s| sensitivity::sensitivity(analysis, s)).unwrap_or_default(),
        by_precision: by_precision(analysis)
            .iter()
            .filter_map(|scenario| claimed_kernels(analysis, scenario).ok())
            .collect(),
        grid: grid::grid(analysis),
        skipped,
        ..empty(analysis)
    }
}

/// Every part under every schedule of each scenario; what cannot be had stands apart.
pub fn scenarios(analysis: &Analysis, steps: &[Scenario]) -> (Vec<ScenarioEstimate>, Vec<Skipped>) {
    let (mut scenarios, mut skipped) = (Vec::new(), Vec::new());
    for step in steps {
        match under_every_schedule(analysis, step) {
            Ok(estimates) => scenarios.extend(estimates),
            Err(reason) => skipped.push(Skipped { scenario: step.name.clone(), reason }),
        }
    }
    (scenarios, skipped)
}

/// All that does not depend on a scenario.
fn empty(analysis: &Analysis) -> Estimate {
    let claimed_latency =
        analysis.project.claims.latency.as_ref().and_then(|claim| match claim.value {
            ClaimedLatency::Known(time) => Some(time),
            ClaimedLatency::Unknown => None,
        });
    Estimate {
        schema: SCHEMA,
        command: String::new(),
        workload: analysis.workload.name(),
        platform: analysis.platform.name.clone(),
        batch: analysis.batch(),
        scenarios: Vec::new(),
        skipped: Vec::new(),
        variants: Vec::new(),
        sensitivity: Vec::new(),
        synthesised: synthesised::synthesised(analysis),
        bandwidths: bandwidths::bandwidths(analysis),
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
        peaks: peak_rows(analysis),
    }
}

impl Estimate {
    /// An estimate of one scenario alone.
    pub fn of_one(analysis: &Analysis, scenario: ScenarioEstimate) -> Self {
        Self {
            command: format!("{} --format json", scenario.command),
            scenarios: vec![scenario],
            ..empty(analysis)
        }
    }
}

/// One scenario under its own schedule; the error says why it cannot be had.
pub fn estimate_one(analysis: &Analysis, scenario: &Scenario) -> Result<ScenarioEstimate, String> {
    let parameters = parameters(analysis, scenario);
    let inference = analysis.workload.inference_parts(&parameters);
    let parts = if scenario.schedule == Schedule::Unfused {
        with_claimed(analysis, &parameters, inference)
    } else {
        inference
    };
    of_parts(
        analysis,
        scenario,
        &parts,
        &scenario.storage.formats(&analysis.shape),
        scenario.schedule,
    )
}

/// The claim's own kernels, then what an inference runs.
fn with_claimed(
    analysis: &Analysis,
    parameters: &InferenceParameters,
    inference: Vec<Part>,
) -> Vec<Part> {
    let mut parts = analysis.workload.as_claimed(parameters);
    parts.extend(inference);
    parts
}

/// The claim's own kernels alone.
fn claimed_kernels(analysis: &Analysis, scenario: &Scenario) -> Result<ScenarioEstimate, String> {
    let parts = claims_parts(analysis, &parameters(analysis, scenario));
    of_parts(
        analysis,
        scenario,
        &parts,
        &scenario.storage.formats(&analysis.shape),
        Schedule::Unfused,
    )
}

/// The parts that the claim models; where it models none of its own, those that run.
pub(super) fn claims_parts(analysis: &Analysis, parameters: &InferenceParameters) -> Vec<Part> {
    let parts = analysis.workload.as_claimed(parameters);
    if parts.is_empty() { analysis.workload.inference_parts(parameters) } else { parts }
}

/// One scenario under each schedule that differs, unfused first; the claim's own kernels stand in the first alone.
fn under_every_schedule(
    analysis: &Analysis,
    scenario: &Scenario,
) -> Result<Vec<ScenarioEstimate>, String> {
    let parameters = parameters(analysis, scenario);
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
            of_parts(analysis, scenario, parts, &formats, schedule)
        })
        .collect()
}

fn of_parts(
    analysis: &Analysis,
    scenario: &Scenario,
    parts: &[Part],
    formats: &TensorFormats,
    schedule: Schedule,
) -> Result<ScenarioEstimate, String> {
    let held = held(analysis, scenario);
    let classes = classify_layers(parts, formats, &held)?;
    // Roofs of what an inference never runs are no roofs of the scenario.
    let runs = |class: &LayerClass| parts[class.part].never_runs.is_none();
    let of_running = peaks(analysis, scenario, classes.iter().filter(|class| runs(class)));
    let all = peaks(analysis, scenario, &classes);
    let setting = setting(analysis, scenario, &all, schedule);
    let ceilings = if of_running.is_empty() { all.clone() } else { of_running };
    let roofs = Roofs {
        whole: analysis.workload.is_whole(),
        bandwidth: scenario.bandwidth.value,
        capacity: setting.capacity,
        peaks: &all,
        no_latency: no_latency(scenario),
        provenance: provenance(analysis, scenario, &all),
    };
    let mut refused = Vec::new();
    let estimates: Vec<PartEstimate> = parts
        .iter()
        .enumerate()
        .map(|(index, part)| {
            let own: Vec<&LayerClass> = classes.iter().filter(|c| c.part == index).collect();
            part_estimate(part, &own, &roofs, &setting, part_launches(scenario, part), &mut refused)
        })
        .collect();
    let running: Vec<&PartEstimate> = estimates.iter().filter(|part| part.runs).collect();
    let mut totals = sum(running.iter().map(|part| (&part.totals, 1)));
    let latency = latency(analysis, scenario, &running, &totals, roofs.provenance);
    totals.latency_seconds = latency.as_ref().map(|latency| latency.seconds);
    Ok(ScenarioEstimate {
        name: scenario.name.clone(),
        change: scenario.change.clone(),
        command: analysis.command("estimate", &scenario.arguments)
            + &schedule_option(analysis, scenario, schedule),
        schedule: schedule.name(),
        chosen: schedule == analysis.project.design.schedule(),
        precision: scenario.storage.name(),
        tokens: scenario.tokens.clone(),
        bandwidth: scenario.bandwidth.clone(),
        on_chip: on_chip(analysis, scenario, &setting),
        peak_basis: scenario.peaks.name(),
        whole: analysis.workload.is_whole(),
        unclaimed: if scenario.name == "claimed" { unclaimed(analysis) } else { Vec::new() },
        ceilings: ceilings
            .into_iter()
            .filter_map(|(_, peak)| {
                let peak = peak.ok()?;
                Some(Ceiling { ridge: peak.rate.value / scenario.bandwidth.value, peak })
            })
            .collect(),
        totals,
        latency,
        refused,
        parts: estimates,
    })
}

/// On-chip memory for operands: what is left of it where weights are held there.
fn on_chip(analysis: &Analysis, scenario: &Scenario, setting: &Setting) -> Figure<Bytes> {
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
fn schedule_option(analysis: &Analysis, scenario: &Scenario, schedule: Schedule) -> String {
    let own = match scenario.peaks {
        PeakBasis::Array(_) => analysis.project.design.schedule(),
        _ => Schedule::Unfused,
    };
    if schedule == own { String::new() } else { format!(" --schedule {}", schedule.name()) }
}

/// Why a scenario has no latency.
fn no_latency(scenario: &Scenario) -> &'static str {
    match scenario.peaks {
        PeakBasis::Array(_) => "",
        _ => {
            "the latency is unknown: no design stands behind this scenario: give rows and columns of its array under [design], and see scenario `design`; the roofline time, of the same schedule, is a lower bound of it"
        }
    }
}

/// What `derate.toml` claims nothing of, though the claimed scenario needs it.
fn unclaimed(analysis: &Analysis) -> Vec<&'static str> {
    let claims = &analysis.project.claims;
    [
        ("precision", claims.precision.is_none()),
        ("tokens", claims.sequence_length.is_none()),
        ("bandwidth", claims.bandwidth.is_none()),
        ("peak", claims.peak.is_empty()),
    ]
    .into_iter()
    .filter_map(|(name, missing)| missing.then_some(name))
    .collect()
}
