//! What the ports of a project get from external memory.

use derate_hls::{Reason, Resolver};

use crate::{Analysis, EstimateError};
use derate_machine::Memory;
use derate_machine::bandwidth::{
    Asked, Explained, KnownPort, Port, Wiring, axi_clock, declared_ports, explain_bandwidth,
    known_ports, wire_linked, wire_ports,
};
use derate_units::{Hertz, Provenance};

/// What the design's ports get from external memory: those of `[design]` if it gives them, else those of the linked design,
/// else those that the v++ configuration wires. `None` where nothing says what ports there are, an error where they reach no
/// memory of the card.
pub fn port_bandwidth(analysis: &Analysis) -> Option<Result<Explained, EstimateError>> {
    let clock = Runs {
        at: analysis.achieved_clock().value,
        is_reached: analysis.reached_clock().is_some(),
    };
    explain_ports(analysis, clock)
}

/// What they would get if the design reached that clock.
pub(crate) fn port_bandwidth_at(
    analysis: &Analysis,
    at: Hertz,
) -> Option<Result<Explained, EstimateError>> {
    explain_ports(analysis, Runs { at, is_reached: true })
}

/// The clock that the design runs at, and whether it is known to have reached it.
#[derive(Clone, Copy)]
struct Runs {
    at: Hertz,
    is_reached: bool,
}

fn explain_ports(analysis: &Analysis, clock: Runs) -> Option<Result<Explained, EstimateError>> {
    let explained = explain_given(analysis, clock.at).or_else(|| {
        let wiring =
            wire_link(analysis, clock.at).or_else(|| wire_configuration(analysis, clock))?;
        let axi = |memory: &Memory| axi_clock(&analysis.build.reports, memory);
        Some(wiring.explain(&analysis.platform, axi))
    })?;
    Some(explained.map_err(EstimateError::Ports))
}

/// The ports of `[design]`, spread over the main memory: a claim, whatever holds them.
fn explain_given(analysis: &Analysis, clock: Hertz) -> Option<Result<Explained, Reason>> {
    let (platform, design) = (&analysis.platform, &analysis.project.design);
    let (count, bits) = (design.ports.as_ref()?.value, design.port_bits.as_ref()?.value);
    let memory = &platform.memory;
    let channels = memory.channels.value as usize;
    let ports = Port::spread(count as usize, channels, bits as f64, clock, &platform.kernel);
    let axi = axi_clock(&analysis.build.reports, memory);
    Some(explain_bandwidth(memory, axi.as_ref(), &ports).map(|mut explained| {
        explained.figure.provenance = Provenance::Assumed;
        explained.figure.source =
            format!("[design] ports and port_bits in derate.toml. {}", explained.sentence);
        explained
    }))
}

/// What the first link report wires.
fn wire_link(analysis: &Analysis, clock: Hertz) -> Option<Wiring> {
    analysis.build.reports.iter().find_map(|report| wire_linked(report, &analysis.platform, clock))
}

/// What the v++ configuration wires, at the clocks that it asks for, none of them beyond the claimed one. Where the clock that
/// the design reached is known, all run at that but the units that are asked for less by their names.
fn wire_configuration(analysis: &Analysis, runs: Runs) -> Option<Wiring> {
    let (_, connectivity) = analysis.build.connectivity.as_ref()?;
    let mut known: Vec<KnownPort> = analysis.build.reports.iter().flat_map(known_ports).collect();
    let resolver = Resolver::new(analysis.code.all_headers(), &analysis.sources);
    let functions = analysis.code.headers().iter().flat_map(|header| &header.functions);
    known.extend(functions.flat_map(|function| declared_ports(&resolver, function)));
    let Runs { at: runs, is_reached } = runs;
    // What v++ is asked for beyond the claim, the claim does not count on.
    let claim = analysis.project.claims.clock.as_ref().map(|_| analysis.claimed_clock().value);
    let cap = if is_reached { Some(runs) } else { claim };
    let clock = |asked: Asked| {
        let asked = asked.own.or(asked.all.filter(|_| !is_reached));
        asked.map_or(runs, |asked| cap.filter(|cap| *cap < asked).unwrap_or(asked))
    };
    let wiring = wire_ports(connectivity, &analysis.platform, &known, clock);
    (!wiring.is_empty()).then_some(wiring)
}
