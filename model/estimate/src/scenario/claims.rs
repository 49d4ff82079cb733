//! What `derate.toml` claims, and what is taken where it claims nothing.

use crate::Analysis;
use derate_units::figures::quantity;
use derate_units::{BytesPerSecond, Figure, Provenance};

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
    let most = memory.most();
    if let Some(claim) = &analysis.project.derated_bandwidth {
        // What the memory does not give corrects nothing.
        if memory.is_beyond(claim.value) {
            let source = format!(
                "[derate] claims {}, but {}; {}",
                quantity(claim.value),
                memory.most_in_words(),
                most.source
            );
            return Figure::new(most.value, Provenance::Derived, source);
        }
        return Figure::new(claim.value, Provenance::Assumed, "[derate] bandwidth in derate.toml");
    }
    take_lower(claimed_bandwidth(analysis), most)
}

/// A correction raises no figure.
pub(super) fn take_lower(
    claimed: Figure<BytesPerSecond>,
    corrected: Figure<BytesPerSecond>,
) -> Figure<BytesPerSecond> {
    if claimed.value < corrected.value { claimed } else { corrected }
}

/// The token count that the analysis claims; else the workload's own; else one row.
pub fn claimed_tokens(analysis: &Analysis) -> Figure<f64> {
    if !analysis.workload.assumes_tokens() {
        let source = "the workload has its own shapes: no figure depends on this";
        return Figure::new(1.0, Provenance::Derived, source);
    }
    if let Some(claim) = &analysis.project.claims.sequence_length {
        let source = "[claims] sequence_length in derate.toml";
        return Figure::new(claim.value as f64, Provenance::Assumed, source);
    }
    if let Some(tokens) = analysis.workload.token_counts().into_iter().next() {
        return tokens.figure;
    }
    let mut source =
        "one token: neither [claims] sequence_length nor the workload says how many".to_owned();
    if let Some((name, rows)) = analysis.shape.positions() {
        source = format!(
            "{source}; `{name}` in the dump has {rows} rows: set sequence_length = {rows} if each is a token"
        );
    }
    Figure::new(1.0, Provenance::Assumed, source)
}
