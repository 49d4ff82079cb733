//! A model whose operations a file gives: parts by module path, repeated layers once.

mod convert;
mod fold;
mod format;
mod joins;
mod kernels;
mod layer;
mod place;

use std::sync::Arc;

use super::{
    Block, Count, Exchanged, InferenceParameters, Part, PartCache, Repeated, WorkloadError,
};
use crate::graph::{Graph, Origin};
use derate_dump::ModelShape;
use derate_project::Project;
use derate_units::figures::count;

/// Which parameter of an inference says how often a loop runs.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum LoopKey {
    Cameras,
    DenoiseSteps,
}

impl LoopKey {
    fn find(name: &str) -> Option<Self> {
        match name {
            "cameras" => Some(Self::Cameras),
            "denoise_steps" => Some(Self::DenoiseSteps),
            _ => None,
        }
    }
}

/// How often a block runs: a number, times the runs of its loop where a parameter sets these.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct Runs {
    fixed: u64,
    around: Option<LoopKey>,
}

impl Runs {
    fn count<C: Count>(self, p: &InferenceParameters<C>) -> C {
        match self.around {
            None => C::from(self.fixed),
            Some(LoopKey::Cameras) => p.cameras.scaled(self.fixed),
            Some(LoopKey::DenoiseSteps) => p.denoise_steps.scaled(self.fixed),
        }
    }
}

/// A part before the parameters are known.
#[derive(Clone, Debug, PartialEq)]
struct TracedPart {
    key: String,
    note: String,
    /// Whether it is the one with the most multiply-adds.
    is_main: bool,
    blocks: Vec<(Runs, Block)>,
}

/// A model that was recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct TracedModel {
    graph: Arc<Graph>,
    parts: Vec<TracedPart>,
    /// Operators without words of the schema, and how often they run.
    unknown: Vec<(String, WorkloadError)>,
    /// Cameras and denoising steps as `derate.toml` has them.
    loops: [Option<u64>; 2],
}

impl TracedModel {
    /// The model of `graph`, whose parameters `shape` has.
    pub(super) fn new(
        project: &Project,
        graph: &Arc<Graph>,
        shape: &ModelShape,
    ) -> Result<Self, WorkloadError> {
        let parts = fold::fold_graph(graph, shape)?;
        let unknown = graph.list_unknown().into_iter().map(|(operator, calls)| {
            let calls = count(usize::try_from(calls).unwrap_or(usize::MAX), "call");
            let reason = WorkloadError::Operator { operator: operator.to_owned(), calls };
            (operator.to_owned(), reason)
        });
        let model = &project.model;
        let loops = [&model.cameras, &model.denoise_steps].map(|claim| Some(claim.as_ref()?.value));
        Ok(Self { unknown: unknown.collect(), graph: Arc::clone(graph), parts, loops })
    }

    /// What the model is called.
    pub fn name(&self) -> &str {
        &self.graph.name
    }

    /// The operations as the file gives them.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// How often the loop of a parameter runs in the file.
    fn find_loop(&self, key: LoopKey) -> Option<u64> {
        let mut loops = self.graph.loops.iter();
        loops.find(|one| LoopKey::find(&one.name) == Some(key)).map(|one| one.count)
    }

    /// The runs of those loops that `derate.toml` may change: cameras and denoising steps.
    pub(super) fn loop_counts(&self) -> [Option<u64>; 2] {
        let [cameras, steps] =
            [LoopKey::Cameras, LoopKey::DenoiseSteps].map(|key| self.find_loop(key));
        [
            cameras.map(|own| self.loops[0].unwrap_or(own)),
            steps.map(|own| self.loops[1].unwrap_or(own)),
        ]
    }

    pub(super) fn list_parts<C: Count>(
        &self,
        p: &InferenceParameters<C>,
        built: &mut PartCache<C>,
    ) -> Vec<Part<C>> {
        let loops = InferenceParameters {
            cameras: p.cameras.clone(),
            denoise_steps: p.denoise_steps.clone(),
            ..InferenceParameters::none()
        };
        let part = |(at, own): (usize, &TracedPart)| {
            built.reuse_part(at, loops.clone(), |p| {
                let blocks = own.blocks.iter();
                let blocks =
                    blocks.map(|(runs, block)| Repeated::new(runs.count(p), block.recount()));
                let part = Part::new(own.key.clone(), own.note.clone(), blocks.collect());
                Part { is_main: own.is_main, ..part }
            })
        };
        self.parts.iter().enumerate().map(part).collect()
    }

    pub(super) fn missing_parts(&self) -> Vec<(String, &WorkloadError)> {
        self.unknown.iter().map(|(name, error)| (name.clone(), error)).collect()
    }

    /// Inputs and results, in their own formats.
    pub(super) fn list_exchanged(&self) -> Vec<Exchanged> {
        let inputs = self.graph.values.iter().filter_map(|value| match &value.origin {
            Origin::Input(name) => Some((name.clone(), value, true)),
            _ => None,
        });
        let mut outputs: Vec<usize> = self.graph.outputs.clone();
        outputs.sort_unstable();
        outputs.dedup();
        let results =
            outputs.into_iter().map(|at| ("result".to_owned(), &self.graph.values[at], false));
        let all = inputs.chain(results).map(|(name, value, is_to_card)| Exchanged {
            bits: (!value.dtype.is_float()).then(|| value.dtype.bits()),
            is_to_card,
            ..Exchanged::to_card(name, value.elements())
        });
        all.collect()
    }
}
