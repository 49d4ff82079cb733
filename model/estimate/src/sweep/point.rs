//! One combination of a sweep, ready to be computed.

use super::axis::{Axis, AxisKey, AxisValue};
use super::{Note, SweepError, check_axes};
use crate::hold::weight_bytes;
use crate::latency::ArrayNumbers;
use crate::pass::Setting;
use crate::scenario::{Assumptions, PeakBasis};
use crate::{Analysis, EstimateError, port_bandwidth};
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
    costs: Vec<FormatCosts>,
    /// DSP slices that the shell leaves.
    dsp_budget: f64,
    /// The clock that the peaks are derived at; `None` where they are claimed or given.
    clock: Option<f64>,
}

/// What a number format costs a design.
struct FormatCosts {
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
    /// The array, whose peaks follow its size and clock.
    array: Option<ArrayNumbers>,
}

/// Axes that a scenario cannot be varied along: their values would change nothing, or not all that they should.
fn refuse_axes(
    analysis: &Analysis,
    scenario: &Assumptions,
    axes: &[Axis],
    setting: &Setting,
) -> Result<(), SweepError> {
    let has_array = scenario.array().is_some();
    let swept = |key| axes.iter().any(|axis| axis.key == key);
    let follows_the_clock = |&(precision, peak): &(Precision, f64)| match &scenario.peaks {
        PeakBasis::Array(_) => true,
        PeakBasis::Claimed | PeakBasis::Given(_) => false,
        PeakBasis::Derived | PeakBasis::Lower => PeakBasis::Derived
            .peak(analysis, precision)
            .is_ok_and(|derived| derived.rate.value.0.to_bits() == peak.to_bits()),
    };
    for axis in axes {
        let reason = match axis.key {
            key if key.is_of_design() && !has_array => {
                "it has no array: give rows and columns under [design], and vary scenario `design`"
            }
            AxisKey::Peak if has_array => {
                "its peak is that of its array: vary rows, columns, unroll or clock"
            }
            AxisKey::Clock if !setting.peaks.iter().all(follows_the_clock) => {
                "a peak of it is claimed or given, and follows no clock: vary peak"
            }
            AxisKey::Clock
                if has_array
                    && !swept(AxisKey::Bandwidth)
                    && port_bandwidth(analysis).is_some() =>
            {
                "its bandwidth is that of its ports, which follows the clock: vary bandwidth too"
            }
            AxisKey::Clock
                if analysis
                    .platform
                    .fastest_clock
                    .as_ref()
                    .is_some_and(|fastest| axis.exceeds(fastest.value.0)) =>
            {
                "the card's DSP slices do not bear the highest of these clocks"
            }
            AxisKey::Buffer
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
        let (axis, scenario) = (axis.key.name(), scenario.name());
        return Err(SweepError::FixedAxis { axis, scenario, reason });
    }
    Ok(())
}

impl Base {
    /// The scenario as it is; the error says which axis it cannot be varied along.
    pub(super) fn new(
        analysis: &Analysis,
        scenario: &Assumptions,
        axes: &[Axis],
    ) -> Result<Self, SweepError> {
        let mut storages = vec![scenario.storage.clone()];
        check_axes(axes.iter().map(|axis| (axis.key.name(), axis.key)))
            .map_err(SweepError::Axes)?;
        for axis in axes {
            storages.extend(axis.values.iter().filter_map(|value| match value {
                AxisValue::Precision(claim) => Some(Storage::claimed(*claim, &analysis.shape)),
                AxisValue::AsBuilt => Some(analysis.built_storage()),
                _ => None,
            }));
        }
        let (setting, formats) = scenario.settings_for(analysis, &storages)?;
        let parameters = scenario.parameters(analysis);
        refuse_axes(analysis, scenario, axes, &setting)?;
        let costs = storages
            .iter()
            .map(|storage| {
                let held = match setting.array {
                    Some(_) => weight_bytes(analysis, storage, &parameters)?.0,
                    None => 0.0,
                };
                Ok(FormatCosts {
                    held,
                    mac: analysis.mac_cost(storage.array_precision()).map(|cost| cost.value),
                })
            })
            .collect::<Result<_, EstimateError>>()?;
        Ok(Self {
            start: Point {
                parameters,
                formats: 0,
                schedule: setting.schedule,
                capacity: analysis.on_chip().value.0,
                bandwidth: setting.bandwidth,
                clock: 1.0,
                peak: None,
                array: setting.array,
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
        })
    }

    /// The point at the given place of each axis.
    pub(super) fn point(&self, axes: &[Axis], at: &[u32]) -> Point {
        let mut point = self.start;
        for (axis, &index) in axes.iter().zip(at) {
            if let Some(value) = axis.values.get(index as usize) {
                self.set_value(&mut point, axis.key, *value, index as usize);
            }
        }
        point
    }

    fn set_value(&self, point: &mut Point, key: AxisKey, value: AxisValue, index: usize) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a count that was read as one"
        )]
        let count = |n: f64| n as u64;
        let p = &mut point.parameters;
        match (key, value) {
            (AxisKey::Cameras, AxisValue::Number(n)) => p.cameras = count(n),
            (AxisKey::LanguageTokens, AxisValue::Number(n)) => p.language_tokens = count(n),
            (AxisKey::DenoiseSteps, AxisValue::Number(n)) => p.denoise_steps = count(n),
            (AxisKey::Chunk, AxisValue::Number(n)) => p.chunk = count(n),
            (AxisKey::Batch, AxisValue::Number(n)) => p.batch = count(n),
            (AxisKey::Tokens, AxisValue::Number(n)) => p.tokens = count(n),
            (AxisKey::HoistCrossKv, AxisValue::Switch(on)) => p.hoist_cross_kv = on,
            (AxisKey::DropDeadWork, AxisValue::Switch(on)) => p.drop_dead_work = on,
            (AxisKey::Precision, _) => point.formats = index + 1,
            (AxisKey::Bandwidth, AxisValue::Number(n)) => point.bandwidth = n,
            (AxisKey::Buffer, AxisValue::Number(n)) => point.capacity = n,
            (AxisKey::Peak, AxisValue::Number(n)) => point.peak = Some(n),
            (AxisKey::Schedule, AxisValue::Schedule(schedule)) => point.schedule = schedule,
            (AxisKey::Clock, AxisValue::Number(n)) => {
                point.clock = self.clock.map_or(1.0, |clock| n / clock);
                if let Some(array) = &mut point.array {
                    array.clock = n;
                }
            }
            (AxisKey::Launches, AxisValue::Launches(launches)) => {
                if let Some(array) = &mut point.array {
                    array.launches = launches;
                }
            }
            (_, AxisValue::Number(n)) => {
                let Some(array) = &mut point.array else { return };
                match key {
                    AxisKey::Rows => array.rows = n,
                    AxisKey::Columns => array.columns = n,
                    AxisKey::Unroll => array.unroll = n,
                    AxisKey::AccumulationIi => array.accumulation_ii = n,
                    AxisKey::Fill => array.fill = n,
                    AxisKey::Lanes => array.lanes = n,
                    AxisKey::MemoryLatency => array.memory_latency = n,
                    AxisKey::Launch => array.launch = n,
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
        let array = point.array?;
        let Some(cost) = self.costs.get(point.formats).and_then(|costs| costs.mac) else {
            return Some(Note::UnknownCost);
        };
        let dsp = cost.slices(array.macs());
        (dsp > self.dsp_budget).then_some(Note::Array(dsp - self.dsp_budget))
    }

    /// The rates of a point.
    pub(super) fn setting(&self, point: &Point) -> Setting {
        let array = point.array.map(|a| 2.0 * a.rows * a.columns * a.unroll * a.clock);
        let follow = |&(precision, peak): &(Precision, f64)| {
            (precision, point.peak.or(array).unwrap_or(peak * point.clock))
        };
        Setting {
            schedule: point.schedule,
            capacity: self.capacity(point),
            bandwidth: point.bandwidth,
            peaks: self.setting.peaks.iter().map(follow).collect(),
            array: point.array,
        }
    }

    /// Whether weights may stay on the chip: the design's word.
    pub(super) fn is_design(&self) -> bool {
        self.start.array.is_some()
    }
}

impl Point {
    /// Whether two points differ in rates alone.
    pub(super) fn has_same_plan(&self, other: &Self) -> bool {
        self.parameters == other.parameters
            && self.formats == other.formats
            && self.schedule == other.schedule
            && self.capacity.to_bits() == other.capacity.to_bits()
    }
}
