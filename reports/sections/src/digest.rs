//! What a pull request shows: the verdict, the findings and the ladder.

use derate_render::{Block, Document, Section};

use super::finding_groups::group_findings;
use super::first_page::{self, order_by_cost};
use super::live::Formulas;
use super::notes::ladder_notes;
use super::points::add_points;
use super::section::write_subtitle;
use super::{diagnostics, measurements, scenarios, verdict};
use derate_audit::Audit;
use derate_estimate::{Analysis, Estimate};
use derate_measure::points::MeasuredPoint;

/// The report in short, with the measured `points` and at most `most` findings; how many more there are is said.
pub fn digest(
    analysis: &Analysis,
    audit: &Audit,
    estimate: &Estimate,
    points: &[MeasuredPoint],
    most: usize,
) -> Document {
    let findings_by_cost = order_by_cost(&audit.findings, estimate);
    let measured = analysis.validation();
    let said =
        verdict(analysis, audit, estimate).into_iter().chain(measurements(measured.as_ref()));
    let overview = diagnostics::tabulate_overview(&analysis.sources, &findings_by_cost, most);
    let left = group_findings(&audit.findings).len() - overview.rows.len();
    let mut findings = Vec::new();
    if audit.findings.is_empty() {
        findings.push(Block::Prose("Nothing was found.".to_owned()));
    } else if !overview.rows.is_empty() {
        findings.push(Block::Table(overview));
    }
    if left > 0 {
        findings.push(Block::Prose(format!(
            "{left} more are not listed here; `derate audit` prints all."
        )));
    }
    // So that no reader takes silence for its absence.
    let allowed = diagnostics::describe_allowed(&analysis.sources, &audit.allowed);
    findings.extend(allowed.take(most.max(20)).map(Block::Prose));
    let plain = Formulas::default();
    let mut answer = first_page::answer_blocks(analysis, audit, &findings_by_cost, estimate);
    answer.extend(first_page::advice_blocks(analysis, &findings_by_cost, estimate, &plain));
    let mut ladder =
        vec![Block::KeyFigures(scenarios::ladder_figures(estimate, &Formulas::default()))];
    ladder.extend(ladder_notes(estimate));
    let mut document = Document {
        title: "Roofline audit".to_owned(),
        subtitle: write_subtitle(analysis, points),
        controls: Vec::new(),
        sections: vec![
            Section::new("Answer", "What holds, and what to do first", answer),
            Section::new("Verdict", "Verdict", said.map(Block::Prose).collect()),
            Section::new("Findings", "Findings", findings),
            Section::new("Ladder", "From the claim to what holds", ladder),
        ],
    };
    add_points(&mut document, points, estimate);
    document
}
