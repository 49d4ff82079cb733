//! What `derate estimate` prints.

mod short;

pub use self::short::{estimate_in_short, scenario_in_short};

use derate_estimate::{Analysis, Estimate, ScenarioEstimate};
use derate_render::{Block, Document, Section};

use crate::kernel_design::kernel_design_section;
use crate::live::Formulas;
use crate::notes::ladder_notes;
use crate::report::{estimate_sections, grid_section, kernel_blocks};
use crate::section::write_subtitle;
use crate::{assumptions, critique, latency, peaks, scenarios, verdict};

/// What `derate estimate --detail` prints.
pub fn estimate(analysis: &Analysis, estimate: &Estimate) -> Document {
    let plain = Formulas::default();
    let mut sections = vec![Section::new(
        "Scenarios",
        "From the claim to what holds",
        vec![Block::KeyFigures(scenarios::ladder_figures(estimate, &plain))]
            .into_iter()
            .chain(ladder_notes(estimate))
            .collect(),
    )];
    sections.extend(kernel_design_section(analysis));
    sections.extend(estimate_sections(estimate, None, &plain));
    let critique = critique::tabulate_critique(estimate, analysis.batch());
    let critique = critique.map(Block::Table).into_iter().collect();
    sections.extend([
        Section::new("Critique", "What was claimed and what holds", critique),
        Section::new(
            "Peaks",
            "Peaks and ridge points",
            vec![Block::Table(peaks::tabulate_peaks(estimate, &plain))],
        ),
        grid_section(estimate, &plain),
    ]);
    let verdict = verdict::write_conclusions(estimate).into_iter().map(Block::Prose).collect();
    sections.push(Section::new("Verdict", "What it comes to", verdict));
    Document {
        title: "Estimate".to_owned(),
        subtitle: write_subtitle(analysis, &[]),
        controls: Vec::new(),
        sections,
    }
}

/// What `derate estimate --detail` prints of one scenario.
pub fn scenario(analysis: &Analysis, scenario: &ScenarioEstimate) -> Document {
    let plain = Formulas::default();
    let mut sections =
        vec![Section::new("Kernels", "Kernels", kernel_blocks(std::iter::once(scenario), &plain))];
    if let Some(latency) = &scenario.latency {
        let said = Block::Prose(latency::describe_latency(scenario, latency));
        let terms = Block::Table(latency::tabulate_terms(scenario, latency, &plain));
        sections.push(Section::new("Latency", "Latency", vec![said, terms]));
    }
    let figures = vec![Block::Table(assumptions::of_scenario(scenario))];
    sections.push(Section::new("Figures", "What it is made from", figures));
    Document {
        title: format!("Estimate: {}", scenario.name),
        subtitle: write_subtitle(analysis, &[]),
        controls: Vec::new(),
        sections,
    }
}
