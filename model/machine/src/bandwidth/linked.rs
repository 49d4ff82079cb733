//! What the link report (`xclbin.info`) says: the clocks that were reached, and which ports reach which banks.

use derate_hls::{BankRange, Report};

use super::known::KnownPort;
use super::wiring::{Pin, Wiring};
use crate::{Memory, Platform};
use derate_units::{Figure, Hertz, Provenance};

/// The frequency of the first clock whose name `is_it`.
fn find_clock(report: &Report, is_it: impl Fn(&str) -> bool) -> Option<Figure<Hertz>> {
    let found = report.clocks.iter().find(|clock| is_it(&clock.name.value))?;
    let mhz = found.frequency.as_ref()?.value.known().filter(|&mhz| mhz > 0.0)?;
    let source = format!("the link report, clock {}", found.name.value);
    Some(Figure::new(Hertz(mhz * 1e6), Provenance::Synthesised, source))
}

/// The clock that the kernels reached: `DATA_CLK`.
pub fn kernel_clock(report: &Report) -> Option<Figure<Hertz>> {
    find_clock(report, |name| name == "DATA_CLK")
}

/// The clock that the AXI ports of `memory` reached, which is printed of HBM alone. Large designs close below the 450 MHz of
/// the data sheet.
pub fn axi_clock(reports: &[Report], memory: &Memory) -> Option<Figure<Hertz>> {
    let hbm = memory.bank.as_deref().is_some_and(|bank| bank.eq_ignore_ascii_case("HBM"));
    let of = |report| find_clock(report, |name| name.contains("hbm_aclk"));
    if hbm { reports.iter().find_map(of) } else { None }
}

/// The ports of a linked design, with the widths and banks of the link report, at the clock that it reached; `None` where
/// `report` is another.
///
/// The report does not say which way a port moves data: they are taken to read.
pub fn wire_linked(report: &Report, platform: &Platform, clock: Hertz) -> Option<Wiring> {
    let mut wiring = Wiring::default();
    for unit in &report.compute_units {
        for argument in &unit.arguments {
            let (Some(bank), Some(port)) = (argument.bank(), &argument.port) else { continue };
            let wide = unit.ports.iter().find(|one| one.name.value == port.value);
            let wide =
                wide.and_then(|one| one.bits.as_ref()?.value.known()).filter(|&bits| bits > 0);
            let known = KnownPort {
                kernel: String::new(),
                name: port.value.clone(),
                arguments: Vec::new(),
                bits: wide.map(|bits| {
                    Figure::new(bits as f64, Provenance::Synthesised, "the link report")
                }),
                direction: None,
                burst_beats: None,
                outstanding: None,
            };
            let range = BankRange::parse(bank);
            let pin = Pin {
                unit: &unit.name.value,
                argument: &argument.name.value,
                banks: Some(range.as_ref().map_err(Clone::clone)),
                port: Some(&known),
                clock,
            };
            wiring.add(platform, &pin);
        }
    }
    (!wiring.is_empty()).then_some(wiring)
}
