use std::collections::{BTreeMap, BTreeSet};

use derate_hls::Connectivity;

use super::clocks::{Asked, Clocks};
use super::known::KnownPort;
use super::wiring::{Pin, Wiring};
use crate::Platform;
use derate_units::Hertz;

/// The ports that `sp=` wires to the platform's memories, then those of the same units that no line wires: v++ links these
/// too, to a bank of its choice.
///
/// A port's width is the known one, else that of the memory's own port, which is then `Assumed`. `clock` tells the clock of
/// a unit from what the configuration asks for it.
pub fn wire_ports(
    connectivity: &Connectivity,
    platform: &Platform,
    known: &[KnownPort],
    clock: impl Fn(Asked) -> Hertz,
) -> Wiring {
    let named: Vec<String> =
        connectivity.kernels.iter().flat_map(derate_hls::Kernels::unit_names).collect();
    let clocks = Clocks::of(connectivity);
    let mut of_kernels: BTreeMap<&str, Vec<&KnownPort>> = BTreeMap::new();
    for port in known {
        of_kernels.entry(&port.kernel).or_default().push(port);
    }
    let ports_of = |unit: &str| {
        of_kernels.get(connectivity.kernel_of_unit(unit)).map_or(&[][..], Vec::as_slice)
    };
    let mut wiring = Wiring::default();
    let mut pinned_ports: BTreeSet<(&str, &str)> = BTreeSet::new();
    // Which port an argument goes through may be unknown, and then which ports are left is.
    let mut unsure: BTreeSet<&str> = BTreeSet::new();
    for pin in &connectivity.memory {
        let (unit, argument) = (pin.unit.value.as_str(), pin.argument.value.as_str());
        let port = ports_of(unit).iter().copied().find(|port| port.is_called(argument));
        match port {
            Some(port) => _ = pinned_ports.insert((unit, &port.name)),
            None => _ = unsure.insert(unit),
        }
        let banks = Some(Ok(&pin.banks.value));
        wiring.add(platform, &Pin { unit, argument, banks, port, clock: clock(clocks.unit(unit)) });
    }
    // Without any such line the configuration says nothing of ports.
    if connectivity.memory.is_empty() {
        return wiring;
    }
    let pinned = connectivity.memory.iter().map(|pin| pin.unit.value.as_str());
    let all: BTreeSet<&str> = named.iter().map(String::as_str).chain(pinned).collect();
    for unit in all.difference(&unsure).copied() {
        for port in
            ports_of(unit).iter().filter(|port| !pinned_ports.contains(&(unit, &*port.name)))
        {
            let (argument, clock) = (port.name.as_str(), clock(clocks.unit(unit)));
            wiring.add(platform, &Pin { unit, argument, banks: None, port: Some(port), clock });
        }
    }
    wiring
}
