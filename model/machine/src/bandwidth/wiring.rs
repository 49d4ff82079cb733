//! Which ports reach which channels, and what they get.

use std::collections::BTreeMap;

use derate_hls::{BankRange, Reason};

use super::known::KnownPort;
use super::place::find_channels;
use super::{Direction, Explained, LimitedBy, Pattern, Port, explain_bandwidth};
use crate::{Memory, Platform};
use derate_units::figures::list_few;
use derate_units::{Figure, Hertz, Provenance};

/// A port of a compute unit, wired to a memory.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WiredPort {
    /// The compute unit.
    pub unit: String,
    /// The port, or the argument where the port is not known.
    pub name: String,
    /// Its width in bits, and how that is known.
    pub bits: Figure<f64>,
    /// Which of the card's memories it reaches.
    pub memory: usize,
    /// Whether a line says so. Else v++ chooses its bank, and the first one of the main memory is assumed.
    pub(crate) is_told: bool,
    /// The port.
    pub port: Port,
}

/// An argument that is in none of the figures, and why.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Unplaced {
    /// `gemm_1.a`.
    pub argument: String,
    /// Why.
    pub reason: String,
}

/// Which ports reach which channels of a card's memories.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wiring {
    /// In the order of the configuration.
    pub(crate) ports: Vec<WiredPort>,
    /// What is not among them.
    pub(crate) unplaced: Vec<Unplaced>,
    /// Where in `ports` each port of each unit is.
    places: BTreeMap<(String, String), usize>,
}

/// An argument, or a port, of a compute unit that is wired to banks.
pub(crate) struct Pin<'a> {
    pub unit: &'a str,
    pub argument: &'a str,
    /// `None` where no line wires it.
    pub banks: Option<Result<&'a BankRange, Reason>>,
    /// The port that the argument goes through, where it is known.
    pub port: Option<&'a KnownPort>,
    /// The unit's clock.
    pub clock: Hertz,
}

/// So many arguments that are left out, or that no line wires, are named.
const NAMED: usize = 3;

impl Wiring {
    /// Whether nothing was wired.
    pub fn is_empty(&self) -> bool {
        self.ports.is_empty() && self.unplaced.is_empty()
    }

    /// Takes in an argument. Arguments that share a port are one port; what is not known of it is taken from the platform.
    pub(crate) fn add(&mut self, platform: &Platform, pin: &Pin<'_>) {
        if let Err(reason) = self.try_add(platform, pin) {
            let argument = format!("{}.{}", pin.unit, pin.argument);
            self.unplaced.push(Unplaced { argument, reason: reason.into() });
        }
    }

    fn try_add(&mut self, platform: &Platform, pin: &Pin<'_>) -> Result<(), Reason> {
        let (at, channels) = match &pin.banks {
            Some(banks) => find_channels(banks.clone()?, platform)?,
            None => (0, (0, 0)),
        };
        let name = pin.port.map_or(pin.argument, |port| port.name.as_str());
        let key = (pin.unit.to_owned(), name.to_owned());
        if let Some(seen) = self.places.get(&key).and_then(|&index| self.ports.get_mut(index)) {
            if seen.memory != at {
                return Err(format!("port {name} reaches another memory already").into());
            }
            let (first, last) = &mut seen.port.channels;
            (*first, *last) = ((*first).min(channels.0), (*last).max(channels.1));
            return Ok(());
        }
        let memory = platform.memories().nth(at).unwrap_or(&platform.memory);
        let bits = pin.port.and_then(|port| port.bits.clone()).unwrap_or_else(|| {
            let source =
                format!("as wide as a channel of {}: no report names the port", memory.title);
            Figure::new(memory.port_bits.value, Provenance::Assumed, source)
        });
        let (burst, outstanding) =
            (platform.kernel.m_axi_burst.value, platform.kernel.m_axi_outstanding.value);
        self.places.insert(key, self.ports.len());
        self.ports.push(WiredPort {
            unit: pin.unit.to_owned(),
            name: name.to_owned(),
            memory: at,
            is_told: pin.banks.is_some(),
            port: Port {
                width_bits: bits.value,
                clock: pin.clock,
                burst_beats: pin.port.and_then(|p| p.burst_beats).unwrap_or(burst),
                outstanding: pin.port.and_then(|p| p.outstanding).unwrap_or(outstanding),
                direction: pin.port.and_then(|p| p.direction).unwrap_or(Direction::Read),
                pattern: Pattern::Sequential,
                channels,
            },
            bits,
        });
        Ok(())
    }

    /// What the ports get from the memory that gives them most, as [`explain_bandwidth`] says it of each; `axi_clock` is what the
    /// link report prints of one. Where the width of a port is `Assumed`, so is the figure, unless the card holds it.
    ///
    /// The error says why nothing reaches a memory.
    pub fn explain(
        &self,
        platform: &Platform,
        axi_clock: impl Fn(&Memory) -> Option<Figure<Hertz>>,
    ) -> Result<Explained, Reason> {
        let mut parts: Vec<(&Memory, Explained)> = Vec::new();
        for (at, memory) in platform.memories().enumerate() {
            let ports = self.ports.iter().filter(|wired| wired.memory == at);
            let ports: Vec<Port> = ports.map(|wired| wired.port.clone()).collect();
            if !ports.is_empty() {
                parts
                    .push((memory, explain_bandwidth(memory, axi_clock(memory).as_ref(), &ports)?));
            }
        }
        let mut all = greatest(parts).ok_or_else(|| {
            Reason::from(format!(
                "no port of the design reaches the card's memory: {}",
                self.left_out()
            ))
        })?;
        let mut sentences = vec![all.sentence];
        let assumed = |wired: &&WiredPort| wired.bits.provenance == Provenance::Assumed;
        if all.limited_by != LimitedBy::Card
            && let Some(port) = self.ports.iter().find(assumed)
        {
            all.figure.provenance = Provenance::Assumed;
            let (unit, name, bits) = (&port.unit, &port.name, &port.bits);
            sentences.push(format!(
                "The width of {unit}.{name} is taken to be {} bit, {}.",
                bits.value, bits.source
            ));
        }
        let chosen: Vec<_> = self.ports.iter().filter(|wired| !wired.is_told).collect();
        if !chosen.is_empty() {
            if all.limited_by != LimitedBy::Card {
                all.figure.provenance = Provenance::Assumed;
            }
            let names: Vec<_> =
                chosen.iter().map(|port| format!("{}.{}", port.unit, port.name)).collect();
            sentences.push(format!(
                "No sp= line wires {}: v++ chooses the bank, and the first of {} is taken.",
                list_few(&names, NAMED),
                platform.memory.title
            ));
        }
        if !self.unplaced.is_empty() {
            sentences.push(format!("Left out: {}.", self.left_out()));
        }
        all.sentence = sentences.join(" ");
        all.figure.source.clone_from(&all.sentence);
        Ok(all)
    }

    /// `gemm_1.c (PLRAM[0] is not a bank of the card's external memory: HBM and DDR)`
    fn left_out(&self) -> String {
        let all: Vec<_> =
            self.unplaced.iter().map(|u| format!("{} ({})", u.argument, u.reason)).collect();
        list_few(&all, NAMED)
    }
}

/// The figure of the memory that gives most; `None` where ports reach none. What share of an inference's bytes crosses the
/// others, nothing says: they add nothing.
fn greatest(parts: Vec<(&Memory, Explained)>) -> Option<Explained> {
    let least_first =
        |a: &(_, Explained), b: &(_, Explained)| a.1.figure.value.0.total_cmp(&b.1.figure.value.0);
    let others = parts.len() > 1;
    let sentences: Vec<String> =
        parts.iter().map(|(memory, part)| format!("{}: {}", memory.title, part.sentence)).collect();
    let (memory, mut most) = parts.into_iter().max_by(least_first)?;
    if others {
        most.sentence = format!(
            "{} The figure is that of {} alone: nothing says what share of the bytes crosses the rest.",
            sentences.join(" "),
            memory.title
        );
    }
    Some(most)
}
