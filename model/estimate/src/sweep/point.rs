//! One combination of a sweep, ready to be computed.

use super::axis::{Axis, Key, Value};
use super::{Note, check_axes};
use crate::Analysis;
use crate::hold::weights;
use crate::pass::Setting;
use crate::project_bandwidth::of_project;
use crate::scenario::{PeakBasis, Scenario};
use crate::setting::base;
use derate_machine::DspCost;
use derate_project::{Schedule, Storage, TensorFormats};
use derate_units::{Bytes, Precision};
use derate_workload::InferenceParameters;

/// What all points of a sweep share.
pub(super) struct Base {
    start: Point,
    setting: Setting,
    /// The scenario's own formats, then those of each value of the precision axis.
    pub(super) formats: Vec<TensorFormats>,
    /// Of each of those formats: the bytes of weights that stay on the chip, and what a multiply-add of an array costs.
    costs: Vec<Costs>,
    /// DSP slices that the shell leaves.
    dsp_budget: f64,
    /// Whether the peaks are those of an array, and follow its size and clock.
    array: bool,
    /// The clock that the peaks stand on; `None` where they are claimed or given.
    clock: Option<f64>,
}

/// What a number format costs a design.
struct Costs {
    held: f64,
    mac: Option<DspCost>,
}

/// One combination.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    pub(super) parameters: InferenceParameters,
    /// Index of its formats.
    pub(super) formats: usize,
    pub(super) schedule: Schedule,
    /// On-chip memory, held weights included.
    capacity: f64,
    bandwidth: f64,
    /// Clock over that of the scenario.
    clock: f64,
    peak: Option<f64>,
    machine: Option<(crate::latency::Machine, f64, derate_project::Launches)>,
}

/// Axes that a scenario cannot be varied along: their values would change nothing, or not all that they should.
fn refuse(
    analysis: &Analysis,
    scenario: &Scenario,
    axes: &[Axis],
    setting: &Setting,
) -> Result<(), String> {
    let array = matches!(scenario.peaks, PeakBasis::Array(_));
    let swept = |key| axes.iter().any(|axis| axis.of == key);
    let follows_the_clock = |&(precision, peak): &(Precision, f64)| match &scenario.peaks {
        PeakBasis::Array(_) => true,
        PeakBasis::Claimed | PeakBasis::Given(_) => false,
        PeakBasis::Derived | PeakBasis::Lower => PeakBasis::Derived
            .peak(analysis, precision)
            .is_ok_and(|derived| derived.rate.value.0.to_bits() == peak.to_bits()),
    };
    for axis in axes {
        let reason = match axis.of {
            key if key.of_design() && !array => {
                "it has no array: give rows and columns under [design], and vary scenario `design`"
            }
            Key::Peak if array => {
                "its peak is that of its array: vary rows, columns, unroll or clock"
            }
            Key::Clock if !setting.peaks.iter().all(follows_the_clock) => {
                "a peak of it is claimed or given, and follows no clock: vary peak"
            }
            Key::Clock if array && !swept(Key::Bandwidth) && of_project(analysis).is_some() => {
                "its bandwidth is that of its ports, which follows the clock: vary bandwidth too"
            }
            Key::Clock if axis.exceeds(analysis.platform.fastest_clock.value.0) => {
                "the card's DSP slices do not bear the highest of these clocks"
            }
            Key::Buffer
                if analysis
                    .platform
                    .on_chip_bytes()
                    .is_some_and(|chip| axis.exceeds(chip.value.0)) =>
            {
                "the card has less on-chip memory than the largest of these buffers"
            }
            key if !key.concerns(&analysis.workload) => "its workload does not depend on it",
            _ => continue,
        };
        return Err(format!(
            "--sweep {}: scenario `{}` cannot be varied so: {reason}",
            axis.key, scenario.name
        ));
    }
    Ok(())
}

impl Base {
    /// The scenario as it is; the error says which axis it cannot be varied along.
    pub(super) fn new(
        analysis: &Analysis,
        scenario: &Scenario,
        axes: &[Axis],
    ) -> Result<Self, String> {
        let mut storages = vec![scenario.storage.clone()];
        check_axes(axes.iter().map(|axis| (axis.key.as_str(), &axis.of)))?;
        for axis in axes {
            storages.extend(axis.values.iter().filter_map(|value| match value {
                Value::Precision(claim) => Some(Storage::claimed(*claim, &analysis.shape)),
                Value::AsBuilt => Some(Storage::as_built(&analysis.code)),
                _ => None,
            }));
        }
        let (setting, parameters, formats) = base(analysis, scenario, &storages)?;
        refuse(analysis, scenario, axes, &setting)?;
        let array = matches!(scenario.peaks, PeakBasis::Array(_));
        let costs = storages
            .iter()
            .map(|storage| {
                Ok(Costs {
                    held: if array { weights(analysis, storage, &parameters)?.0 } else { 0.0 },
                    mac: analysis.mac_cost(storage.array_precision()).map(|cost| cost.value),
                })
            })
            .collect::<Result<_, String>>()?;
        Ok(Self {
            start: Point {
                parameters,
                formats: 0,
                schedule: setting.schedule,
                capacity: analysis.on_chip().value.0,
                bandwidth: setting.bandwidth,
                clock: 1.0,
                peak: None,
                machine: setting.machine,
            },
            clock: match scenario.peaks {
                PeakBasis::Derived | PeakBasis::Lower | PeakBasis::Array(_) => {
                    Some(analysis.clock().value.0)
                }
                PeakBasis::Claimed | PeakBasis::Given(_) => None,
            },
            setting,
            formats,
            costs,
            dsp_budget: analysis.platform.dsp_budget().value,
            array,
        })
    }

    /// The point at the given place of each axis.
    pub(super) fn point(&self, axes: &[Axis], at: &[u32]) -> Point {
        let mut point = self.start;
        for (axis, &index) in axes.iter().zip(at) {
            if let Some(value) = axis.values.get(index as usize) {
                self.set(&mut point, axis.of, *value, index as usize);
            }
        }
        point
    }

    fn set(&self, point: &mut Point, key: Key, value: Value, index: usize) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a count that was read as one"
        )]
        let count = |n: f64| n as u64;
        let p = &mut point.parameters;
        match (key, value) {
            (Key::Cameras, Value::Number(n)) => p.cameras = count(n),
            (Key::LanguageTokens, Value::Number(n)) => p.language_tokens = count(n),
            (Key::DenoiseSteps, Value::Number(n)) => p.denoise_steps = count(n),
            (Key::Chunk, Value::Number(n)) => p.chunk = count(n),
            (Key::Batch, Value::Number(n)) => p.batch = count(n),
            (Key::Tokens, Value::Number(n)) => p.tokens = count(n),
            (Key::HoistCrossKv, Value::Switch(on)) => p.hoist_cross_kv = on,
            (Key::DropDeadWork, Value::Switch(on)) => p.drop_dead_work = on,
            (Key::Precision, _) => point.formats = index + 1,
            (Key::Bandwidth, Value::Number(n)) => point.bandwidth = n,
            (Key::Buffer, Value::Number(n)) => point.capacity = n,
            (Key::Peak, Value::Number(n)) => point.peak = Some(n),
            (Key::Schedule, Value::Schedule(schedule)) => point.schedule = schedule,
            (Key::Clock, Value::Number(n)) => {
                point.clock = self.clock.map_or(1.0, |clock| n / clock);
                if let Some((machine, ..)) = &mut point.machine {
                    machine.clock = n;
                }
            }
            (Key::Launch, Value::Number(n)) => {
                if let Some((_, launch, _)) = &mut point.machine {
                    *launch = n;
                }
            }
            (Key::Launches, Value::Launches(what)) => {
                if let Some((.., launches)) = &mut point.machine {
                    *launches = what;
                }
            }
            (_, Value::Number(n)) => {
                let Some((machine, ..)) = &mut point.machine else { return };
                match key {
                    Key::Rows => machine.rows = n,
                    Key::Columns => machine.columns = n,
                    Key::Unroll => machine.unroll = n,
                    Key::AccumulationIi => machine.accumulation_ii = n,
                    Key::Fill => machine.fill = n,
                    Key::Lanes => machine.lanes = n,
                    Key::MemoryLatency => machine.memory_latency = n,
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// On-chip memory that held weights leave; below zero where they do not fit.
    pub(super) fn capacity(&self, point: &Point) -> f64 {
        point.capacity - self.costs.get(point.formats).map_or(0.0, |costs| costs.held)
    }

    /// What keeps a point's design from the chip, or from being known to fit.
    pub(super) fn note(&self, point: &Point) -> Option<Note> {
        let capacity = self.capacity(point);
        if capacity < 0.0 {
            return Some(Note::Held(Bytes(-capacity)));
        }
        let (machine, ..) = point.machine?;
        let Some(cost) = self.costs.get(point.formats).and_then(|costs| costs.mac) else {
            return Some(Note::UnknownCost);
        };
        let dsp = cost.slices(machine.rows * machine.columns * machine.unroll);
        (dsp > self.dsp_budget).then_some(Note::Array(dsp - self.dsp_budget))
    }

    /// The rates of a point.
    pub(super) fn setting(&self, point: &Point) -> Setting {
        let array = point
            .machine
            .filter(|_| self.array)
            .map(|(m, ..)| 2.0 * m.rows * m.columns * m.unroll * m.clock);
        let of = |&(precision, peak): &(Precision, f64)| {
            (precision, point.peak.or(array).unwrap_or(peak * point.clock))
        };
        Setting {
            schedule: point.schedule,
            capacity: self.capacity(point),
            bandwidth: point.bandwidth,
            peaks: self.setting.peaks.iter().map(of).collect(),
            machine: point.machine,
        }
    }

    /// Whether weights may stay on the chip: the design's word.
    pub(super) fn is_design(&self) -> bool {
        self.array
    }
}

impl Point {
    /// Whether two points differ in rates alone.
    pub(super) fn same_plan(&self, other: &Self) -> bool {
        self.parameters == other.parameters
            && self.formats == other.formats
            && self.schedule == other.schedule
            && self.capacity.to_bits() == other.capacity.to_bits()
    }
}
