//! The latency of an inference on any array: what a search for a better `[design]` asks many times.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::hold::{is_held, weight_bytes};
use crate::latency::ArrayNumbers;
use crate::pass::{Plan, Setting};
use crate::scenario::{Assumptions, ScenarioKind, ladder_steps};
use crate::{Analysis, Array, EstimateError, port_bandwidth};
use derate_project::{ClaimedPrecision, Schedule, Storage};
use derate_units::{Bytes, BytesPerSecond, Figure, Precision, Provenance, Seconds};
use derate_workload::{InferenceParameters, Part};

/// What of `[design]` a search may choose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArrayDesign {
    /// Rows, columns, and multiply-adds per element and cycle.
    pub size: [f64; 3],
    /// The number format of all tensors.
    pub precision: Precision,
    /// What is fused.
    pub schedule: Schedule,
    /// On-chip memory for operands.
    pub buffer: Bytes,
}

/// Arrays of every size between two; [`ArrayModel::bound`] says what the fastest of them takes at least.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SizeRange {
    /// The smallest rows, columns and multiply-adds per element.
    pub least: [f64; 3],
    /// The largest.
    pub most: [f64; 3],
    /// No array of the range that is of use starts more multiply-adds per cycle.
    pub most_macs: f64,
}

type PlanKey = (Precision, Schedule, u64);

/// An inference, or a part of it, that any array may run.
pub struct ArrayModel<'a> {
    analysis: &'a Analysis,
    parameters: InferenceParameters,
    parts: Vec<Part>,
    bandwidth: Figure<BytesPerSecond>,
    /// Numbers of an array of one element.
    base: ArrayNumbers,
    has_fill: bool,
    plans: RefCell<BTreeMap<PlanKey, Option<Rc<Plan>>>>,
}

impl<'a> ArrayModel<'a> {
    /// The inference of a project on the roofs that hold, as the scenario `design` has it; of one part alone where it is
    /// named. The error is a port of `[design]` that reaches no memory.
    pub fn new(analysis: &'a Analysis, part: Option<&str>) -> Result<Self, EstimateError> {
        let (steps, _) = ladder_steps(analysis);
        let corrected = steps.iter().find(|step| step.kind == ScenarioKind::DerivedPeak);
        let corrected = corrected.cloned().unwrap_or_else(|| Assumptions::claimed(analysis));
        let bandwidth = match port_bandwidth(analysis) {
            Some(explained) => explained?.figure,
            None => corrected.bandwidth.clone(),
        };
        let mut parameters =
            analysis.workload.default_parameters(corrected.token_count(), analysis.batch());
        parameters.hoist_cross_kv = analysis.project.design.hoist_cross_kv;
        parameters.drop_dead_work = analysis.project.design.drop_dead_work;
        let mut parts = analysis.workload.inference_parts(&parameters);
        parts.retain(|one| one.never_runs.is_none() && part.is_none_or(|name| one.is_named(name)));
        let one = Array::of_size(analysis, Precision::FP32, [1.0; 3].map(assumed_size));
        Ok(Self {
            analysis,
            parameters,
            parts,
            bandwidth,
            base: ArrayNumbers::from(&one),
            has_fill: analysis.project.design.fill.is_some(),
            plans: RefCell::default(),
        })
    }

    /// External bandwidth that it counts with.
    #[must_use]
    pub fn bandwidth(&self) -> &Figure<BytesPerSecond> {
        &self.bandwidth
    }

    /// Latency of the inference; `None` where the weights that are held do not fit the buffer.
    #[must_use]
    pub fn latency(&self, design: &ArrayDesign) -> Option<Seconds> {
        self.run(design, self.numbers(design.size, design.size), f64::INFINITY)
    }

    /// What every array of a range takes at least, all else being as in `design`: each product on the most rows, columns and
    /// multiply-adds, with the shortest fill, and no faster than `most_macs` allow.
    #[must_use]
    pub fn bound(&self, design: &ArrayDesign, range: &SizeRange) -> Option<Seconds> {
        self.run(design, self.numbers(range.most, range.least), range.most_macs)
    }

    fn run(&self, design: &ArrayDesign, array: ArrayNumbers, most_macs: f64) -> Option<Seconds> {
        let plan = self.plan(design)?;
        let setting = Setting {
            schedule: design.schedule,
            capacity: design.buffer.0,
            bandwidth: self.bandwidth.value.0,
            peaks: Vec::new(),
            array: Some(array),
        };
        plan.latency(&setting, most_macs).map(Seconds)
    }

    /// Numbers of an array of that size, with the fill of another.
    fn numbers(&self, [rows, columns, unroll]: [f64; 3], filled: [f64; 3]) -> ArrayNumbers {
        // As `Array::of_size`: the larger side and 12 cycles, where nothing else is said.
        let grown = filled[0].max(filled[1]) - 1.0;
        let fill = if self.has_fill { self.base.fill } else { self.base.fill + grown };
        ArrayNumbers { rows, columns, unroll, fill, ..self.base }
    }

    fn plan(&self, design: &ArrayDesign) -> Option<Rc<Plan>> {
        let key = (design.precision, design.schedule, design.buffer.0.to_bits());
        let mut plans = self.plans.borrow_mut();
        plans.entry(key).or_insert_with(|| self.make_plan(design).map(Rc::new)).clone()
    }

    fn make_plan(&self, design: &ArrayDesign) -> Option<Plan> {
        let analysis = self.analysis;
        let claim = ClaimedPrecision::Uniform(design.precision);
        let storage = Storage::claimed(claim, &analysis.shape);
        let held = weight_bytes(analysis, &storage, &self.parameters).ok()?;
        let capacity = design.buffer.0 - held.0;
        let formats = storage.formats(&analysis.shape);
        let is_held = |part: &Part| is_held(analysis, part);
        let parts = self.parts.clone();
        (capacity >= 0.0)
            .then(|| Plan::new(parts, &formats, &is_held, design.schedule, capacity).ok())?
    }
}

fn assumed_size(value: f64) -> Figure<f64> {
    Figure::new(value, Provenance::Assumed, "a size that a search tries")
}
