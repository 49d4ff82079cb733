//! From analysis to document: the only place that knows both.

mod annotations;
mod assumptions;
mod chart;
mod diagnostics;
mod hls;
mod kernels;
mod log;
mod peaks;
mod platform;
mod scenarios;
mod shapes;
mod types;

use derate_reports::{Block, Document, Section};

pub use diagnostics::diagnostics;
pub use hls::{HlsFile, HlsReport, hls};
pub use log::log;
pub use platform::{PlatformReport, platform, platforms};
pub use shapes::shapes;
pub use types::types;

use crate::audit::{Audit, Summary};
use crate::estimate::{Estimate, ScenarioEstimate};
use crate::{Analysis, verdict};

/// How to read the ladder.
const LADDER: &str = "Each column makes one correction to the one on its left. The roofline time is a lower bound for all parts that run; the latency is unknown: depth, fill and launches are not modelled yet.";

fn section(name: &str, title: &str, blocks: Vec<Block>) -> Section {
    Section { name: name.to_owned(), title: title.to_owned(), blocks }
}

fn subtitle(analysis: &Analysis) -> String {
    format!(
        "{} on {}, batch {}; modelled, not measured",
        analysis.workload.name(),
        analysis.platform.title,
        analysis.batch()
    )
}

/// The whole report.
pub fn report(analysis: &Analysis, audit: &Audit, estimate: &Estimate) -> Document {
    let findings = &audit.findings;
    let mut first: Vec<Block> = verdict(audit, estimate).into_iter().map(Block::Prose).collect();
    first.push(Block::KeyFigures(scenarios::ladder(estimate)));
    first.push(Block::Prose(LADDER.to_owned()));
    first.push(Block::Table(diagnostics::overview(&analysis.sources, findings)));
    let mut shown = vec![Block::Diagnostics(diagnostics(&analysis.sources, findings))];
    shown.extend(diagnostics::allowed(&analysis.sources, &audit.allowed).map(Block::Prose));
    let mut roofline: Vec<Block> =
        chart::roofline(estimate).into_iter().map(Block::Chart).collect();
    roofline.push(Block::Table(peaks::peaks(estimate)));
    Document {
        title: "Roofline audit".to_owned(),
        subtitle: subtitle(analysis),
        sections: vec![
            section("Summary", "What holds and what does not", first),
            section("Findings", "Findings", shown),
            section(
                "Kernels",
                "Kernels under each scenario",
                kernel_blocks(estimate.scenarios.iter()),
            ),
            section(
                "Precisions",
                "Kernels at each precision",
                estimate
                    .by_precision
                    .chunks(2)
                    .filter_map(|pair| match pair {
                        [claimed, corrected] => {
                            Some(Block::Table(kernels::two_roofs(claimed, corrected)))
                        }
                        _ => None,
                    })
                    .collect(),
            ),
            section("Roofline", "Roofline, claimed and corrected", roofline),
            section(
                "Sensitivity",
                "Precision, tokens, bandwidth and peak",
                vec![Block::Table(scenarios::grid(estimate))],
            ),
            section(
                "Assumptions",
                "Every figure and where it is from",
                vec![Block::Table(assumptions::assumptions(analysis, estimate))],
            ),
        ],
    }
}

/// A table per scenario, and what its parts hold and leave out.
fn kernel_blocks<'a>(scenarios: impl Iterator<Item = &'a ScenarioEstimate> + Clone) -> Vec<Block> {
    let notes = scenarios.clone().next().map(kernels::notes).unwrap_or_default();
    let tables = scenarios.map(|s| Block::Table(kernels::kernels(s)));
    tables.chain(notes.into_iter().map(Block::Prose)).collect()
}

/// What `derate estimate` prints.
pub fn estimate(analysis: &Analysis, estimate: &Estimate) -> Document {
    let mut sections = vec![section(
        "Scenarios",
        "From the claim to what holds",
        vec![Block::KeyFigures(scenarios::ladder(estimate)), Block::Prose(LADDER.to_owned())],
    )];
    let ends = estimate
        .scenarios
        .first()
        .into_iter()
        .chain(estimate.scenarios.last().filter(|_| estimate.scenarios.len() > 1));
    sections.push(section("Kernels", "Kernels, first and last scenario", kernel_blocks(ends)));
    sections.push(section(
        "Peaks",
        "Peaks and ridge points",
        vec![Block::Table(peaks::peaks(estimate))],
    ));
    sections.push(section(
        "Sensitivity",
        "Precision, tokens, bandwidth and peak",
        vec![Block::Table(scenarios::grid(estimate))],
    ));
    let verdict = verdict::conclusions(estimate).into_iter().map(Block::Prose).collect();
    sections.push(section("Verdict", "What it comes to", verdict));
    Document { title: "Estimate".to_owned(), subtitle: subtitle(analysis), sections }
}

/// What `derate estimate` prints for one scenario.
pub fn scenario(analysis: &Analysis, scenario: &ScenarioEstimate) -> Document {
    Document {
        title: format!("Estimate: {}", scenario.name),
        subtitle: subtitle(analysis),
        sections: vec![
            section("Kernels", "Kernels", kernel_blocks(std::iter::once(scenario))),
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

/// The figure of a report.
pub fn roofline(estimate: &Estimate) -> Option<derate_reports::Chart> {
    chart::roofline(estimate)
}
