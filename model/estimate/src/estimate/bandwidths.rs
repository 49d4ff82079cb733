//! The bandwidths that an analysis claims, and those that ports and channels give.

use super::{BandwidthOwner, BandwidthRow};
use crate::scenario::{claimed_bandwidth, derated_bandwidth};
use crate::{Analysis, EstimateError, port_bandwidth};
use derate_machine::Memory;
use derate_machine::bandwidth::{Explained, Port, axi_clock, explain_bandwidth};
use derate_units::Figure;
use derate_units::figures::quantity;

fn port_row(
    owner: BandwidthOwner,
    name: impl Into<String>,
    explained: Result<Explained, EstimateError>,
) -> BandwidthRow {
    let (bandwidth, sentence, reason) = match explained {
        Ok(known) => (Some(known.figure), known.sentence, Some(known.reason)),
        Err(error) => (None, error.to_string(), None),
    };
    BandwidthRow { owner, name: name.into(), bandwidth, sentence, reason }
}

/// Streams on a memory that nobody published a measurement of.
fn unmeasured(memory: &Memory) -> BandwidthRow {
    BandwidthRow {
        owner: BandwidthOwner::Other,
        name: "sequential streams".to_owned(),
        bandwidth: None,
        sentence: memory.most_in_words(),
        reason: None,
    }
}

/// The claim, the derated figure, a port for every channel at two widths, and the project's own ports.
pub(super) fn list_bandwidths(analysis: &Analysis) -> Vec<BandwidthRow> {
    let (platform, memory) = (&analysis.platform, &analysis.platform.memory);
    let stated = |owner, name: &str, figure: Figure<_>| BandwidthRow {
        owner,
        name: name.to_owned(),
        sentence: figure.source.clone(),
        bandwidth: Some(figure),
        reason: None,
    };
    // A default is nobody's claim.
    let is_claimed = analysis.project.claims.bandwidth.is_some();
    let claim = if is_claimed { "claimed" } else { "not claimed, by default" };
    let mut rows = vec![
        stated(BandwidthOwner::Claimed, claim, claimed_bandwidth(analysis)),
        stated(BandwidthOwner::Derated, "derated", derated_bandwidth(analysis)),
        match memory.streams() {
            Some(streams) => stated(BandwidthOwner::Other, "sequential streams", streams),
            None => unmeasured(memory),
        },
    ];
    rows.extend(
        memory
            .card()
            .map(|card| stated(BandwidthOwner::Other, "what the card bears", card.clone())),
    );
    let clock = analysis.achieved_clock().value;
    let axi = axi_clock(&analysis.build.reports, memory);
    let channels = memory.channels.value as usize;
    for bits in [256.0, 512.0] {
        let name = format!("{channels} ports of {bits} bit at {}", quantity(clock));
        let ports = Port::spread(channels, channels, bits, clock, &platform.kernel);
        let explained =
            explain_bandwidth(memory, axi.as_ref(), &ports).map_err(EstimateError::Ports);
        rows.push(port_row(BandwidthOwner::Other, name, explained));
    }
    let own = port_bandwidth(analysis);
    rows.extend(own.map(|own| port_row(BandwidthOwner::OwnPorts, "the project's own ports", own)));
    rows
}
