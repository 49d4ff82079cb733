//! The first page: what holds, what it costs, what to do first, and how sure that is.

mod cause;
mod headline;
mod kernels;
mod origin;
mod waterfall;

use derate_audit::{Audit, Finding, Summary};
use derate_estimate::{Analysis, Estimate};
use derate_measure::points::MeasuredPoint;
use derate_render::{Block, Document, Section};

use super::chart;
use super::live::Formulas;
use super::section::write_subtitle;

pub(crate) use self::cause::order_by_cost;
pub(crate) use self::headline::write_headline;
pub(crate) use self::kernels::tabulate_longest_of;
pub(crate) use self::origin::describe_certainty;

/// The first page in short, for a terminal: the headline, the causes that cost most, and what to do first.
pub fn answer(
    analysis: &Analysis,
    audit: &Audit,
    estimate: &Estimate,
    points: &[MeasuredPoint],
) -> Document {
    let findings = order_by_cost(&audit.findings, estimate);
    let causes = cause::list_causes(&findings, estimate).map(Block::Table);
    let left = cause::count_left(&findings, estimate);
    let first = cause::advise_first(&findings, estimate).map(|first| {
        Block::Prose([Some(first), left].into_iter().flatten().collect::<Vec<_>>().join(" "))
    });
    let sections = causes
        .map(|causes| {
            let blocks = std::iter::once(causes).chain(first).collect();
            Section::new("Causes", "What it comes from", blocks)
        })
        .into_iter()
        .collect();
    Document {
        title: write_headline(analysis, || Summary::of(audit), estimate),
        subtitle: write_subtitle(analysis, points),
        controls: Vec::new(),
        sections,
    }
}

/// The answer in one sentence, and what to do first.
pub(crate) fn answer_blocks(
    analysis: &Analysis,
    audit: &Audit,
    findings: &[Finding],
    estimate: &Estimate,
) -> Vec<Block> {
    let answer = write_headline(analysis, || Summary::of(audit), estimate);
    let first = cause::advise_first(findings, estimate);
    std::iter::once(answer).chain(first).map(Block::Prose).collect()
}

/// The times of the answer, as derate has them and with the inputs of now, for a reader who can change them.
pub(crate) fn change_block(estimate: &Estimate, formulas: &Formulas<'_>) -> Option<Block> {
    headline::tabulate_answer(estimate, formulas).map(Block::Table)
}

/// The times from the claim to what holds, and the roofs with the kernels under them.
pub(crate) fn figure_blocks(
    estimate: &Estimate,
    formulas: &Formulas<'_>,
) -> impl Iterator<Item = Block> {
    let steps = waterfall::chart_steps(estimate, formulas).map(Block::Bars);
    steps.into_iter().chain(chart::roofline(estimate, formulas).map(Block::Chart))
}

/// What to do first, which kernels take the time, how sure it is, and what it was made from.
pub(crate) fn advice_blocks(
    analysis: &Analysis,
    findings: &[Finding],
    estimate: &Estimate,
    formulas: &Formulas<'_>,
) -> Vec<Block> {
    let causes = cause::tabulate_causes(findings, estimate).map(Block::Table);
    let kernels = kernels::tabulate_longest(estimate, formulas).map(Block::Table);
    let mut blocks: Vec<Block> = causes.into_iter().chain(kernels).collect();
    blocks.push(Block::Prose(describe_certainty(estimate)));
    blocks.push(Block::Prose(origin::describe_origin(analysis)));
    blocks
}
