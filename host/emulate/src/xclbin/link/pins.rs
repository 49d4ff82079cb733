//! Which bank each buffer is connected to.

use std::collections::{BTreeMap, BTreeSet};

use derate_hls::MemoryPin;

use super::linker::Linker;
use crate::xclbin::kernel::{ArgumentKind, DesignArgument, DesignKernel, Instance};
use crate::xclbin::{Connection, DesignBank, LinkError};

impl Linker<'_> {
    fn memory_pins(&self) -> impl Iterator<Item = &MemoryPin> {
        self.configurations.iter().flat_map(|one| &one.memory)
    }

    /// Every `sp=` names a buffer of a unit, and every unit has a name of its own.
    pub(super) fn names_are_known(&self, kernels: &[DesignKernel]) -> Result<(), LinkError> {
        let mut units: BTreeMap<&str, &DesignKernel> = BTreeMap::new();
        for (kernel, unit) in each_unit(kernels) {
            if units.insert(&unit.name, kernel).is_some() {
                let much =
                    format!("two compute units are named `{}`: give them names in nk=", unit.name);
                return Err(LinkError::TooMuch(much));
            }
        }
        for pin in self.memory_pins() {
            let fail = |reason| LinkError::Configuration { place: self.place_of(pin.span), reason };
            let Some(kernel) = units.get(pin.unit.value.as_str()) else {
                let known: BTreeSet<&str> = units.keys().copied().collect();
                let known: Vec<&str> = known.into_iter().take(8).collect();
                return Err(fail(format!(
                    "there is no compute unit `{}`; there are: {}",
                    pin.unit.value,
                    known.join(", ")
                )));
            };
            if !kernel.arguments.iter().any(|one| pins_argument(pin, kernel, one)) {
                return Err(fail(format!(
                    "`{}` is neither a buffer nor an m_axi port of kernel `{}`",
                    pin.argument.value, kernel.name
                )));
            }
        }
        Ok(())
    }

    /// The banks of every buffer, unit by unit.
    pub(super) fn connect_buffers(
        &mut self,
        kernels: &[DesignKernel],
        banks: &[DesignBank],
    ) -> Result<Vec<Connection>, LinkError> {
        let mut connections = Vec::new();
        let mut unpinned = Vec::new();
        for (ip, (kernel, unit)) in (0_u32..).zip(each_unit(kernels)) {
            for argument in kernel.arguments.iter().filter(|one| one.kind == ArgumentKind::Global) {
                let mut reached = BTreeSet::new();
                let of_unit = self.memory_pins().filter(|pin| pin.unit.value == unit.name);
                for pin in of_unit.filter(|pin| pins_argument(pin, kernel, argument)) {
                    reached.extend(self.banks_of(pin, banks)?);
                }
                if reached.is_empty() {
                    unpinned.push(format!("{}.{}", unit.name, argument.name));
                    reached.insert(0);
                }
                let position = argument.id.unwrap_or_default();
                connections.extend(reached.into_iter().map(|bank| Connection {
                    ip,
                    argument: position,
                    bank,
                }));
            }
        }
        if let (Some(first), Some(bank)) = (unpinned.first(), banks.first()) {
            let others = unpinned.len() - 1;
            let more = if others == 0 { String::new() } else { format!(" and {others} more") };
            self.add_note(format!("{first}{more} without an sp= entry: connected to {}", bank.tag));
        }
        Ok(connections)
    }

    /// The positions of the banks that a pin names.
    fn banks_of(&self, pin: &MemoryPin, banks: &[DesignBank]) -> Result<Vec<u32>, LinkError> {
        let range = &pin.banks.value;
        let of_memory = banks.iter().filter(|bank| tag_of(bank) == range.memory);
        let last = (of_memory.count() as u64).checked_sub(1);
        let fail = || LinkError::Configuration {
            place: self.place_of(pin.span),
            reason: format!("the platform has no bank {range}"),
        };
        let last = last.ok_or_else(fail)?;
        let (first, end) = (range.first.unwrap_or(0), range.last.unwrap_or(last));
        if end > last {
            return Err(fail());
        }
        let tags: BTreeSet<String> =
            (first..=end).map(|index| format!("{}[{index}]", range.memory)).collect();
        let positions = (0_u32..).zip(banks).filter(|(_, bank)| tags.contains(&bank.tag));
        Ok(positions.map(|(position, _)| position).collect())
    }
}

fn each_unit(kernels: &[DesignKernel]) -> impl Iterator<Item = (&DesignKernel, &Instance)> {
    kernels.iter().flat_map(|kernel| kernel.instances.iter().map(move |unit| (kernel, unit)))
}

/// Whether an `sp=` is about an argument: by its name, or by its port's. Where the tool is asked for a port for each buffer, those
/// that name no bundle are gmem0, gmem1 and so on.
fn pins_argument(pin: &MemoryPin, kernel: &DesignKernel, argument: &DesignArgument) -> bool {
    if argument.kind != ArgumentKind::Global {
        return false;
    }
    let port = argument.port.as_deref().unwrap_or_default();
    if pin.argument.value == argument.name || pin.argument.value.eq_ignore_ascii_case(port) {
        return true;
    }
    let of_port = |one: &&DesignArgument| one.port.as_deref() == Some(port);
    let position = kernel.arguments.iter().filter(of_port).position(|one| one == argument);
    let is_known =
        kernel.ports.iter().any(|one| one.name.eq_ignore_ascii_case(&pin.argument.value));
    let own = position.map(|at| format!("{port}{at}"));
    !is_known && own.is_some_and(|own| pin.argument.value.eq_ignore_ascii_case(&own))
}

/// `HBM` of `HBM[3]`.
fn tag_of(bank: &DesignBank) -> &str {
    bank.tag.split('[').next().unwrap_or_default()
}
