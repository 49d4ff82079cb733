//! From a v++ configuration to ports and the channels that they reach.

use derate_hls::{BankRange, Connectivity, Figure as Printed, Located, Report};

use super::{Direction, Pattern, Port};
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

/// The kernel of a compute unit: the one that `nk=` names, else the name without its number.
fn kernel_of(unit: &str, connectivity: &Connectivity) -> String {
    let kernels = &connectivity.kernels;
    let named = kernels.iter().find(|kernels| kernels.unit_names().iter().any(|name| name == unit));
    named.map_or_else(
        || {
            let (stem, number) = unit.rsplit_once('_').unwrap_or((unit, ""));
            let numbered = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
            (if numbered { stem } else { unit }).to_owned()
        },
        |kernels| kernels.kernel.value.clone(),
    )
}

/// The first and the last channel of a range, within the memory.
fn channels(range: &BankRange, memory: &Memory) -> Result<(usize, usize), String> {
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

/// The clock that the configuration asks of a compute unit.
fn clock_of(unit: &str, connectivity: &Connectivity) -> Option<Hertz> {
    let asked = |named: bool| {
        connectivity.frequencies.iter().find(|option| {
            let targets = &option.targets;
            if named {
                targets.iter().any(|t| t.value.split('.').next() == Some(unit))
            } else {
                // The clock with the number 0 is the kernels'.
                targets.is_empty() || targets.iter().any(|t| t.value == "0")
            }
        })
    };
    let option = asked(true).or_else(|| asked(false))?;
    let megahertz = option.megahertz.value.known().filter(|&mhz| mhz > 0.0)?;
    Some(Hertz(megahertz * 1e6))
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
    for pin in &connectivity.memory {
        let (unit, argument) = (&pin.unit.value, &pin.argument.value);
        let channels = match channels(&pin.banks.value, memory) {
            Ok(channels) => channels,
            Err(reason) => {
                wiring.unplaced.push(Unplaced { port: format!("{unit}.{argument}"), reason });
                continue;
            }
        };
        let kernel = kernel_of(unit, connectivity);
        let port = known.iter().find(|port| port.kernel == kernel && port.is_called(argument));
        let name = port.map_or_else(|| argument.clone(), |port| port.name.clone());
        let seen = wiring.ports.iter_mut().find(|wired| wired.unit == *unit && wired.name == name);
        if let Some(seen) = seen {
            let (first, last) = &mut seen.port.channels;
            (*first, *last) = ((*first).min(channels.0), (*last).max(channels.1));
            continue;
        }
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
                clock: clock
                    .or_else(|| clock_of(unit, connectivity))
                    .unwrap_or(platform.clock.value),
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
