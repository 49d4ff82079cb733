//! What host and card exchange in one inference.

use std::collections::BTreeSet;

use derate_estimate::Analysis;
use derate_project::Claim;
use derate_units::figures::quantity;
use derate_units::{Bytes, BytesPerSecond, Figure, Precision, Provenance, Seconds};
use derate_workload::{Exchanged, Part, Role};
use serde::Serialize;

use crate::kernel::DesignKernel;

/// Which way data go.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TransferDirection {
    /// From the host to the card.
    ToCard,
    /// From the card to the host.
    FromCard,
}

/// Data that cross between host and card in one inference.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Transfer {
    /// What is moved, such as `images`.
    pub what: String,
    /// Which way.
    pub direction: TransferDirection,
    /// How much per inference.
    pub bytes: Figure<Bytes>,
    /// How fast, where that is known.
    pub rate: Option<Figure<BytesPerSecond>>,
    /// How long it takes; `None` where the rate is not known.
    pub time: Option<Figure<Seconds>>,
}

/// All transfers of an inference.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Transfers {
    /// Each of them.
    pub list: Vec<Transfer>,
    /// What is not known, in sentences.
    pub unknown: Vec<String>,
}

impl Transfers {
    /// Time of all transfers whose rate is known.
    #[must_use]
    pub fn seconds(&self) -> Seconds {
        let times = self.list.iter().filter_map(|one| one.time.as_ref());
        Seconds(times.map(|time| time.value.0).sum())
    }

    /// Bytes of all of them.
    #[must_use]
    pub fn bytes(&self) -> Bytes {
        Bytes(self.list.iter().map(|one| one.bytes.value.0).sum())
    }
}

/// The number format of the design's activations: that of its kernels where all compute in one and the same, else the claimed one.
pub(crate) fn activation_precision(analysis: &Analysis, kernels: &[DesignKernel]) -> Precision {
    let first = kernels.first().and_then(|kernel| kernel.precision);
    let is_same = kernels.iter().all(|kernel| kernel.precision == first);
    first.filter(|_| is_same).unwrap_or_else(|| analysis.claimed_storage().array_precision())
}

/// The transfers of an inference: what is stated; else the model's inputs and outputs, and the weights that do not fit into the
/// card's memory; and what each kernel exchanges per call.
pub(crate) fn list_transfers(
    analysis: &Analysis,
    parts: &[Part],
    kernels: &[DesignKernel],
) -> Transfers {
    let mut all = Transfers::default();
    let stated = &analysis.project.transfers;
    let tokens = analysis.true_tokens().map_or(1, |tokens| tokens.count);
    let parameters = analysis.workload.default_parameters(tokens, analysis.batch());
    let exchanged = analysis.workload.list_exchanged(&parameters);
    let precision = activation_precision(analysis, kernels);
    for (direction, claim) in [
        (TransferDirection::ToCard, &stated.to_card),
        (TransferDirection::FromCard, &stated.from_card),
    ] {
        match (claim, &exchanged) {
            (Some(claim), _) => all.add(analysis, direction, "stated", state_bytes(claim)),
            (None, Some(exchanged)) => {
                let is_to_card = direction == TransferDirection::ToCard;
                for one in exchanged.iter().filter(|one| one.is_to_card == is_to_card) {
                    let bytes = count_bytes(one, precision);
                    all.add(analysis, direction, &one.name, bytes);
                }
            }
            (None, None) => {}
        }
    }
    if exchanged.is_none() && (stated.to_card.is_none() || stated.from_card.is_none()) {
        let reason = "the shapes do not tell what the host gives an inference and takes from it: state \
                      to_card and from_card of [transfers]";
        all.unknown.push(reason.to_owned());
    }
    if stated.to_card.is_none()
        && let Some(bytes) = excess_weights(analysis, parts)
    {
        all.add(analysis, TransferDirection::ToCard, "weights beyond the card's memory", bytes);
    }
    for (section, kernel) in analysis.project.kernels.iter().zip(kernels) {
        for (direction, claim) in [
            (TransferDirection::ToCard, &section.to_card),
            (TransferDirection::FromCard, &section.from_card),
        ] {
            let Some(claim) = claim else { continue };
            let per_call = state_bytes(claim);
            let bytes = Figure::new(
                Bytes(per_call.value.0 * kernel.calls.value),
                Provenance::of_inputs([per_call.provenance, kernel.calls.provenance]),
                format!(
                    "{} in each call; calls: {}",
                    quantity(per_call.value),
                    kernel.calls.source
                ),
            );
            all.add(analysis, direction, &format!("of {}", kernel.name), bytes);
        }
    }
    all
}

impl Transfers {
    fn add(
        &mut self,
        analysis: &Analysis,
        direction: TransferDirection,
        what: &str,
        bytes: Figure<Bytes>,
    ) {
        if bytes.value.0 <= 0.0 {
            return;
        }
        let rate = find_rate(analysis, direction);
        if rate.is_none() {
            let reason = format!(
                "the platform {} does not say how fast its link to the host is: state to_card_rate and \
                 from_card_rate of [transfers]",
                analysis.platform.name
            );
            if !self.unknown.contains(&reason) {
                self.unknown.push(reason);
            }
        }
        let time = rate.as_ref().map(|rate| {
            Figure::new(
                Seconds(bytes.value.0 / rate.value.0),
                Provenance::of_inputs([bytes.provenance, rate.provenance]),
                format!("{} at {}: {}", quantity(bytes.value), quantity(rate.value), rate.source),
            )
        });
        self.list.push(Transfer { what: what.to_owned(), direction, bytes, rate, time });
    }
}

fn state_bytes(claim: &Claim<Bytes>) -> Figure<Bytes> {
    Figure::new(claim.value, Provenance::Assumed, "derate.toml")
}

fn count_bytes(one: &Exchanged, precision: Precision) -> Figure<Bytes> {
    let bytes = one.bits.map_or_else(
        || precision.bytes(one.elements),
        |bits| Bytes(one.elements as f64 * f64::from(bits) / 8.0),
    );
    let format = one.bits.map_or_else(|| precision.key(), |bits| format!("{bits} bits"));
    let source = format!("{} elements of the model, {format} each", one.elements);
    Figure::new(bytes, Provenance::Derived, source)
}

fn find_rate(analysis: &Analysis, direction: TransferDirection) -> Option<Figure<BytesPerSecond>> {
    let (stated, host) = (&analysis.project.transfers, &analysis.platform.host);
    let (claim, figure) = match direction {
        TransferDirection::ToCard => (&stated.to_card_rate, &host.to_card),
        TransferDirection::FromCard => (&stated.from_card_rate, &host.from_card),
    };
    let claim = claim
        .as_ref()
        .map(|claim| Figure::new(claim.value, Provenance::Assumed, "[transfers] in derate.toml"));
    claim.or_else(|| figure.clone())
}

/// Weights that the card's memory has no room for, which the host sends in every inference.
fn excess_weights(analysis: &Analysis, parts: &[Part]) -> Option<Figure<Bytes>> {
    let room: Option<f64> =
        analysis.platform.memories().map(|memory| Some(memory.capacity()?.0)).sum();
    let storage = analysis.claimed_storage();
    let mut used = BTreeSet::new();
    for repeated in parts.iter().flat_map(|part| &part.blocks) {
        let block = &repeated.block;
        if block.operands.iter().any(|operand| operand.role == Role::Weight) {
            used.extend(block.layers.iter().flat_map(|layer| layer.tensors.iter().copied()));
        }
    }
    let tensors = used.iter().filter_map(|at| analysis.shape.tensors.get(*at));
    let sizes = tensors.filter_map(|tensor| storage.bytes_of(tensor).ok());
    let weights: f64 = sizes.map(|bytes| bytes.0).sum();
    let excess = weights - room?;
    (excess > 0.0).then(|| {
        let source = format!(
            "{} of weights, {} of memory on the card",
            quantity(Bytes(weights)),
            quantity(Bytes(weights - excess))
        );
        Figure::new(Bytes(excess), Provenance::Derived, source)
    })
}
