//! What the source says of a kernel's ports.

use std::collections::BTreeMap;

use derate_hls::{Function, Resolver};

use super::{Direction, KnownPort};
use crate::audit::port::{Port, ports};
use crate::{Figure, Provenance};

/// The `m_axi` ports that a kernel's pragmas declare, one for each bundle: as wide as the widest element that goes through
/// it, where all are known.
///
/// That is where HLS starts from. It may make a port of plain C types wider, up to 512 bit, where it infers bursts: a
/// synthesis report says what became of it, and [`super::known_ports`] reads that.
pub fn declared_ports(resolver: &Resolver<'_>, kernel: &Function) -> Vec<KnownPort> {
    let mut bundles: BTreeMap<String, Vec<Port<'_>>> = BTreeMap::new();
    for port in ports(kernel) {
        // A bundle that two pragmas dispute is not known.
        if let Some(bundle) = port.bundle.clone() {
            bundles.entry(bundle).or_default().push(port);
        }
    }
    let bits = |port: &Port<'_>| {
        let resolution = resolver.parameter(kernel, port.parameter);
        element_bits(resolution.known()?).map(|bits| bits as f64)
    };
    let of = |(bundle, ports): (String, Vec<Port<'_>>)| {
        let widths: Option<Vec<f64>> = ports.iter().map(bits).collect();
        let widest = widths.and_then(|widths| widths.into_iter().max_by(f64::total_cmp));
        let source = format!(
            "widest element that goes through bundle {bundle} of {}; HLS may widen it where it infers bursts",
            kernel.name
        );
        KnownPort {
            kernel: kernel.name.clone(),
            name: format!("m_axi_{bundle}"),
            arguments: ports.iter().map(|port| port.parameter.name.clone()).collect(),
            bits: widest.map(|bits| Figure::new(bits, Provenance::Derived, source)),
            direction: ports.iter().all(|port| port.parameter.constant).then_some(Direction::Read),
            burst_beats: None,
            outstanding: None,
        }
    };
    bundles.into_iter().map(of).collect()
}

/// The bits of what a pointer points at.
fn element_bits(kind: &derate_hls::HlsType) -> Option<u64> {
    let mut kind = kind;
    while let derate_hls::HlsType::Pointer(inner)
    | derate_hls::HlsType::Array { element: inner, .. } = kind
    {
        kind = inner;
    }
    kind.bits().filter(|&bits| bits > 0)
}
