//! One inference in numbers alone: what the sweep and the sensitivity compute many times.

use crate::EstimateError;
use crate::latency::{ArrayNumbers, Terms, latency_terms};
use derate_project::{Launches, Schedule, TensorFormats};
use derate_units::Precision;
use derate_workload::Part;
use derate_workload::classes::{LayerClass, classify_layers};
use derate_workload::fusion::{KernelGroup, RefusedFusion, group_kernels};
use derate_workload::work::count_work;

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

/// The terms of one run of a class's groups, launches included that follow them.
pub(crate) fn group_terms(
    class: &LayerClass,
    group: &KernelGroup,
    first: bool,
    setting: &Setting,
) -> Option<Terms> {
    let array = setting.array.as_ref()?;
    let memory = group.traffic.bytes / setting.bandwidth;
    let mut terms = latency_terms(&class.block, group.kernels.clone(), memory, array);
    if array.launches == Launches::Kernel || (array.launches == Launches::Block && first) {
        terms.launch.0 += array.launch;
    }
    Some(terms)
}

/// The groups of all parts: what does not depend on rates.
pub(crate) struct Plan {
    parts: Vec<Part>,
    schedule: Schedule,
    capacity: f64,
    /// Each class with its groups.
    classes: Vec<(LayerClass, Vec<KernelGroup>)>,
}

impl Plan {
    /// Fuses `parts`, and takes from the plan `before` what is the same there; the error says which tensor's format is
    /// not known.
    pub(crate) fn new(
        parts: Vec<Part>,
        formats: &TensorFormats,
        held: &dyn Fn(&Part) -> bool,
        schedule: Schedule,
        capacity: f64,
        before: Option<Self>,
    ) -> Result<Self, EstimateError> {
        let same = |p: &Self| p.schedule == schedule && p.capacity.to_bits() == capacity.to_bits();
        let mut known = before.filter(same).map_or_else(Vec::new, |plan| plan.classes).into_iter();
        let mut refused: Vec<RefusedFusion> = Vec::new();
        let classes =
            classify_layers(&parts, formats, held).map_err(EstimateError::UnknownFormat)?;
        let classes = classes.into_iter().map(|class| {
            let mut made = match known.next() {
                Some((other, groups)) if class.runs_alike(&other) => return (class, groups),
                Some((_, groups)) => groups,
                None => Vec::with_capacity(class.block.kernels.len()),
            };
            made.clear();
            group_kernels(&class, schedule, capacity, &mut made, &mut refused);
            (class, made)
        });
        let classes = classes.collect();
        Ok(Self { parts, schedule, capacity, classes })
    }

    /// A pass at the rates of `setting`.
    pub(crate) fn run(&self, setting: &Setting) -> Pass {
        let mut total = Pass::default();
        let mut latency = 0.0;
        for (class, groups) in &self.classes {
            let calls = class.calls() as f64;
            let mut one = Pass::default();
            for (at, group) in groups.iter().enumerate() {
                let mut peak = |p| setting.peak(p);
                let work =
                    count_work(&class.block, group.kernels.clone(), &class.formats, &mut peak);
                one.flops += work.flops;
                one.elementwise += work.elementwise;
                one.bytes += group.traffic.bytes;
                one.weight_bytes += group.traffic.weight_bytes;
                one.roofline += work.seconds.max(group.traffic.bytes / setting.bandwidth);
                if let Some(terms) = group_terms(class, group, at == 0, setting) {
                    latency += terms.total().0 * calls;
                }
            }
            total.flops += one.flops * calls;
            total.elementwise += one.elementwise * calls;
            total.bytes += one.bytes * calls;
            total.weight_bytes += one.weight_bytes * calls;
            total.roofline += one.roofline * calls;
        }
        total.latency = setting
            .array
            .map(|array| latency + array.launch * launch_calls(array.launches, &self.parts));
        total
    }
}
