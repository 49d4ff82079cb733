use derate_hls::Resolver;

use super::{Explained, declared_ports, explain_ports, hbm_clock, known_ports, linked, wire};
use crate::Analysis;

/// What the design's ports get from the main memory: those of `[design]` if it gives them, else those of the linked design,
/// else those that the v++ configuration wires. `None` where nothing says what ports there are.
pub fn of_project(analysis: &Analysis) -> Option<Result<Explained, String>> {
    let memory = &analysis.platform.memory;
    let clock = analysis.achieved_clock().value;
    let design = &analysis.project.design;
    if let (Some(ports), Some(bits)) = (&design.ports, &design.port_bits) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a count of channels; the cast saturates"
        )]
        let channels = memory.channels.value as usize;
        let count = usize::try_from(ports.value).unwrap_or(usize::MAX);
        return Some(explain_ports(memory, bits.value as f64, clock, count, channels.min(count)));
    }
    let reports = &analysis.build.reports;
    let of_link = reports
        .iter()
        .find_map(|report| Some((linked(report, &analysis.platform, memory)?, hbm_clock(report))));
    if let Some((wiring, axi)) = of_link {
        return Some(wiring.explain(memory, axi.map(|clock| clock.value)));
    }
    let (_, connectivity) = analysis.build.connectivity.as_ref()?;
    let mut known: Vec<_> = reports.iter().flat_map(known_ports).collect();
    let resolver = Resolver::new(analysis.code.all_headers(), &analysis.sources);
    let functions = analysis.code.headers().iter().flat_map(|header| &header.functions);
    known.extend(functions.flat_map(|function| declared_ports(&resolver, function)));
    let wiring = wire(connectivity, &analysis.platform, memory, &known, Some(clock));
    Some(wiring.explain(memory, None))
}
