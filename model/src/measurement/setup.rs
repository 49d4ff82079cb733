use derate_hls::BankRange;

use super::{Measurement, PortGroup, Reason};
use crate::bandwidth::{
    Channels, Direction, LimitedBy, Port, aggregate, channels_of_banks, explain,
};
use crate::figures::{count, quantity};
use crate::units::{BytesPerSecond, Hertz};
use crate::{Figure, Limits, Memory, Platform, Provenance};

/// More ports than any design has.
const MOST_PORTS: usize = 4096;

/// The ports, the channels and the clocks of a measurement, as far as it gives them.
pub(super) struct Setup {
    pub(super) platform: Platform,
    pub(super) memory: Memory,
    /// All of them; empty where a field of one is missing.
    pub(super) ports: Vec<Port>,
    /// Distinct channels that they reach; those of the memory where that is not known.
    pub(super) channels: usize,
    /// The clock of the memory's ports, no more than the card's.
    pub(super) memory_clock: Hertz,
    /// What the verdict needs and the file does not say.
    pub(super) missing: Vec<String>,
    /// What the file says and the card does not have.
    pub(super) wrong: Vec<Reason>,
}

/// What the model gives a setup.
pub(super) struct Expected {
    pub(super) least: BytesPerSecond,
    pub(super) most: Figure<BytesPerSecond>,
    pub(super) limited_by: LimitedBy,
}

/// The card that a measurement names: the claim's own where it has that name, else the catalogue's.
fn platform(measurement: &Measurement, claimed: Option<&Platform>) -> Option<Platform> {
    let name = measurement.device.platform.as_deref()?;
    let own = claimed.filter(|platform| platform.name.eq_ignore_ascii_case(name));
    own.cloned().or_else(|| Platform::named(name).ok())
}

/// The memory whose banks the ports reach: the card's main memory where they name none. The error says that they reach
/// several, or one that the card has not.
fn memory(platform: &Platform, ports: &[PortGroup]) -> Result<Memory, Reason> {
    let mut found: Option<&Memory> = None;
    for banks in ports.iter().filter_map(|group| group.banks.as_deref()) {
        let wrong = |reason: String| Reason::new("banks", format!("`{banks}`: {reason}."));
        let range = BankRange::parse(banks).map_err(wrong)?;
        let named = |memory: &&Memory| {
            memory.bank.as_ref().is_some_and(|bank| bank.eq_ignore_ascii_case(&range.memory))
        };
        let memory = platform.memories().find(named).ok_or_else(|| {
            wrong(format!("{} has no such memory, or its figures are unknown", platform.title))
        })?;
        if found.is_some_and(|before| before.bank != memory.bank) {
            return Err(Reason::new(
                "several-memories",
                "Its ports reach several memories: measure one at a time.",
            ));
        }
        found = Some(memory);
    }
    Ok(found.unwrap_or(&platform.memory).clone())
}

impl Setup {
    /// What `measurement` gives; `None` where its card is not in the catalogue.
    pub(super) fn of(measurement: &Measurement, claimed: Option<&Platform>) -> Option<Self> {
        let platform = platform(measurement, claimed)?;
        let mut wrong = Vec::new();
        let memory = memory(&platform, &measurement.ports).unwrap_or_else(|reason| {
            wrong.push(reason);
            platform.memory.clone()
        });
        let fastest = memory.axi_clock.value;
        let mut setup = Self {
            channels: Channels::of(&memory).count,
            memory_clock: measurement.memory_clock.unwrap_or(fastest),
            ports: Vec::new(),
            missing: Vec::new(),
            platform,
            memory,
            wrong,
        };
        if setup.memory_clock > fastest {
            setup.wrong.push(Reason::new(
                "memory-clock",
                format!(
                    "It says that the memory ran at {}, and {} runs at most at {}.",
                    quantity(setup.memory_clock),
                    setup.memory.title,
                    quantity(fastest)
                ),
            ));
            setup.memory_clock = fastest;
        }
        if measurement.memory_clock.is_none() {
            setup.missing.push("memory_clock".to_owned());
        }
        if measurement.kernel_clock.is_none() {
            setup.missing.push("kernel_clock".to_owned());
        }
        if measurement.ports.is_empty() {
            setup.missing.push("ports".to_owned());
        }
        setup.add_ports(measurement);
        Some(setup)
    }

    fn add_ports(&mut self, measurement: &Measurement) {
        let clock = measurement.kernel_clock.unwrap_or(self.platform.fastest_clock.value);
        if clock > self.platform.fastest_clock.value {
            let fastest = quantity(self.platform.fastest_clock.value);
            self.wrong.push(Reason::new(
                "kernel-clock",
                format!(
                    "It says that the kernel ran at {}, and the slices of {} bear at most {fastest}.",
                    quantity(clock),
                    self.platform.title
                ),
            ));
        }
        let clock = if clock > self.platform.fastest_clock.value {
            self.platform.fastest_clock.value
        } else {
            clock
        };
        let mut all = Vec::new();
        let mut reached = vec![false; Channels::of(&self.memory).count];
        let mut every_bank = !measurement.ports.is_empty();
        for (at, group) in measurement.ports.iter().enumerate() {
            for (key, known) in [
                ("direction", group.direction.is_some()),
                ("count", group.count.is_some()),
                ("bits", group.bits.is_some()),
                ("banks", group.banks.is_some()),
            ] {
                if !known {
                    self.missing.push(format!("{key} of ports[{at}]"));
                }
            }
            let banks = group.banks.as_deref().and_then(|banks| BankRange::parse(banks).ok());
            let channels = match banks.map(|range| channels_of_banks(&range, &self.memory)) {
                Some(Ok(channels)) => channels,
                Some(Err(reason)) => {
                    // A memory that is not the first one's was told before.
                    if self.wrong.is_empty() {
                        self.wrong.push(Reason::new("banks", format!("ports[{at}]: {reason}.")));
                    }
                    every_bank = false;
                    continue;
                }
                None => {
                    every_bank = false;
                    continue;
                }
            };
            if let Some(range) = reached.get_mut(channels.0..=channels.1) {
                range.fill(true);
            }
            let (Some(direction), Some(number), Some(bits)) =
                (group.direction, group.count, group.bits)
            else {
                continue;
            };
            let number = usize::try_from(number).unwrap_or(usize::MAX);
            if all.len().saturating_add(number) > MOST_PORTS {
                self.wrong.push(Reason::new(
                    "ports",
                    format!("It has more than {MOST_PORTS} ports: no card has."),
                ));
                return;
            }
            let defaults = &self.platform.kernel;
            let port = Port {
                direction,
                channels,
                ..Port::sequential(bits as f64, clock, channels.0, defaults)
            };
            all.extend(std::iter::repeat_n(port, number));
        }
        if every_bank {
            self.channels = reached.into_iter().filter(|&hit| hit).count();
        }
        if self.missing.is_empty() && self.wrong.is_empty() {
            self.ports = all;
        }
    }

    /// Whether all of the memory's channels are in use.
    pub(super) fn uses_all_channels(&self) -> bool {
        self.channels >= Channels::of(&self.memory).count
    }

    /// The channels as they would be if nothing were lost.
    fn lossless(&self) -> Channels {
        let card = self.memory.peak.as_ref().map(|peak| peak.value);
        Channels {
            efficiency: 1.0,
            limits: Limits::default(),
            card,
            ..Channels::at(&self.memory, self.memory_clock)
        }
    }

    /// Ports that move data one way, doing nothing else.
    fn one_way(&self, direction: Direction) -> Vec<Port> {
        let other = match direction {
            Direction::Read => Direction::Write,
            _ => Direction::Read,
        };
        let those = self.ports.iter().filter(|port| port.direction != other);
        those.map(|port| Port { direction, ..port.clone() }).collect()
    }

    /// The lower of what all ports get together and what those of one way get of their share of the bytes.
    fn together(&self, channels: &Channels, read_share: Option<f64>) -> Option<BytesPerSecond> {
        let mut least = aggregate(&self.ports, channels).ok()?.value;
        let Some(read) = read_share else { return Some(least) };
        for (direction, share) in [(Direction::Read, read), (Direction::Write, 1.0 - read)] {
            let ports = self.one_way(direction);
            // A result of a few bytes may go through a port that nobody counts.
            if share > 0.01 && !ports.is_empty() {
                let rate = aggregate(&ports, channels).ok()?.value * (1.0 / share);
                least = if rate < least { rate } else { least };
            }
        }
        Some(least)
    }

    /// What these ports and channels could carry if nothing were lost: `min(sum of W x f_k, n x W_c x f_c)`, and no more
    /// than the card bears. What is not known limits nothing. `read_share` is that of the bytes that are read.
    pub(super) fn peak(&self, read_share: Option<f64>) -> Figure<BytesPerSecond> {
        let lossless = self.lossless();
        let pins = lossless.rate * self.channels as f64;
        let pins = lossless.card.filter(|&card| card < pins).unwrap_or(pins);
        let channels = format!(
            "{} of {} carry {}",
            count(self.channels, "channel"),
            quantity(lossless.rate),
            quantity(pins)
        );
        let wires: BytesPerSecond = self.ports.iter().map(wires).sum();
        match self.together(&lossless, read_share).filter(|_| !self.ports.is_empty()) {
            Some(value) => Figure::new(
                if value < pins { value } else { pins },
                Provenance::Derived,
                format!(
                    "{} carry {}, {channels}; nothing lost",
                    count(self.ports.len(), "port"),
                    quantity(wires)
                ),
            ),
            None => Figure::new(
                pins,
                Provenance::Derived,
                format!("{channels}; the ports are not known, nothing lost"),
            ),
        }
    }

    /// What the bandwidth model gives; where channels are copied through, published efficiencies leave a range.
    pub(super) fn expected(&self, read_share: Option<f64>) -> Option<Expected> {
        if self.ports.is_empty() {
            return None;
        }
        let clock = Some(self.memory_clock);
        let mut plain = self.memory.clone();
        plain.limits.copy_efficiency = None;
        let least = explain(&self.memory, clock, &self.ports).ok()?;
        let most = explain(&plain, clock, &self.ports).ok()?;
        let limit =
            |memory: &Memory| self.together(&Channels::at(memory, self.memory_clock), read_share);
        let at_most = limit(&plain)?;
        let writes = self.ports.iter().any(|port| port.direction != Direction::Read);
        let gap = self.memory.limits.write_gap.as_ref().filter(|_| writes);
        let gap = gap.map_or_else(String::new, |gap| {
            format!(" What a write burst waits is {}: {}.", gap.provenance, gap.source)
        });
        Some(Expected {
            least: limit(&self.memory)?,
            limited_by: least.limited_by,
            most: Figure::new(
                if at_most < most.figure.value { at_most } else { most.figure.value },
                most.figure.provenance,
                most.sentence + &gap,
            ),
        })
    }
}

/// What the wires of a port carry: `W x f_k`, both ways where it copies.
fn wires(port: &Port) -> BytesPerSecond {
    let ways = if port.direction == Direction::Copy { 2.0 } else { 1.0 };
    BytesPerSecond(port.width_bits / 8.0 * port.clock.0 * ways)
}
