//! What would make a kernel faster: each change is predicted anew by the engine where it can be, else by a closed form.

mod burst;
mod wide_port;

pub use burst::{advise_access, advise_lone_value, advise_width};
pub use wide_port::find_wide_ports;

use derate_hls::{
    Count, DirectiveKind, Interface, Partition, Partitioning, Pipeline, TclDirective,
};
use derate_kernel::{
    Directives, HeldBy, KernelAnswer, LoopAnswer, LoopRuns, SharedBundle, count_runs, estimate_wide,
};
use derate_operators::Settings;
use derate_program::{ObjectKind, Place, Program};
use std::cell::Cell;
use std::collections::BTreeSet;

/// The widest that an `m_axi` port is made, in bits.
pub const WIDEST_PORT: u64 = 512;
/// Changes that are shown.
const SHOWN: usize = 3;
/// Loops that are looked at, the longest first.
const LOOPS: usize = 3;
/// Runs of the engine that all changes may take together.
const TRIALS: usize = 4;
/// Operations that they may have together: a large kernel is run less often.
const OPERATIONS: usize = 200_000;
/// A loop with a smaller share is not looked at.
const LEAST_SHARE: f64 = 0.05;
/// A change that saves less than this share is not worth a line.
const LEAST_GAIN: f64 = 0.02;

/// A change of the source.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// An array is cut into banks.
    Partition {
        /// The array.
        array: String,
        /// The dimension, from one.
        dim: u64,
        /// Cyclic, into how many.
        factor: u64,
    },
    /// A sum is kept in several partial sums, one after another.
    PartialSums {
        /// How many.
        count: u64,
    },
    /// A port gets several elements in each beat.
    Widen {
        /// The port.
        port: String,
        /// Other ports that its loops use, made as many elements wide.
        with: Vec<String>,
        /// Its width now, in bits.
        from: u64,
        /// Its width then.
        to: u64,
        /// Beats that carry the whole array once, now and then.
        beats: (f64, f64),
    },
    /// An array that shares an `m_axi` bundle gets one of its own.
    SecondBundle {
        /// The bundle that it leaves.
        bundle: String,
        /// The array.
        array: String,
    },
    /// A loop is pipelined.
    Pipeline,
}

/// A change and what it gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The loop or the port.
    pub subject: String,
    /// Where it is written.
    pub place: Place,
    /// What holds the loop now.
    pub held_by: Option<HeldBy>,
    /// The change.
    pub change: Change,
    /// Cycles of the kernel now.
    pub before: f64,
    /// Cycles of the kernel with this change alone.
    pub after: f64,
}

impl Advice {
    /// Whether both change the same thing: an array that several loops wait for, or a loop of a function that is there twice.
    fn is_like(&self, other: &Self) -> bool {
        match (&self.change, &other.change) {
            (Change::Widen { port, with, .. }, Change::Widen { port: first, with: others, .. }) => {
                let all: BTreeSet<&String> = with.iter().chain([port]).collect();
                all == others.iter().chain([first]).collect()
            }
            (Change::Partition { .. }, change) => self.change == *change,
            (own, change) => own == change && self.place == other.place,
        }
    }
}

/// The changes that save most cycles, the best first. None where data decide the cycles.
#[must_use]
pub fn find_advice(
    program: &Program,
    directives: &Directives,
    settings: &Settings,
    answer: &KernelAnswer,
) -> Vec<Advice> {
    let Some(trial) = Trial::new(program, directives, settings, answer) else {
        return Vec::new();
    };
    let mut loops = count_runs(&answer.loops);
    // A loop with a small share cannot save much.
    let least = answer.latency.expected * LEAST_SHARE;
    loops.retain(|one| one.is_innermost && one.total_cycles().is_some_and(|all| all >= least));
    let total = |one: &LoopRuns<'_>| one.total_cycles().unwrap_or(0.0);
    loops.sort_by(|a, b| total(b).total_cmp(&total(a)));
    let mut found: Vec<Advice> = loops
        .iter()
        .take(LOOPS)
        .filter_map(|one| trial.advise_loop(one.answer, one.runs?))
        .collect();
    found.extend(trial.widen_ports(answer, 1.0));
    found.retain(|one| one.after <= one.before * (1.0 - LEAST_GAIN));
    found.sort_by(|a, b| a.after.total_cmp(&b.after));
    let mut kept: Vec<Advice> = Vec::new();
    for one in found {
        if !kept.iter().any(|other| other.is_like(&one)) {
            kept.push(one);
        }
    }
    let mut found = kept;
    found.truncate(SHOWN);
    found
}

/// How often the kernel is run anew.
fn count_trials(answer: &KernelAnswer) -> usize {
    (OPERATIONS / answer.operations.max(1)).clamp(1, TRIALS)
}

/// Whether the kernel is so large that fewer changes were tried than of another one.
#[must_use]
pub fn is_advice_short(answer: &KernelAnswer) -> bool {
    answer.latency.is_known() && count_trials(answer) < TRIALS
}

struct Trial<'a> {
    program: &'a Program,
    directives: &'a Directives,
    settings: &'a Settings,
    before: f64,
    /// The parameters that are `m_axi` ports.
    buses: BTreeSet<String>,
    /// How many more may be run.
    trials: Cell<usize>,
}

impl<'a> Trial<'a> {
    /// `None` where data decide the cycles.
    fn new(
        program: &'a Program,
        directives: &'a Directives,
        settings: &'a Settings,
        answer: &KernelAnswer,
    ) -> Option<Self> {
        let before = answer.latency.expected;
        let is_known = answer.latency.is_known() && before > 0.0;
        let trials = Cell::new(count_trials(answer));
        let ports = answer.ports.iter().filter(|port| port.kind == "m_axi");
        let buses = ports.map(|port| port.name.clone()).collect();
        is_known.then_some(Self { program, directives, settings, before, buses, trials })
    }
}

impl Trial<'_> {
    /// Cycles of the kernel under more directives.
    fn predict_with(&self, more: Vec<TclDirective>) -> Option<f64> {
        Some(self.schedule_wide(more, &[])?.latency.expected)
    }

    /// The schedule under more directives, with ports whose words are wide; `None` where data decide its cycles.
    fn schedule_wide(
        &self,
        more: Vec<TclDirective>,
        wide: &[TclDirective],
    ) -> Option<KernelAnswer> {
        self.trials.set(self.trials.get().checked_sub(1)?);
        let mut directives = self.directives.clone();
        directives.list.extend(more);
        let answer = estimate_wide(self.program, &directives, self.settings, wide);
        (!answer.latency.is_open).then_some(answer)
    }

    fn advise_loop(&self, one: &LoopAnswer, runs: f64) -> Option<Advice> {
        let (change, after) = match (&one.held_by, one.ii) {
            (Some(HeldBy::Memory { shared: Some(shared), .. }), Some(_)) => {
                self.split_bundle(shared)?
            }
            // The tool cuts no array behind a bus.
            (Some(HeldBy::Memory { array, .. }), Some(_)) if self.buses.contains(array) => {
                return None;
            }
            (Some(HeldBy::Memory { array, accesses, ports, .. }), Some(_)) => {
                self.partition(array, accesses.div_ceil((*ports).max(1)))?
            }
            #[allow(clippy::cast_precision_loss)]
            (Some(HeldBy::Recurrence { .. }), Some(ii)) => {
                let (_, most, mean) = one.trip?;
                let trips = mean.min(most);
                // The ports of memories hold it then.
                let left = one.port_ii.unwrap_or(1).max(1);
                let less = ii.checked_sub(left).filter(|less| *less > 0)?;
                let saved = runs * (trips - 1.0).max(0.0) * less as f64;
                // Runs at the same time save less: no part gets faster than its interval gets shorter.
                let least = self.before * left as f64 / ii as f64;
                (Change::PartialSums { count: ii.div_ceil(left) }, (self.before - saved).max(least))
            }
            (_, None) => {
                let kind = DirectiveKind::Pipeline(Pipeline::default());
                let after = self.predict_with(vec![TclDirective::for_loop(
                    &one.function,
                    &one.label,
                    kind,
                )])?;
                (Change::Pipeline, after)
            }
            _ => return None,
        };
        Some(Advice {
            subject: one.label.clone(),
            place: one.place,
            held_by: one.held_by.clone(),
            change,
            before: self.before,
            after,
        })
    }

    /// The last of the arrays of a bundle in a bundle of its own, with all else that its interface says.
    fn split_bundle(&self, shared: &SharedBundle) -> Option<(Change, f64)> {
        let array = shared.arrays.last()?;
        let top = self.program.functions.first()?;
        let object = top.parameters.iter().find(|object| top.objects[**object].name == *array)?;
        let written = top.pragmas.iter().filter(|one| one.objects.contains(object));
        let given = self.directives.list.iter().filter(|one| {
            one.function == top.name && one.variable.as_deref() == Some(array.as_str())
        });
        let kinds = written.map(|one| &one.kind).chain(given.map(|one| &one.kind));
        let mut interfaces = kinds.filter_map(|kind| match kind {
            DirectiveKind::Interface(one) if one.mode.as_deref() == Some("m_axi") => Some(one),
            _ => None,
        });
        let mode = Some("m_axi".to_owned());
        let mut own =
            interfaces.next_back().cloned().unwrap_or(Interface { mode, ..Default::default() });
        own.bundle = Some(format!("{}_{array}", shared.bundle));
        let kind = DirectiveKind::Interface(own);
        let after = self.predict_with(vec![TclDirective::for_variable(&top.name, array, kind)])?;
        let (bundle, array) = (shared.bundle.clone(), array.clone());
        Some((Change::SecondBundle { bundle, array }, after))
    }

    /// The dimension whose cutting helps most.
    fn partition(&self, array: &str, wanted: u64) -> Option<(Change, f64)> {
        let mut owners = Vec::new();
        let mut dims: &[u64] = &[];
        for function in &self.program.functions {
            let own = |object: &&derate_program::Object| {
                object.kind == ObjectKind::Array && object.name == array
            };
            if let Some(object) = function.objects.iter().find(own) {
                owners.push(function.name.as_str());
                if object.dims.len() > dims.len() {
                    dims = &object.dims;
                }
            }
        }
        let mut best: Option<(Change, f64)> = None;
        for (at, length) in dims.iter().enumerate().take(4) {
            let factor = wanted.next_power_of_two().min((*length).max(1));
            if factor < 2 {
                continue;
            }
            let dim = at as u64 + 1;
            let more = owners.iter().map(|owner| partition(owner, array, dim, factor)).collect();
            let Some(after) = self.predict_with(more) else { continue };
            if best.as_ref().is_none_or(|(_, least)| after < *least) {
                best = Some((Change::Partition { array: array.to_owned(), dim, factor }, after));
            }
        }
        best
    }
}

fn cyclic(array: &str, dim: u64, factor: u64) -> Partitioning {
    Partitioning {
        variable: Some(array.to_owned()),
        partition: Some(Partition::Cyclic),
        factor: Some(Count::Number(factor)),
        dim: Some(Count::Number(dim)),
    }
}

fn partition(function: &str, array: &str, dim: u64, factor: u64) -> TclDirective {
    let kind = DirectiveKind::ArrayPartition(cyclic(array, dim, factor));
    TclDirective::for_variable(function, array, kind)
}
