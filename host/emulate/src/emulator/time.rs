//! How long a card would take: from counted bytes, through the bandwidth model, and from modelled cycles.

use std::collections::BTreeMap;

use derate_model::bandwidth::{Channels, Direction, LimitedBy, Port, single_stream};
use derate_model::units::{BytesPerSecond, Hertz, Seconds};
use derate_model::{Figure, Platform, Provenance};

use super::left_out::left_out;
use super::{Bank, Moved, TimedRun};

/// Why a run has no modelled time. Each is a sentence.
#[derive(Debug, thiserror::Error)]
pub enum TimeError {
    /// An argument's address is in no bank: the address, the argument.
    #[error("{0:#x} of `{1}` lies in no bank of the card")]
    NoBank(u64, String),
    /// Banks without channels.
    #[error("the card has fewer channels than banks")]
    Channels,
    /// The bandwidth model refuses a port.
    #[error("{0}")]
    Bandwidth(String),
}

/// What holds modelled runs down.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum HeldBy {
    /// A limit of the bandwidth model.
    Memory(LimitedBy),
    /// The kernel's own cycles.
    Cycles,
}

impl HeldBy {
    /// For sentences: `the ports`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Memory(limit) => limit.as_str(),
            Self::Cycles => "the kernels' own cycles",
        }
    }
}

/// Modelled time. All of it is `Emulated`.
#[derive(Clone, Debug, PartialEq)]
pub struct Modelled {
    /// From the first start to the last end, without what a launch costs the host.
    pub time: Figure<Seconds>,
    /// Bytes read and written, over that time.
    pub bandwidth: Figure<BytesPerSecond>,
    /// The same where channels that are read and written at once do as well as those that are only read: with `bandwidth`
    /// the range of what is published. `None` where that makes no difference.
    pub at_best: Option<Figure<BytesPerSecond>>,
    /// What holds it down, where nothing else does.
    pub held_by: HeldBy,
    /// Whether the cycles of a kernel are not modelled: then the time is a lower bound, and the bandwidth an upper one.
    pub is_bound: bool,
    /// What such kernels did that the time does not count: a sentence each.
    pub left_out: Vec<String>,
}

/// A difference that four digits do not show does not count.
const TELLING: f64 = 1e-4;

/// What decides a time, in seconds.
type Limit = (f64, HeldBy);

fn keep_longer(a: Limit, b: Limit) -> Limit {
    // A port that its channel holds alone takes exactly as long as the channel: then it is not the channel's doing.
    if b.0 > a.0 * (1.0 + 1e-12) { b } else { a }
}

/// A memory of the platform with what its channels are asked.
struct Load {
    channels: Channels,
    /// Read and written bytes of each channel.
    asked: Vec<(f64, f64)>,
}

impl Load {
    /// The time that the busiest channel takes, or the card as a whole.
    fn time(&self, probe: &Port, mixed_is_copy: bool) -> Limit {
        let mut most = 0.0_f64;
        let rate = |direction| self.channels.rate_for(&Port { direction, ..probe.clone() });
        let (one_way, mixed) = (rate(Direction::Read), rate(Direction::Copy));
        let mixed = if mixed_is_copy { mixed } else { one_way };
        for &(read, written) in &self.asked {
            // As many bytes as go both ways are a copy, the rest goes one way.
            let both = 2.0 * read.min(written);
            most = most.max(both / mixed.0 + (read - written).abs() / one_way.0);
        }
        let all: f64 = self.asked.iter().map(|(read, written)| read + written).sum();
        let card = self.channels.card.map_or(0.0, |card| all / card.0);
        keep_longer(
            (most, HeldBy::Memory(LimitedBy::Channel)),
            (card, HeldBy::Memory(LimitedBy::Card)),
        )
    }
}

/// All memories of a platform, and the kernels' ports to them.
struct Traffic<'a> {
    banks: &'a [Bank],
    loads: Vec<Load>,
    /// A port that others are made of.
    probe: Port,
}

impl<'a> Traffic<'a> {
    fn new(platform: &Platform, banks: &'a [Bank], clock: Hertz) -> Self {
        let memories = [Some(&platform.memory), platform.second_memory.as_ref()];
        let load = |memory: &derate_model::Memory| {
            let channels = Channels::of(memory);
            Load { asked: vec![(0.0, 0.0); channels.count], channels }
        };
        let loads = memories.into_iter().flatten().map(load).collect();
        Self { banks, loads, probe: Port::sequential(0.0, clock, 0, &platform.kernel) }
    }

    /// Takes what an argument moved, and says how long its port needs alone to read and to write it.
    fn add_traffic(&mut self, moved: &Moved) -> Result<[Limit; 2], TimeError> {
        let bank = self.banks.iter().position(|bank| bank.holds(moved.address));
        let mut channel =
            bank.ok_or_else(|| TimeError::NoBank(moved.address, moved.argument.clone()))?;
        for load in &mut self.loads {
            let count = load.asked.len();
            let Some(asked) = load.asked.get_mut(channel) else {
                channel -= count;
                continue;
            };
            asked.0 += moved.read as f64;
            asked.1 += moved.written as f64;
            let mut own = [(0.0, HeldBy::Memory(LimitedBy::Port)); 2];
            let both = [(moved.read, Direction::Read), (moved.written, Direction::Write)];
            for (own, (amount, direction)) in own.iter_mut().zip(both) {
                let port = Port {
                    width_bits: f64::from(moved.width_bits),
                    direction,
                    channels: (channel, channel),
                    ..self.probe.clone()
                };
                let alone = single_stream(&port, &load.channels)
                    .map_err(|reason| TimeError::Bandwidth(reason.into()))?;
                *own = (amount as f64 / alone.value.0, HeldBy::Memory(alone.limited_by));
            }
            return Ok(own);
        }
        Err(TimeError::Channels)
    }

    /// The slowest of units and memories.
    fn time(&self, units: Limit, mixed_is_copy: bool) -> Limit {
        let memories = self.loads.iter().map(|load| load.time(&self.probe, mixed_is_copy));
        memories.fold(units, keep_longer)
    }
}

/// How long each bank takes for what a run moves, in seconds, where the bandwidth model knows it.
pub(crate) fn time_banks(
    platform: &Platform,
    banks: &[Bank],
    clock: Hertz,
    moved: &[Moved],
) -> Vec<(usize, f64)> {
    let time_bank = |(at, bank): (usize, &Bank)| {
        let mut traffic = Traffic::new(platform, banks, clock);
        for one in moved.iter().filter(|one| bank.holds(one.address)) {
            traffic.add_traffic(one).ok()?;
        }
        let (seconds, _) = traffic.time((0.0, HeldBy::Memory(LimitedBy::Channel)), true);
        (seconds > 0.0).then_some((at, seconds))
    };
    let used = |(_, bank): &(usize, &Bank)| {
        moved.iter().any(|one| one.read + one.written > 0 && bank.holds(one.address))
    };
    banks.iter().enumerate().filter(used).filter_map(time_bank).collect()
}

/// Models runs that go side by side, each unit's own one after another. Every port moves what was counted, between the
/// kernel and the bank that its address lies in; ports and channels work at once, and the slowest decides:
///
/// `T = max(per unit: sum of max(per bundle and way: sum of bytes / port, cycles / f_k); per channel: bytes / channel; bytes / card)`
///
/// A channel's bytes of both ways, as many of each, move at the rate of a copy, the others at that of a stream: a few
/// written bytes make no copy of a read.
///
/// For ports that move the same it is the bytes over [`aggregate_bandwidth`](derate_model::bandwidth::aggregate_bandwidth).
pub fn model_time(
    platform: &Platform,
    banks: &[Bank],
    clock: Hertz,
    runs: &[TimedRun<'_>],
) -> Result<Modelled, TimeError> {
    let mut traffic = Traffic::new(platform, banks, clock);
    let mut units: Vec<(&str, Limit)> = Vec::new();
    let nothing = (0.0, HeldBy::Memory(LimitedBy::Port));
    for run in runs {
        // Arguments of one bundle share a port, whose ways go at once.
        let mut ports: BTreeMap<&str, [Limit; 2]> = BTreeMap::new();
        for moved in run.moved.iter().filter(|moved| moved.read + moved.written > 0) {
            let port = moved.bundle.as_deref().unwrap_or(&moved.argument);
            let sums = ports.entry(port).or_insert([nothing; 2]);
            for (sum, own) in sums.iter_mut().zip(traffic.add_traffic(moved)?) {
                *sum = (sum.0 + own.0, keep_longer(*sum, own).1);
            }
        }
        let mut slowest = ports.into_values().flatten().fold(nothing, keep_longer);
        if let Some(cycles) = run.cycles {
            // A clock of zero would make times infinite.
            let own = cycles.value / Hertz(clock.0.max(1.0));
            slowest = keep_longer(slowest, (own.0, HeldBy::Cycles));
        }
        match units.iter_mut().find(|(name, _)| *name == run.unit) {
            Some((_, total)) => *total = (total.0 + slowest.0, slowest.1),
            None => units.push((run.unit, slowest)),
        }
    }
    let slowest_unit = units.into_iter().map(|(_, held)| held).fold(nothing, keep_longer);
    let (time, held_by) = traffic.time(slowest_unit, true);
    let (best, _) = traffic.time(slowest_unit, false);
    let moved = || runs.iter().flat_map(|run| run.moved);
    let written: u64 = moved().map(|one| one.written).sum();
    let bytes = (written + moved().map(|one| one.read).sum::<u64>()) as f64;
    let is_bound = runs.iter().any(|run| run.cycles.is_none());
    let at = format!("{} at {} MHz", platform.title, clock.0 / 1e6);
    let mut said = if is_bound {
        format!(
            "bandwidth model of {at}, in full bursts; the kernels' own cycles and the order of their accesses are not modelled, \
             so that it is a lower bound of the time"
        )
    } else {
        format!("bandwidth and pipeline models of {at}: held down by {}", held_by.as_str())
    };
    // A sum at the end of a read makes it no write.
    if written as f64 > bytes / 100.0 {
        said.push_str("; the gap after write bursts is a fit to DDR");
    }
    let rate = |seconds: f64, what: &str| {
        Figure::new(
            BytesPerSecond(if seconds > 0.0 { bytes / seconds } else { 0.0 }),
            Provenance::Emulated,
            format!("{bytes} bytes counted, over modelled time{what}"),
        )
    };
    let at_best = (best < time * (1.0 - TELLING))
        .then(|| rate(best, ", if channels that are read and written at once lose nothing by it"));
    Ok(Modelled {
        bandwidth: rate(time, &format!("; {said}")),
        time: Figure::new(Seconds(time), Provenance::Emulated, said),
        at_best,
        held_by,
        is_bound,
        left_out: left_out(runs, &traffic.probe),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emulator::{Bases, list_banks};

    /// Seconds of a run that moves these bytes, each through the bundle named and in a bank of its own.
    fn seconds(moved: &[(&str, u64, u64)]) -> f64 {
        let platform = Platform::named("u280").unwrap();
        let banks = list_banks(&platform, Bases::Card).unwrap();
        let moved: Vec<Moved> = moved
            .iter()
            .zip(&banks)
            .map(|(&(bundle, read, written), bank)| Moved {
                argument: bank.name.clone(),
                address: bank.start(),
                bundle: Some(bundle.to_owned()),
                width_bits: 512,
                read,
                written,
                jumps: 0,
            })
            .collect();
        let run = TimedRun { unit: "k_1", moved: &moved, cycles: None };
        model_time(&platform, &banks, platform.clock.value, &[run]).unwrap().time.value.0
    }

    /// Ports work side by side; what goes the same way through one port goes one after another.
    #[test]
    fn arguments_of_one_bundle_share_its_port() {
        let (much, one) = (1 << 24, seconds(&[("a", 1 << 24, 0)]));
        let near =
            |got: f64, wanted: f64| assert!((got / wanted - 1.0).abs() < 1e-9, "{got} {wanted}");
        near(seconds(&[("a", much, 0), ("b", much, 0)]), one);
        near(seconds(&[("a", much, 0), ("a", much, 0)]), 2.0 * one);
        let written = seconds(&[("a", 0, much)]);
        near(seconds(&[("a", much, 0), ("a", 0, much)]), one.max(written));
    }
}
