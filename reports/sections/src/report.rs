//! The whole report.

use derate_audit::{Audit, Summary};
use derate_estimate::scenario::ScenarioKind;
use derate_estimate::{Analysis, Estimate, ScenarioEstimate};
use derate_measure::Validation;
use derate_measure::points::MeasuredPoint;
use derate_render::{Block, Chart, Document, Section};

use crate::first_page::{self, order_by_cost};
use crate::kernel_design::kernel_design_section;
use crate::live::{Followed, Formulas, Live, Reader, WhatIf};
use crate::notes::{FIXED, NOT_FUSED, OWN_VALUES, SCHEDULES, ladder_notes};
use crate::points::add_points;
use crate::section::{new_appendix, write_subtitle};
use crate::{
    assumptions, bandwidths, bars, chart, claims, critique, diagnostics, kernels, latency, parts,
    peaks, precision_roofs, scenarios, sensitivity, two_roofs, validation,
};

/// The whole report for a reader who can change its inputs.
pub fn report(analysis: &Analysis, audit: &Audit, estimate: &Estimate) -> Document {
    make_report(analysis, audit, estimate, &[], Reader::Editor)
}

/// The whole report with measured `points` for a reader: on paper, without what formulas alone read and what is about
/// changes.
pub fn make_report(
    analysis: &Analysis,
    audit: &Audit,
    estimate: &Estimate,
    points: &[MeasuredPoint],
    reader: Reader,
) -> Document {
    let findings = &order_by_cost(&audit.findings, estimate)[..];
    let live = Live::of(analysis, estimate, reader);
    let formulas = live.make_formulas();
    let measured = analysis.validation();
    let said =
        verdict(analysis, audit, estimate).into_iter().chain(measurements(measured.as_ref()));
    let (changes, inputs) = formulas.input_tables();
    let mut answer = first_page::answer_blocks(analysis, audit, findings, estimate);
    answer.extend(first_page::figure_blocks(estimate, &formulas));
    answer.extend(first_page::change_block(estimate, &formulas));
    answer.extend(first_page::advice_blocks(analysis, findings, estimate, &formulas));
    // Sentences are about derate's own values: a line below them says whether the inputs have changed.
    let mut ladder: Vec<Block> = said.map(Block::Prose).collect();
    ladder.extend(changes.map(Block::Table));
    ladder.push(Block::KeyFigures(scenarios::ladder_figures(estimate, &formulas)));
    ladder.extend(ladder_notes(estimate));
    if formulas.can_edit() {
        ladder.push(Block::Prose(OWN_VALUES.to_owned()));
    }
    ladder.extend(critique::tabulate_critique(estimate, analysis.batch()).map(Block::Table));
    ladder.extend(claims::tabulate_claims(analysis).map(Block::Table));
    let overview = diagnostics::tabulate_overview(&analysis.sources, findings, usize::MAX);
    let mut shown =
        vec![Block::Table(overview), Block::Diagnostics(diagnostics(&analysis.sources, findings))];
    shown
        .extend(diagnostics::describe_allowed(&analysis.sources, &audit.allowed).map(Block::Prose));
    let roofs = vec![
        Block::Table(peaks::tabulate_peaks(estimate, &formulas)),
        Block::Table(scenarios::tabulate_grid(estimate, &formulas)),
    ];
    let picture = precision_roofs::chart_precisions(estimate).map(Block::Chart);
    let precisions = estimate.by_precision.chunks(2).filter_map(|pair| match pair {
        [claimed, corrected] => {
            Some(Block::Table(two_roofs::two_roofs(claimed, corrected, &formulas)))
        }
        _ => None,
    });
    let controls = if formulas.can_edit() { Formulas::list_controls(&inputs) } else { Vec::new() };
    let mut assumed: Vec<Block> = inputs.into_iter().map(Block::Table).collect();
    assumed.push(Block::Table(assumptions::list_assumptions(analysis, estimate)));
    // What a reader asks for first comes first; what only programs read comes last.
    let mut sections = vec![
        Section::new("Summary", "What holds, and what to do first", answer),
        Section::new("Roofs", "Peaks and ridge points, claimed and corrected", roofs),
        Section::new("Ladder", "From the claim to what holds", ladder),
        Section::new("Findings", "Findings", shown),
        Section::new("Assumptions", "Every figure and where it is from", assumed),
    ];
    sections.extend(kernel_design_section(analysis));
    sections.extend(estimate_sections(estimate, measured.as_ref(), &formulas));
    match &measured {
        Some(measured) => {
            let held = validation::validation_blocks(measured);
            sections.push(Section::new("Validation", "Measured against the claim", held));
        }
        None => sections.last_mut().map_or((), |bandwidths| {
            bandwidths.blocks.extend(validation::unmeasured_blocks(points));
        }),
    }
    let kernels = kernel_blocks(estimate.ladder(), &formulas);
    sections.extend([
        new_appendix("Kernels", "Kernels under each scenario", kernels),
        new_appendix(
            "Precisions",
            "Roofs and kernels at each precision",
            picture.into_iter().chain(precisions).collect(),
        ),
    ]);
    let groups: Vec<Block> = formulas.group_tables().into_iter().map(Block::Table).collect();
    if formulas.can_edit() && !groups.is_empty() {
        sections.push(new_appendix("Groups", "What Fusion and Latency are made from", groups));
    }
    let mut document = Document {
        title: "Roofline audit".to_owned(),
        subtitle: write_subtitle(analysis, points),
        controls,
        sections,
    };
    add_points(&mut document, points, estimate);
    document
}

/// What an inference moves and takes, in the report as on the terminal.
pub(crate) fn estimate_sections(
    estimate: &Estimate,
    measured: Option<&Validation>,
    formulas: &Formulas<'_>,
) -> Vec<Section> {
    let mut parts = part_blocks(estimate, formulas);
    let latency = latency_blocks(estimate, formulas);
    // What is unknown needs no section of its own.
    let says_much = latency.iter().any(|block| !matches!(block, Block::Prose(_)));
    let mut own = Vec::new();
    if says_much {
        own.push(Section::new("Latency", "Latency against throughput", latency));
    } else {
        parts.extend(latency);
    }
    let mut sections = vec![
        Section::new("Parts", "Parts of an inference", parts),
        Section::new("Fusion", "Fused and unfused", fusion_blocks(estimate, formulas)),
    ];
    sections.extend(own);
    sections.extend(sensitivity_section(estimate, formulas));
    sections.push(Section::new(
        "Bandwidth",
        "Where bandwidth comes from",
        bandwidths::bandwidth_blocks(estimate, measured, formulas),
    ));
    sections
}

/// A table per scenario, and what its parts hold and leave out.
pub(crate) fn kernel_blocks<'a>(
    scenarios: impl Iterator<Item = &'a ScenarioEstimate> + Clone,
    formulas: &Formulas<'_>,
) -> Vec<Block> {
    let notes = scenarios.clone().next().map(kernels::part_notes).unwrap_or_default();
    let has_end = scenarios.clone().any(|s| s.kind == ScenarioKind::DerivedPeak);
    // Between the claim and what holds are the same kernels with one correction more each.
    let is_between = |s: &ScenarioEstimate| {
        has_end && matches!(s.kind, ScenarioKind::AsBuilt | ScenarioKind::Derated)
    };
    let tables = scenarios.map(|s| {
        let table =
            formulas.of(s).map_or_else(|| kernels::tabulate_kernels(s), Followed::kernel_table);
        if formulas.is_on_paper() && is_between(s) {
            let (kind, name) = (s.kind, table.name);
            return Block::Prose(format!(
                "The same under scenario {kind}: `tables/{name}.csv`, or the workbook."
            ));
        }
        Block::Table(table)
    });
    tables.chain(notes.into_iter().map(Block::Prose)).collect()
}

fn part_blocks(estimate: &Estimate, formulas: &Formulas<'_>) -> Vec<Block> {
    let missing = estimate.missing_parts.iter().map(|missing| {
        Block::Prose(format!("Part {} is not in it: {}.", missing.part, missing.reason))
    });
    let variants = latency::describe_variants(estimate).into_iter().map(Block::Prose);
    let tables = parts::part_tables(estimate, formulas).into_iter().map(Block::Table);
    tables.chain(missing).chain(variants).collect()
}

fn fusion_blocks(estimate: &Estimate, formulas: &Formulas<'_>) -> Vec<Block> {
    if !estimate.is_whole() {
        return vec![Block::Prose(NOT_FUSED.to_owned())];
    }
    let scenarios = [ScenarioKind::DerivedPeak, ScenarioKind::Design].into_iter();
    let scenarios = scenarios.filter_map(|s| Some((s, parts::describe_setting(estimate, s)?)));
    let mut blocks = vec![Block::Prose(SCHEDULES.to_owned())];
    for (scenario, setting) in scenarios {
        blocks.push(Block::Prose(setting));
        if scenario == ScenarioKind::DerivedPeak {
            blocks.extend(what_if_blocks(estimate, formulas));
        }
        blocks.extend(
            parts::fusion_tables(estimate, scenario, formulas).into_iter().map(Block::Table),
        );
        let fixed = |s: &ScenarioEstimate| formulas.is_live() && formulas.of(s).is_none();
        if estimate.schedules(scenario).any(fixed) {
            blocks.push(Block::Prose(FIXED.to_owned()));
        }
        blocks.extend(parts::explain_refusals(estimate, scenario).into_iter().map(Block::Prose));
    }
    blocks
}

/// What fusing saves in a picture, and under the schedule that the reader chooses.
fn what_if_blocks(estimate: &Estimate, formulas: &Formulas<'_>) -> Vec<Block> {
    let Some(what_if) = WhatIf::of(estimate, formulas) else { return Vec::new() };
    let savings =
        bars::chart_savings(estimate, ScenarioKind::DerivedPeak, formulas).map(Block::Bars);
    let tables = what_if.make_tables().filter(|_| formulas.can_edit());
    let tables = tables.into_iter().flatten().map(Block::Table);
    savings.into_iter().chain(tables).collect()
}

fn latency_blocks(estimate: &Estimate, formulas: &Formulas<'_>) -> Vec<Block> {
    let mut blocks = latency::latency_blocks(estimate, formulas);
    blocks.extend(latency::tabulate_synthesised(estimate).map(Block::Table));
    blocks
}

/// Which figure to get right first.
fn sensitivity_section(estimate: &Estimate, formulas: &Formulas<'_>) -> Option<Section> {
    let table = sensitivity::tabulate_sensitivity(estimate, formulas)?;
    let figure = sensitivity::chart_sensitivity(estimate).map(Block::Bars);
    let blocks = figure.into_iter().chain([Block::Table(table)]).collect();
    Some(Section::new("Sensitivity", "What moves the answer", blocks))
}

/// The claim's own kernels under all combinations.
pub(crate) fn grid_section(estimate: &Estimate, formulas: &Formulas<'_>) -> Section {
    let table = Block::Table(scenarios::tabulate_grid(estimate, formulas));
    Section::new("Grid", "Precision, tokens, bandwidth and peak", vec![table])
}

/// The main findings in a few sentences.
pub fn verdict(analysis: &Analysis, audit: &Audit, estimate: &Estimate) -> Vec<String> {
    let summary = Summary::of(audit);
    crate::verdict::write_sentences(analysis, estimate, summary)
}

/// How many findings there are, in a sentence or two.
pub fn counted(analysis: &Analysis, audit: &Audit) -> Vec<String> {
    crate::verdict::count_findings(analysis, Summary::of(audit))
}

/// Says that nothing could be checked, where that is so: no finding is no praise then.
pub fn say_unchecked(analysis: &Analysis) -> Option<&'static str> {
    (!crate::verdict::could_check(analysis)).then_some(crate::verdict::NOT_CHECKED)
}

/// What each measurement says, a sentence each.
pub fn measurements(validation: Option<&Validation>) -> Vec<String> {
    validation.into_iter().flat_map(validation::verdict_sentences).collect()
}

/// The figure of a report.
pub fn roofline(estimate: &Estimate) -> Option<Chart> {
    chart::roofline(estimate, &Formulas::default())
}
