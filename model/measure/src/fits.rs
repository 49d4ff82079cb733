//! Whether a chip can hold the ports that a file counts, and whether its compute units can have them.

use super::{Measurement, PortGroup, VerdictReason};
use derate_machine::bandwidth::Direction;
use derate_machine::{Memory, Platform};
use derate_units::figures::{count, grouped, significant};

/// Look-up tables of one port of 128 or 256 bit with its way to the memory, as published reports of Vitis 2022.1 have it.
const LUT_OF_A_PORT: f64 = 8000.0;

/// What the chip, or the kernel's units, cannot have.
pub(super) fn check_ports(measurement: &Measurement, platform: &Platform) -> Vec<VerdictReason> {
    let ports = &measurement.ports;
    [check_port_count(ports, platform), check_units(measurement.compute_units, ports)]
        .into_iter()
        .flatten()
        .collect()
}

/// More ports than the HBM has: possible where some share one, which nobody checked.
pub(super) fn note_shared_ports(ports: &[PortGroup], memory: &Memory) -> Option<String> {
    let hbm = memory.bank.as_ref().is_some_and(|bank| bank.eq_ignore_ascii_case("HBM"));
    let (has, number) = (u64::from(memory.channels.value), count_one_way(ports));
    (hbm && number > has).then(|| {
        format!(
            "It has {} ports one way, and {} has {has} (UG1393): some would have to share one. Whether such a design can be \
             linked is not checked here; look at `count`.",
            grouped(number as f64),
            memory.title
        )
    })
}

/// Ports of the way that has more of them. One that reads in one group and writes in another counts once.
fn count_one_way(ports: &[PortGroup]) -> u64 {
    let of_way = |other: Direction| {
        let those = ports.iter().filter(|group| group.direction != Some(other));
        those.filter_map(|group| group.count).fold(0, u64::saturating_add)
    };
    of_way(Direction::Write).max(of_way(Direction::Read))
}

/// More ports than the chip has logic for.
fn check_port_count(ports: &[PortGroup], platform: &Platform) -> Option<VerdictReason> {
    let lut = platform.resources.lut.as_ref()?.value;
    let number = count_one_way(ports);
    let wanted = number as f64 * LUT_OF_A_PORT;
    (wanted > lut).then(|| {
        VerdictReason::new(
            "ports",
            format!(
                "It has {} ports one way: at the {} look-up tables that one was seen to take they would fill the {} of {} \
                 {} times, with no kernel beside them. Give as `count` the ports that the design has.",
                grouped(number as f64),
                grouped(LUT_OF_A_PORT),
                grouped(lut),
                platform.title,
                significant(wanted / lut, 2)
            ),
        )
    })
}

/// Units of one kernel have the same ports: the number of each kind is a multiple.
fn check_units(units: Option<u64>, ports: &[PortGroup]) -> Option<VerdictReason> {
    let units = units.filter(|&units| units > 0)?;
    // Few kinds, however many groups there are.
    let mut kinds: Vec<(&PortGroup, u64)> = Vec::new();
    for group in ports {
        let number = group.count?;
        let alike =
            |known: &PortGroup| known.direction == group.direction && known.bits == group.bits;
        match kinds.iter_mut().find(|(known, _)| alike(known)) {
            Some((_, all)) => *all = all.saturating_add(number),
            None => kinds.push((group, number)),
        }
    }
    let (kind, all) = kinds.into_iter().find(|(_, all)| !all.is_multiple_of(units))?;
    let number = |n: u64, what| count(usize::try_from(n).unwrap_or(usize::MAX), what);
    Some(VerdictReason::new(
        "compute-units",
        format!(
            "It has {} and {}{}: units of one kernel have the same ports, and no port is shared. Give `compute_units` and each \
             `count` as the design has them.",
            number(units, "compute unit"),
            number(all, "port"),
            kind.direction.map_or_else(String::new, |way| format!(" to {}", way.as_str()))
        ),
    ))
}
