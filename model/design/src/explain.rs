//! Which term of a prediction, if it were another, would give the measured time.
//!
//! All other terms stay as they are. The term that needs the least change is the most likely one, unless something rules it
//! out or the measurement itself shows another.

use derate_measure::FASTEST_CALL;
use derate_measure::times::MeasuredTime;
use derate_project::Timer;
use derate_units::{Figure, Hertz, Provenance, Seconds};
use serde::Serialize;

use crate::kernel::DesignKernel;
use crate::totals::DesignTotals;
use crate::transfers::Transfers;

/// Large designs on a U280 close at 225 to 250 MHz of 300; none was found that closes at less than half.
const LOWEST_CLOCK: f64 = 0.5;
/// Clocks that differ by less are the same.
const SAME_CLOCK: f64 = 0.01;
/// Kernels that serve less leave work that takes time elsewhere.
const WHOLE: f64 = 0.995;

/// A term of a prediction.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TermKind {
    /// The clock of the kernels.
    Clock,
    /// What a call of the host takes.
    Launch,
    /// The rate of transfers between host and card.
    Transfers,
    /// Time of the stages that a port of external memory holds: its bandwidth.
    Bandwidth,
    /// Time that the card counted as waiting for external memory.
    MemoryStall,
    /// Time of the other loops: their intervals or iterations.
    Loops,
    /// Work that no kernel serves.
    OtherWork,
    /// Kernels that run one after another.
    Sequence,
}

/// Why a term does not explain the difference.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Doubt {
    /// The clock is known.
    ClockKnown,
    /// The clock would be above the one that the design has.
    ClockAbove,
    /// The clock would be below half of the one that the design has.
    ClockFarBelow,
    /// Nothing would be left of the term, and the time would still be another.
    NotEnough,
}

/// A term with the value that would give the measured time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExplainingTerm {
    /// Which.
    pub term: TermKind,
    /// Its value in the prediction: hertz of a clock, bytes per second of transfers, else seconds.
    pub predicted: f64,
    /// The value that gives the measured time.
    pub needed: Option<f64>,
    /// By which factor the term's time changes.
    pub factor: Option<f64>,
    /// What the measurement shows of it.
    pub observed: Option<f64>,
    /// Whether what it shows explains at least half of the difference.
    pub is_shown: bool,
    /// What rules it out.
    pub doubt: Option<Doubt>,
}

/// The terms of a predicted time.
pub(crate) struct Prediction {
    pub(crate) kernel: Option<String>,
    pub(crate) range: [Seconds; 2],
    pub(crate) provenance: Provenance,
    pub(crate) source: String,
    pub(crate) roof: Option<Seconds>,
    /// Seconds of the stages that ports hold, and of all else in kernels.
    ports: f64,
    loops: f64,
    clock: Option<Figure<Hertz>>,
    calls: f64,
    launches: f64,
    transfers: f64,
    moved: f64,
    /// Share of the work that kernels serve.
    share: f64,
    /// The time of the kernel that takes longest, and how many there are.
    slowest: f64,
    kernels: usize,
}

impl Prediction {
    pub(crate) fn total(&self) -> f64 {
        self.ports + self.loops + self.launches + self.transfers
    }

    /// The time at another clock of all kernels.
    pub(crate) fn at_clock(&self, clock: Hertz) -> Option<Seconds> {
        let factor = self.clock.as_ref()?.value.0 / clock.0;
        let outside = self.launches + self.transfers;
        Some(Seconds((self.ports + self.loops) * factor + outside))
    }

    /// One call of a kernel; by the host's clock with its launch.
    pub(crate) fn of_kernel(
        kernel: &DesignKernel,
        launch: &Figure<Seconds>,
        timer: Timer,
    ) -> Option<Self> {
        let cycles = kernel.cycles.as_ref()?;
        let clock = kernel.clock.value.0;
        let launches = if timer == Timer::Host { launch.value.0 } else { 0.0 };
        let ports = port_cycles(kernel) / clock;
        let inputs = [cycles.value.provenance, kernel.clock.provenance];
        let edge = |cycles: f64, launches: f64| Seconds(cycles / clock + launches);
        Some(Self {
            kernel: Some(kernel.name.clone()),
            // The launch is what calls were seen to take, not the least of them.
            range: [edge(cycles.low, launches.min(FASTEST_CALL.0)), edge(cycles.high, launches)],
            provenance: Provenance::of_inputs(
                inputs.into_iter().chain((timer == Timer::Host).then_some(launch.provenance)),
            ),
            source: format!("{}; clock: {}", cycles.value.source, kernel.clock.source),
            roof: kernel.roof.as_ref().map(|roof| Seconds(roof.time.value.0 / kernel.calls.value)),
            ports,
            loops: cycles.value.value / clock - ports,
            clock: Some(kernel.clock.clone()),
            calls: 1.0,
            launches,
            transfers: 0.0,
            moved: 0.0,
            share: 1.0,
            slowest: 0.0,
            kernels: 1,
        })
    }

    /// An inference; by the card's clock without launches and transfers.
    pub(crate) fn of_inference(
        kernels: &[DesignKernel],
        totals: &DesignTotals,
        transfers: &Transfers,
        timer: Timer,
    ) -> Option<Self> {
        let (latency, range) = (totals.latency.as_ref()?, totals.range?);
        let is_host = timer == Timer::Host;
        let outside = totals.launches.0 + totals.transfers.0;
        let calls: f64 =
            kernels.iter().filter(|one| one.cycles.is_some()).map(|one| one.calls.value).sum();
        let least = totals.launches.0.min(calls * FASTEST_CALL.0);
        let timed: Vec<(&DesignKernel, f64)> =
            kernels.iter().filter_map(|one| Some((one, one.seconds()?.value.0))).collect();
        let ports = timed
            .iter()
            .map(|(kernel, _)| port_cycles(kernel) * kernel.serial_calls() / kernel.clock.value.0);
        let ports: f64 = ports.sum();
        let all: f64 = timed.iter().map(|(_, time)| time).sum();
        let clock = &timed.first()?.0.clock;
        let is_one_clock = timed
            .iter()
            .all(|(kernel, _)| kernel.clock.value.0.to_bits() == clock.value.0.to_bits());
        let roofs: Option<f64> =
            timed.iter().map(|(kernel, _)| Some(kernel.roof.as_ref()?.time.value.0)).sum();
        Some(Self {
            kernel: None,
            range: if is_host {
                [Seconds(range[0].0 - totals.launches.0 + least), range[1]]
            } else {
                range.map(|edge| Seconds(edge.0 - outside))
            },
            provenance: latency.provenance,
            source: latency.source.clone(),
            roof: roofs.map(Seconds),
            ports,
            loops: all - ports,
            clock: is_one_clock.then(|| clock.clone()),
            calls,
            launches: if is_host { totals.launches.0 } else { 0.0 },
            transfers: if is_host { totals.transfers.0 } else { 0.0 },
            moved: transfers.bytes().0,
            share: totals.served_share,
            slowest: timed.iter().map(|(_, time)| *time).fold(0.0, f64::max),
            kernels: timed.len(),
        })
    }
}

/// Cycles of one call in the stages that a port holds.
fn port_cycles(kernel: &DesignKernel) -> f64 {
    let all: f64 = kernel.stages.iter().map(|stage| stage.cycles.0).sum();
    let held = kernel.stages.iter().filter(|stage| stage.held_by_port.is_some());
    let held: f64 = held.map(|stage| stage.cycles.0).sum();
    let taken = kernel.cycles.as_ref().map_or(0.0, |cycles| cycles.value.value);
    // Stages that run at the same time share the time of the kernel.
    if all > 0.0 { taken * held / all } else { 0.0 }
}

/// The terms that could be another, the most likely first.
pub(crate) fn explain_gap(time: &MeasuredTime, prediction: &Prediction) -> Vec<ExplainingTerm> {
    let gap = time.time.value.0 - prediction.total();
    let mut terms = Vec::new();
    if gap > 0.0 && prediction.share < WHOLE {
        terms.push(ExplainingTerm {
            is_shown: true,
            ..make_term(TermKind::OtherWork, 0.0, gap, |time| time)
        });
    }
    if let Some(stall) = time.memory_stall.filter(|_| gap > 0.0) {
        let term = make_term(TermKind::MemoryStall, 0.0, gap, |time| time);
        let is_shown = stall.0 >= 0.5 * gap;
        terms.push(ExplainingTerm { observed: Some(stall.0), is_shown, ..term });
    }
    terms.extend(explain_clock(time, prediction, gap));
    if prediction.launches > 0.0 {
        let calls = prediction.calls;
        terms.push(make_term(TermKind::Launch, prediction.launches, gap, |time| time / calls));
    }
    if prediction.transfers > 0.0 {
        let moved = prediction.moved;
        terms.push(make_term(TermKind::Transfers, prediction.transfers, gap, |time| moved / time));
    }
    if prediction.ports > 0.0 {
        terms.push(make_term(TermKind::Bandwidth, prediction.ports, gap, |time| time));
    }
    if prediction.loops > 0.0 {
        terms.push(make_term(TermKind::Loops, prediction.loops, gap, |time| time));
    }
    let is_overlapped = prediction.kernels > 1 && time.time.value.0 >= prediction.slowest;
    if gap < 0.0 && is_overlapped {
        terms.push(make_term(TermKind::Sequence, prediction.total(), gap, |time| time));
    }
    let change = |term: &ExplainingTerm| term.factor.map_or(f64::INFINITY, |one| one.ln().abs());
    terms.sort_by(|a, b| {
        let key = |term: &ExplainingTerm| (term.doubt.is_some(), !term.is_shown);
        key(a).cmp(&key(b)).then(change(a).total_cmp(&change(b)))
    });
    terms
}

/// The term whose time is `now`, as it has to be to close the gap; `unit` gives its value for a time.
fn make_term(term: TermKind, now: f64, gap: f64, unit: impl Fn(f64) -> f64) -> ExplainingTerm {
    let then = now + gap;
    let is_enough = then > 0.0;
    ExplainingTerm {
        term,
        predicted: unit(now),
        needed: is_enough.then(|| unit(then)),
        factor: (is_enough && now > 0.0).then(|| then / now),
        observed: None,
        is_shown: false,
        doubt: (!is_enough).then_some(Doubt::NotEnough),
    }
}

fn explain_clock(time: &MeasuredTime, prediction: &Prediction, gap: f64) -> Option<ExplainingTerm> {
    let clock = prediction.clock.as_ref()?;
    let in_kernels = prediction.ports + prediction.loops;
    let at = |time: f64| clock.value.0 * in_kernels / time;
    let mut term = make_term(TermKind::Clock, in_kernels, gap, at);
    term.observed = time.clock.map(|clock| clock.0);
    let share = term.needed.map(|needed| needed / clock.value.0);
    let is_same = |other: Hertz| (other.0 / clock.value.0 - 1.0).abs() <= SAME_CLOCK;
    let is_known = match time.clock {
        Some(seen) => is_same(seen),
        None => clock.provenance >= Provenance::Synthesised,
    };
    if let Some(seen) = time.clock {
        let left = gap - in_kernels * (clock.value.0 / seen.0 - 1.0);
        term.is_shown = left.abs() <= 0.5 * gap.abs();
    }
    term.doubt = term.doubt.or(match share {
        _ if is_known => Some(Doubt::ClockKnown),
        Some(share) if share > 1.0 + SAME_CLOCK => Some(Doubt::ClockAbove),
        Some(share) if share < LOWEST_CLOCK => Some(Doubt::ClockFarBelow),
        _ => None,
    });
    Some(term)
}
