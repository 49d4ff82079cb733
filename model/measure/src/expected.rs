//! What a setup could carry at most, and what the bandwidth model gives it.

use super::setup::Setup;
use super::share::DirectionShare;
use derate_machine::bandwidth::{
    Channels, Direction, LimitedBy, Port, aggregate_bandwidth, explain_bandwidth,
};
use derate_machine::{Limits, Memory};
use derate_units::figures::{count, quantity};
use derate_units::{BytesPerSecond, Figure, Provenance};

/// The share of the bytes up to which they are results beside the stream: they may go through a port that nobody counts.
pub(super) const FEW: f64 = 0.01;

/// What the model gives a setup.
pub(super) struct ModelledBandwidth {
    pub(super) least: BytesPerSecond,
    pub(super) most: Figure<BytesPerSecond>,
    pub(super) limited_by: LimitedBy,
}

impl Setup {
    /// The channels as they would be if nothing were lost.
    fn lossless_channels(&self) -> Channels {
        let card = self.memory.peak.as_ref().map(|peak| peak.value);
        Channels {
            efficiency: Figure::new(1.0, Provenance::Derived, "nothing lost"),
            limits: Limits::default(),
            card,
            ..Channels::at(&self.memory, self.memory_clock)
        }
    }

    /// Ports that move data one way, doing nothing else.
    pub(super) fn one_way(&self, direction: Direction) -> Vec<Port> {
        let other = match direction {
            Direction::Read => Direction::Write,
            _ => Direction::Read,
        };
        let those = self.ports.iter().filter(|port| port.direction != other);
        those.map(|port| Port { direction, ..port.clone() }).collect()
    }

    /// The ports that the bytes go through: where nearly all go one way, as they do that alone. A few written sums make no
    /// copy of a read.
    fn in_use(&self, read_share: Option<f64>) -> Vec<Port> {
        let way = match read_share {
            Some(read) if read >= 1.0 - FEW => Direction::Read,
            Some(read) if read <= FEW => Direction::Write,
            _ => return self.ports.clone(),
        };
        let ports = self.one_way(way);
        if ports.is_empty() { self.ports.clone() } else { ports }
    }

    /// What the wires of the ports carry that the bytes go through.
    pub(super) fn wire_rate(&self, read_share: Option<f64>) -> BytesPerSecond {
        self.in_use(read_share).iter().map(port_rate).sum()
    }

    /// The lower of what all ports get together and what those of one way get of their share of the bytes; in the second case
    /// with how that comes about.
    fn joint_rate(
        &self,
        channels: &Channels,
        read_share: Option<f64>,
    ) -> Option<(BytesPerSecond, Option<String>)> {
        let all = aggregate_bandwidth(&self.in_use(read_share), channels).ok()?.value;
        let Some(read) = read_share else { return Some((all, None)) };
        let mut ways = Vec::new();
        for (direction, share) in [(Direction::Read, read), (Direction::Write, 1.0 - read)] {
            let ports = self.one_way(direction);
            if share > FEW && !ports.is_empty() {
                let gets = aggregate_bandwidth(&ports, channels).ok()?;
                let wires = ports.iter().map(port_rate).sum();
                ways.push(DirectionShare {
                    direction,
                    of_all: share,
                    ports: ports.len(),
                    wires,
                    gets,
                });
            }
        }
        ways.sort_by(|a, b| a.rate().0.total_cmp(&b.rate().0));
        match ways.split_first() {
            Some((first, others)) if first.rate().0 < all.0 * (1.0 - 1e-9) => {
                Some((first.rate(), Some(first.describe_share(others.first()))))
            }
            _ => Some((all, None)),
        }
    }

    /// What these ports and channels could carry if nothing were lost: `min(sum of W x f_k, n x W_c x f_c)`, and no more
    /// than the card bears. What is not known limits nothing. `read_share` is that of the bytes that are read.
    pub(super) fn physical_peak(&self, read_share: Option<f64>) -> Figure<BytesPerSecond> {
        let lossless = self.lossless_channels();
        let pins = lossless.rate * self.channels as f64;
        let pins = lossless.card.filter(|&card| card < pins).unwrap_or(pins);
        let channels = format!(
            "{} of {} carry {}",
            count(self.channels, "channel"),
            quantity(lossless.rate),
            quantity(pins)
        );
        let wires: BytesPerSecond = self.ports.iter().map(port_rate).sum();
        match self.joint_rate(&lossless, read_share).filter(|_| !self.ports.is_empty()) {
            Some((value, uneven)) => Figure::new(
                if value < pins { value } else { pins },
                Provenance::Derived,
                format!(
                    "{} carry {}, {channels}{}; nothing lost{}",
                    count(self.ports.len(), "port"),
                    quantity(wires),
                    self.explain_limit(value, wires, pins, &lossless, read_share)
                        .filter(|_| uneven.is_none())
                        .unwrap_or_default(),
                    uneven
                        .filter(|_| value < pins)
                        .map_or_else(String::new, |said| format!(". {said}"))
                ),
            ),
            None => Figure::new(
                pins,
                Provenance::Derived,
                format!("{channels}; {}, nothing lost", self.explain_uncounted()),
            ),
        }
    }

    /// What holds the ports where neither their wires nor all channels do.
    fn explain_limit(
        &self,
        value: BytesPerSecond,
        wires: BytesPerSecond,
        pins: BytesPerSecond,
        channels: &Channels,
        read_share: Option<f64>,
    ) -> Option<String> {
        if value.0 >= wires.0.min(pins.0) * (1.0 - 1e-9) {
            return None;
        }
        let ports = self.in_use(read_share);
        let each = ports.iter().map(|port| port_rate(port).0.min(channels.rate.0)).sum::<f64>();
        Some(if (value.0 / each - 1.0).abs() < 1e-9 {
            format!(
                "; a port gets no more than one channel at a time, so {} get {}",
                count(ports.len(), "port"),
                quantity(value)
            )
        } else {
            format!(
                "; in the banks that they reach {} get {}",
                count(ports.len(), "port"),
                quantity(value)
            )
        })
    }

    /// Why the ports of a file are not counted.
    fn explain_uncounted(&self) -> String {
        if self.missing.is_empty() {
            return "what the file says of its ports and clocks does not fit the card, so that the ports are not counted".to_owned();
        }
        let keys: Vec<String> = self.missing.iter().map(|key| format!("`{key}`")).collect();
        format!("without {} the ports are not counted", keys.join(", "))
    }

    /// What the bandwidth model gives; where channels are copied through, published efficiencies leave a range.
    pub(super) fn modelled_bandwidth(&self, read_share: Option<f64>) -> Option<ModelledBandwidth> {
        if self.ports.is_empty() {
            return None;
        }
        let own = self.memory_clock == self.memory.axi_clock.value;
        let stated = || {
            let source = "memory_clock of the measurement";
            Figure::new(self.memory_clock, Provenance::Derived, source)
        };
        let clock = (!own).then(stated);
        let mut plain = self.memory.clone();
        plain.limits.copy_efficiency = None;
        let ports = self.in_use(read_share);
        let least = explain_bandwidth(&self.memory, clock.as_ref(), &ports).ok()?;
        let most = explain_bandwidth(&plain, clock.as_ref(), &ports).ok()?;
        let limit =
            |memory: &Memory| self.joint_rate(&Channels::at(memory, self.memory_clock), read_share);
        let (at_most, uneven) = limit(&plain)?;
        let uneven = uneven.filter(|_| at_most < most.figure.value);
        let uneven = uneven.map_or_else(String::new, |said| format!(" {said}."));
        let writes = ports.iter().any(|port| port.direction != Direction::Read);
        let gap = self.memory.limits.write_gap.as_ref().filter(|_| writes);
        let gap = gap.map_or_else(String::new, |gap| {
            format!(" What a write burst waits is {}: {}.", gap.provenance, gap.source)
        });
        Some(ModelledBandwidth {
            least: limit(&self.memory)?.0,
            limited_by: least.limited_by,
            most: Figure::new(
                if at_most < most.figure.value { at_most } else { most.figure.value },
                most.figure.provenance,
                most.sentence + &uneven + &gap,
            ),
        })
    }
}

/// What the wires of a port carry: `W x f_k`, both ways where it copies.
fn port_rate(port: &Port) -> BytesPerSecond {
    let ways = if port.direction == Direction::Copy { 2.0 } else { 1.0 };
    BytesPerSecond(port.width_bits / 8.0 * port.clock.0 * ways)
}
