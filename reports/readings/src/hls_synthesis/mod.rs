//! What the reports of a synthesis say of a kernel, as the tree that `derate kernel` prints; beside it what the model says of
//! the source, where it is there too.

mod data;
mod figures;
mod loops;
mod text;

use derate_design::{LoopPair, pair_loops};
use derate_hls::{Sources, Synthesis};
use derate_kernel::{KernelAnswer, Settings};
use derate_render::Section;

pub use data::SynthesisReport;

/// A kernel's synthesis.
#[derive(Clone, Copy, Debug)]
pub struct SynthesisStudy<'a> {
    /// The texts of the reports.
    pub sources: &'a Sources,
    /// What they say together.
    pub synthesis: &'a Synthesis,
    /// Cycles that the simulated RTL took, at most, where a co-simulation's report is there.
    pub simulated: Option<u64>,
    /// The same kernel from its source.
    pub modelled: Option<ModelledSide<'a>>,
}

/// A kernel from its source, for the conditions that the reports give.
#[derive(Clone, Copy, Debug)]
pub struct ModelledSide<'a> {
    /// What the model says.
    pub answer: &'a KernelAnswer,
    /// Clock, part and tool.
    pub settings: &'a Settings,
    /// The sources.
    pub files: &'a [String],
    /// What shows that the reports are of another version of the source, a sentence each.
    pub stale: &'a [String],
    /// What was taken because nothing was said, a sentence each.
    pub notes: &'a [String],
}

/// A kernel for machines, and its sections for people.
pub(crate) fn describe(study: &SynthesisStudy<'_>) -> (SynthesisReport, Vec<Section>) {
    (SynthesisReport::of_study(study), text::sections(study))
}

/// The loops of a study: each with the modelled one where the source is there.
fn pairs_of<'a>(study: &SynthesisStudy<'a>) -> Vec<LoopPair<'a>> {
    if let Some(side) = &study.modelled {
        return pair_loops(study.synthesis, side.answer);
    }
    let alone = |one| LoopPair { synthesised: one, modelled: None };
    study.synthesis.loops.iter().map(alone).collect()
}
