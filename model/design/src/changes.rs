//! What would make an inference faster: the changes of all kernels, by what each saves of the inference.

use derate_advice::{Advice, Change, WIDEST_PORT};
use derate_estimate::{Analysis, KernelReading};
use derate_machine::{Budget, ResourceKind};
use derate_project::{KernelOrigin, KernelSection, StageList};
use derate_units::{Figure, Seconds};
use serde::Serialize;

use crate::hardware::count_hardware;
use crate::kernel::DesignKernel;
use crate::stages::{join_stages, list_stages};
use crate::transfers::activation_precision;

/// Changes that are kept.
const SHOWN: usize = 3;
/// Stages that take at least this share of the longest are as long.
const ALIKE: f64 = 0.99;
/// Twice as many lanes that save less are not worth their slices.
const LEAST_STEP: f64 = 0.1;
/// A change that saves a smaller share of the inference is not worth a line.
const LEAST_SHARE: f64 = 0.01;

/// A change of one kernel.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum KernelChange {
    /// An array is cut into banks.
    Partition {
        /// The array.
        array: String,
        /// The dimension, from one.
        dim: u64,
        /// Cyclic, into how many.
        factor: u64,
    },
    /// The sum in a loop is kept in several partial sums.
    PartialSums {
        /// The loop.
        of_loop: String,
        /// How many.
        count: u64,
    },
    /// A port gets more bits.
    WidenPort {
        /// The port.
        port: String,
        /// Its bits now.
        from: u64,
        /// Its bits then.
        to: u64,
    },
    /// An array gets an `m_axi` bundle of its own.
    SecondBundle {
        /// The bundle that it shares now.
        bundle: String,
        /// The array.
        array: String,
    },
    /// A loop is pipelined.
    Pipeline {
        /// The loop.
        of_loop: String,
    },
    /// Stages do the work of several iterations in one.
    Widen {
        /// The stages: the ones that hold the kernel.
        stages: Vec<String>,
        /// Iterations in one.
        lanes: u64,
        /// Multiply-adds in flight that this adds.
        multiply_adds: f64,
    },
    /// The stages run at the same time.
    Dataflow,
    /// One call of the host starts all calls of the kernel.
    JoinCalls {
        /// Calls now.
        calls: f64,
    },
}

/// A change with what it gives, predicted anew for this change alone.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DesignChange {
    /// The kernel.
    pub kernel: String,
    /// `file:line` of it, where it is in a source.
    pub place: Option<String>,
    /// The change.
    pub change: KernelChange,
    /// Cycles of one call, now and then; the same where the change is not in the kernel.
    pub cycles: [f64; 2],
    /// What an inference saves.
    pub saves: Seconds,
}

/// The changes that save an inference most, the best first.
pub(crate) fn find_changes(
    analysis: &Analysis,
    kernels: &[DesignKernel],
    latency: Option<&Figure<Seconds>>,
    launch: &Figure<Seconds>,
) -> Vec<DesignChange> {
    let Some(latency) = latency else { return Vec::new() };
    let pairs = analysis.project.kernels.iter().zip(kernels).enumerate();
    let mut all: Vec<DesignChange> = pairs
        .flat_map(|(at, (section, kernel))| {
            list_kernel_changes(
                analysis,
                section,
                (kernel, kernels),
                analysis.kernels.get(at),
                launch,
            )
        })
        .collect();
    all.retain(|one| one.saves.0 >= LEAST_SHARE * latency.value.0);
    all.sort_by(|a, b| b.saves.0.total_cmp(&a.saves.0));
    all.truncate(SHOWN);
    all
}

fn list_kernel_changes(
    analysis: &Analysis,
    section: &KernelSection,
    (kernel, kernels): (&DesignKernel, &[DesignKernel]),
    reading: Option<&KernelReading>,
    launch: &Figure<Seconds>,
) -> Vec<DesignChange> {
    let Some(cycles) = &kernel.cycles else { return Vec::new() };
    let now = cycles.value.value;
    let make = |change, place, after: f64| DesignChange {
        kernel: kernel.name.clone(),
        place,
        change,
        cycles: [now, after],
        saves: Seconds(kernel.seconds_of(now) - kernel.seconds_of(after)),
    };
    let mut all = Vec::new();
    match (&section.origin, reading.and_then(KernelReading::source)) {
        (KernelOrigin::Stages(list), _) => {
            let room = find_room(analysis, kernel, kernels);
            let changes = list_stage_changes(list, room);
            all.extend(changes.into_iter().map(|one| make(one.0, None, one.1)));
        }
        (_, Some(model)) => {
            for advice in &model.advice {
                let file = model.answer.files.get(usize::from(advice.place.file));
                let place = file.map(|file| format!("{file}:{}", advice.place.line));
                // A change keeps its share where the cycles of a call are stated otherwise.
                all.push(make(convert(advice), place, now * advice.after / advice.before));
            }
        }
        _ => {}
    }
    if kernel.calls.value > 1.0 {
        let calls = kernel.calls.value;
        let saves = Seconds((calls - 1.0) * launch.value.0);
        let joined = make(KernelChange::JoinCalls { calls }, None, now);
        all.push(DesignChange { saves, ..joined });
    }
    all
}

fn convert(advice: &Advice) -> KernelChange {
    let of_loop = advice.subject.clone();
    match &advice.change {
        Change::Partition { array, dim, factor } => {
            KernelChange::Partition { array: array.clone(), dim: *dim, factor: *factor }
        }
        Change::PartialSums { count } => KernelChange::PartialSums { of_loop, count: *count },
        Change::Widen { port, from, to, .. } => {
            KernelChange::WidenPort { port: port.clone(), from: *from, to: *to }
        }
        Change::SecondBundle { bundle, array } => {
            KernelChange::SecondBundle { bundle: bundle.clone(), array: array.clone() }
        }
        Change::Pipeline => KernelChange::Pipeline { of_loop },
    }
}

/// Multiply-adds in one cycle for which the card has DSP slices left; `None` where that is not known.
fn find_room(analysis: &Analysis, kernel: &DesignKernel, kernels: &[DesignKernel]) -> Option<f64> {
    let precision = kernel.precision.unwrap_or_else(|| activation_precision(analysis, kernels));
    let cost = analysis.mac_cost(precision)?.value;
    let all: Vec<&DesignKernel> = kernels.iter().collect();
    let each = count_hardware(&all, ResourceKind::Dsp);
    let used: f64 = each.iter().map(|one| one.amount.value).sum();
    let left = Budget::of_platform(&analysis.platform).limit(ResourceKind::Dsp)? - used;
    Some(cost.macs(left.max(0.0)))
}

/// What stages can change: wider ports, several iterations in one, and running at the same time. With the cycles of a call
/// then.
fn list_stage_changes(list: &StageList, room: Option<f64>) -> Vec<(KernelChange, f64)> {
    let mut all = Vec::new();
    for (port, bits) in list.port_bits.iter().filter(|(_, bits)| bits.value < WIDEST_PORT) {
        let mut wider = list.clone();
        if let Some(claim) = wider.port_bits.get_mut(port) {
            claim.value = WIDEST_PORT;
        }
        let change =
            KernelChange::WidenPort { port: port.clone(), from: bits.value, to: WIDEST_PORT };
        all.push((change, predict_cycles(&wider)));
    }
    all.extend(widen_stages(list, room));
    if !list.is_dataflow && list.stages.len() > 1 {
        let dataflow = StageList { is_dataflow: true, ..list.clone() };
        all.push((KernelChange::Dataflow, predict_cycles(&dataflow)));
    }
    all
}

fn predict_cycles(list: &StageList) -> f64 {
    join_stages(list, &list_stages(list)).0.0
}

/// The stages that take longest, with as many iterations in one as still help and as there are DSP slices for.
fn widen_stages(list: &StageList, room: Option<f64>) -> Option<(KernelChange, f64)> {
    let room = room?;
    let cycles = list_stages(list);
    let longest = cycles.iter().map(|stage| stage.cycles.0).fold(0.0, f64::max);
    let is_longest = |at: usize| cycles[at].cycles.0 >= ALIKE * longest;
    let mut best = None;
    let mut before = predict_cycles(list);
    for lanes in [2, 4, 8, 16, 32, 64] {
        let mut wider = list.clone();
        let (mut names, mut added) = (Vec::new(), 0.0);
        for (_, stage) in wider.stages.iter_mut().enumerate().filter(|(at, _)| is_longest(*at)) {
            added += stage.multiply_adds * (lanes - 1) as f64;
            stage.trips = stage.trips.div_ceil(lanes);
            stage.multiply_adds *= lanes as f64;
            stage.bytes.values_mut().for_each(|bytes| *bytes *= lanes as f64);
            names.push(stage.name.value.clone());
        }
        let after = predict_cycles(&wider);
        if added > room || after > before * (1.0 - LEAST_STEP) {
            break;
        }
        before = after;
        best = Some((KernelChange::Widen { stages: names, lanes, multiply_adds: added }, after));
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use derate_hls::Sources;
    use derate_project::Project;

    fn read_stages(text: &str) -> StageList {
        let mut sources = Sources::default();
        let text = format!("[platform]\nname = \"u280\"\n[[kernel]]\nname = \"k\"\n{text}");
        let file = sources.add("derate.toml", text);
        let project = Project::parse(&sources, file).unwrap();
        let KernelOrigin::Stages(list) = &project.kernels[0].origin else { panic!("stages") };
        list.clone()
    }

    #[test]
    fn a_stage_is_widened_until_its_port_or_the_slices_end_it() {
        let text = "port_bits = { q = 64 }\n[[kernel.stage]]\nname = \"load\"\ntrips = 1000\ndepth = 3\nbytes = { q = 1 }\n\
                    multiply_adds = 4\n";
        let list = read_stages(text);
        // One byte of eight that the port brings in a cycle.
        let (change, after) = widen_stages(&list, Some(1e6)).unwrap();
        let KernelChange::Widen { lanes, multiply_adds, .. } = change else { panic!("{change:?}") };
        assert_eq!((lanes, multiply_adds.to_bits()), (8, 28.0_f64.to_bits()));
        assert!(after < 130.0, "{after}");
        let (change, _) = widen_stages(&list, Some(12.0)).unwrap();
        assert!(matches!(change, KernelChange::Widen { lanes: 4, .. }), "{change:?}");
        assert!(widen_stages(&list, None).is_none(), "what is not known promises nothing");
    }

    #[test]
    fn a_wide_port_and_dataflow_are_predicted_anew() {
        let text = "port_bits = { q = 8 }\n[[kernel.stage]]\nname = \"load\"\ntrips = 100\ndepth = 3\nbytes = { q = 64 }\n\
                    [[kernel.stage]]\nname = \"work\"\ntrips = 100\ndepth = 5\n";
        let changes = list_stage_changes(&read_stages(text), None);
        let after: Vec<f64> = changes.iter().map(|(_, after)| *after).collect();
        // Loading takes 104 cycles instead of 6,402; at the same time, the slowest stage and the other's depth.
        assert_eq!(
            changes[0].0,
            KernelChange::WidenPort { port: "q".to_owned(), from: 8, to: 512 }
        );
        assert_eq!(after, [103.0 + 105.0, 6402.0 + 5.0]);
    }
}
