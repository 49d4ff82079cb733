//! Which assumption moves the answer most: a sweep of one other value each.

use serde::Serialize;

use crate::Analysis;
use crate::ports::port_bandwidth_at;
use crate::scenario::Assumptions;
use crate::sweep::{Axis, AxisKey, AxisValue, sweep_once};
use derate_project::{ClaimedPrecision, Schedule, Storage};
use derate_units::figures::quantity;
use derate_units::{Bytes, BytesPerSecond, Hertz, Precision, Seconds};

/// How far an assumption is moved: changes of one kind can be compared.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// A rate, by a tenth up and down.
    Tenth,
    /// A count or an amount, to its half.
    Half,
    /// To another value that is commonly taken: one less, twice, none, another precision.
    Other,
}

/// What the answer becomes when one assumption is another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SensitivityRow {
    /// The assumption.
    pub name: &'static str,
    /// How far it is moved.
    pub step: Step,
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

/// By which a rate is multiplied.
const TENTH: [f64; 2] = [0.9, 1.1];

/// One change that is tried.
struct Change {
    name: &'static str,
    step: Step,
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

/// The changes: rates by a tenth either way, counts to the half or one less, all else to what is commonly taken instead.
fn list_changes(analysis: &Analysis, scenario: &Assumptions) -> Vec<Change> {
    let mut list = Vec::new();
    let mut add = |name, step, from: String, to: String, key, value| {
        list.push(Change { name, step, from, to, axes: vec![(key, value)] });
    };
    let mut number = |name, step, key, from: f64, to: f64, text: &dyn Fn(f64) -> String| {
        if to.to_bits() != from.to_bits() {
            add(name, step, text(from), text(to), key, AxisValue::Number(to));
        }
    };
    let bandwidth = scenario.bandwidth.value.0;
    let gbs = |b: f64| quantity(BytesPerSecond(b));
    for by in TENTH {
        number("bandwidth", Step::Tenth, AxisKey::Bandwidth, bandwidth, bandwidth * by, &gbs);
    }
    let clock =
        scenario.array().map_or_else(|| analysis.clock().value.0, |array| array.clock.value.0);
    for by in TENTH {
        let hertz = |hz| quantity(Hertz(hz));
        number("clock", Step::Tenth, AxisKey::Clock, clock, clock * by, &hertz);
    }
    let p = analysis.workload.default_parameters(scenario.token_count(), analysis.batch());
    for (name, key, from, to) in [
        ("cameras", AxisKey::Cameras, p.cameras, p.cameras.saturating_sub(1)),
        ("language tokens", AxisKey::LanguageTokens, p.language_tokens, p.language_tokens / 2),
        ("denoising steps", AxisKey::DenoiseSteps, p.denoise_steps, p.denoise_steps / 2),
        ("action chunk", AxisKey::Chunk, p.chunk, p.chunk / 2),
        ("tokens", AxisKey::Tokens, p.tokens, p.tokens / 2),
    ] {
        if to > 0 {
            let step = if to == from / 2 { Step::Half } else { Step::Other };
            number(name, step, key, from as f64, to as f64, &|n: f64| n.to_string());
        }
    }
    let chip = analysis.on_chip().value.0;
    let bytes = |b| quantity(Bytes(b));
    number("on-chip memory", Step::Half, AxisKey::Buffer, chip, chip * 0.5, &bytes);
    if let Some(array) = scenario.array() {
        let launch = array.launch.value.0;
        let seconds = |s| quantity(Seconds(s));
        number("launch", Step::Other, AxisKey::Launch, launch, 0.0, &seconds);
        let cycles = |n: f64| format!("{n} cycles");
        number("tile fill", Step::Other, AxisKey::Fill, array.fill.value, 0.0, &cycles);
        let plain = |n: f64| n.to_string();
        for (name, key, count) in [
            ("array rows", AxisKey::Rows, array.rows.value),
            ("array columns", AxisKey::Columns, array.columns.value),
            ("unroll", AxisKey::Unroll, array.unroll.value),
        ] {
            let (step, other) =
                if count > 1.0 { (Step::Half, (count / 2.0).ceil()) } else { (Step::Other, 2.0) };
            number(name, step, key, count, other, &plain);
        }
        let interval = array.accumulation_ii.value;
        // Sums of integers wait for no adder.
        let other = match interval {
            interval if interval > 1.0 => 1.0,
            _ if array.precision.is_float() => adder_latency(array.clock.value),
            _ => interval,
        };
        let (name, key) = ("accumulation II", AxisKey::AccumulationIi);
        number(name, Step::Other, key, interval, other, &cycles);
        let memory = array.memory_latency.value;
        let (name, key) = ("memory latency", AxisKey::MemoryLatency);
        number(name, Step::Other, key, memory, memory * 2.0, &cycles);
        if let Some(lanes) = &array.lanes {
            let half = (lanes.value / 2.0).ceil();
            number("lanes", Step::Half, AxisKey::Lanes, lanes.value, half, &plain);
        }
    }
    let next = other_precision(&scenario.storage);
    let claim = AxisValue::Precision(ClaimedPrecision::Uniform(next));
    add("precision", Step::Other, scenario.storage.name(), next.key(), AxisKey::Precision, claim);
    let next = match scenario.schedule {
        Schedule::Block => Schedule::Unfused,
        _ => Schedule::Block,
    };
    let (from, to) = (scenario.schedule.name().to_owned(), next.name().to_owned());
    add("fusion", Step::Other, from, to, AxisKey::Schedule, AxisValue::Schedule(next));
    // Where the ports are the design's own, what they carry follows their clock.
    let clocks = list.iter_mut().filter(|change| change.name == "clock");
    for (change, by) in clocks.zip(TENTH) {
        let other = Hertz(clock * by);
        let ports = scenario.array().and_then(|_| port_bandwidth_at(analysis, other)?.ok());
        let own = ports.map(|ports| (AxisKey::Bandwidth, AxisValue::Number(ports.figure.value.0)));
        change.axes.extend(own);
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
        .filter_map(|Change { name, step, from, to, axes }| {
            let axes: Vec<Axis> =
                axes.into_iter().map(|(key, value)| Axis::single(key, &to, value)).collect();
            let after = answer(&axes)?;
            let change = after / before - 1.0;
            Some(SensitivityRow { name, step, from, to, before, after, change })
        })
        .collect();
    rows.sort_by(|a, b| b.change.abs().total_cmp(&a.change.abs()));
    rows
}
