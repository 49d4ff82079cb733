//! Claimed figures, by what they are of, for the rules about claims.

use derate_estimate::Analysis;
use derate_hls::Span;
use derate_project::{ClaimPer, ClaimedFigure, ClaimedLatency, FigureClaim};

use crate::design::KernelDesign;
use crate::kernel_design::find_design;
use crate::subject::{ClaimSubject, find_subject};

/// One claimed figure.
#[derive(Clone, Copy, Debug)]
pub struct GroupedClaim {
    /// What is claimed.
    pub figure: ClaimedFigure,
    /// What it is for.
    pub per: ClaimPer,
    /// How many of what it is for a pass has.
    pub count: f64,
    /// Where it is written.
    pub span: Span,
}

impl GroupedClaim {
    /// The figure of all of it that a pass runs.
    pub fn total(&self) -> f64 {
        self.figure.value() * self.count
    }
}

/// All figures that are claimed of one thing.
#[derive(Clone, Debug)]
pub struct ClaimGroup {
    /// The thing.
    pub subject: ClaimSubject,
    /// In the order in which they are written.
    pub claims: Vec<GroupedClaim>,
}

impl ClaimGroup {
    /// The first claim under a key.
    pub fn get(&self, key: &str) -> Option<&GroupedClaim> {
        self.claims.iter().find(|claim| claim.figure.key() == key)
    }

    /// `vision`, or `the inference`.
    pub fn name(&self) -> String {
        self.subject
            .name
            .as_ref()
            .map_or_else(|| "the inference".to_owned(), |name| format!("`{name}`"))
    }

    /// What a finding is about: `vision.latency`, `claims.work`.
    pub fn key(&self, figure: &str) -> String {
        format!("{}.{figure}", self.subject.name.as_deref().unwrap_or("claims"))
    }
}

/// The claims of `derate.toml`: those of the whole first, then in the order in which they are written.
pub fn group_claims(analysis: &Analysis) -> Vec<ClaimGroup> {
    let claims = &analysis.project.claims;
    let design = find_design(analysis);
    let mut groups: Vec<ClaimGroup> = Vec::new();
    if let Some(claim) = &claims.latency
        && let ClaimedLatency::Known(latency) = claim.value
    {
        let figure = ClaimedFigure::Latency(latency);
        let whole = FigureClaim { of: None, per: ClaimPer::Inference, figure };
        add_claim(analysis, design.as_ref(), &mut groups, &whole, claim.span);
    }
    for claim in &claims.figures {
        add_claim(analysis, design.as_ref(), &mut groups, &claim.value, claim.span);
    }
    groups
}

fn add_claim(
    analysis: &Analysis,
    design: Option<&KernelDesign>,
    groups: &mut Vec<ClaimGroup>,
    claim: &FigureClaim,
    span: Span,
) {
    let name = claim.of.as_ref().map(|of| of.value.as_str());
    let at = groups.iter().position(|group| group.subject.name.as_deref() == name);
    let at = if let Some(at) = at {
        at
    } else {
        // A name that nothing has stops the loading of the project.
        let Ok(subject) = find_subject(analysis, name) else { return };
        groups.push(ClaimGroup { subject, claims: Vec::new() });
        groups.len() - 1
    };
    let group = &mut groups[at];
    let count = group.subject.count(claim, design);
    group.claims.push(GroupedClaim { figure: claim.figure, per: claim.per, count, span });
}

/// `20 ms per layer`: how a claim says what it is for.
pub fn name_per(per: ClaimPer) -> &'static str {
    match per {
        ClaimPer::Inference => "",
        ClaimPer::Layer => " per layer",
        ClaimPer::Call => " per call",
    }
}
