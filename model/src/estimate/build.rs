//! From a scenario to its figures.

use std::collections::BTreeMap;

use super::{
    Ceiling, Estimate, GridPart, GridPoint, KernelEstimate, OperandTraffic, PartEstimate, PeakRow,
    ScenarioEstimate, Skipped, Totals,
};
use crate::scenario::{
    PeakBasis, Scenario, by_precision, claimed_bandwidth, derated_bandwidth, derived_peaks, grid,
    ladder,
};
use crate::units::{Bytes, Ops, Seconds};
use crate::workload::{Kernel, Matmul, Part, Role};
use crate::{Analysis, Bound, Peak, Precision, Provenance, Roofline, Storage};

const SCHEMA: &str = "derate.estimate/1";
const LATENCY_UNKNOWN: &str = "the latency is unknown: depth, initiation interval, fill and launches are not modelled yet; the roofline time is a lower bound of it";

/// The ladder, the kernels at each precision, and the grid.
pub fn estimate(analysis: &Analysis) -> Estimate {
    let (steps, left_out) = ladder(analysis);
    let mut skipped: Vec<Skipped> =
        left_out.into_iter().map(|(scenario, reason)| Skipped { scenario, reason }).collect();
    let mut run = |scenario: Scenario| {
        estimate_one(analysis, &scenario)
            .map_err(|reason| skipped.push(Skipped { scenario: scenario.name, reason }))
            .ok()
    };
    let scenarios = steps.into_iter().filter_map(&mut run).collect();
    let by_precision = by_precision(analysis).into_iter().filter_map(&mut run).collect();
    let grid = grid(analysis).into_iter().filter_map(&mut run).map(GridPoint::from).collect();
    Estimate {
        schema: SCHEMA,
        command: "derate estimate --format json".to_owned(),
        workload: analysis.workload.name(),
        platform: analysis.platform.name.clone(),
        batch: analysis.batch(),
        scenarios,
        skipped,
        by_precision,
        grid,
        peaks: peak_rows(analysis),
    }
}

impl From<ScenarioEstimate> for GridPoint {
    fn from(scenario: ScenarioEstimate) -> Self {
        Self {
            ridge: scenario.main_ceiling().map(|c| c.ridge),
            precision: scenario.precision,
            tokens: scenario.tokens.value,
            bandwidth: scenario.bandwidth.value,
            peak_basis: scenario.peak_basis,
            command: scenario.command,
            parts: scenario
                .parts
                .into_iter()
                .map(|part| GridPart { name: part.name, runs: part.runs, totals: part.totals })
                .collect(),
        }
    }
}

impl Estimate {
    /// An estimate of one scenario alone.
    pub fn of_one(analysis: &Analysis, scenario: ScenarioEstimate) -> Self {
        Self {
            schema: SCHEMA,
            command: format!("{} --format json", scenario.command),
            workload: analysis.workload.name(),
            platform: analysis.platform.name.clone(),
            batch: analysis.batch(),
            scenarios: vec![scenario],
            skipped: Vec::new(),
            by_precision: Vec::new(),
            grid: Vec::new(),
            peaks: peak_rows(analysis),
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
    for precision in
        known.chain(claims.keys().copied()).chain(analysis.project.dsp_per_mac.keys().copied())
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

/// One scenario; the error says why it cannot be had.
pub fn estimate_one(analysis: &Analysis, scenario: &Scenario) -> Result<ScenarioEstimate, String> {
    let mut peaks = Peaks { analysis, basis: &scenario.peaks, found: BTreeMap::new() };
    let mut parts = Vec::new();
    // Roofs of what an inference never runs are no roofs of the scenario.
    let (running, idle): (Vec<Part>, Vec<Part>) = analysis
        .workload
        .parts(scenario.token_count(), analysis.batch())
        .into_iter()
        .partition(|part| part.never_runs.is_none());
    for part in running {
        parts.push(part_estimate(part, scenario, &mut peaks)?);
    }
    let found = peaks.found.clone();
    for part in idle {
        parts.push(part_estimate(part, scenario, &mut peaks)?);
    }
    let ceilings = found
        .into_values()
        .filter_map(|peak| {
            peak.ok()
                .map(|peak| Ceiling { ridge: peak.rate.value / scenario.bandwidth.value, peak })
        })
        .collect();
    Ok(ScenarioEstimate {
        name: scenario.name.clone(),
        change: scenario.change.clone(),
        command: format!("derate estimate {}", scenario.arguments),
        schedule: "unfused",
        precision: scenario.storage.name(),
        tokens: scenario.tokens.clone(),
        bandwidth: scenario.bandwidth.clone(),
        peak_basis: scenario.peaks.name(),
        unclaimed: if scenario.name == "claimed" { unclaimed(analysis) } else { Vec::new() },
        ceilings,
        parts,
    })
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

/// The peaks that were asked for, each looked up once.
struct Peaks<'a> {
    analysis: &'a Analysis,
    basis: &'a PeakBasis,
    found: BTreeMap<Precision, Result<Peak, String>>,
}

impl Peaks<'_> {
    fn of(&mut self, precision: Precision) -> &Result<Peak, String> {
        self.found.entry(precision).or_insert_with(|| self.basis.peak(self.analysis, precision))
    }
}

fn part_estimate(
    part: Part,
    scenario: &Scenario,
    peaks: &mut Peaks<'_>,
) -> Result<PartEstimate, String> {
    let mut groups: Vec<Group> = Vec::new();
    let mut places: BTreeMap<(String, Matmul, Vec<Precision>), usize> = BTreeMap::new();
    for kernel in part.kernels {
        let operands = traffic(&kernel, &scenario.storage)?;
        let precisions = operands.iter().map(|o| o.precision).collect();
        let at =
            *places.entry((kernel.name.clone(), kernel.matmul, precisions)).or_insert(groups.len());
        match groups.get_mut(at) {
            Some(group) => group.layers.push(kernel.layer),
            None => groups.push(Group {
                name: kernel.name,
                matmul: kernel.matmul,
                layers: vec![kernel.layer],
                operands,
            }),
        }
    }
    let names = unique_names(&groups);
    let kernels: Vec<KernelEstimate> = names
        .into_iter()
        .zip(groups)
        .map(|(name, group)| kernel_estimate(name, group, scenario, peaks))
        .collect();
    let totals = sum(kernels.iter().map(|k| (&k.totals, k.calls)));
    let alike = part.layers > 1 && kernels.iter().all(|k| k.calls % part.layers == 0);
    Ok(PartEstimate {
        name: part.name,
        layers: part.layers,
        runs: part.never_runs.is_none(),
        note: match part.never_runs {
            Some(reason) => format!("{} Not part of an inference: {reason}.", part.note),
            None => part.note,
        },
        totals,
        one_layer: alike.then(|| sum(kernels.iter().map(|k| (&k.totals, k.calls / part.layers)))),
        kernels,
        provenance: Provenance::Derived,
    })
}

/// Calls that are alike.
struct Group {
    name: String,
    matmul: Matmul,
    layers: Vec<Option<u64>>,
    operands: Vec<OperandTraffic>,
}

/// Layers that differ keep their numbers in the name.
fn unique_names(groups: &[Group]) -> Vec<String> {
    let mut occurrences: BTreeMap<&str, usize> = BTreeMap::new();
    for group in groups {
        *occurrences.entry(&group.name).or_default() += 1;
    }
    let name = |group: &Group| {
        let layers: Vec<u64> = group.layers.iter().flatten().copied().collect();
        if occurrences.get(group.name.as_str()) == Some(&1) || layers.is_empty() {
            group.name.clone()
        } else {
            format!("{} (layers {})", group.name, ranges(&layers))
        }
    };
    groups.iter().map(name).collect()
}

/// `0, 1, 2, 5` as `0-2, 5`.
fn ranges(numbers: &[u64]) -> String {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(number) => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let texts =
        ranges.iter().map(|&(a, b)| if a == b { a.to_string() } else { format!("{a}-{b}") });
    texts.collect::<Vec<_>>().join(", ")
}

fn traffic(kernel: &Kernel, storage: &Storage) -> Result<Vec<OperandTraffic>, String> {
    kernel
        .operands
        .iter()
        .map(|operand| {
            let precision = storage.precision_of(&operand.stored_as)?;
            Ok(OperandTraffic {
                name: operand.name,
                role: operand.role,
                elements: operand.elements,
                precision,
                crossings: 1,
                bytes: precision.bytes(operand.elements),
            })
        })
        .collect()
}

fn kernel_estimate(
    name: String,
    group: Group,
    scenario: &Scenario,
    peaks: &mut Peaks<'_>,
) -> KernelEstimate {
    let Matmul { batch, m, k, n } = group.matmul;
    let flops = group.matmul.flops();
    let bytes: Bytes = group.operands.iter().map(|o| o.bytes).sum();
    let weight_bytes =
        group.operands.iter().filter(|o| o.role == Role::Weight).map(|o| o.bytes).sum();
    let precision = group
        .operands
        .iter()
        .find(|o| o.role == Role::Weight)
        .or(group.operands.first())
        .map_or(Precision::FP32, |o| o.precision);
    let oi = flops / bytes;
    let mut unknown = vec![LATENCY_UNKNOWN.to_owned()];
    let roof = match peaks.of(precision) {
        Ok(peak) => Some((
            Roofline { peak: peak.rate.value, bandwidth: scenario.bandwidth.value },
            peak.variant.clone(),
        )),
        Err(reason) => {
            unknown.insert(
                0,
                format!(
                    "the bound, the attainable rate and the roofline time are unknown: {reason}"
                ),
            );
            None
        }
    };
    let peak_text = roof.as_ref().map_or_else(
        || "no peak".to_owned(),
        |(roof, variant)| format!("peak {:.4} TFLOP/s ({variant})", roof.peak.0 / 1e12),
    );
    KernelEstimate {
        name,
        batch,
        m,
        k,
        n,
        calls: group.layers.len() as u64,
        precision,
        totals: Totals {
            flops,
            elementwise_ops: Ops(0.0),
            bytes,
            weight_bytes,
            oi,
            bound: roof.as_ref().map(|(roof, _)| roof.bound(oi)),
            attainable: roof.as_ref().map(|(roof, _)| roof.attainable(oi)),
            throughput_seconds: roof.as_ref().map(|(roof, _)| roof.time(flops, bytes)),
            latency_seconds: None,
        },
        ridge: roof.as_ref().map(|(roof, _)| roof.ridge()),
        unknown,
        provenance: Provenance::Derived,
        basis: format!(
            "2 x {batch} x {m} x {k} x {n} FLOP; every operand crosses memory once; weights at {precision}; {:.1} GB/s, {peak_text}",
            scenario.bandwidth.value.0 / 1e9
        ),
        operands: group.operands,
    }
}

/// Totals of several kernels run one after another; unknown where one of them is.
fn sum<'a>(kernels: impl Iterator<Item = (&'a Totals, u64)>) -> Totals {
    let mut total = Totals {
        flops: Ops(0.0),
        elementwise_ops: Ops(0.0),
        bytes: Bytes(0.0),
        weight_bytes: Bytes(0.0),
        oi: crate::units::OpsPerByte(0.0),
        bound: None,
        attainable: None,
        throughput_seconds: Some(Seconds(0.0)),
        latency_seconds: None,
    };
    let mut compute_bound = Seconds(0.0);
    for (kernel, calls) in kernels {
        let calls = calls as f64;
        total.flops = total.flops + kernel.flops * calls;
        total.elementwise_ops = total.elementwise_ops + kernel.elementwise_ops * calls;
        total.bytes = total.bytes + kernel.bytes * calls;
        total.weight_bytes = total.weight_bytes + kernel.weight_bytes * calls;
        let time = kernel.throughput_seconds.map(|t| t * calls);
        total.throughput_seconds = total.throughput_seconds.zip(time).map(|(a, b)| a + b);
        if let (Some(Bound::Compute), Some(time)) = (kernel.bound, time) {
            compute_bound = compute_bound + time;
        }
    }
    total.oi = total.flops / total.bytes;
    if let Some(time) = total.throughput_seconds.filter(|time| time.0 > 0.0) {
        total.attainable = Some(total.flops / time);
        total.bound =
            Some(if compute_bound.0 * 2.0 >= time.0 { Bound::Compute } else { Bound::Memory });
    }
    total
}
