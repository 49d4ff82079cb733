//! How long a card would take: from counted bytes, through the bandwidth model, and from modelled cycles.

use derate_model::bandwidth::{Channels, Direction, LimitedBy, Port, single_stream};
use derate_model::units::{Bytes, BytesPerSecond, Cycles, Hertz, Seconds};
use derate_model::{Figure, Platform, Provenance};

use super::{Bank, Moved};

/// One run, for the model of its time.
#[derive(Clone, Copy, Debug)]
pub struct Timed<'a> {
    /// The compute unit: runs of one unit follow each other.
    pub unit: &'a str,
    /// What it moved.
    pub moved: &'a [Moved],
    /// The cycles that it computes, where somebody modelled them.
    pub cycles: Option<&'a Figure<Cycles>>,
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
    /// What holds it down.
    pub held_by: HeldBy,
}

/// A memory of the platform with what its channels are asked.
struct Load {
    channels: Channels,
    /// Read and written bytes of each channel.
    asked: Vec<(f64, f64)>,
}

impl Load {
    /// The time that the busiest channel takes, or the card as a whole.
    fn time(&self, probe: &Port, mixed_is_copy: bool) -> (f64, LimitedBy) {
        let mut most = (0.0_f64, LimitedBy::Channel);
        for &(read, written) in &self.asked {
            let copied = mixed_is_copy && read > 0.0 && written > 0.0;
            let direction = if copied { Direction::Copy } else { Direction::Read };
            let rate = self.channels.rate_for(&Port { direction, ..probe.clone() });
            most.0 = most.0.max((read + written) / rate.0);
        }
        let all: f64 = self.asked.iter().map(|(read, written)| read + written).sum();
        match self.channels.card {
            Some(card) if all / card.0 > most.0 => (all / card.0, LimitedBy::Card),
            _ => most,
        }
    }
}

/// Models runs that go side by side, each unit's own one after another. Every port moves what was counted, between the
/// kernel and the bank that its address lies in; ports and channels work at once, and the slowest decides:
///
/// `T = max(per unit: sum of max(bytes / port, cycles / f_k); per channel: bytes / channel; bytes / card)`
///
/// For ports that move the same it is the bytes over [`aggregate`](derate_model::bandwidth::aggregate). The error is a
/// sentence: an address in no bank.
pub fn modelled(
    platform: &Platform,
    banks: &[Bank],
    clock: Hertz,
    runs: &[Timed<'_>],
) -> Result<Modelled, String> {
    let memories = [Some(&platform.memory), platform.second_memory.as_ref()];
    let mut loads: Vec<Load> = memories
        .into_iter()
        .flatten()
        .map(|memory| {
            let channels = Channels::of(memory);
            Load { asked: vec![(0.0, 0.0); channels.count], channels }
        })
        .collect();
    let probe = Port::sequential(0.0, clock, 0, &platform.kernel);
    let mut units: Vec<(&str, f64)> = Vec::new();
    let mut held = (0.0, HeldBy::Memory(LimitedBy::Port));
    let (mut bytes, mut uncounted) = (0.0, false);
    for run in runs {
        let mut slowest = (0.0, HeldBy::Memory(LimitedBy::Port));
        for moved in run.moved.iter().filter(|moved| moved.read + moved.written > 0) {
            let bank = banks.iter().position(|bank| bank.holds(moved.address));
            let mut channel = bank.ok_or_else(|| {
                format!("{:#x} of `{}` lies in no bank of the card", moved.address, moved.argument)
            })?;
            let load = loads.iter_mut().find(|load| {
                let here = channel < load.asked.len();
                channel -= if here { 0 } else { load.asked.len() };
                here
            });
            let load = load.ok_or("the card has fewer channels than banks")?;
            let asked =
                load.asked.get_mut(channel).ok_or("the card has fewer channels than banks")?;
            asked.0 += moved.read as f64;
            asked.1 += moved.written as f64;
            bytes += (moved.read + moved.written) as f64;
            let mut own = 0.0;
            let mut by = LimitedBy::Port;
            for (amount, direction) in
                [(moved.read, Direction::Read), (moved.written, Direction::Write)]
            {
                let width_bits = f64::from(moved.width_bits);
                let port =
                    Port { width_bits, direction, channels: (channel, channel), ..probe.clone() };
                let alone = single_stream(&port, &load.channels)?;
                let time = amount as f64 / alone.value.0;
                if time > own {
                    by = alone.limited_by;
                }
                own += time;
            }
            if own > slowest.0 {
                slowest = (own, HeldBy::Memory(by));
            }
        }
        match run.cycles {
            Some(cycles) => {
                let own = (cycles.value / clock_of(clock)).0;
                if own > slowest.0 {
                    slowest = (own, HeldBy::Cycles);
                }
            }
            None => uncounted = true,
        }
        let at = units.iter().position(|(name, _)| *name == run.unit).unwrap_or_else(|| {
            units.push((run.unit, 0.0));
            units.len() - 1
        });
        if let Some((_, total)) = units.get_mut(at) {
            *total += slowest.0;
            if *total > held.0 {
                held = (*total, slowest.1);
            }
        }
    }
    let whole = |mixed_is_copy: bool| {
        let mut most = held;
        for load in &loads {
            let (time, by) = load.time(&probe, mixed_is_copy);
            // A port that its channel holds alone takes exactly as long as the channel.
            if time > most.0 * (1.0 + 1e-12) {
                most = (time, HeldBy::Memory(by));
            }
        }
        most
    };
    let (time, held_by) = whole(true);
    let (best, _) = whole(false);
    let lower = if uncounted {
        "; the kernels' own cycles are not modelled, so that it is a lower bound of the time"
    } else {
        ""
    };
    // A sum at the end of a read makes it no write.
    let written: u64 = runs.iter().flat_map(|run| run.moved).map(|moved| moved.written).sum();
    let gap = if written as f64 > bytes / 100.0 {
        "; the gap after write bursts is a fit to DDR"
    } else {
        ""
    };
    let figure = |seconds: f64, what: &str| {
        Figure::new(
            BytesPerSecond(if seconds > 0.0 { bytes / seconds } else { 0.0 }),
            Provenance::Emulated,
            format!("{} bytes counted, over modelled time{what}", Bytes(bytes).0),
        )
    };
    let said = format!(
        "bandwidth and pipeline models of {} at {} MHz: {} hold it down{lower}{gap}",
        platform.title,
        clock.0 / 1e6,
        held_by.as_str()
    );
    Ok(Modelled {
        time: Figure::new(Seconds(time), Provenance::Emulated, said.clone()),
        bandwidth: figure(time, &format!("; {said}")),
        at_best: (best < time).then(|| {
            figure(best, ", if channels that are read and written at once lose nothing by it")
        }),
        held_by,
    })
}

/// A clock that is no clock would make every time infinite or negative.
fn clock_of(clock: Hertz) -> Hertz {
    Hertz(clock.0.max(1.0))
}
