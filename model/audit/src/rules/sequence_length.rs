//! The claimed sequence length is not what the modelled layers see.
//!
//! ## What it does
//!
//! Works out from the dump and the workload's parameters how many tokens the layers process in an inference, and
//! compares the claim with it.
//!
//! ## Why it matters
//!
//! Every GEMM's rows are the tokens: operations grow with them, and so does operational intensity as long as weights
//! dominate the traffic. A text query is not what a vision-language model's text layers see: image tokens come before
//! it.
//!
//! ## Example
//!
//! smolVLA's chunk of 50 actions is the expert's sequence length. Its text layers run over the prefix: 64 tokens per
//! camera, 48 language tokens and one state token, 241 with three cameras.
//!
//! ## How to fix
//!
//! Set `sequence_length` to the tokens that the layers see, and `cameras` and `language_tokens` to the deployment's.

use serde_json::json;

use crate::{Finding, Label, Level};
use derate_estimate::Analysis;
use derate_finding::{Edit, Fix, Strategy};
use derate_units::figures::significant;

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    let Some(claim) = &analysis.project.claims.sequence_length else { return Vec::new() };
    let tokens = analysis.workload.token_counts();
    let Some(own) = analysis.true_tokens() else { return Vec::new() };
    if own.count == claim.value {
        return Vec::new();
    }
    let factor = own.count as f64 / claim.value as f64;
    let mut notes = vec![format!("{} tokens: {}", own.count, own.figure.source)];
    if tokens.len() > 1 {
        let others: Vec<String> =
            tokens.iter().map(|t| format!("{} ({})", t.count, t.name)).collect();
        notes.push(format!("tokens by cameras: {}", others.join(", ")));
    }
    let chunk = analysis.workload.action_chunk();
    if let Some(chunk) = chunk.filter(|chunk| (chunk.value - claim.value as f64).abs() < 0.5) {
        notes.push(format!("{} is the action chunk ({})", claim.value, chunk.source));
    }
    notes.push(format!("the projections do {}x the claimed operations", significant(factor, 4)));
    let mut labels = vec![Label::new(claim.span, format!("the layers see {} tokens", own.count))];
    labels.extend(
        analysis
            .project
            .model
            .cameras
            .as_ref()
            .map(|c| Label::new(c.span, "the image tokens of these cameras come before the text")),
    );
    vec![
        Finding::new("workload/sequence-length", Level::Error, "claims.sequence_length")
        .with_message(format!(
                "{} tokens are claimed; an inference runs the text layers on {}",
                claim.value, own.count
            ))
        .with_labels(labels)
        .with_notes(notes)
        .with_help(format!(
            "set sequence_length = {} under [claims], or correct `cameras` and `language_tokens` \
             under [model]",
            own.count
        ))
        .with_evidence(json!({
            "claimed": claim.value,
            "tokens": tokens.iter().map(|t| (t.name.clone(), t.count)).collect::<Vec<_>>(),
            "action_chunk": chunk.map(|c| c.value),
            "factor": factor,
        }))
        .with_fix(Fix::of(
            Strategy::Claim,
            format!("claim {} tokens", own.count),
            Ok(vec![Edit::new(claim.span, own.count.to_string())]),
        )),
    ]
}
