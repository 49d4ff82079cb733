//! From analysis to document: the only place that knows both.

mod verdict;

mod accuracy;
mod annotations;
mod assumptions;
mod bandwidths;
mod bars;
mod chart;
mod compare;
mod compared;
mod critique;
mod diagnostics;
mod digest;
mod formats;
mod hls;
mod kernels;
mod latency;
mod live;
mod log;
mod measurement;
mod parts;
mod peaks;
mod platform;
mod points;
mod prediction;
mod scenarios;
mod shapes;
mod still;
mod sweep;
mod two_roofs;
mod types;
mod validation;

use derate_render::{Block, Document, Section};

pub use accuracy::accuracy;
pub use compare::{add_comparison, comparison};
pub use diagnostics::diagnostics;
pub use digest::digest;
pub use formats::{Figures, formats};
pub use hls::{HlsFile, HlsReport, hls};
pub use log::log;
pub use measurement::{measurement, wrong};
pub use platform::{PlatformReport, platform, platforms};
pub use points::add_points;
pub use prediction::{language_models, prediction};
pub use shapes::shapes;
pub use sweep::{sweep, sweep_document};
pub use types::types;
pub use validation::validation;

use self::live::{Followed, Formulas, Live, WhatIf};
use derate_audit::{Audit, Summary};
use derate_estimate::{Analysis, Estimate, ScenarioEstimate};
use derate_measure::Validation;

/// How to read the ladder: its steps, the design beside them, and what the figures are of.
const STEPS: &str = "Each column makes one correction to the one on its left";
const DESIGN: &str = ", but for the design: it stands on the corrected roofs with the precision of [design], else of the claim, whatever the code stores, and with its own array and ports";
const WHOLE: &str = "The roofline time is of a whole inference, every kernel on its own unless the column names another schedule: no pass of that schedule takes less, a more fused one may. OI, ridge and bound are of the kernels that the claim models, unfused.";

/// The same where the workload is the 2-D weights alone.
const OF_WEIGHTS: &str = "The roofline time is of the 2-D weights alone, every kernel on its own; OI, ridge and bound are of the same kernels.";

/// What the ladder lacks.
const NO_LATENCY: &str = "A latency needs a design: an array under [design] in derate.toml.";

/// What workload `linear` counts and what it leaves out.
const TWO_DIMENSIONAL: &str = "Workload `linear` counts each 2-D weight as one product over all tokens. Attention products, convolutions, norms, softmax and activations are not modelled and in no figure, and a layer that sees fewer tokens, such as a classifier's head, counts too much: this is not a whole inference.";

/// Why nothing is said of fusion.
const NOT_FUSED: &str = "Fusion is not modelled for workload `linear`: shapes do not tell which kernel reads what another writes. Every kernel is counted as reading from external memory and writing there; what fusing would save is unknown.";

/// What does not follow the inputs.
const OWN_VALUES: &str = "In the workbook and on the page, figures that are formulas follow the inputs under Assumptions. Sentences, captions and findings do not: they state what derate computed for the project as it is.";

/// What a schedule fuses.
const SCHEDULES: &str = "Schedule epilogue: biases, activations and residuals work on the tile just made. Schedule attention: scores never leave the chip, too. Schedule block: a layer is one kernel. A group that does not fit is split.";

/// Where nothing follows.
const FIXED: &str = "What is fused of this model is not known as formulas: these figures stand as derate computed them and do not follow the inputs.";

/// The scenario that fusion is shown for: the claim with all its corrections.
const CORRECTED: &str = "derived-peak";

/// How to read the ladder of this estimate.
fn ladder_notes(estimate: &Estimate) -> impl Iterator<Item = Block> {
    let own = estimate.design();
    let beside = if own.is_some() { DESIGN } else { "" };
    let of = if estimate.is_whole() { WHOLE } else { OF_WEIGHTS };
    let mut ladder = format!("{STEPS}{beside}. {of}");
    if own.is_none_or(|design| design.latency.is_none()) {
        ladder = format!("{ladder} {NO_LATENCY}");
    }
    let partial = (!estimate.is_whole()).then(|| TWO_DIMENSIONAL.to_owned());
    std::iter::once(ladder).chain(partial).map(Block::Prose)
}

fn section(name: &str, title: &str, blocks: Vec<Block>) -> Section {
    Section { name: name.to_owned(), title: title.to_owned(), blocks, appendix: false }
}

/// What is looked up rather than read.
fn appendix(name: &str, title: &str, blocks: Vec<Block>) -> Section {
    Section { appendix: true, ..section(name, title, blocks) }
}

/// How the subtitle says that nothing, or something, was measured.
const NOT_MEASURED: &str = "modelled, not measured";
const MEASURED_APART: &str = "modelled; what was measured stands apart";

fn subtitle(analysis: &Analysis) -> String {
    let measured = if analysis.recordings.is_empty() { NOT_MEASURED } else { MEASURED_APART };
    // That mode is nobody's model: the dump's name tells more.
    let workload = match analysis.workload.name() {
        "linear" => {
            let dump = analysis.project.model.shapes.as_ref().map_or("a model", |path| &path.value);
            format!("linear layers of {}", dump.rsplit(['/', '\\']).next().unwrap_or(dump))
        }
        name => name.to_owned(),
    };
    format!("{workload} on {}, batch {}; {measured}", analysis.platform.title, analysis.batch())
}

/// The whole report.
pub fn report(analysis: &Analysis, audit: &Audit, estimate: &Estimate) -> Document {
    let findings = &audit.findings;
    let live = Live::of(analysis, estimate);
    let formulas = live.formulas();
    let measured = analysis.validation();
    let said = verdict(audit, estimate).into_iter().chain(measurements(measured.as_ref()));
    let (changes, inputs) = formulas.inputs().unzip();
    let inputs = inputs.unwrap_or_default();
    // Sentences are about derate's own values: what stands below them says whether these are still there.
    let mut first: Vec<Block> = said.map(Block::Prose).collect();
    first.extend(changes.map(Block::Table));
    first.push(Block::KeyFigures(scenarios::ladder(estimate, &formulas)));
    first.extend(ladder_notes(estimate));
    first.push(Block::Prose(OWN_VALUES.to_owned()));
    first.extend(critique::critique(estimate, analysis.batch()).map(Block::Table));
    first.push(Block::Table(diagnostics::overview(&analysis.sources, findings)));
    let mut shown = vec![Block::Diagnostics(diagnostics(&analysis.sources, findings))];
    shown.extend(diagnostics::allowed(&analysis.sources, &audit.allowed).map(Block::Prose));
    let mut roofline: Vec<Block> =
        chart::roofline(estimate, &formulas).into_iter().map(Block::Chart).collect();
    roofline.push(Block::Table(peaks::peaks(estimate, &formulas)));
    let precisions = estimate.by_precision.chunks(2).filter_map(|pair| match pair {
        [claimed, corrected] => {
            Some(Block::Table(two_roofs::two_roofs(claimed, corrected, &formulas)))
        }
        _ => None,
    });
    let controls = Formulas::controls(&inputs);
    let mut assumed: Vec<Block> = inputs.into_iter().map(Block::Table).collect();
    assumed.push(Block::Table(assumptions::assumptions(analysis, estimate)));
    // What a reader asks for first comes first; what only machines read through stands last.
    let mut sections = vec![
        section("Summary", "What holds and what does not", first),
        section("Roofline", "Roofline, claimed and corrected", roofline),
        section("Findings", "Findings", shown),
        section("Assumptions", "Every figure and where it is from", assumed),
    ];
    sections.extend(figures(estimate, measured.as_ref(), &formulas));
    let kernels = kernel_blocks(estimate.ladder(), &formulas);
    sections.extend([
        section("Validation", "Measured against the claim", validation::blocks(measured.as_ref())),
        grid(estimate, &formulas),
        appendix(KERNELS, "Kernels under each scenario", kernels),
        appendix("Precisions", "Kernels at each precision", precisions.collect()),
    ]);
    let groups: Vec<Block> = formulas.groups().into_iter().map(Block::Table).collect();
    if !groups.is_empty() {
        sections.push(appendix(GROUPS, "What Fusion and Latency stand on", groups));
    }
    Document {
        title: "Roofline audit".to_owned(),
        subtitle: subtitle(analysis),
        controls,
        sections,
    }
}

/// The sheet of what each kernel costs.
const KERNELS: &str = "Kernels";

/// The sheet of what formulas of other sheets stand on.
const GROUPS: &str = "Groups";

/// The report for formats that are read and not recalculated: without what formulas alone read, and what is about changes.
pub fn in_short(report: &Document) -> Document {
    let shown = report.sections.iter().filter(|section| section.name != GROUPS);
    let sections = shown.map(|section| {
        let blocks = section.blocks.iter().filter_map(in_short_block).collect();
        let section = Section { blocks, ..section.clone() };
        if section.name == KERNELS { kernels::ends_of_the_ladder(section) } else { section }
    });
    Document { controls: Vec::new(), sections: sections.collect(), ..report.clone() }
}

/// What a block says where nothing can be changed.
fn in_short_block(block: &Block) -> Option<Block> {
    match block {
        Block::Table(table) if live::is_of_edits(&table.name) => None,
        Block::Table(table) => Some(Block::Table(still::still(table))),
        Block::KeyFigures(figures) => {
            let said = figures.iter().filter(|figure| figure.label != scenarios::FOLLOWS);
            Some(Block::KeyFigures(said.cloned().collect()))
        }
        Block::Prose(text) if text == OWN_VALUES => None,
        Block::Chart(chart) => {
            let mut chart = chart.clone();
            chart::in_short(&mut chart);
            Some(Block::Chart(chart))
        }
        block => Some(block.clone()),
    }
}

/// What an inference moves and takes, in the report as on the terminal.
fn figures(
    estimate: &Estimate,
    measured: Option<&Validation>,
    formulas: &Formulas<'_>,
) -> Vec<Section> {
    let mut sections = vec![
        section("Parts", "Parts of an inference", part_blocks(estimate, formulas)),
        section("Fusion", "Fused and unfused", fusion_blocks(estimate, formulas)),
        section("Latency", "Latency against throughput", latency_blocks(estimate, formulas)),
    ];
    sections.extend(sensitivity(estimate, formulas));
    sections.push(section(
        "Bandwidth",
        "Where bandwidth comes from",
        bandwidths::blocks(estimate, measured, formulas),
    ));
    sections
}

/// A table per scenario, and what its parts hold and leave out.
fn kernel_blocks<'a>(
    scenarios: impl Iterator<Item = &'a ScenarioEstimate> + Clone,
    formulas: &Formulas<'_>,
) -> Vec<Block> {
    let notes = scenarios.clone().next().map(kernels::notes).unwrap_or_default();
    let tables = scenarios.map(|s| {
        Block::Table(formulas.of(s).map_or_else(|| kernels::kernels(s), Followed::kernels))
    });
    tables.chain(notes.into_iter().map(Block::Prose)).collect()
}

fn part_blocks(estimate: &Estimate, formulas: &Formulas<'_>) -> Vec<Block> {
    let missing = estimate.missing_parts.iter().map(|missing| {
        Block::Prose(format!("Part {} is not in it: {}.", missing.part, missing.reason))
    });
    let variants = latency::variants(estimate).into_iter().map(Block::Prose);
    let tables = parts::parts(estimate, formulas).into_iter().map(Block::Table);
    tables.chain(missing).chain(variants).collect()
}

fn fusion_blocks(estimate: &Estimate, formulas: &Formulas<'_>) -> Vec<Block> {
    if !estimate.is_whole() {
        return vec![Block::Prose(NOT_FUSED.to_owned())];
    }
    let scenarios = [CORRECTED, "design"].into_iter();
    let scenarios = scenarios.filter_map(|s| Some((s, parts::setting(estimate, s)?)));
    let mut blocks = vec![Block::Prose(SCHEDULES.to_owned())];
    for (scenario, setting) in scenarios {
        blocks.push(Block::Prose(setting));
        if scenario == CORRECTED {
            blocks.extend(what_if(estimate, formulas));
        }
        blocks.extend(parts::fusion(estimate, scenario, formulas).into_iter().map(Block::Table));
        let fixed = |s: &ScenarioEstimate| formulas.is_live() && formulas.of(s).is_none();
        if estimate.schedules(scenario).any(fixed) {
            blocks.push(Block::Prose(FIXED.to_owned()));
        }
        blocks.extend(parts::refused(estimate, scenario).into_iter().map(Block::Prose));
    }
    blocks
}

/// What fusing saves in a picture, and under the schedule that the reader chooses.
fn what_if(estimate: &Estimate, formulas: &Formulas<'_>) -> Vec<Block> {
    let Some(what_if) = WhatIf::of(estimate, formulas) else { return Vec::new() };
    let savings = bars::savings(estimate, CORRECTED, formulas).map(Block::Bars);
    let tables = what_if.tables().into_iter().flatten().map(Block::Table);
    savings.into_iter().chain(tables).collect()
}

fn latency_blocks(estimate: &Estimate, formulas: &Formulas<'_>) -> Vec<Block> {
    let mut blocks = latency::latency(estimate, formulas);
    blocks.extend(latency::synthesised(estimate).map(Block::Table));
    blocks
}

/// Which figure to get right first.
fn sensitivity(estimate: &Estimate, formulas: &Formulas<'_>) -> Option<Section> {
    let table = latency::sensitivity(estimate, formulas)?;
    Some(section("Sensitivity", "What moves the answer", vec![Block::Table(table)]))
}

/// The claim's own kernels under all combinations.
fn grid(estimate: &Estimate, formulas: &Formulas<'_>) -> Section {
    let table = Block::Table(scenarios::grid(estimate, formulas));
    section("Grid", "Precision, tokens, bandwidth and peak", vec![table])
}

/// What `derate estimate` prints.
pub fn estimate(analysis: &Analysis, estimate: &Estimate) -> Document {
    let plain = Formulas::default();
    let mut sections = vec![section(
        "Scenarios",
        "From the claim to what holds",
        vec![Block::KeyFigures(scenarios::ladder(estimate, &plain))]
            .into_iter()
            .chain(ladder_notes(estimate))
            .collect(),
    )];
    sections.extend(figures(estimate, None, &plain));
    let critique = critique::critique(estimate, analysis.batch());
    let critique = critique.map(Block::Table).into_iter().collect();
    sections.extend([
        section("Critique", "What was claimed and what holds", critique),
        section(
            "Peaks",
            "Peaks and ridge points",
            vec![Block::Table(peaks::peaks(estimate, &plain))],
        ),
        grid(estimate, &plain),
    ]);
    let verdict = verdict::conclusions(estimate).into_iter().map(Block::Prose).collect();
    sections.push(section("Verdict", "What it comes to", verdict));
    Document {
        title: "Estimate".to_owned(),
        subtitle: subtitle(analysis),
        controls: Vec::new(),
        sections,
    }
}

/// What `derate estimate` prints for one scenario.
pub fn scenario(analysis: &Analysis, scenario: &ScenarioEstimate) -> Document {
    Document {
        title: format!("Estimate: {}", scenario.name),
        subtitle: subtitle(analysis),
        controls: Vec::new(),
        sections: vec![
            section(
                "Kernels",
                "Kernels",
                kernel_blocks(std::iter::once(scenario), &Formulas::default()),
            ),
            section(
                "Figures",
                "What it stands on",
                vec![Block::Table(assumptions::of_scenario(scenario))],
            ),
        ],
    }
}

/// The main findings in a few sentences.
pub fn verdict(audit: &Audit, estimate: &Estimate) -> Vec<String> {
    let summary = Summary::of(audit);
    verdict::sentences(estimate, summary)
}

/// What each measurement says, a sentence each.
pub fn measurements(validation: Option<&Validation>) -> Vec<String> {
    validation.into_iter().flat_map(validation::sentences).collect()
}

/// The figure of a report.
pub fn roofline(estimate: &Estimate) -> Option<derate_render::Chart> {
    chart::roofline(estimate, &Formulas::default())
}
