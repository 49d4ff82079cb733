//! What the source of the kernels that a configuration links shows of their arguments.

use std::collections::BTreeSet;

use crate::concurrent_uses::ConcurrentUses;
use crate::m_axi::m_axi_ports;
use derate_hls::{AccessForm, Connectivity, Function, MemoryPin, Sources, count_mentions};

/// The functions of a design, as the kernels that its configuration links.
pub struct LinkedKernels<'a> {
    /// The texts of the functions.
    pub sources: &'a Sources,
    /// The configuration.
    pub connectivity: &'a Connectivity,
    /// The functions.
    pub functions: Vec<&'a Function>,
}

impl LinkedKernels<'_> {
    /// The function of a compute unit's kernel, if it is known.
    fn find_kernel(&self, unit: &str) -> Option<&Function> {
        let kernel = self.connectivity.kernel_of_unit(unit);
        let mut named =
            self.functions.iter().filter(|one| one.name == kernel && one.body.is_some());
        let (only, None) = (named.next()?, named.next()) else { return None };
        Some(only)
    }

    /// The function of the kernel that all of these arguments are of, if it is known and they are of one compute unit.
    fn find_common(&self, pins: &[&MemoryPin]) -> Option<&Function> {
        let unit = &pins.first()?.unit.value;
        let kernel = self.find_kernel(unit)?;
        pins.iter().all(|pin| pin.unit.value == *unit).then_some(kernel)
    }

    /// Whether the arguments are of one `m_axi` bundle: they share one port, whose accesses no second bank makes more.
    pub fn share_one_port(&self, pins: &[&MemoryPin]) -> bool {
        let Some(kernel) = self.find_common(pins) else { return false };
        let ports = m_axi_ports(kernel);
        let find = |pin: &&MemoryPin| {
            let port = ports.iter().find(|port| port.parameter.name == pin.argument.value)?;
            port.bundle.as_deref()
        };
        let bundles: Option<BTreeSet<&str>> = pins.iter().map(find).collect();
        bundles.is_some_and(|bundles| bundles.len() == 1)
    }

    /// Whether the source of their kernel shows that no two of the arguments are used at the same time.
    pub fn take_turns(&self, pins: &[&MemoryPin]) -> bool {
        let Some(kernel) = self.find_common(pins) else { return false };
        let names: Vec<&str> = pins.iter().map(|pin| pin.argument.value.as_str()).collect();
        let is_parameter = |name: &&str| kernel.parameters.iter().any(|one| one.name == **name);
        let uses = ConcurrentUses::find(kernel, &self.functions);
        let is_known =
            |name: &&str| is_parameter(name) && uses.has_use(name) && !uses.is_open(name);
        names.iter().all(is_known) && !uses.any_meet(&names)
    }

    /// Whether the source never uses an argument, or has one access to it that no loop repeats: it keeps no bank busy.
    pub fn is_idle(&self, pin: &MemoryPin) -> bool {
        let Some(kernel) = self.find_kernel(&pin.unit.value) else { return false };
        let name = &pin.argument.value;
        let (Some(body), true) =
            (kernel.body, kernel.parameters.iter().any(|one| one.name == *name))
        else {
            return false;
        };
        // What a body that is read in part says of it counts, too.
        let mentions = count_mentions(self.sources.slice(body), name);
        let is_single = || {
            let mut own = kernel.accesses.iter().filter(|one| one.array == *name);
            own.next().is_some_and(|one| {
                one.loop_index.is_none()
                    && matches!(one.form, AccessForm::Subscript | AccessForm::Dereference)
            })
        };
        if mentions > 1 || (mentions == 1 && !is_single()) {
            return false;
        }
        let uses = ConcurrentUses::find(kernel, &self.functions);
        !uses.is_open(name) && !uses.is_repeated(name)
    }
}
