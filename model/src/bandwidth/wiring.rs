//! From a v++ configuration to ports and the channels that they reach.

use std::collections::{BTreeMap, BTreeSet};

use derate_hls::{BankRange, Connectivity, Figure as Printed, Located, Report};

use super::{Direction, Explained, LimitedBy, Pattern, Port, explain};
use crate::units::Hertz;
use crate::{Figure, Memory, Platform, Provenance};

/// What is known of a kernel's port, from a report or from the source. What is `None` is taken from the platform.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownPort {
    /// The kernel.
    pub kernel: String,
    /// The port: `m_axi_gmem0`, or `gmem0`.
    pub name: String,
    /// The kernel's arguments that go through it.
    pub arguments: Vec<String>,
    /// Its width in bits.
    pub bits: Option<Figure<f64>>,
    /// Which way it moves data.
    pub direction: Option<Direction>,
    /// Beats in one burst.
    pub burst_beats: Option<f64>,
    /// Bursts in flight.
    pub outstanding: Option<f64>,
}

/// A port of a compute unit, wired to a memory.
#[derive(Clone, Debug, PartialEq)]
pub struct WiredPort {
    /// The compute unit.
    pub unit: String,
    /// The port, or the argument where the port is not known.
    pub name: String,
    /// Its width in bits, and how that is known.
    pub bits: Figure<f64>,
    /// The port.
    pub port: Port,
}

/// An entry that says nothing of this memory, and why.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Unplaced {
    /// `gemm_1.a`.
    pub port: String,
    /// Why.
    pub reason: String,
}

/// Which ports reach which channels of one memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wiring {
    /// In the order of the configuration.
    pub ports: Vec<WiredPort>,
    /// What is not among them.
    pub unplaced: Vec<Unplaced>,
}

impl Wiring {
    /// The ports alone, for [`super::explain`] and [`super::aggregate`].
    pub fn plain(&self) -> Vec<Port> {
        self.ports.iter().map(|wired| wired.port.clone()).collect()
    }

    /// What the ports get from `memory`, as [`super::explain`] says it. Where the ports hold it and the width of one is
    /// `Assumed`, so is the figure.
    pub fn explain(&self, memory: &Memory, axi_clock: Option<Hertz>) -> Result<Explained, String> {
        let mut explained = explain(memory, axi_clock, &self.plain())?;
        let by_ports = matches!(explained.limited_by, LimitedBy::Port | LimitedBy::InFlight);
        let assumed = |wired: &&WiredPort| wired.bits.provenance == Provenance::Assumed;
        if by_ports && let Some(port) = self.ports.iter().find(assumed) {
            explained.figure.provenance = Provenance::Assumed;
            explained.figure.source = format!(
                "{} The width of {}.{} is taken to be {}.",
                explained.sentence, port.unit, port.name, port.bits.source
            );
        }
        Ok(explained)
    }
}

fn without_prefix(name: &str) -> &str {
    name.strip_prefix("m_axi_").unwrap_or(name)
}

impl KnownPort {
    /// Whether `sp=` may call it that.
    fn is_called(&self, argument: &str) -> bool {
        without_prefix(&self.name) == without_prefix(argument)
            || self.arguments.iter().any(|known| known == argument)
    }
}

/// The ports that a synthesis report lists. A port that is read and written is taken to do both at the same time.
pub fn known_ports(report: &Report) -> Vec<KnownPort> {
    let Some(kernel) = &report.top else { return Vec::new() };
    let number = |printed: &Option<Located<Printed>>| {
        printed.as_ref().and_then(|one| one.value.known()).map(|value| value as f64)
    };
    let of = |port: &derate_hls::MemoryPort| {
        let direction = port.access.as_ref().and_then(|access| match access.value.as_str() {
            "READ_ONLY" => Some(Direction::Read),
            "WRITE_ONLY" => Some(Direction::Write),
            "READ_WRITE" => Some(Direction::Copy),
            _ => None,
        });
        let (burst, outstanding) = match direction {
            Some(Direction::Write) => (&port.max_write_burst, &port.write_outstanding),
            _ => (&port.max_read_burst, &port.read_outstanding),
        };
        let source = format!("the synthesis report, port {} of {}", port.name.value, kernel.value);
        let bits = number(&port.bits).filter(|&bits| bits > 0.0);
        KnownPort {
            kernel: kernel.value.clone(),
            name: port.name.value.clone(),
            arguments: Vec::new(),
            bits: bits.map(|bits| Figure::new(bits, Provenance::Synthesised, source)),
            direction,
            burst_beats: number(burst).filter(|&beats| beats > 0.0),
            outstanding: number(outstanding).filter(|&bursts| bursts > 0.0),
        }
    };
    report.ports.iter().map(of).collect()
}

/// The kernels of compute units: what `nk=` names, else the unit's name without its number.
struct Units<'a> {
    named: BTreeMap<&'a str, &'a str>,
    kernels: BTreeSet<&'a str>,
}

impl<'a> Units<'a> {
    fn of(connectivity: &'a Connectivity) -> Self {
        let kernels = &connectivity.kernels;
        let named = kernels.iter().flat_map(|kernels| {
            let kernel = kernels.kernel.value.as_str();
            kernels.names.iter().map(move |name| (name.value.as_str(), kernel))
        });
        Self {
            named: named.collect(),
            kernels: kernels.iter().map(|kernels| kernels.kernel.value.as_str()).collect(),
        }
    }

    fn kernel(&self, unit: &'a str) -> &'a str {
        if let Some(kernel) = self.named.get(unit) {
            return kernel;
        }
        let (stem, number) = unit.rsplit_once('_').unwrap_or((unit, ""));
        let numbered = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
        if numbered && !self.kernels.contains(unit) { stem } else { unit }
    }
}

/// The first and the last channel of a range, within the memory.
pub(crate) fn channels(range: &BankRange, memory: &Memory) -> Result<(usize, usize), String> {
    let count = memory.channels.value;
    let bank = memory.bank.as_deref().ok_or_else(|| {
        format!("the platform file does not say what v++ calls the banks of {}", memory.title)
    })?;
    if !range.memory.eq_ignore_ascii_case(bank) {
        return Err(format!("{range} is no bank of {}", memory.title));
    }
    let last = super::Channels::of(memory).count - 1;
    let (Some(from), Some(to)) = (range.first, range.last) else { return Ok((0, last)) };
    let index = |bank: u64| usize::try_from(bank).ok().filter(|&bank| bank <= last);
    match (index(from), index(to)) {
        (Some(from), Some(to)) => Ok((from, to)),
        _ => Err(format!("{range}: {} has {count} channels, counted from 0", memory.title)),
    }
}

/// The clocks that the configuration asks for.
struct Clocks<'a> {
    of_units: BTreeMap<&'a str, Hertz>,
    of_all: Option<Hertz>,
}

impl<'a> Clocks<'a> {
    fn of(connectivity: &'a Connectivity) -> Self {
        let mut clocks = Self { of_units: BTreeMap::new(), of_all: None };
        for option in &connectivity.frequencies {
            let Some(mhz) = option.megahertz.value.known().filter(|&mhz| mhz > 0.0) else {
                continue;
            };
            let clock = Hertz(mhz * 1e6);
            // The clock with the number 0 is the kernels'.
            if option.targets.is_empty() || option.targets.iter().any(|t| t.value == "0") {
                clocks.of_all.get_or_insert(clock);
            }
            for target in &option.targets {
                let unit = target.value.split('.').next().unwrap_or_default();
                clocks.of_units.entry(unit).or_insert(clock);
            }
        }
        clocks
    }

    fn unit(&self, unit: &str) -> Option<Hertz> {
        self.of_units.get(unit).copied().or(self.of_all)
    }
}

/// The ports that `sp=` wires to `memory`, one of the platform's.
///
/// A port's width is the known one, else that of the memory's own port, which is then `Assumed`. Its clock is the one that
/// the configuration asks for, else `clock`; read the achieved one from the link report and give that instead of `None`
/// where there is one. Arguments that share a port are one port.
pub fn wire(
    connectivity: &Connectivity,
    platform: &Platform,
    memory: &Memory,
    known: &[KnownPort],
    clock: Option<Hertz>,
) -> Wiring {
    let mut wiring = Wiring::default();
    let defaults = &platform.kernel;
    let (units, clocks) = (Units::of(connectivity), Clocks::of(connectivity));
    let mut of_kernels: BTreeMap<&str, Vec<&KnownPort>> = BTreeMap::new();
    for port in known {
        of_kernels.entry(&port.kernel).or_default().push(port);
    }
    let mut places: BTreeMap<(String, String), usize> = BTreeMap::new();
    for pin in &connectivity.memory {
        let (unit, argument) = (&pin.unit.value, &pin.argument.value);
        let channels = match channels(&pin.banks.value, memory) {
            Ok(channels) => channels,
            Err(reason) => {
                wiring.unplaced.push(Unplaced { port: format!("{unit}.{argument}"), reason });
                continue;
            }
        };
        let ports = of_kernels.get(units.kernel(unit)).map_or(&[][..], Vec::as_slice);
        let port = ports.iter().find(|port| port.is_called(argument));
        let name = port.map_or_else(|| argument.clone(), |port| port.name.clone());
        let place = (unit.clone(), name.clone());
        if let Some(seen) = places.get(&place).and_then(|&at| wiring.ports.get_mut(at)) {
            let (first, last) = &mut seen.port.channels;
            (*first, *last) = ((*first).min(channels.0), (*last).max(channels.1));
            continue;
        }
        places.insert(place, wiring.ports.len());
        let bits = port.and_then(|port| port.bits.clone()).unwrap_or_else(|| {
            Figure::new(
                memory.port_bits.value,
                Provenance::Assumed,
                format!("as wide as a channel of {}: no report names the port", memory.title),
            )
        });
        wiring.ports.push(WiredPort {
            unit: unit.clone(),
            name,
            port: Port {
                width_bits: bits.value,
                clock: clock.or_else(|| clocks.unit(unit)).unwrap_or(platform.clock.value),
                burst_beats: port.and_then(|p| p.burst_beats).unwrap_or(defaults.m_axi_burst.value),
                outstanding: port
                    .and_then(|p| p.outstanding)
                    .unwrap_or(defaults.m_axi_outstanding.value),
                direction: port.and_then(|p| p.direction).unwrap_or(Direction::Read),
                pattern: Pattern::Sequential,
                channels,
            },
            bits,
        });
    }
    wiring
}
