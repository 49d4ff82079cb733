//! What is computed: kernels with the tensors that they read and write, in parts, for a number of tokens.

mod block;
mod built;
mod elementwise;
mod exchanged;
mod function;
mod kernel;
mod linear;
mod parameters;
mod part;
mod smolvla;
mod traced;

pub use crate::count::Count;
pub use crate::matmul::Matmul;
pub use block::{Block, Layer, TensorId, Value};
pub use built::PartCache;
pub use elementwise::Elementwise;
pub use exchanged::Exchanged;
pub use function::PointFunction;
pub use kernel::{Convolved, FormatOf, Joins, Kernel, Op, Operand, Role, ValueId};
pub use linear::LinearModel;
pub use parameters::InferenceParameters;
pub use part::{NeverRuns, Part, Repeated};
pub use smolvla::SmolVla;
pub use traced::TracedModel;

use std::sync::Arc;

use crate::graph::Graph;
use derate_dump::ModelShape;
use derate_project::Project;
use derate_units::Figure;

/// A number of tokens that a workload has reason to run with.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenCount {
    /// How many.
    pub count: u64,
    /// What they are, such as `prefix, 3 cameras`.
    pub name: String,
    /// How the count comes about.
    pub figure: Figure<f64>,
}

/// Why a workload could not be built: one sentence.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum WorkloadError {
    /// The name is not known.
    #[error(
        "no workload is called `{0}`: write smolvla, linear (every 2-D weight as one GEMM), or a file: workload.json as derate.trace records it, or model.onnx"
    )]
    Unknown(String),
    /// The dump lacks a tensor.
    #[error(
        "the dump has no 2-D tensor `{0}`, which the smolvla workload needs: give the whole dump, or set workload = \"linear\" in [model]"
    )]
    Missing(String),
    /// The image features do not fold into whole tokens.
    #[error(
        "the position embedding has {features} elements and the connector takes {inputs}: these do not fold into whole image tokens, so the dump is not smolVLA; set workload = \"linear\" in [model]"
    )]
    Connector {
        /// Patches times channels.
        features: u64,
        /// Inputs of the connector.
        inputs: u64,
    },
    /// The queries do not divide into heads.
    #[error(
        "`{tensor}` has {outputs} outputs, which are not a whole number of heads of {head_dim}: check the dump, or set workload = \"linear\" in [model]"
    )]
    Heads {
        /// The query projection.
        tensor: String,
        /// Its outputs.
        outputs: u64,
        /// The head size of the configuration.
        head_dim: u64,
    },
    /// The dump has nothing to multiply.
    #[error(
        "the dump has no 2-D weight, so there is nothing to model: give a dump that shows the linear layers"
    )]
    Empty,
    /// A parameter of a recorded model is not in the dump.
    #[error(
        "the workload reads the parameter `{0}`, which the dump does not have: leave `shapes` out of [model], and the workload's own parameters count"
    )]
    Parameter(String),
    /// A parameter has another shape in the dump.
    #[error(
        "`{tensor}` is {dump:?} in the dump and {traced:?} in the workload: record the model again, or leave `shapes` out of [model]"
    )]
    OtherShape {
        /// The parameter.
        tensor: String,
        /// Its dimensions in the dump.
        dump: Vec<u64>,
        /// Those in the workload.
        traced: Vec<u64>,
    },
    /// A layer has more values than derate counts.
    #[error(
        "a layer of the workload has more than 65,535 values or parameters: record parts of the model on their own"
    )]
    TooLarge,
    /// A recorded workload runs with the batch that it was recorded with.
    #[error(
        "the workload was recorded with its own batch, so a batch of {0} is not in it: record the model with inputs of that batch, and claim batch = 1: one run of what was recorded"
    )]
    Batch(u64),
    /// An operator that the schema has no words for.
    #[error(
        "derate does not know what the operator `{operator}` computes ({calls}): its operations are in no figure, the bytes of its operands are"
    )]
    Operator {
        /// Its name.
        operator: String,
        /// How often an inference calls it.
        calls: String,
    },
}

/// A model's operators, read from its shapes.
#[derive(Clone, Debug, PartialEq)]
pub enum Workload {
    /// smolVLA: vision, language prefix and action expert.
    SmolVla(Box<SmolVla>),
    /// Every 2-D weight as one GEMM.
    Linear(LinearModel),
    /// The operations that a file gives.
    Traced(Box<TracedModel>),
}

impl Workload {
    /// The workload that the project names; where it names none, `smolvla` if the dump is one, else `linear`.
    ///
    /// `graph` is what the file has that it names, where it names a file.
    pub fn new(
        project: &Project,
        shape: &ModelShape,
        graph: Option<&Arc<Graph>>,
    ) -> Result<Self, WorkloadError> {
        if let Some(graph) = graph {
            let batch = project.claims.batch.as_ref().map_or(1, |claim| claim.value);
            if batch != 1 {
                return Err(WorkloadError::Batch(batch));
            }
            return TracedModel::new(project, graph, shape)
                .map(|model| Self::Traced(Box::new(model)));
        }
        match project.model.workload.as_ref().map(|w| w.value.as_str()) {
            Some("smolvla") => {
                SmolVla::new(project, shape).map(|model| Self::SmolVla(Box::new(model)))
            }
            Some("linear") => LinearModel::new(shape).map(Self::Linear),
            Some(other) => Err(WorkloadError::Unknown(other.to_owned())),
            None => SmolVla::new(project, shape)
                .map(|model| Self::SmolVla(Box::new(model)))
                .or_else(|_| LinearModel::new(shape).map(Self::Linear)),
        }
    }

    /// Its name in `derate.toml`.
    pub fn name(&self) -> &str {
        match self {
            Self::SmolVla(_) => "smolvla",
            Self::Linear(_) => "linear",
            Self::Traced(model) => model.name(),
        }
    }

    /// Whether it holds all that an inference does, and what its kernels hand to one another; `linear` has the 2-D weights
    /// alone, and shapes do not tell which kernel reads what another writes.
    pub fn is_whole(&self) -> bool {
        !matches!(self, Self::Linear(_))
    }

    /// Whether a number of tokens is an assumption of an inference; a recorded one has its own in its shapes.
    pub fn assumes_tokens(&self) -> bool {
        !matches!(self, Self::Traced(_))
    }

    /// Whether an inference depends on the number of cameras.
    pub fn varies_cameras(&self) -> bool {
        match self {
            Self::SmolVla(_) => true,
            Self::Linear(_) => false,
            Self::Traced(model) => model.loop_counts()[0].is_some(),
        }
    }

    /// Whether an inference depends on the number of denoising steps.
    pub fn varies_steps(&self) -> bool {
        match self {
            Self::SmolVla(_) => true,
            Self::Linear(_) => false,
            Self::Traced(model) => model.loop_counts()[1].is_some(),
        }
    }

    /// The project's parameters, with `tokens` rows where shapes do not tell them.
    pub fn default_parameters(&self, tokens: u64, batch: u64) -> InferenceParameters {
        match self {
            Self::SmolVla(model) => model.default_parameters(tokens, batch),
            Self::Linear(_) => InferenceParameters { batch, tokens, ..InferenceParameters::none() },
            Self::Traced(model) => {
                let [cameras, denoise_steps] = model.loop_counts().map(|own| own.unwrap_or(0));
                InferenceParameters {
                    batch,
                    cameras,
                    denoise_steps,
                    tokens,
                    ..InferenceParameters::none()
                }
            }
        }
    }

    /// What one inference runs.
    pub fn inference_parts(&self, parameters: &InferenceParameters) -> Vec<Part> {
        self.cached_parts(parameters, &mut PartCache::default())
    }

    /// The same, with what was built before.
    pub fn cached_parts(
        &self,
        parameters: &InferenceParameters,
        built: &mut PartCache,
    ) -> Vec<Part> {
        let prefix = self.prefix_tokens(parameters).unwrap_or(0);
        self.build_parts(parameters, &prefix, built)
    }

    /// The same over any kind of count, with the tokens of the prefix as a count of their own.
    pub fn build_parts<C: Count>(
        &self,
        parameters: &InferenceParameters<C>,
        prefix: &C,
        built: &mut PartCache<C>,
    ) -> Vec<Part<C>> {
        match self {
            Self::SmolVla(model) => model.inference_parts(parameters, prefix, built),
            Self::Linear(model) => model.list_parts(&parameters.tokens, &parameters.batch),
            Self::Traced(model) => model.list_parts(parameters, built),
        }
    }

    /// What the seed analyses model instead: never part of an inference.
    pub fn as_claimed<C: Count>(&self, parameters: &InferenceParameters<C>) -> Vec<Part<C>> {
        match self {
            Self::SmolVla(model) => model.as_claimed(parameters),
            Self::Linear(_) | Self::Traced(_) => Vec::new(),
        }
    }

    /// What the host gives an inference and takes from it; `None` where shapes do not tell.
    pub fn list_exchanged(&self, parameters: &InferenceParameters) -> Option<Vec<Exchanged>> {
        match self {
            Self::SmolVla(model) => Some(model.list_exchanged(parameters)),
            Self::Traced(model) => Some(model.list_exchanged()),
            Self::Linear(_) => None,
        }
    }

    /// Parts that cannot be modelled, with the reason.
    pub fn missing_parts(&self) -> Vec<(String, &WorkloadError)> {
        match self {
            Self::SmolVla(model) => {
                let own = model.missing_parts().into_iter();
                own.map(|(part, error)| (part.to_owned(), error)).collect()
            }
            Self::Traced(model) => model.missing_parts(),
            Self::Linear(_) => Vec::new(),
        }
    }

    /// The token counts that an inference really has, the project's own first; empty where the shapes do not tell.
    pub fn token_counts(&self) -> Vec<TokenCount> {
        match self {
            Self::SmolVla(model) => model.list_prefixes(),
            Self::Linear(_) | Self::Traced(_) => Vec::new(),
        }
    }

    /// Tokens of the prefix of an inference with these parameters; `None` where the workload has none.
    pub fn prefix_tokens<C: Count>(&self, parameters: &InferenceParameters<C>) -> Option<C> {
        match self {
            Self::SmolVla(model) => Some(model.prefix_tokens(parameters)),
            Self::Linear(_) | Self::Traced(_) => None,
        }
    }

    /// Figures behind the workload that shapes cannot give.
    pub fn assumed_figures(&self) -> Vec<(String, Figure<f64>)> {
        match self {
            Self::SmolVla(model) => model.assumed_figures(),
            Self::Linear(_) | Self::Traced(_) => Vec::new(),
        }
    }

    /// Rows that look like a sequence length and are not one for the modelled layers.
    pub fn action_chunk(&self) -> Option<&Figure<f64>> {
        match self {
            Self::SmolVla(model) => Some(model.chunk()),
            Self::Linear(_) | Self::Traced(_) => None,
        }
    }
}
