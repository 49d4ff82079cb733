//! The bandwidths that stand in an analysis, and those that ports and channels give.

use super::{BandwidthRow, Whose};
use crate::Analysis;
use crate::project_bandwidth::of_project;
use crate::scenario::{claimed_bandwidth, derated_bandwidth};
use derate_machine::bandwidth::{Explained, Port, axi_clock, explain_bandwidth};
use derate_units::Figure;
use derate_units::figures::quantity;

fn row(
    whose: Whose,
    name: impl Into<String>,
    explained: Result<Explained, String>,
) -> BandwidthRow {
    let name = name.into();
    match explained {
        Ok(known) => {
            BandwidthRow { whose, name, bandwidth: Some(known.figure), sentence: known.sentence }
        }
        Err(reason) => BandwidthRow { whose, name, bandwidth: None, sentence: reason },
    }
}

/// The claim, the derated figure, a port for every channel at two widths, and the project's own ports.
pub(super) fn bandwidths(analysis: &Analysis) -> Vec<BandwidthRow> {
    let (platform, memory) = (&analysis.platform, &analysis.platform.memory);
    let stated = |whose, name: &str, figure: Figure<_>| BandwidthRow {
        whose,
        name: name.to_owned(),
        sentence: figure.source.clone(),
        bandwidth: Some(figure),
    };
    // A default is nobody's claim.
    let is_claimed = analysis.project.claims.bandwidth.is_some();
    let claim = if is_claimed { "claimed" } else { "not claimed, by default" };
    let mut rows = vec![
        stated(Whose::Claimed, claim, claimed_bandwidth(analysis)),
        stated(Whose::Derated, "derated", derated_bandwidth(analysis)),
        stated(Whose::Other, "sequential streams", memory.streams()),
    ];
    rows.extend(
        memory.card().map(|card| stated(Whose::Other, "what the card bears", card.clone())),
    );
    let clock = analysis.achieved_clock().value;
    let axi = axi_clock(&analysis.build.reports, memory);
    let channels = memory.channels.value as usize;
    for bits in [256.0, 512.0] {
        let name = format!("{channels} ports of {bits} bit at {}", quantity(clock));
        let ports = Port::spread(channels, channels, bits, clock, &platform.kernel);
        rows.push(row(Whose::Other, name, explain_bandwidth(memory, axi.as_ref(), &ports)));
    }
    rows.extend(
        of_project(analysis).map(|own| row(Whose::OwnPorts, "the project's own ports", own)),
    );
    rows
}
