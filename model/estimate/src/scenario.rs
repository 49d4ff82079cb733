//! A set of assumptions to estimate under.

mod combinations;
mod ladder;
mod peak_basis;

pub use combinations::{by_precision, grid};
pub use ladder::ladder;
pub use peak_basis::{AS_CLAIMED, PeakBasis, claim_for, derived_peaks};

use crate::Analysis;
use derate_project::{ClaimedPrecision, Schedule, Storage};
use derate_units::figures::quantity;
use derate_units::{BytesPerSecond, Figure, Provenance};

/// Assumptions to estimate under.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Short name: `claimed`, `as-built`, `derated`...
    pub name: String,
    /// What it corrects against the one before, in a word.
    pub change: String,
    /// Number formats in memory.
    pub storage: Storage,
    /// Tokens that the layers see.
    pub tokens: Figure<f64>,
    /// External bandwidth.
    pub bandwidth: Figure<BytesPerSecond>,
    /// Peak rates.
    pub peaks: PeakBasis,
    /// What is fused.
    pub schedule: Schedule,
    /// The arguments of `derate estimate` that give it again.
    pub arguments: String,
}

impl Scenario {
    /// The token count.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "made from a count; the cast saturates"
    )]
    pub fn token_count(&self) -> u64 {
        self.tokens.value as u64
    }
}

/// The storage that the analysis claims; the dump's where it claims none.
pub fn claimed_storage(analysis: &Analysis) -> Storage {
    let claim =
        analysis.project.claims.precision.as_ref().map_or(ClaimedPrecision::AsStored, |c| c.value);
    Storage::claimed(claim, &analysis.shape)
}

/// The bandwidth that the analysis claims; the physical peak where it claims none.
pub fn claimed_bandwidth(analysis: &Analysis) -> Figure<BytesPerSecond> {
    match &analysis.project.claims.bandwidth {
        Some(claim) => {
            Figure::new(claim.value, Provenance::Assumed, "[claims] bandwidth in derate.toml")
        }
        None => analysis.platform.memory.physical_peak(),
    }
}

/// `[derate] bandwidth`; where there is none, the lower of the claim and what the memory gives streams.
pub fn derated_bandwidth(analysis: &Analysis) -> Figure<BytesPerSecond> {
    let memory = &analysis.platform.memory;
    let achievable = memory.achievable();
    if let Some(claim) = &analysis.project.derated_bandwidth {
        // What the memory does not give corrects nothing.
        if memory.is_beyond(claim.value) {
            let source = format!(
                "[derate] claims {}, but {}; {}",
                quantity(claim.value),
                memory.achievable_in_words(),
                achievable.source
            );
            return Figure::new(achievable.value, Provenance::Derived, source);
        }
        return Figure::new(claim.value, Provenance::Assumed, "[derate] bandwidth in derate.toml");
    }
    lower(claimed_bandwidth(analysis), achievable)
}

/// A correction raises no figure.
fn lower(
    claimed: Figure<BytesPerSecond>,
    corrected: Figure<BytesPerSecond>,
) -> Figure<BytesPerSecond> {
    if claimed.value < corrected.value { claimed } else { corrected }
}

/// The token count that the analysis claims; else the workload's own; else one row.
pub fn claimed_tokens(analysis: &Analysis) -> Figure<f64> {
    match &analysis.project.claims.sequence_length {
        Some(claim) => Figure::new(
            claim.value as f64,
            Provenance::Assumed,
            "[claims] sequence_length in derate.toml",
        ),
        None => analysis.workload.token_counts().into_iter().next().map_or_else(
            || {
                let mut source =
                    "one token: neither [claims] sequence_length nor the workload says how many"
                        .to_owned();
                if let Some((name, rows)) = analysis.shape.positions() {
                    source = format!(
                        "{source}; `{name}` in the dump has {rows} rows: set sequence_length = {rows} if each is a token"
                    );
                }
                Figure::new(1.0, Provenance::Assumed, source)
            },
            |tokens| tokens.figure,
        ),
    }
}

/// Everything as `derate.toml` claims it.
pub fn claimed(analysis: &Analysis) -> Scenario {
    Scenario {
        name: "claimed".to_owned(),
        change: "nothing".to_owned(),
        storage: claimed_storage(analysis),
        tokens: claimed_tokens(analysis),
        bandwidth: claimed_bandwidth(analysis),
        peaks: PeakBasis::Claimed,
        schedule: Schedule::Unfused,
        arguments: "--scenario claimed".to_owned(),
    }
}

/// A scenario outside the ladder, named by what it assumes.
pub fn single(
    storage: Storage,
    tokens: Figure<f64>,
    bandwidth: Figure<BytesPerSecond>,
    peaks: PeakBasis,
) -> Scenario {
    let gbs = format!("{} GB/s", bandwidth.value.0 / 1e9);
    let peak = match &peaks {
        PeakBasis::Given(rate) => format!("{} TFLOP/s", rate.0 / 1e12),
        basis => basis.name().to_owned(),
    };
    Scenario {
        name: format!("{}, {} tokens, {gbs}, {peak} peak", storage.name(), tokens.value),
        change: "as the options say".to_owned(),
        arguments: format!(
            "--precision {} --tokens {} --bandwidth \"{gbs}\" --peak \"{peak}\"",
            storage.argument(),
            tokens.value
        ),
        storage,
        tokens,
        bandwidth,
        peaks,
        schedule: Schedule::Unfused,
    }
}
