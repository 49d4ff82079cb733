//! What the link report (`xclbin.info`) says: the clocks that were reached, and which ports reach which banks.

use std::collections::BTreeMap;

use derate_hls::{BankRange, Report};

use super::wiring::channels;
use super::{Direction, Pattern, Port, Unplaced, WiredPort, Wiring};
use crate::units::Hertz;
use crate::{Figure, Memory, Platform, Provenance};

/// The frequency of the first clock whose name `is_it`.
fn clock(report: &Report, is_it: impl Fn(&str) -> bool) -> Option<Figure<Hertz>> {
    let found = report.clocks.iter().find(|clock| is_it(&clock.name.value))?;
    let mhz = found.frequency.as_ref()?.value.known().filter(|&mhz| mhz > 0.0)?;
    let source = format!("the link report, clock {}", found.name.value);
    Some(Figure::new(Hertz(mhz * 1e6), Provenance::Synthesised, source))
}

/// The clock that the kernels reached: `DATA_CLK`.
pub fn kernel_clock(report: &Report) -> Option<Figure<Hertz>> {
    clock(report, |name| name == "DATA_CLK")
}

/// The clock of the HBM's AXI ports. Large designs close below the 450 MHz of the data sheet.
pub fn hbm_clock(report: &Report) -> Option<Figure<Hertz>> {
    clock(report, |name| name.contains("hbm_aclk"))
}

/// The ports of a linked design that reach `memory`, with the widths, banks and kernel clock of the link report; `None`
/// where `report` is another.
///
/// The report does not say which way a port moves data: they are taken to read.
pub fn linked(report: &Report, platform: &Platform, memory: &Memory) -> Option<Wiring> {
    if report.compute_units.is_empty() {
        return None;
    }
    let clock = kernel_clock(report).map_or(platform.clock.value, |clock| clock.value);
    let mut wiring = Wiring::default();
    for unit in &report.compute_units {
        let name = &unit.name.value;
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        for argument in &unit.arguments {
            let (Some(bank), Some(port)) = (argument.bank(), &argument.port) else { continue };
            let wired = BankRange::parse(bank).and_then(|range| channels(&range, memory));
            let reached = match wired {
                Ok(reached) => reached,
                Err(reason) => {
                    let port = format!("{name}.{}", argument.name.value);
                    wiring.unplaced.push(Unplaced { port, reason });
                    continue;
                }
            };
            let seen = places.get(port.value.as_str()).and_then(|&at| wiring.ports.get_mut(at));
            if let Some(seen) = seen {
                let (first, last) = &mut seen.port.channels;
                (*first, *last) = ((*first).min(reached.0), (*last).max(reached.1));
                continue;
            }
            let wide = unit.ports.iter().find(|one| one.name.value == port.value);
            let wide =
                wide.and_then(|one| one.bits.as_ref()?.value.known()).filter(|&bits| bits > 0);
            let bits = wide.map_or_else(
                || {
                    let source = format!("as wide as a channel of {}", memory.title);
                    Figure::new(memory.port_bits.value, Provenance::Assumed, source)
                },
                |bits| Figure::new(bits as f64, Provenance::Synthesised, "the link report"),
            );
            places.insert(&port.value, wiring.ports.len());
            wiring.ports.push(WiredPort {
                unit: name.clone(),
                name: port.value.clone(),
                port: Port {
                    width_bits: bits.value,
                    clock,
                    burst_beats: platform.kernel.m_axi_burst.value,
                    outstanding: platform.kernel.m_axi_outstanding.value,
                    direction: Direction::Read,
                    pattern: Pattern::Sequential,
                    channels: reached,
                },
                bits,
            });
        }
    }
    Some(wiring)
}
