use std::collections::BTreeMap;

use derate_hls::Connectivity;

use super::compute_units::{Clocks, Units};
use super::known::KnownPort;
use super::wiring::{Pin, Wiring};
use crate::Platform;
use crate::units::Hertz;

/// The ports that `sp=` wires to the platform's memories.
///
/// A port's width is the known one, else that of the memory's own port, which is then `Assumed`. `clock` tells the clock of
/// a unit from the one that the configuration asks for it, if it does.
pub(super) fn wire(
    connectivity: &Connectivity,
    platform: &Platform,
    known: &[KnownPort],
    clock: impl Fn(Option<Hertz>) -> Hertz,
) -> Wiring {
    let (units, clocks) = (Units::of(connectivity), Clocks::of(connectivity));
    let mut of_kernels: BTreeMap<&str, Vec<&KnownPort>> = BTreeMap::new();
    for port in known {
        of_kernels.entry(&port.kernel).or_default().push(port);
    }
    let mut wiring = Wiring::default();
    for pin in &connectivity.memory {
        let (unit, argument) = (pin.unit.value.as_str(), pin.argument.value.as_str());
        let ports = of_kernels.get(units.kernel(unit)).map_or(&[][..], Vec::as_slice);
        let pin = Pin {
            unit,
            argument,
            banks: Ok(&pin.banks.value),
            port: ports.iter().copied().find(|port| port.is_called(argument)),
            clock: clock(clocks.unit(unit)),
        };
        wiring.add(platform, &pin);
    }
    wiring
}
