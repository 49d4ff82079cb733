//! The array of `[design]` that a whole model runs on: its size, number format, schedule and buffer.
//!
//! Latency is that of the scenario `design` of `derate estimate`. DSP slices follow from the multiply-adds, block memories
//! from the buffer and from the operands that the array reads at its edges in a cycle. LUT and FF are not modelled.

mod axes;
mod edit;

pub use axes::{ArrayAxes, ArrayAxesError};
pub use edit::{Insertion, write_design};

use crate::{Axis, Cost, Region, Space};
use axes::{BUFFER, COLUMNS, PRECISION, ROWS, SCHEDULE, UNROLL};
use derate_estimate::{Analysis, ArrayDesign, ArrayModel, EstimateError, SizeRange};
use derate_machine::{Budget, DspCost, Usage};
use derate_units::{BytesPerSecond, Figure, Precision};

/// Bytes of a block memory of 36 Kb and of an `UltraRAM`, without parity (UG573).
const BRAM36: f64 = 4096.0;
const URAM: f64 = 32_768.0;
/// Bits that one port of a block gives in a cycle, without parity.
const PORT_BITS: f64 = 64.0;
/// Sums in another order differ in their last digits; a bound may not be above what it bounds.
const SLACK: f64 = 1.0 - 1e-9;

/// The designs of the array of a project.
pub struct ArraySpace<'a> {
    model: ArrayModel<'a>,
    axes: ArrayAxes,
    shown: Vec<Axis>,
    limits: Budget,
    /// What a multiply-add costs, for each number format.
    costs: Vec<DspCost>,
}

impl<'a> ArraySpace<'a> {
    /// All arrays of the axes for an inference, or for the part that is named. Number formats of which nobody knows what a
    /// multiply-add costs are left out.
    ///
    /// # Errors
    ///
    /// The ports of `[design]` reach no memory.
    pub fn new(
        analysis: &'a Analysis,
        part: Option<&str>,
        mut axes: ArrayAxes,
        limits: Budget,
    ) -> Result<Self, EstimateError> {
        let cost = |one: &Precision| analysis.mac_cost(*one).map(|cost| cost.value);
        axes.precisions.retain(|one| cost(one).is_some());
        let costs = axes.precisions.iter().filter_map(cost).collect();
        let shown = axes.list();
        Ok(Self { model: ArrayModel::new(analysis, part)?, axes, shown, limits, costs })
    }

    /// External bandwidth that it counts with.
    #[must_use]
    pub fn bandwidth(&self) -> &Figure<BytesPerSecond> {
        self.model.bandwidth()
    }

    /// What is chosen at a point.
    #[must_use]
    pub fn design(&self, point: &[usize]) -> ArrayDesign {
        self.choose(point, |axis, at| self.axes.sizes[axis][at])
    }

    fn choose(&self, point: &[usize], size: impl Fn(usize, usize) -> u64) -> ArrayDesign {
        let side = |axis: usize| size(axis - ROWS, point[axis]) as f64;
        ArrayDesign {
            size: [side(ROWS), side(COLUMNS), side(UNROLL)],
            precision: self.axes.precisions[point[PRECISION]],
            schedule: self.axes.schedules[point[SCHEDULE]],
            buffer: self.axes.buffers[point[BUFFER]].1,
        }
    }

    /// The number formats of `design` as a point of the first axis.
    #[must_use]
    pub fn precisions(&self) -> &[Precision] {
        &self.axes.precisions
    }

    /// What a design takes of the card: slices for its multiply-adds, blocks for its buffer. Buffers are in `UltraRAM`
    /// first. Where they have fewer ports than the edges of the array read operands, there are more blocks.
    #[must_use]
    pub fn usage(&self, design: &ArrayDesign, cost: DspCost) -> Usage {
        let [rows, columns, unroll] = design.size;
        let operands = (rows + columns) * unroll * f64::from(design.precision.bits());
        let ports = (operands / PORT_BITS).ceil();
        let most = self.limits.uram.unwrap_or(0.0).floor();
        let uram = (design.buffer.0 / URAM).ceil().min(most);
        let bram36 = ((design.buffer.0 - uram * URAM).max(0.0) / BRAM36).ceil();
        Usage {
            dsp: cost.slices(rows * columns * unroll),
            bram18: 2.0 * bram36.max(ports - uram),
            uram,
            ..Usage::default()
        }
    }
}

/// Weights that are to stay on the chip and do not fit its buffer are refused by its memory.
fn put_together(seconds: Option<f64>, usage: Usage) -> Cost {
    seconds.map_or_else(
        || {
            let usage = Usage { bram18: f64::INFINITY, ..usage };
            Cost { objective: f64::INFINITY, usage }
        },
        |objective| Cost { objective, usage },
    )
}

impl Space for ArraySpace<'_> {
    fn axes(&self) -> &[Axis] {
        &self.shown
    }

    fn evaluate(&self, point: &[usize]) -> Cost {
        let design = self.design(point);
        let usage = self.usage(&design, self.costs[point[PRECISION]]);
        put_together(self.model.latency(&design).map(|time| time.0), usage)
    }

    fn bound(&self, region: &Region) -> Cost {
        let edge = |last: bool| {
            let at = |axis: usize| {
                let range = region.values(axis);
                let sizes = &self.axes.sizes[axis - ROWS][range];
                (if last { sizes.last() } else { sizes.first() }).map_or(1.0, |size| *size as f64)
            };
            [at(ROWS), at(COLUMNS), at(UNROLL)]
        };
        let (least, most) = (edge(false), edge(true));
        let mut bound: Option<Cost> = None;
        for precision in region.values(PRECISION) {
            let cost = self.costs[precision];
            let most_macs = self.limits.dsp.map_or(f64::INFINITY, |dsp| cost.macs(dsp));
            for schedule in region.values(SCHEDULE) {
                for buffer in region.values(BUFFER) {
                    let point = [precision, schedule, buffer, 0, 0, 0];
                    let design = ArrayDesign { size: least, ..self.choose(&point, |_, _| 1) };
                    let range = SizeRange { least, most, most_macs };
                    let seconds = self.model.bound(&design, &range).map(|time| time.0 * SLACK);
                    let one = put_together(seconds, self.usage(&design, cost));
                    bound = Some(bound.map_or(one, |all| Cost {
                        objective: all.objective.min(one.objective),
                        usage: all.usage.combine(&one.usage, f64::min),
                    }));
                }
            }
        }
        bound.unwrap_or_default()
    }

    /// What decides most first: number format, schedule and buffer, then the side with the most sizes left.
    fn choose_axis(&self, region: &Region) -> Option<usize> {
        let open = |axis: &usize| region.values(*axis).len() > 1;
        [PRECISION, SCHEDULE, BUFFER].into_iter().find(open).or_else(|| {
            let spread = |axis: &usize| {
                let sizes = &self.axes.sizes[axis - ROWS][region.values(*axis)];
                let (first, last) = (sizes.first().copied(), sizes.last().copied());
                last.unwrap_or(1) as f64 / first.unwrap_or(1) as f64
            };
            let sides = [ROWS, COLUMNS, UNROLL].into_iter().filter(open);
            sides.max_by(|a, b| spread(a).total_cmp(&spread(b)).then(b.cmp(a)))
        })
    }
}
