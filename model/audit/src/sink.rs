//! Where all findings go through: sorted, allowed by comments, graded anew by `[audit.levels]`.

use derate_hls::Span;

use super::allow::{Allow, Standing, allows};
use super::apart::places;
use super::{Finding, rules};
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

/// Puts findings in order, takes out what is allowed, adds what is to be said of the comments that allow.
pub(super) fn settle(analysis: &Analysis, mut found: Vec<Finding>) -> Audit {
    let mut comments = allows(analysis);
    order(&mut found);
    let mut audit = Audit::default();
    for finding in found {
        let comment = finding.place().and_then(|at| {
            let places = places(analysis, at);
            comments
                .iter_mut()
                .find(|one| {
                    places.iter().any(|(file, line)| one.speaks_of(finding.code, *file, *line))
                })
                .map(|one| (one, at))
        });
        match comment {
            Some((comment, at)) => {
                comment.standing = Standing::Used;
                let (reason, by) = (comment.reason.clone(), comment.span);
                let graded = grade(analysis, finding);
                audit.allowed.extend(graded.map(|finding| Allowed { finding, reason, at, by }));
            }
            None => audit.findings.extend(grade(analysis, finding)),
        }
    }
    let said = of_comments(&comments).into_iter().filter_map(|note| grade(analysis, note));
    audit.findings.extend(said);
    order(&mut audit.findings);
    audit
}

/// The finding at the level that the project wants; nothing where the rule is off.
fn grade(analysis: &Analysis, mut finding: Finding) -> Option<Finding> {
    if let Some(level) = analysis.project.levels.get(finding.code) {
        finding.level = level.level.value?;
    }
    Some(finding)
}

fn of_comments(comments: &[Allow]) -> Vec<Finding> {
    rules().iter().flat_map(|rule| rule.of_allows(comments)).collect()
}

fn order(findings: &mut Vec<Finding>) {
    findings.sort_by(|a, b| {
        (a.level, a.code, a.place(), &a.subject).cmp(&(b.level, b.code, b.place(), &b.subject))
    });
    findings.dedup_by(|a, b| (a.code, a.place(), &a.subject) == (b.code, b.place(), &b.subject));
}
