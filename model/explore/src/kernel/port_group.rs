//! Narrow `m_axi` ports that the tool can make wide by itself.
//!
//! The tool widens a port whose accesses are next to each other in one iteration (UG1399, *Automatic Port Width Resizing*): its
//! loops are unrolled to the lanes of the wide port, and `max_widen_bitwidth` allows the width. It takes no
//! `array_partition` and no `array_reshape` of such a port.

use derate_advice::WIDEST_PORT;
use derate_hls::{Count, DirectiveKind, Interface, TclDirective};
use derate_kernel::ir::find_port_use;
use derate_kernel::{PortAnswer, Program};
use std::collections::BTreeSet;

/// Ports that the same loops use, so that one width decides that of all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortGroup {
    /// Their names with the bits of an element, in the order of the parameters.
    pub ports: Vec<(String, u64)>,
    /// Function and label of the innermost loops around their accesses.
    pub loops: BTreeSet<(String, String)>,
    /// Statements in these loops.
    pub statements: usize,
}

impl PortGroup {
    /// Lanes that the widest port of the group may have.
    #[must_use]
    pub fn most_lanes(&self) -> u64 {
        let widest = self.ports.iter().map(|port| port.1).max().unwrap_or(WIDEST_PORT);
        (WIDEST_PORT / widest.max(1)).max(1)
    }
}

/// The narrow `m_axi` ports of a kernel by the loops that use them. Ports of other widths than 8, 16, 32 or 64 bits, which the tool
/// does not widen, are left out with all that share a loop with them.
#[must_use]
pub fn group_ports(program: &Program, ports: &[PortAnswer]) -> Vec<PortGroup> {
    let mut groups: Vec<PortGroup> = Vec::new();
    for port in ports.iter().filter(|port| port.kind == "m_axi") {
        let Some(used) = find_port_use(program, &port.name) else { continue };
        let mut own = PortGroup {
            // A width that is not known is none that the tool widens.
            ports: vec![(port.name.clone(), port.bits.unwrap_or(0))],
            loops: used.loops,
            statements: used.statements,
        };
        let (same, others): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|group| !group.loops.is_disjoint(&own.loops));
        for group in same.into_iter().rev() {
            own.ports.splice(0..0, group.ports);
            own.loops.extend(group.loops);
            own.statements = own.statements.max(group.statements);
        }
        groups = others;
        groups.push(own);
    }
    groups.retain(|group| group.ports.iter().all(|port| matches!(port.1, 8 | 16 | 32 | 64)));
    groups
}

/// The interfaces that allow the ports of a group so many lanes; what their pragmas say stays.
pub(super) fn widen_interfaces(
    program: &Program,
    group: &PortGroup,
    lanes: u64,
) -> Vec<TclDirective> {
    let Some(top) = program.functions.first() else { return Vec::new() };
    let widen = |(name, bits): &(String, u64)| {
        let written = top.pragmas.iter().find_map(|pragma| match &pragma.kind {
            DirectiveKind::Interface(one) if is_of(one, name) => Some(one.clone()),
            _ => None,
        });
        let interface = Interface {
            mode: Some("m_axi".to_owned()),
            port: Some(name.clone()),
            max_widen_bitwidth: Some(Count::Number(bits * lanes)),
            ..written.unwrap_or_default()
        };
        TclDirective::for_variable(&top.name, name, DirectiveKind::Interface(interface))
    };
    group.ports.iter().map(widen).collect()
}

/// Whether a pragma makes the parameter an `m_axi` port.
fn is_of(interface: &Interface, name: &str) -> bool {
    interface.mode.as_deref() == Some("m_axi") && interface.port.as_deref() == Some(name)
}
