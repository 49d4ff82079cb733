//! What becomes of all findings: comments allow some, `[audit.levels]` changes levels, and the rest is sorted.

use derate_hls::Span;

use super::allow::{Allow, AllowState, read_allows};
use super::allow_groups::allow_lines;
use super::{Finding, all_rules};
use derate_estimate::Analysis;

/// What an audit gives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Audit {
    /// The gravest first, then by code and place.
    pub findings: Vec<Finding>,
    /// In the same order, what a comment in the source allows.
    pub allowed: Vec<Allowed>,
}

/// A finding that a comment in the source allows.
#[derive(Clone, Debug, PartialEq)]
pub struct Allowed {
    /// The finding.
    pub finding: Finding,
    /// Why it is allowed, as the comment says.
    pub reason: String,
    /// Where the finding is.
    pub at: Span,
    /// The comment.
    pub by: Span,
}

/// Sorts the findings, takes out the allowed ones and adds those about the comments that allow.
pub(super) fn settle_findings(analysis: &Analysis, mut found: Vec<Finding>) -> Audit {
    let mut comments = read_allows(analysis);
    sort_findings(&mut found);
    let mut audit = Audit::default();
    for finding in found {
        let comment = finding.place().and_then(|at| {
            let places = allow_lines(analysis, at);
            comments
                .iter_mut()
                .find(|one| {
                    places.iter().any(|(file, line)| one.covers(finding.code, *file, *line))
                })
                .map(|one| (one, at))
        });
        match comment {
            Some((comment, at)) => {
                comment.state = AllowState::Used;
                let (reason, by) = (comment.reason.clone(), comment.span);
                let graded = apply_level(analysis, finding);
                audit.allowed.extend(graded.map(|finding| Allowed { finding, reason, at, by }));
            }
            None => audit.findings.extend(apply_level(analysis, finding)),
        }
    }
    let said = check_allows(&comments).into_iter().filter_map(|note| apply_level(analysis, note));
    audit.findings.extend(said);
    sort_findings(&mut audit.findings);
    audit
}

/// The finding at the level that the project wants; nothing where the rule is off.
fn apply_level(analysis: &Analysis, mut finding: Finding) -> Option<Finding> {
    if let Some(level) = analysis.project.levels.get(finding.code) {
        finding.level = level.level.value?;
    }
    Some(finding)
}

fn check_allows(comments: &[Allow]) -> Vec<Finding> {
    all_rules().iter().flat_map(|rule| rule.check_allows(comments)).collect()
}

fn sort_findings(findings: &mut Vec<Finding>) {
    findings.sort_by(|a, b| {
        (a.level, a.code, a.place(), &a.subject).cmp(&(b.level, b.code, b.place(), &b.subject))
    });
    findings.dedup_by(|a, b| (a.code, a.place(), &a.subject) == (b.code, b.place(), &b.subject));
}
