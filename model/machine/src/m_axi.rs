//! The external-memory ports that a function's pragmas ask for.

use derate_hls::{DirectiveKind, Function, Parameter, Span};

/// The bundle of ports that name none.
const DEFAULT_BUNDLE: &str = "gmem";
/// The same, where other ports name a bundle `gmem`, as the reports of Vitis HLS 2022.1 have it.
const DEFAULT_BESIDE: &str = "gmem0";

/// A parameter with an `m_axi` interface.
#[derive(Clone, Debug)]
pub struct Port<'a> {
    /// The parameter.
    pub parameter: &'a Parameter,
    /// Its bundle; `None` where two pragmas disagree about it.
    pub bundle: Option<String>,
    /// The widest that a pragma lets the tool make the port, in bits.
    pub(crate) max_widen: Option<u64>,
    /// The pragma.
    pub pragma: Span,
}

/// The `m_axi` ports of a function, in the order of its pragmas. A pragma for an unknown parameter makes none. Ports
/// without a bundle share one of their own: they do not join a bundle that others name.
pub fn m_axi_ports(function: &Function) -> Vec<Port<'_>> {
    let mut ports: Vec<Port<'_>> = Vec::new();
    for pragma in &function.pragmas {
        let Some(DirectiveKind::Interface(interface)) = pragma.directive().map(|d| d.kind) else {
            continue;
        };
        if !interface.mode.is_some_and(|mode| mode.eq_ignore_ascii_case("m_axi")) {
            continue;
        }
        let parameter =
            function.parameters.iter().find(|p| interface.port.as_ref() == Some(&p.name));
        let Some(parameter) = parameter else { continue };
        let bundle = interface.bundle.unwrap_or_default();
        let max_widen = interface.max_widen_bitwidth.and_then(|count| count.number());
        match ports.iter_mut().find(|port| port.parameter.name == parameter.name) {
            Some(known) if known.bundle.as_ref() == Some(&bundle) => {}
            Some(known) => known.bundle = None,
            None => {
                let pragma = pragma.span;
                ports.push(Port { parameter, bundle: Some(bundle), max_widen, pragma });
            }
        }
    }
    let is_taken = ports.iter().any(|port| port.bundle.as_deref() == Some(DEFAULT_BUNDLE));
    let default = if is_taken { DEFAULT_BESIDE } else { DEFAULT_BUNDLE };
    for bundle in ports.iter_mut().filter_map(|port| port.bundle.as_mut()) {
        if bundle.is_empty() {
            default.clone_into(bundle);
        }
    }
    ports
}
