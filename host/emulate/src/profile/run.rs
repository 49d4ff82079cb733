//! How long one run takes.

use derate_model::units::{Cycles, Hertz, Seconds};
use derate_model::{Figure, Platform, Provenance};

use super::order::{Copy, Run};
use crate::emulator::{Bank, HeldBy, Moved, TimedRun, model_time, time_banks};
use crate::swemu::RecordedPlace;

/// Bits of a port that no bank waits for.
const WIDE: u32 = 512;

/// Why the cycles of a run are not modelled: a clause.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NoCycles(pub String);

/// Whoever knows how many cycles a kernel computes.
pub trait CycleModel {
    /// The cycles of one run of a kernel that is given these numbers, by the names of its arguments, at a clock.
    fn model_cycles(
        &mut self,
        kernel: &str,
        given: &[(String, u64)],
        clock: Hertz,
    ) -> Result<Figure<Cycles>, NoCycles>;
}

/// The modelled time of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunTime {
    /// The time that it takes alone; `None` where nothing of it is modelled.
    pub time: Option<Figure<Seconds>>,
    /// What holds it down, where it is known.
    pub held_by: Option<HeldBy>,
    /// The cycles that its kernel computes, or why they are not known.
    pub cycles: Result<Figure<Cycles>, NoCycles>,
    /// What else the time leaves out: a clause each.
    pub left_out: Vec<String>,
    /// The part of each bank's bandwidth that it needs in that time, by the bank's place.
    pub banks: Vec<(usize, f64)>,
}

impl RunTime {
    /// Whether a card takes at least so long, and perhaps longer.
    pub fn is_bound(&self) -> bool {
        self.cycles.is_err() || !self.left_out.is_empty()
    }
}

/// The cycles of a run, or those that its streams take at least, where they are more: a stream has one element in a cycle.
fn least_cycles(run: &Run<'_>, cycles: Option<&Figure<Cycles>>) -> Option<Figure<Cycles>> {
    let most = run.streams.iter().map(|one| one.elements).max().unwrap_or(0) as f64;
    match cycles {
        Some(cycles) if cycles.value.0 >= most => Some(cycles.clone()),
        known if most > 0.0 => {
            let source = "an element of a stream takes a cycle at least";
            let source = known.map_or_else(
                || source.to_owned(),
                |cycles| format!("{source}; {} as modelled alone", cycles.value.0),
            );
            Some(Figure::new(Cycles(most), Provenance::Derived, source))
        }
        known => known.cloned(),
    }
}

/// A card at a clock, for the time of its runs.
pub(super) struct Timer<'a> {
    pub(super) platform: &'a Platform,
    pub(super) banks: &'a [Bank],
    pub(super) clock: Hertz,
}

impl Timer<'_> {
    /// Models one run that has the card for itself.
    pub(super) fn time_run(
        &self,
        run: &Run<'_>,
        kernel: &str,
        plain: &[String],
        model: &mut dyn CycleModel,
    ) -> RunTime {
        let numbers = run.arguments.iter().filter(|one| one.place.is_none());
        let given: Vec<(String, u64)> = numbers.map(|one| (one.name.clone(), one.value)).collect();
        let cycles = model.model_cycles(kernel, &given, self.clock);
        let mut left_out = Vec::new();
        if !plain.is_empty() {
            left_out.push(format!(
                "nothing counts what goes through the plain pointers {}",
                plain.join(", ")
            ));
        }
        let all = run.counted.map_or(&[][..], |counted| counted.moved.as_slice());
        let (modelled, others): (Vec<&Moved>, Vec<&Moved>) =
            all.iter().partition(|one| self.has_channel(one.address));
        let mut others: Vec<&str> = others
            .iter()
            .filter(|one| one.read + one.written > 0)
            .filter_map(|one| self.banks.iter().find(|bank| bank.holds(one.address)))
            .map(|bank| bank.name.as_str())
            .collect();
        others.dedup();
        if !others.is_empty() {
            left_out.push(format!("the bandwidth of {} is not known", others.join(", ")));
        }
        let moved: Vec<Moved> = modelled.into_iter().cloned().collect();
        let is_still = moved.iter().all(|one| one.read + one.written == 0);
        if run.counted.is_none() {
            left_out.push("the program did not wait for its end".to_owned());
        }
        let least = least_cycles(run, cycles.as_ref().ok());
        let nothing = is_still && least.is_none();
        let timed = TimedRun { unit: run.unit, moved: &moved, cycles: least.as_ref() };
        let timed = model_time(self.platform, self.banks, self.clock, &[timed]);
        let (time, held_by) = match timed {
            Ok(timed) if !nothing => (Some(timed.time), Some(timed.held_by)),
            Ok(_) => (None, None),
            Err(error) => {
                left_out.push(error.to_string());
                (None, None)
            }
        };
        let alone = time.as_ref().map_or(0.0, |time: &Figure<Seconds>| time.value.0);
        let part = |(bank, seconds): (usize, f64)| (bank, (seconds / alone).min(1.0));
        let busy = if alone > 0.0 {
            time_banks(self.platform, self.banks, self.clock, &moved)
        } else {
            Vec::new()
        };
        let banks = busy.into_iter().map(part).collect();
        RunTime { time, held_by, cycles, left_out, banks }
    }

    /// How long the banks of this card take for a copy, which a card takes at least, and the part of each that it needs; `None` where
    /// no bank of it has a modelled bandwidth.
    pub(super) fn time_copy(&self, copy: &Copy<'_>) -> (Option<f64>, Vec<(usize, f64)>) {
        let end = |place: Option<&RecordedPlace>, read, written| {
            let address = place.map(|place| place.address).filter(|at| self.has_channel(*at))?;
            let (argument, bundle) = (String::new(), None);
            Some(Moved { argument, address, bundle, width_bits: WIDE, read, written, jumps: 0 })
        };
        let ends = [end(copy.from, copy.bytes, 0), end(copy.to, 0, copy.bytes)];
        let moved: Vec<Moved> = ends.into_iter().flatten().collect();
        let busy = time_banks(self.platform, self.banks, self.clock, &moved);
        let alone = busy.iter().map(|(_, seconds)| *seconds).fold(0.0, f64::max);
        let part = |(bank, seconds): (usize, f64)| (bank, seconds / alone);
        ((alone > 0.0).then_some(alone), busy.into_iter().map(part).collect())
    }

    /// Whether an address is in a bank that the bandwidth model has.
    fn has_channel(&self, address: u64) -> bool {
        let memories = [Some(&self.platform.memory), self.platform.second_memory.as_ref()];
        let channels: usize =
            memories.into_iter().flatten().map(|one| one.channels.value as usize).sum();
        self.banks.iter().take(channels).any(|bank| bank.holds(address))
    }
}
