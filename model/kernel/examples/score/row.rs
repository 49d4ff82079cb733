//! A design beside what the model says of it.

use crate::design::{Design, Facts, LoopTruth, Used};
use derate_kernel::{
    Directives, Doubt, HeldBy, KernelAnswer, LoopAnswer, Part, ResourceAnswer, Resources,
    estimate_kernel, read_program, states_in_doubt, uncertainty,
};

/// Truth and model of DSP, BRAM18, LUT, FF.
pub(crate) type UsedBeside = [(Option<f64>, f64); 4];

/// What is scored, and what the model says. `None` is unknown.
pub(crate) struct Row {
    pub(crate) kernel: String,
    pub(crate) design: String,
    /// Tool, part and clock.
    pub(crate) setting: String,
    pub(crate) truth: Option<f64>,
    pub(crate) cosim: Option<f64>,
    pub(crate) interval_truth: Option<f64>,
    pub(crate) reported: Option<f64>,
    pub(crate) expected: Option<f64>,
    pub(crate) interval: Option<f64>,
    pub(crate) range: Option<(f64, f64)>,
    /// Cycles that are in doubt in any case.
    pub(crate) states: f64,
    /// What makes the cycles doubtful, and how much of it.
    pub(crate) doubts: Vec<Doubt>,
    /// Kernels of one family are left out of a fit together.
    pub(crate) family: String,
    /// As the tool's report has them, then after place and route.
    pub(crate) synthesis: UsedBeside,
    pub(crate) routed: UsedBeside,
    /// What the part has of these.
    pub(crate) capacity: [f64; 4],
    pub(crate) baseline: (String, Option<f64>),
    pub(crate) loops: Vec<LoopScore>,
    /// The model's loops where the tool printed none.
    pub(crate) own_loops: Vec<String>,
    pub(crate) seconds: f64,
    pub(crate) unknown: Vec<String>,
}

/// A loop as the tool printed it and as the model has it: trips, interval, depth.
#[derive(Debug)]
pub(crate) struct LoopScore {
    pub(crate) label: String,
    pub(crate) truth: [Option<f64>; 3],
    pub(crate) own: Option<[f64; 3]>,
    /// What holds the interval.
    pub(crate) held: Option<HeldBy>,
}

impl Row {
    pub(crate) fn of_design(design: &Design) -> Self {
        let facts = &design.facts;
        let mut unknown = Vec::new();
        let answer = match read_program(&design.unit, &facts.top) {
            Ok(program) => {
                let directives = Directives { list: design.tcl.directives.clone() };
                Some(estimate_kernel(&program, &directives, &design.settings))
            }
            Err(error) => {
                unknown.push(error.to_string());
                None
            }
        };
        let seconds = design.started.elapsed().as_secs_f64();
        let reason =
            |one: &derate_kernel::ir::Unknown| format!("{}: {}", one.place.line, one.reason);
        unknown.extend(answer.iter().flat_map(|answer| &answer.unknown).map(reason));
        let known = answer.as_ref().filter(|answer| !answer.latency.is_open);
        // Where only the range of a type bounds a loop, what hardware takes is not known: the report's cycles alone are.
        let sure = known.filter(|answer| answer.latency.is_known());
        let range = sure.map(|answer| {
            let range = uncertainty(answer);
            (answer.latency.expected * range.low, answer.latency.expected * range.high)
        });
        let own = answer.as_ref().map(|answer| answer.resources).unwrap_or_default();
        let routed = facts.resources_stage == "route";
        let (synthesis, after) = if routed {
            (Used::default(), facts.truth.used)
        } else {
            (facts.truth.used, facts.post_route)
        };
        Self {
            kernel: facts.kernel.clone(),
            design: facts.design.clone(),
            setting: describe_setting(facts),
            truth: facts.truth.latency_max,
            cosim: facts.truth.cosim_cycles,
            interval_truth: facts.truth.interval_max,
            reported: known.map(|answer| answer.latency.reported),
            expected: sure.map(|answer| answer.latency.expected),
            interval: known.map(|answer| answer.interval.worst),
            range,
            states: known.map_or(0.0, states_in_doubt),
            doubts: known.map(|answer| answer.doubts.clone()).unwrap_or_default(),
            family: facts.family.clone().unwrap_or_else(|| facts.kernel.clone()),
            synthesis: beside(synthesis, own, |one| one.value),
            routed: beside(after, own, |one| one.routed),
            capacity: capacity(&design.settings.part),
            baseline: (facts.baseline.name.clone(), facts.baseline.cycles),
            loops: facts.loops.iter().map(|one| score_loop(one, answer.as_ref())).collect(),
            own_loops: answer.iter().flat_map(|answer| &answer.loops).map(describe_loop).collect(),
            seconds,
            unknown,
        }
    }
}

/// Tool, part and clock, as far as they are given.
fn describe_setting(facts: &Facts) -> String {
    let tool = if facts.tool.is_empty() { "tool not given" } else { &facts.tool };
    format!("{tool}, {}, {} ns", facts.part, facts.clock_ns)
}

#[allow(clippy::cast_precision_loss)]
fn capacity(part: &Part) -> [f64; 4] {
    [part.dsp, part.bram18, part.lut, part.ff].map(|count| count as f64)
}

fn beside(truth: Used, own: Resources, pick: impl Fn(ResourceAnswer) -> f64) -> UsedBeside {
    [
        (truth.dsp, pick(own.dsp)),
        (truth.bram18, pick(own.bram18)),
        (truth.lut, pick(own.lut)),
        (truth.ff, pick(own.ff)),
    ]
}

fn describe_loop(one: &LoopAnswer) -> String {
    let trips = one.trip.map_or_else(|| "?".to_owned(), |trip| format!("{trip:?}"));
    let interval = one.ii.map_or_else(|| "-".to_owned(), |ii| ii.to_string());
    let cycles = (one.cycles.reported, one.cycles.expected);
    format!(
        "{:indent$}{} trips {trips} ii {interval} depth {} cycles {cycles:?} {:?}",
        "",
        one.label,
        one.depth,
        one.held_by,
        indent = one.nest * 2
    )
}

/// A flattened loop may go by its inner label only.
#[allow(clippy::cast_precision_loss)]
fn score_loop(truth: &LoopTruth, answer: Option<&KernelAnswer>) -> LoopScore {
    let is_same = |label: &str| {
        label == truth.label
            || truth.label.ends_with(&format!("_{label}"))
            || label.ends_with(&format!("_{}", truth.label))
    };
    let own = answer.and_then(|answer| answer.loops.iter().find(|one| is_same(&one.label)));
    let held = own.and_then(|one| one.held_by.clone());
    let own = own.map(|one| {
        [one.trip.map_or(-1.0, |trip| trip.1), one.ii.map_or(-1.0, |ii| ii as f64), one.depth]
    });
    LoopScore { label: truth.label.clone(), truth: [truth.trip, truth.ii, truth.depth], own, held }
}
