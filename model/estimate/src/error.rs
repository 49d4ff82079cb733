//! Why a figure cannot be computed.

use derate_hls::Reason;
use derate_units::figures::{grouped, quantity};
use derate_units::{Bytes, Precision};

/// Why a figure cannot be computed: one sentence without its stop.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EstimateError {
    /// The number format of a tensor is not known.
    #[error("{0}")]
    UnknownFormat(Reason),
    /// The ports of the design reach no memory of the card.
    #[error("{0}")]
    Ports(Reason),
    /// The code declares no tensor of the model.
    #[error("no array of the code is a tensor of the dump")]
    NoDeclaredTensor,
    /// `derate.toml` claims no peak of an arithmetic.
    #[error("derate.toml claims no {0} peak")]
    NoClaimedPeak(Precision),
    /// Nothing says what a multiply-add costs.
    #[error(
        "the platform file of {platform} does not say what one {precision} multiply-add costs: give it as `dsp_per_mac = {{ {} = ... }}` under [design]",
        precision.toml_key()
    )]
    NoOperatorCost {
        /// The name of the platform.
        platform: String,
        /// The arithmetic.
        precision: Precision,
    },
    /// An arithmetic has no peak among those of the scenario.
    #[error("no {0} peak")]
    NoPeak(Precision),
    /// The weights that `[design] hold` keeps take more than the chip has.
    #[error(
        "the weights that [design] hold keeps take {}, {} more than the {} on the chip: hold fewer parts",
        quantity(*held),
        quantity(Bytes(held.0 - chip.0)),
        quantity(*chip)
    )]
    HeldWeights {
        /// What the weights take.
        held: Bytes,
        /// What the chip has for operands.
        chip: Bytes,
    },
    /// The array of `[design]` takes more DSP slices than the shell leaves.
    #[error(
        "the array of [design] takes {} DSP ({source_of_cost}), {} more than the {} that the shell leaves: make it smaller, or give its operators' cost as dsp_per_mac",
        grouped(*dsp),
        grouped(dsp - budget),
        grouped(*budget)
    )]
    ArrayTooLarge {
        /// DSP slices of the array.
        dsp: f64,
        /// What they are made of.
        source_of_cost: String,
        /// DSP slices that the shell leaves.
        budget: f64,
    },
}
