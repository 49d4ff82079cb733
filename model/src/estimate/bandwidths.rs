//! The bandwidths that stand in an analysis, and those that ports and channels give.

use super::BandwidthRow;
use crate::bandwidth::{Explained, explain_ports, of_project};
use crate::figures::quantity;
use crate::scenario::{claimed_bandwidth, derated_bandwidth};
use crate::{Analysis, Figure};

fn row(name: impl Into<String>, explained: Explained) -> BandwidthRow {
    BandwidthRow { name: name.into(), bandwidth: explained.figure, sentence: explained.sentence }
}

/// The claim, the derated figure, a port for every channel at two widths, and the project's own ports.
pub(super) fn bandwidths(analysis: &Analysis) -> Vec<BandwidthRow> {
    let memory = &analysis.platform.memory;
    let stated = |name: &str, figure: Figure<_>| BandwidthRow {
        name: name.to_owned(),
        sentence: figure.source.clone(),
        bandwidth: figure,
    };
    let mut rows = vec![
        stated("claimed", claimed_bandwidth(analysis)),
        stated("derated", derated_bandwidth(analysis)),
        stated("sequential streams", memory.achievable()),
    ];
    let clock = analysis.achieved_clock().value;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a count of channels; the cast saturates"
    )]
    let channels = memory.channels.value as usize;
    for bits in [256.0, 512.0] {
        let name = format!("{channels} ports of {bits} bit at {}", quantity(clock));
        rows.extend(
            explain_ports(memory, bits, clock, channels, channels).ok().map(|e| row(name, e)),
        );
    }
    if let Some(Ok(explained)) = of_project(analysis) {
        rows.push(row("the project's own ports", explained));
    }
    rows
}
