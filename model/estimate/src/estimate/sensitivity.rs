//! Which assumption moves the answer most: a sweep of one other value each.

use serde::Serialize;

use crate::Analysis;
use crate::ports::port_bandwidth_at;
use crate::scenario::Assumptions;
use crate::sweep::{Axis, AxisKey, AxisValue, sweep_once};
use derate_project::{ClaimedPrecision, Schedule, Storage};
use derate_units::figures::quantity;
use derate_units::{Bytes, BytesPerSecond, Hertz, Precision, Seconds};

/// What the answer becomes when one assumption is another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SensitivityRow {
    /// The assumption.
    pub name: &'static str,
    /// What it is.
    pub from: String,
    /// What it is changed to.
    pub to: String,
    /// The answer as it is: latency where a design is given, else roofline time.
    pub before: Seconds,
    /// The answer with the change.
    pub after: Seconds,
    /// `after / before - 1`.
    pub change: f64,
}

/// One change that is tried.
struct Change {
    name: &'static str,
    from: String,
    to: String,
    axes: Vec<(AxisKey, AxisValue)>,
}

/// Cycles between two additions to one floating-point sum where nothing is interleaved: the adder's latency in csynth reports
/// for the U280, 4 at 200 MHz and 6 at 300 MHz (`pc2/hpcc_fpga_eval`).
fn adder_latency(clock: Hertz) -> f64 {
    if clock.0 > 250e6 { 6.0 } else { 4.0 }
}

/// The precision that is commonly taken instead.
fn other_precision(storage: &Storage) -> Precision {
    match storage {
        Storage::Uniform(Precision::BF16 | Precision::FP16) => Precision::FP32,
        Storage::Uniform(Precision::FP32) => Precision::BF16,
        Storage::Uniform(Precision::INT8) => Precision::INT16,
        Storage::Uniform(_) | Storage::Each { .. } => Precision::INT8,
    }
}

/// The changes: rates by a tenth, counts to the half or one less, all else to what is commonly taken instead.
fn list_changes(analysis: &Analysis, scenario: &Assumptions) -> Vec<Change> {
    let mut list = Vec::new();
    let mut add = |name, from: String, to: String, key, value| {
        list.push(Change { name, from, to, axes: vec![(key, value)] });
    };
    let mut number = |name, key, from: f64, to: f64, text: &dyn Fn(f64) -> String| {
        if to.to_bits() != from.to_bits() {
            add(name, text(from), text(to), key, AxisValue::Number(to));
        }
    };
    let bandwidth = scenario.bandwidth.value.0;
    let gbs = |b: f64| quantity(BytesPerSecond(b));
    number("bandwidth", AxisKey::Bandwidth, bandwidth, bandwidth * 0.9, &gbs);
    let clock =
        scenario.array().map_or_else(|| analysis.clock().value.0, |array| array.clock.value.0);
    let slower = clock * 0.9;
    number("clock", AxisKey::Clock, clock, slower, &|hz| quantity(Hertz(hz)));
    let p = analysis.workload.default_parameters(scenario.token_count(), analysis.batch());
    for (name, key, from, to) in [
        ("cameras", AxisKey::Cameras, p.cameras, p.cameras.saturating_sub(1)),
        ("language tokens", AxisKey::LanguageTokens, p.language_tokens, p.language_tokens / 2),
        ("denoising steps", AxisKey::DenoiseSteps, p.denoise_steps, p.denoise_steps / 2),
        ("action chunk", AxisKey::Chunk, p.chunk, p.chunk / 2),
        ("tokens", AxisKey::Tokens, p.tokens, p.tokens / 2),
    ] {
        if to > 0 {
            number(name, key, from as f64, to as f64, &|n: f64| n.to_string());
        }
    }
    let chip = analysis.on_chip().value.0;
    number("on-chip memory", AxisKey::Buffer, chip, chip * 0.5, &|b| quantity(Bytes(b)));
    if let Some(array) = scenario.array() {
        let launch = array.launch.value.0;
        number("launch", AxisKey::Launch, launch, 0.0, &|s| quantity(Seconds(s)));
        let cycles = |n: f64| format!("{n} cycles");
        number("tile fill", AxisKey::Fill, array.fill.value, 0.0, &cycles);
        let plain = |n: f64| n.to_string();
        for (name, key, count) in [
            ("array rows", AxisKey::Rows, array.rows.value),
            ("array columns", AxisKey::Columns, array.columns.value),
            ("unroll", AxisKey::Unroll, array.unroll.value),
        ] {
            let other = if count > 1.0 { (count / 2.0).ceil() } else { 2.0 };
            number(name, key, count, other, &plain);
        }
        let interval = array.accumulation_ii.value;
        // Sums of integers wait for no adder.
        let other = match interval {
            interval if interval > 1.0 => 1.0,
            _ if array.precision.is_float() => adder_latency(array.clock.value),
            _ => interval,
        };
        number("accumulation II", AxisKey::AccumulationIi, interval, other, &cycles);
        let memory = array.memory_latency.value;
        number("memory latency", AxisKey::MemoryLatency, memory, memory * 2.0, &cycles);
        if let Some(lanes) = &array.lanes {
            number("lanes", AxisKey::Lanes, lanes.value, (lanes.value / 2.0).ceil(), &plain);
        }
    }
    let next = other_precision(&scenario.storage);
    let claim = AxisValue::Precision(ClaimedPrecision::Uniform(next));
    add("precision", scenario.storage.name(), next.key(), AxisKey::Precision, claim);
    let next = match scenario.schedule {
        Schedule::Block => Schedule::Unfused,
        _ => Schedule::Block,
    };
    let (from, to) = (scenario.schedule.name().to_owned(), next.name().to_owned());
    add("fusion", from, to, AxisKey::Schedule, AxisValue::Schedule(next));
    // Where the ports are the design's own, what they carry follows their clock.
    let ports = scenario.array().and_then(|_| port_bandwidth_at(analysis, Hertz(slower))?.ok());
    if let (Some(ports), Some(change)) =
        (ports, list.iter_mut().find(|change| change.name == "clock"))
    {
        change.axes.push((AxisKey::Bandwidth, AxisValue::Number(ports.figure.value.0)));
    }
    list
}

/// The answer under `scenario` with each assumption changed, the strongest change first; empty where it is unknown. What
/// the scenario cannot be varied along, or what then no longer fits, is not in it.
pub(super) fn rank_assumptions(analysis: &Analysis, scenario: &Assumptions) -> Vec<SensitivityRow> {
    let answer = |axes: &[Axis]| {
        let point = sweep_once(analysis, scenario, axes).ok()?;
        point.latency_seconds.or(point.throughput_seconds)
    };
    let Some(before) = answer(&[]) else { return Vec::new() };
    let mut rows: Vec<SensitivityRow> = list_changes(analysis, scenario)
        .into_iter()
        .filter_map(|Change { name, from, to, axes }| {
            let axes: Vec<Axis> =
                axes.into_iter().map(|(key, value)| Axis::single(key, &to, value)).collect();
            let after = answer(&axes)?;
            Some(SensitivityRow { name, from, to, before, after, change: after / before - 1.0 })
        })
        .collect();
    rows.sort_by(|a, b| b.change.abs().total_cmp(&a.change.abs()));
    rows
}
