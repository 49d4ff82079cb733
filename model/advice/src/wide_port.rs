//! A narrow `m_axi` port made wide.

use super::{Advice, Change, Trial, WIDEST_PORT, cyclic, partition};
use derate_hls::{Count, DirectiveKind, TclDirective};
use derate_kernel::{Directives, KernelAnswer, LoopAnswer, LoopRuns, PortAnswer, count_runs};
use derate_operators::Settings;
use derate_program::{ArrayUse, PortUse, Program, find_port_use};
use std::collections::BTreeSet;

/// Statements that an unrolled loop may have; the engine would take too long over more.
const STATEMENTS: u64 = 2000;

/// What wide `m_axi` ports would save, each port by itself, the best first. None where data decide the cycles. A kernel that cannot
/// become `least_gain` times as fast by a port is not scheduled for it: with 1.0, each port is tried. Where a processor shares the chip,
/// no port is wider than those to its memory.
#[must_use]
pub fn find_wide_ports(
    program: &Program,
    directives: &Directives,
    settings: &Settings,
    answer: &KernelAnswer,
    least_gain: f64,
) -> Vec<Advice> {
    let Some(trial) = Trial::new(program, directives, settings, answer) else {
        return Vec::new();
    };
    let mut found = trial.widen_ports(answer, least_gain);
    found.sort_by(|a, b| a.after.total_cmp(&b.after));
    found
}

impl Trial<'_> {
    pub(super) fn widen_ports(&self, answer: &KernelAnswer, least_gain: f64) -> Vec<Advice> {
        let most = self.settings.part.memory_port_bits().unwrap_or(WIDEST_PORT);
        let is_narrow = |bits: u64| bits > 0 && bits < most;
        // A member of a struct has no port of its own: the struct is one word.
        let narrow = |port: &&PortAnswer| {
            port.kind == "m_axi" && !port.name.contains('.') && port.bits.is_some_and(is_narrow)
        };
        let ports = answer.ports.iter().filter(narrow);
        let runs = count_runs(&answer.loops);
        let widen = |port| self.widen_port((port, most), &answer.ports, &runs, least_gain);
        ports.filter_map(widen).collect()
    }

    /// A wide port, with the loops that use it unrolled to its lanes and their arrays cut alike.
    fn widen_port(
        &self,
        (port, most): (&PortAnswer, u64),
        all: &[PortAnswer],
        runs: &[LoopRuns<'_>],
        least_gain: f64,
    ) -> Option<Advice> {
        let PortUse { place, mut ports, loops, statements, mut arrays } =
            find_port_use(self.program, &port.name)?;
        let bits = port.bits?;
        let mut widest = bits;
        let mut with = Vec::new();
        for other in all.iter().filter(|one| one.kind == "m_axi" && one.name != port.name) {
            let Some(used) = find_port_use(self.program, &other.name) else { continue };
            let shared: Vec<ArrayUse> = arrays.intersection(&used.ports).cloned().collect();
            if !shared.is_empty() {
                with.push(other.name.clone());
                widest = widest.max(other.bits?);
            }
            arrays.retain(|one| !shared.contains(one));
            ports.extend(shared);
        }
        let (port, length) = (&port.name, port.elements);
        let elements = if length > 1 { length } else { count_iterations(&loops, runs)? };
        let lanes = (most / widest).min(elements.next_power_of_two());
        if lanes < 2 || lanes.saturating_mul(statements as u64) > STATEMENTS {
            return None;
        }
        let wide = |one: &ArrayUse| {
            let kind = DirectiveKind::ArrayReshape(cyclic(&one.name, one.dims, lanes));
            TclDirective::for_variable(&one.function, &one.name, kind)
        };
        let cut = |one: &ArrayUse| partition(&one.function, &one.name, one.dims, lanes);
        let unrolled = |(function, label): &(String, String)| {
            let factor = Some(Count::Number(lanes));
            TclDirective::for_loop(function, label, DirectiveKind::Unroll { factor })
        };
        let wide: Vec<TclDirective> = ports.iter().map(wide).collect();
        let more = arrays.iter().map(cut).chain(loops.iter().map(unrolled)).collect();
        #[allow(clippy::cast_precision_loss)]
        let beats = (elements as f64, elements.div_ceil(lanes) as f64);
        // A port has one beat a cycle: with more of them, the count of beats or of cycles is not that of one run.
        if beats.0 > self.before {
            return None;
        }
        // The loops that are unrolled may do more than move what the port has: no more than their time is saved.
        let least = self.before - sum_cycles(&loops, runs)?;
        if self.before < least * least_gain {
            return None;
        }
        let wider = self.schedule_wide(more, &wide)?;
        // Lanes that are not in one word, or are added one after another: the figure would be that of a narrow port.
        let is_longer = |(function, label): &(String, String)| {
            let is_it =
                |one: &&LoopAnswer| one.function == *function && is_in_nest(&one.label, label);
            let interval = wider.loops.iter().find(is_it).and_then(|one| one.ii);
            let before = find_runs(&(function.clone(), label.clone()), runs);
            interval > before.and_then(|one| one.answer.ii).max(Some(1))
        };
        if loops.iter().any(is_longer) {
            return None;
        }
        let after = wider.latency.expected.max(least);
        Some(Advice {
            subject: port.clone(),
            place,
            held_by: None,
            change: Change::Widen { port: port.clone(), with, from: bits, to: bits * lanes, beats },
            before: self.before,
            after,
        })
    }
}

fn find_runs<'a, 'b>(
    (function, label): &(String, String),
    runs: &'b [LoopRuns<'a>],
) -> Option<&'b LoopRuns<'a>> {
    runs.iter().find(|one| one.answer.function == *function && is_in_nest(&one.answer.label, label))
}

/// Cycles of the loops that use a port.
fn sum_cycles(loops: &BTreeSet<(String, String)>, runs: &[LoopRuns<'_>]) -> Option<f64> {
    loops.iter().map(|name| find_runs(name, runs)?.total_cycles()).sum()
}

/// How often the loops that use a port iterate: the elements that go through a pointer, whose length is not declared.
fn count_iterations(loops: &BTreeSet<(String, String)>, runs: &[LoopRuns<'_>]) -> Option<u64> {
    let mut all = 0.0;
    for name in loops {
        let one = find_runs(name, runs)?;
        let (_, most, mean) = one.answer.trip.filter(|_| !one.answer.trip_rests_on_type)?;
        all += one.runs? * mean.min(most);
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    (2.0..1e15).contains(&all).then_some(all as u64)
}

/// Whether a nest that is named after all of its loops has this one as its innermost.
fn is_in_nest(nest: &str, label: &str) -> bool {
    nest.strip_suffix(label).is_some_and(|around| around.is_empty() || around.ends_with('_'))
}
