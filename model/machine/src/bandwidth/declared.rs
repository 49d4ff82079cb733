//! What the source says of a kernel's ports.

use std::collections::BTreeMap;

use derate_hls::{Function, HlsType, Resolver, ScalarType};

use super::Direction;
use super::known::KnownPort;
use crate::m_axi::{Port, m_axi_ports};
use derate_units::{Figure, Provenance};

/// The widest that Vitis makes a port of plain C types where it infers bursts (UG1399, `m_axi_max_widen_bitwidth`).
const WIDENED: u64 = 512;

/// An element that goes through a bundle.
#[derive(Clone, Copy)]
struct Element {
    bits: u64,
    /// The width that the tool may give its port.
    widened: u64,
}

/// The `m_axi` ports that a kernel's pragmas declare, one for each bundle: as wide as the widest element that goes through
/// it, where all are known.
///
/// That is where HLS starts from. It may make a port of plain C types wider, so that such a width is `Assumed`; that of
/// `ap_uint<512>` stays. A synthesis report says what became of it, and [`super::known::known_ports`] reads that.
pub fn declared_ports(resolver: &Resolver<'_>, kernel: &Function) -> Vec<KnownPort> {
    let mut bundles: BTreeMap<String, Vec<Port<'_>>> = BTreeMap::new();
    for port in m_axi_ports(kernel) {
        // A bundle that two pragmas dispute is not known.
        if let Some(bundle) = port.bundle.clone() {
            bundles.entry(bundle).or_default().push(port);
        }
    }
    let element = |port: &Port<'_>| {
        let resolution = resolver.parameter(kernel, port.parameter);
        let (bits, plain) = element_width(resolution.known()?)?;
        let widened = if plain { port.max_widen.unwrap_or(WIDENED) } else { bits };
        Some(Element { bits, widened })
    };
    let width = |bundle: &str, ports: &[Port<'_>]| {
        let elements: Option<Vec<Element>> = ports.iter().map(element).collect();
        let elements = elements?;
        let bits = elements.iter().map(|one| one.bits).max()?;
        let said =
            format!("the widest element that goes through bundle {bundle} of {}", kernel.name);
        Some(if elements.iter().any(|one| one.widened > bits) {
            let source = format!(
                "{said}; HLS may make a port of plain C types up to {WIDENED} bit wide, and a synthesis report says how wide"
            );
            Figure::new(bits as f64, Provenance::Assumed, source)
        } else {
            Figure::new(bits as f64, Provenance::Derived, said)
        })
    };
    let of = |(bundle, ports): (String, Vec<Port<'_>>)| KnownPort {
        kernel: kernel.name.clone(),
        name: format!("m_axi_{bundle}"),
        arguments: ports.iter().map(|port| port.parameter.name.clone()).collect(),
        bits: width(&bundle, &ports),
        direction: ports.iter().all(|port| port.parameter.constant).then_some(Direction::Read),
        burst_beats: None,
        outstanding: None,
    };
    bundles.into_iter().map(of).collect()
}

/// The bits of what a pointer points at, and whether it is a plain C type.
fn element_width(kind: &HlsType) -> Option<(u64, bool)> {
    let mut kind = kind;
    while let HlsType::Pointer(inner) | HlsType::Array { element: inner, .. } = kind {
        kind = inner;
    }
    let plain = matches!(
        kind,
        HlsType::Scalar(
            ScalarType::Float | ScalarType::Double | ScalarType::Bool | ScalarType::Int { .. }
        )
    );
    kind.bits().filter(|&bits| bits > 0).map(|bits| (bits, plain))
}
