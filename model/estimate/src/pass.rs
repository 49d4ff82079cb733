//! One inference in numbers alone: what the sweep and the sensitivity compute many times.

use crate::EstimateError;
use crate::latency::{ArrayNumbers, Terms, latency_terms};
use derate_project::{Launches, Schedule, TensorFormats};
use derate_units::Precision;
use derate_workload::Part;
use derate_workload::classes::{LayerClass, classify_layers};
use derate_workload::fusion::{KernelGroup, group_kernels};
use derate_workload::traffic::GroupTraffic;
use derate_workload::work::{GroupWork, count_work};

/// What a pass runs on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Setting {
    pub schedule: Schedule,
    /// On-chip memory, bytes.
    pub capacity: f64,
    /// Bytes per second.
    pub bandwidth: f64,
    /// Operations per second of each arithmetic in use; zero where it is not known.
    pub peaks: Vec<(Precision, f64)>,
    /// The array of the design.
    pub array: Option<ArrayNumbers>,
}

impl Setting {
    /// Whether a block takes the same time at another setting: schedule and capacity aside.
    pub(crate) fn has_rates_of(&self, other: &Self) -> bool {
        self.bandwidth.to_bits() == other.bandwidth.to_bits()
            && self.array == other.array
            && self.peaks == other.peaks
    }

    /// Operations per second of an arithmetic; zero where it is not known.
    fn peak(&self, precision: Precision) -> f64 {
        self.peaks.iter().find(|(p, _)| *p == precision).map_or(0.0, |(_, peak)| *peak)
    }
}

/// Totals of a pass.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Pass {
    /// Operations of matrix products.
    pub flops: f64,
    /// All other operations.
    pub elementwise: f64,
    /// Bytes that cross external memory.
    pub bytes: f64,
    /// Bytes of weights among them.
    pub weight_bytes: f64,
    /// Roofline time in seconds; infinite where a peak is not known.
    pub roofline: f64,
    /// Latency in seconds, where there is an array.
    pub latency: Option<f64>,
}

/// Calls by the host that do not follow the groups: per run of a part, or one.
pub(crate) fn launch_calls(launches: Launches, parts: &[Part]) -> f64 {
    let runs = |part: &Part| part.blocks.iter().map(|b| b.runs as f64).fold(0.0, f64::max);
    match launches {
        Launches::Kernel | Launches::Block => 0.0,
        Launches::Part => parts.iter().filter(|part| part.never_runs.is_none()).map(runs).sum(),
        Launches::Inference => 1.0,
    }
}

/// The terms of one run of a group of a class, launches included that follow them.
pub(crate) fn group_terms(
    work: &GroupWork,
    traffic: &GroupTraffic,
    first: bool,
    setting: &Setting,
) -> Option<Terms> {
    let array = setting.array.as_ref()?;
    let mut terms = latency_terms(work, traffic.bytes / setting.bandwidth, array);
    if array.launches == Launches::Kernel || (array.launches == Launches::Block && first) {
        terms.launch.0 += array.launch;
    }
    Some(terms)
}

/// What the layers of a class cost, whatever the rates are.
pub(crate) struct ClassCost {
    /// Layers that run one after another.
    pub(crate) layers: u64,
    /// What each of their groups moves and computes.
    groups: Vec<(GroupTraffic, GroupWork)>,
}

impl ClassCost {
    /// Groups the kernels of a class and counts what they cost.
    pub(crate) fn new(class: &LayerClass, schedule: Schedule, capacity: f64) -> Self {
        let mut groups = Vec::with_capacity(class.block.kernels.len());
        group_kernels(class, schedule, capacity, &mut groups, &mut Vec::new());
        let count = |group: KernelGroup| {
            (group.traffic, count_work(&class.block, group.kernels, &class.formats))
        };
        Self { layers: class.layers.len() as u64, groups: groups.into_iter().map(count).collect() }
    }
}

impl Pass {
    /// Adds `calls` times another; latency is left alone.
    fn add(&mut self, one: &Self, calls: f64) {
        self.flops += one.flops * calls;
        self.elementwise += one.elementwise * calls;
        self.bytes += one.bytes * calls;
        self.weight_bytes += one.weight_bytes * calls;
        self.roofline += one.roofline * calls;
    }
}

/// One run of the layers of a class, and its latency where there is an array.
pub(crate) type ClassPass = (Pass, f64);

/// One run of a class at the rates of `setting`.
pub(crate) fn run_class(cost: &ClassCost, setting: &Setting) -> ClassPass {
    let (mut one, mut latency) = (Pass::default(), 0.0);
    for (at, (traffic, work)) in cost.groups.iter().enumerate() {
        let seconds = work.seconds(|precision| setting.peak(precision));
        one.flops += work.flops;
        one.elementwise += work.elementwise;
        one.bytes += traffic.bytes;
        one.weight_bytes += traffic.weight_bytes;
        one.roofline += seconds.max(traffic.bytes / setting.bandwidth);
        if let Some(terms) = group_terms(work, traffic, at == 0, setting) {
            latency += terms.total().0;
        }
    }
    (one, latency)
}

/// The pass of all parts from one run of each class and its calls.
pub(crate) fn sum_classes<'a>(
    classes: impl Iterator<Item = (&'a ClassPass, f64)>,
    parts: &[Part],
    setting: &Setting,
) -> Pass {
    let (mut total, mut latency) = (Pass::default(), 0.0);
    for ((one, seconds), calls) in classes {
        total.add(one, calls);
        latency += seconds * calls;
    }
    total.latency =
        setting.array.map(|array| latency + array.launch * launch_calls(array.launches, parts));
    total
}

/// The groups of all parts: what does not depend on rates.
pub(crate) struct Plan {
    parts: Vec<Part>,
    /// Each class, and how often it runs.
    classes: Vec<(ClassCost, f64)>,
}

impl Plan {
    /// Fuses `parts`; the error says which tensor's format is not known.
    pub(crate) fn new(
        parts: Vec<Part>,
        formats: &TensorFormats,
        held: &dyn Fn(&Part) -> bool,
        schedule: Schedule,
        capacity: f64,
    ) -> Result<Self, EstimateError> {
        let classes =
            classify_layers(&parts, formats, held).map_err(EstimateError::UnknownFormat)?;
        let cost =
            |class: &LayerClass| (ClassCost::new(class, schedule, capacity), class.calls() as f64);
        Ok(Self { parts, classes: classes.iter().map(cost).collect() })
    }

    /// A pass at the rates of `setting`.
    pub(crate) fn run(&self, setting: &Setting) -> Pass {
        let passes: Vec<(ClassPass, f64)> =
            self.classes.iter().map(|(cost, calls)| (run_class(cost, setting), *calls)).collect();
        sum_classes(passes.iter().map(|(pass, calls)| (pass, *calls)), &self.parts, setting)
    }

    /// Latency on an array, where no array has more than `most_macs` multiply-adds per cycle.
    pub(crate) fn latency(&self, setting: &Setting, most_macs: f64) -> Option<f64> {
        let array = setting.array.as_ref()?;
        let mut latency = array.launch * launch_calls(array.launches, &self.parts);
        for (cost, calls) in &self.classes {
            let mut one = 0.0;
            for (at, (traffic, work)) in cost.groups.iter().enumerate() {
                let terms = group_terms(work, traffic, at == 0, setting)?;
                let macs: f64 = work.products.iter().map(|(_, product)| product.macs()).sum();
                let ideal = macs / (most_macs * array.clock);
                let waits = (terms.memory_latency + terms.launch).0;
                one += terms.total().0.max(ideal + waits);
            }
            latency += one * calls;
        }
        Some(latency)
    }
}
