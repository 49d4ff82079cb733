//! From a scenario to its figures.

use super::rows::{Roofs, row};
use super::{
    Ceiling, Estimate, Latency, MissingPart, PartEstimate, PeakRow, RefusedGroup, ScenarioEstimate,
    Skipped, TermRule, Totals, bandwidths, grid, sensitivity, synthesised, variants,
};
use crate::classes::{Class, classes};
use crate::fusion::{Refused, groups};
use crate::hold::{held_bytes, is_held};
use crate::latency::{Machine, Terms};
use crate::pass::{Setting, group_terms, launch_calls};
use crate::scenario::{
    PeakBasis, Scenario, by_precision, claimed_bandwidth, derated_bandwidth, derived_peaks, ladder,
};
use crate::units::{Bytes, Ops, OpsPerByte, Seconds};
use crate::work::arithmetic;
use crate::workload::{Op, Parameters, Part};
use crate::{Analysis, Array, Bound, Peak, Precision, Provenance, Schedule, TensorFormats};

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
        missing_parts: analysis
            .workload
            .missing()
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

/// Peaks of every precision that is claimed or that the platform can build.
fn peak_rows(analysis: &Analysis) -> Vec<PeakRow> {
    let (claimed_bandwidth, derated_bandwidth) =
        (claimed_bandwidth(analysis).value, derated_bandwidth(analysis).value);
    let row = |basis, peak: Peak| PeakRow {
        basis,
        ridge_claimed_bandwidth: peak.rate.value / claimed_bandwidth,
        ridge_derated_bandwidth: peak.rate.value / derated_bandwidth,
        peak,
    };
    let claims = &analysis.project.claims.peak;
    let mut precisions: Vec<Precision> = Vec::new();
    let known = analysis.platform.macs.iter().map(|m| m.precision);
    for precision in known
        .chain(claims.keys().copied())
        .chain(analysis.project.design.dsp_per_mac.keys().copied())
    {
        if !precisions.contains(&precision) {
            precisions.push(precision);
        }
    }
    precisions
        .into_iter()
        .flat_map(|precision| {
            let claimed = claims
                .contains_key(&precision)
                .then(|| PeakBasis::Claimed.peak(analysis, precision).ok())
                .flatten();
            let derived = derived_peaks(analysis, precision);
            claimed
                .into_iter()
                .map(|p| row("claimed", p))
                .chain(derived.into_iter().map(|p| row("derived", p)))
                .collect::<Vec<_>>()
        })
        .collect()
}

/// One scenario under its own schedule; the error says why it cannot be had.
pub fn estimate_one(analysis: &Analysis, scenario: &Scenario) -> Result<ScenarioEstimate, String> {
    let parameters = parameters(analysis, scenario);
    let inference = analysis.workload.inference(&parameters);
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
fn with_claimed(analysis: &Analysis, parameters: &Parameters, inference: Vec<Part>) -> Vec<Part> {
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
pub(super) fn claims_parts(analysis: &Analysis, parameters: &Parameters) -> Vec<Part> {
    let parts = analysis.workload.as_claimed(parameters);
    if parts.is_empty() { analysis.workload.inference(parameters) } else { parts }
}

/// One scenario under each schedule, unfused first; the claim's own kernels stand in the first alone.
fn under_every_schedule(
    analysis: &Analysis,
    scenario: &Scenario,
) -> Result<Vec<ScenarioEstimate>, String> {
    let parameters = parameters(analysis, scenario);
    let inference = analysis.workload.inference(&parameters);
    let all = with_claimed(analysis, &parameters, inference.clone());
    let formats = scenario.storage.formats(&analysis.shape);
    Schedule::ALL
        .into_iter()
        .map(|schedule| {
            let parts = if schedule == Schedule::Unfused { &all } else { &inference };
            of_parts(analysis, scenario, parts, &formats, schedule)
        })
        .collect()
}

/// The parameters of a scenario: the design's variants hold for the design alone.
pub(super) fn parameters(analysis: &Analysis, scenario: &Scenario) -> Parameters {
    let mut parameters = analysis.workload.parameters(scenario.token_count(), analysis.batch());
    if matches!(scenario.peaks, PeakBasis::Array(_)) {
        parameters.hoist_cross_kv = analysis.project.design.hoist_cross_kv;
        parameters.drop_dead_work = analysis.project.design.drop_dead_work;
    }
    parameters
}

/// Whether a part's weights stay on the chip: the design's word.
pub(super) fn held<'a>(analysis: &'a Analysis, scenario: &Scenario) -> impl Fn(&Part) -> bool + 'a {
    let design = matches!(scenario.peaks, PeakBasis::Array(_));
    move |part| design && is_held(analysis, part)
}

/// The peaks of all arithmetic in use.
pub(super) fn peaks(
    analysis: &Analysis,
    scenario: &Scenario,
    classes: &[Class<'_>],
) -> Vec<(Precision, Result<Peak, String>)> {
    let mut peaks: Vec<(Precision, Result<Peak, String>)> = Vec::new();
    for class in classes {
        for (at, kernel) in class.block.kernels.iter().enumerate() {
            if matches!(kernel.op, Op::Matmul(_)) {
                let precision = arithmetic(class.block, at, &class.formats);
                if peaks.iter().all(|(p, _)| *p != precision) {
                    peaks.push((precision, scenario.peaks.peak(analysis, precision)));
                }
            }
        }
    }
    peaks
}

/// On-chip memory that the weights held there leave.
fn capacity(analysis: &Analysis, scenario: &Scenario) -> f64 {
    let chip = analysis.on_chip().value.0;
    let held = match scenario.peaks {
        PeakBasis::Array(_) => {
            held_bytes(analysis, &scenario.storage, &parameters(analysis, scenario))
        }
        _ => Ok(Bytes(0.0)),
    };
    // What does not fit is no scenario.
    chip - held.map_or(0.0, |held| held.0)
}

/// The numbers that a pass under a scenario runs on.
pub(super) fn setting(
    analysis: &Analysis,
    scenario: &Scenario,
    peaks: &[(Precision, Result<Peak, String>)],
    schedule: Schedule,
) -> Setting {
    let machine = match &scenario.peaks {
        PeakBasis::Array(array) => {
            Some((Machine::from(array.as_ref()), array.launch.value.0, array.launches))
        }
        _ => None,
    };
    Setting {
        schedule,
        capacity: capacity(analysis, scenario),
        bandwidth: scenario.bandwidth.value.0,
        peaks: peaks
            .iter()
            .filter_map(|(p, peak)| Some((*p, peak.as_ref().ok()?.rate.value.0)))
            .collect(),
        machine,
    }
}

/// The numbers of a scenario, its parameters, and the formats of each of `storages`, with the peaks of all arithmetic
/// that these use.
pub(crate) fn base(
    analysis: &Analysis,
    scenario: &Scenario,
    storages: &[crate::Storage],
) -> Result<(Setting, Parameters, Vec<TensorFormats>), String> {
    let parameters = parameters(analysis, scenario);
    let parts = analysis.workload.inference(&parameters);
    let held = held(analysis, scenario);
    let mut all: Vec<(Precision, Result<Peak, String>)> = Vec::new();
    let mut formats = Vec::new();
    for storage in storages {
        let own = storage.formats(&analysis.shape);
        for (precision, peak) in peaks(analysis, scenario, &classes(&parts, &own, &held)?) {
            if all.iter().all(|(known, _)| *known != precision) {
                all.push((precision, peak));
            }
        }
        formats.push(own);
    }
    Ok((setting(analysis, scenario, &all, scenario.schedule), parameters, formats))
}

fn of_parts(
    analysis: &Analysis,
    scenario: &Scenario,
    parts: &[Part],
    formats: &TensorFormats,
    schedule: Schedule,
) -> Result<ScenarioEstimate, String> {
    let held = held(analysis, scenario);
    let classes = classes(parts, formats, &held)?;
    // Roofs of what an inference never runs are no roofs of the scenario.
    let runs = |class: &Class<'_>| parts[class.part].never_runs.is_none();
    let running: Vec<Class<'_>> = classes.iter().filter(|c| runs(c)).cloned().collect();
    let of_running = peaks(analysis, scenario, &running);
    let all = peaks(analysis, scenario, &classes);
    let setting = setting(analysis, scenario, &all, schedule);
    let ceilings = if of_running.is_empty() { all.clone() } else { of_running };
    let roofs = Roofs {
        bandwidth: scenario.bandwidth.value,
        capacity: setting.capacity,
        peaks: &all,
        no_latency: no_latency(scenario),
    };
    let mut refused = Vec::new();
    let estimates: Vec<PartEstimate> = parts
        .iter()
        .enumerate()
        .map(|(index, part)| {
            let own: Vec<&Class<'_>> = classes.iter().filter(|c| c.part == index).collect();
            part_estimate(part, &own, &roofs, &setting, &mut refused)
        })
        .collect();
    let running: Vec<&PartEstimate> = estimates.iter().filter(|part| part.runs).collect();
    let mut totals = sum(running.iter().map(|part| (&part.totals, 1)));
    let running_parts: Vec<Part> =
        parts.iter().filter(|part| part.never_runs.is_none()).cloned().collect();
    let latency = latency(scenario, &running, &running_parts, &totals);
    totals.latency_seconds = latency.as_ref().map(|latency| latency.seconds);
    Ok(ScenarioEstimate {
        name: scenario.name.clone(),
        change: scenario.change.clone(),
        command: analysis.command("estimate", &scenario.arguments) + &schedule_option(schedule),
        schedule: schedule.name(),
        chosen: schedule == analysis.project.design.schedule(),
        precision: scenario.storage.name(),
        tokens: scenario.tokens.clone(),
        bandwidth: scenario.bandwidth.clone(),
        on_chip: analysis.on_chip(),
        peak_basis: scenario.peaks.name(),
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

fn schedule_option(schedule: Schedule) -> String {
    match schedule {
        Schedule::Unfused => String::new(),
        _ => format!(" --schedule {}", schedule.name()),
    }
}

/// Why a scenario has no latency.
fn no_latency(scenario: &Scenario) -> &'static str {
    match scenario.peaks {
        PeakBasis::Array(_) => "",
        _ => {
            "the latency is unknown: no design stands behind this scenario: give rows and columns of its array under [design], and see scenario `design`; the roofline time is a lower bound of it"
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
    ]
    .into_iter()
    .filter_map(|(name, missing)| missing.then_some(name))
    .collect()
}

fn part_estimate(
    part: &Part,
    classes: &[&Class<'_>],
    roofs: &Roofs<'_>,
    setting: &Setting,
    refusals: &mut Vec<RefusedGroup>,
) -> PartEstimate {
    let (mut kernels, mut terms) = (Vec::new(), setting.machine.as_ref().map(|_| Terms::default()));
    for class in classes {
        let (mut made, mut refused) = (Vec::new(), Vec::new());
        groups(class, setting.schedule, setting.capacity, &mut made, &mut refused);
        let same = |other: &&&Class<'_>| other.block.name == class.block.name;
        let numbered = classes.iter().filter(same).count() > 1;
        for (at, group) in made.iter().enumerate() {
            let own = group_terms(class, group, at == 0, setting);
            if let (Some(sum), Some(own)) = (&mut terms, &own) {
                sum.add(own, class.calls() as f64);
            }
            kernels.push(row(class, group, numbered, roofs, own));
        }
        if part.never_runs.is_none() {
            refusals.extend(refused.iter().map(|r| refusal(part, class, r)));
        }
    }
    let totals = sum(kernels.iter().map(|k| (&k.totals, k.calls)));
    let layers = part.layers();
    let alike = layers > 1
        && part.blocks.len() == 1
        && classes.len() == 1
        && kernels.iter().all(|k| k.calls % layers == 0);
    PartEstimate {
        name: part.name.to_string(),
        layers,
        runs: part.never_runs.is_none(),
        note: match part.never_runs {
            Some(reason) => format!("{} Not part of an inference: {reason}.", part.note),
            None => part.note.to_string(),
        },
        totals,
        latency: terms,
        one_layer: alike.then(|| sum(kernels.iter().map(|k| (&k.totals, k.calls / layers)))),
        kernels,
        provenance: Provenance::Derived,
    }
}

fn refusal(part: &Part, class: &Class<'_>, refused: &Refused) -> RefusedGroup {
    let kernels = &class.block.kernels[refused.kernels.clone()];
    RefusedGroup {
        part: part.name.to_string(),
        block: class.block.name.to_string(),
        kernels: kernels.iter().map(|k| k.name.to_string()).collect(),
        footprint: refused.footprint,
        on_chip: refused.capacity,
        exceeds: Bytes((refused.footprint.0 - refused.capacity.0).max(0.0)),
    }
}

/// The latency of the whole, and what it is made of.
fn latency(
    scenario: &Scenario,
    parts: &[&PartEstimate],
    running: &[Part],
    totals: &Totals,
) -> Option<Latency> {
    let PeakBasis::Array(array) = &scenario.peaks else { return None };
    let mut terms = Terms::default();
    for part in parts {
        terms.add(part.latency.as_ref()?, 1.0);
    }
    terms.launch.0 += array.launch.value.0 * launch_calls(array.launches, running);
    let seconds = terms.total();
    Some(Latency {
        gap: totals.throughput_seconds.filter(|t| t.0 > 0.0).map(|roof| seconds / roof),
        seconds,
        terms,
        provenance: Provenance::Assumed,
        rules: rules(array),
        array: array.as_ref().clone(),
    })
}

/// The rule and the inputs of every term.
fn rules(array: &Array) -> Vec<TermRule> {
    let mhz = |hertz: f64| format!("{} MHz", hertz / 1e6);
    let size = format!(
        "{} rows x {} columns x {} multiply-adds",
        array.rows.value, array.columns.value, array.unroll.value
    );
    let rule = |term, rule, inputs: String| TermRule { term, rule, inputs };
    vec![
        rule(
            "roofline",
            "sum over kernels of max(multiply-adds / array / target clock, bytes / bandwidth)",
            format!("{size}, {}", mhz(array.target_clock.value.0)),
        ),
        rule(
            "edge tiles",
            "batch x ceil(M / rows) x ceil(N / columns) x ceil(K / unroll) cycles, less the ideal ones",
            size,
        ),
        rule(
            "accumulation",
            "every step of K waits II cycles for the adder",
            format!("II {} ({})", array.accumulation_ii.value, array.accumulation_ii.source),
        ),
        rule(
            "fill",
            "fill cycles per tile of the result",
            format!("{} cycles ({})", array.fill.value, array.fill.source),
        ),
        rule(
            "elementwise",
            "elements / lanes, where slower than the products of the same kernel",
            array.lanes.as_ref().map_or_else(
                || "as many lanes as memory feeds".to_owned(),
                |lanes| format!("{} lanes ({})", lanes.value, lanes.source),
            ),
        ),
        rule(
            "clock",
            "cycles at the achieved clock, less those at the target",
            format!(
                "{} achieved ({}), {} targeted",
                mhz(array.clock.value.0),
                array.clock.source,
                mhz(array.target_clock.value.0)
            ),
        ),
        rule(
            "memory latency",
            "2 x latency per kernel: its first read and its last write wait",
            format!("{} cycles ({})", array.memory_latency.value, array.memory_latency.source),
        ),
        rule(
            "launch",
            "time per kernel call x calls",
            format!(
                "{} ms per {} ({})",
                array.launch.value.0 * 1e3,
                array.launches.name(),
                array.launch.source
            ),
        ),
    ]
}

/// Totals of several kernels run one after another; unknown where one of them is.
pub(super) fn sum<'a>(kernels: impl Iterator<Item = (&'a Totals, u64)>) -> Totals {
    let mut total = Totals {
        flops: Ops(0.0),
        elementwise_ops: Ops(0.0),
        bytes: Bytes(0.0),
        weight_bytes: Bytes(0.0),
        oi: OpsPerByte(0.0),
        bound: None,
        attainable: None,
        throughput_seconds: Some(Seconds(0.0)),
        latency_seconds: Some(Seconds(0.0)),
    };
    let mut compute_bound = Seconds(0.0);
    let add = |sum: Option<Seconds>, own: Option<Seconds>, calls: f64| {
        sum.zip(own).map(|(sum, own)| sum + own * calls)
    };
    for (kernel, calls) in kernels {
        let calls = calls as f64;
        total.flops = total.flops + kernel.flops * calls;
        total.elementwise_ops = total.elementwise_ops + kernel.elementwise_ops * calls;
        total.bytes = total.bytes + kernel.bytes * calls;
        total.weight_bytes = total.weight_bytes + kernel.weight_bytes * calls;
        total.throughput_seconds = add(total.throughput_seconds, kernel.throughput_seconds, calls);
        total.latency_seconds = add(total.latency_seconds, kernel.latency_seconds, calls);
        if let (Some(Bound::Compute), Some(time)) = (kernel.bound, kernel.throughput_seconds) {
            compute_bound = compute_bound + time * calls;
        }
    }
    if total.bytes.0 > 0.0 {
        total.oi = total.flops / total.bytes;
    }
    if let Some(time) = total.throughput_seconds.filter(|time| time.0 > 0.0) {
        total.attainable = Some(total.flops / time);
        total.bound =
            Some(if compute_bound.0 * 2.0 >= time.0 { Bound::Compute } else { Bound::Memory });
    }
    total
}
