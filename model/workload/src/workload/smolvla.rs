//! smolVLA: which tensors are its parts, and how many tokens those really see.
//!
//! Dimensions come from the dump. What shapes cannot tell (head size, chunk, steps, padding) is from the public
//! configuration of `lerobot/smolvla_base`, and says so.

#![allow(
    clippy::many_single_char_names,
    reason = "q, k, v, x and p are what the field calls queries, keys, values, the residual stream and parameters"
)]

mod claimed;
mod dims;
mod exchanged;
mod expert;
mod prefix;
mod vision;

use dims::{AlikeLayers, find_single};
use expert::Expert;
use prefix::{Embed, TextEncoder};
use vision::{Connector, Vision};

use super::{Count, InferenceParameters, Part, PartCache, TokenCount, WorkloadError};
use derate_dump::ModelShape;
use derate_project::Project;
use derate_units::{Figure, Provenance};

/// Path of the text layers below the root of the vision-language model.
const TEXT_LAYERS: &str = "vlm.model.text_model.layers.";
const POSITIONS: &str = "vlm.model.vision_model.embeddings.position_embedding.weight";

// Of the public configuration of lerobot/smolvla_base.
const HEAD_DIM: u64 = 64;
const ACTION_CHUNK: u64 = 50;
const DENOISE_STEPS: u64 = 10;
const CAMERAS: u64 = 3;
const LANGUAGE_TOKENS: u64 = 48;

/// The parts of a smolVLA dump and the parameters of an inference.
#[derive(Clone, Debug, PartialEq)]
pub struct SmolVla {
    vision: Result<Vision, WorkloadError>,
    connector: Connector,
    embed: Result<Embed, WorkloadError>,
    text: TextEncoder,
    expert: Result<Expert, WorkloadError>,
    lm_head: Option<AlikeLayers>,
    tokens_per_camera: u64,
    state_tokens: u64,
    cameras: Figure<f64>,
    language_tokens: Figure<f64>,
    denoise_steps: Figure<f64>,
    chunk: Figure<f64>,
}

/// A parameter as `derate.toml` gives it, else as the public configuration does.
fn read_parameter(
    claim: Option<&derate_project::Claim<u64>>,
    key: &str,
    default: u64,
    source: &str,
) -> Figure<f64> {
    match claim {
        Some(claim) => {
            Figure::new(claim.value as f64, Provenance::Assumed, format!("{key} in derate.toml"))
        }
        None => Figure::new(default as f64, Provenance::Published, source),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "made from a count; the cast saturates"
)]
fn to_count(figure: &Figure<f64>) -> u64 {
    figure.value as u64
}

impl SmolVla {
    pub(super) fn new(project: &Project, shape: &ModelShape) -> Result<Self, WorkloadError> {
        let root = shape
            .tensors
            .iter()
            .find_map(|t| t.name.split_once(TEXT_LAYERS))
            .map_or("", |(root, _)| root);
        let outer = root.strip_suffix("vlm_with_expert.").unwrap_or(root);
        let text = TextEncoder::new(shape, root)?;
        let positions = find_single(shape, root, &[POSITIONS])?;
        let connector = Connector::new(shape, root)?;
        let (patches, width) = positions.dims[0];
        let features = patches.saturating_mul(width);
        if features % connector.inputs() != 0 {
            return Err(WorkloadError::Connector { features, inputs: connector.inputs() });
        }
        let model = &project.model;
        Ok(Self {
            vision: Vision::new(shape, root),
            embed: Embed::new(shape, root, outer),
            expert: Expert::new(shape, root, outer),
            lm_head: claimed::find_lm_head(shape, root),
            // The pixel shuffle folds patches into channels until the connector's width is reached.
            tokens_per_camera: features / connector.inputs(),
            state_tokens: u64::from(shape.get(&format!("{outer}state_proj.weight")).is_some()),
            connector,
            text,
            cameras: read_parameter(
                model.cameras.as_ref(),
                "cameras",
                CAMERAS,
                "image features of lerobot/smolvla_base",
            ),
            language_tokens: read_parameter(
                model.language_tokens.as_ref(),
                "language_tokens",
                LANGUAGE_TOKENS,
                "tokenizer_max_length of lerobot/smolvla_base, padding computed",
            ),
            denoise_steps: read_parameter(
                model.denoise_steps.as_ref(),
                "denoise_steps",
                DENOISE_STEPS,
                "num_steps of lerobot/smolvla_base",
            ),
            chunk: read_parameter(
                model.chunk.as_ref(),
                "chunk",
                ACTION_CHUNK,
                "chunk_size of lerobot/smolvla_base: the actions that the expert denoises at once",
            ),
        })
    }

    /// What shapes do not tell.
    pub(super) fn assumed_figures(&self) -> Vec<(String, Figure<f64>)> {
        let head = Figure::new(
            HEAD_DIM as f64,
            Provenance::Published,
            "head_dim of the text configuration of lerobot/smolvla_base, which its expert shares; the vision encoder's 768 over 12 heads",
        );
        vec![
            ("cameras".to_owned(), self.cameras.clone()),
            ("language tokens".to_owned(), self.language_tokens.clone()),
            ("denoising steps".to_owned(), self.denoise_steps.clone()),
            ("action chunk".to_owned(), self.chunk.clone()),
            ("head size".to_owned(), head),
        ]
    }

    /// Whether a dump is one of smolVLA's.
    pub fn is_smolvla(shape: &ModelShape) -> bool {
        shape.tensors.iter().any(|t| {
            t.name.split_once(TEXT_LAYERS).is_some_and(|(root, _)| root.contains("vlm_with_expert"))
        })
    }

    /// What a first project file says of it.
    pub const STARTER: &'static str = "workload = \"smolvla\"\n\
         cameras = 3              # images per inference\n\
         language_tokens = 48     # padding included\n\
         denoise_steps = 10       # passes of the action expert\n\
         chunk = 50               # actions per inference\n";

    pub(super) fn chunk(&self) -> &Figure<f64> {
        &self.chunk
    }

    pub(super) fn default_parameters(&self, tokens: u64, batch: u64) -> InferenceParameters {
        InferenceParameters {
            batch,
            cameras: to_count(&self.cameras),
            language_tokens: to_count(&self.language_tokens),
            denoise_steps: to_count(&self.denoise_steps),
            chunk: to_count(&self.chunk),
            tokens,
            hoist_cross_kv: false,
            drop_dead_work: false,
        }
    }

    /// Prefix for the project's cameras first, then for 3, 2 and 1.
    pub(super) fn list_prefixes(&self) -> Vec<TokenCount> {
        let others = (1..=CAMERAS)
            .rev()
            .map(|c| c as f64)
            .filter(|c| c.to_bits() != self.cameras.value.to_bits());
        std::iter::once(self.cameras.value).chain(others).map(|c| self.count_prefix(c)).collect()
    }

    /// `cameras x tokens per camera + language + state`.
    fn count_prefix(&self, cameras: f64) -> TokenCount {
        let (per_camera, state, language) =
            (self.tokens_per_camera, self.state_tokens, self.language_tokens.value);
        let count = cameras * per_camera as f64 + language + state as f64;
        let plural = if cameras < 1.5 { "" } else { "s" };
        TokenCount {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a sum of counts; the cast saturates"
            )]
            count: count as u64,
            name: format!("prefix, {cameras} camera{plural}"),
            figure: Figure::new(
                count,
                Provenance::Derived,
                format!(
                    "{cameras} camera{plural} x {per_camera} tokens (dump: position embedding and connector) + {language} language ({}) + {state} state",
                    self.language_tokens.source
                ),
            ),
        }
    }

    /// Tokens of the prefix, for the parameters.
    pub(super) fn prefix_tokens<C: Count>(&self, p: &InferenceParameters<C>) -> C {
        let images = p.cameras.scaled(self.tokens_per_camera);
        images.plus(&p.language_tokens).plus(&self.state_tokens.into())
    }

    /// What an inference runs over a prefix of `tokens`, each part built from the parameters that it depends on and no
    /// others.
    pub(super) fn inference_parts<C: Count>(
        &self,
        p: &InferenceParameters<C>,
        tokens: &C,
        built: &mut PartCache<C>,
    ) -> Vec<Part<C>> {
        let alone = InferenceParameters { batch: p.batch.clone(), ..InferenceParameters::none() };
        let images = InferenceParameters { cameras: p.cameras.clone(), ..alone.clone() };
        let words = InferenceParameters { language_tokens: p.language_tokens.clone(), ..alone };
        let prefix = InferenceParameters { cameras: p.cameras.clone(), ..words.clone() };
        let text = InferenceParameters { drop_dead_work: p.drop_dead_work, ..prefix.clone() };
        let expert = InferenceParameters { chunk: p.chunk.clone(), ..prefix };
        let mut parts = Vec::with_capacity(5);
        parts.extend(
            self.vision
                .as_ref()
                .ok()
                .map(|v| built.reuse_part(0, images.clone(), |p| v.build_part(p))),
        );
        parts.push(
            built.reuse_part(1, images, |p| self.connector.build_part(p, self.tokens_per_camera)),
        );
        parts.extend(
            self.embed.as_ref().ok().map(|e| built.reuse_part(2, words, |p| e.build_part(p))),
        );
        parts.push(built.reuse_part(3, text, |p| self.text.build_part(p, tokens)));
        // Steps change how often the blocks run, not what they are.
        parts.extend(self.expert.as_ref().ok().map(|e| {
            let step = built.reuse_part(4, expert, |p| e.build_step(p, tokens));
            e.repeat_step(step, &p.denoise_steps, p.hoist_cross_kv)
        }));
        parts
    }

    /// Parts that the dump does not have all tensors of, with the first that is missing.
    pub(super) fn missing_parts(&self) -> Vec<(&'static str, &WorkloadError)> {
        [
            ("vision", self.vision.as_ref().err()),
            ("embed/state_proj", self.embed.as_ref().err()),
            ("expert", self.expert.as_ref().err()),
        ]
        .into_iter()
        .filter_map(|(part, error)| Some((part, error?)))
        .collect()
    }

    /// The text encoder over a claimed number of tokens.
    pub(super) fn as_claimed<C: Count>(&self, p: &InferenceParameters<C>) -> Vec<Part<C>> {
        claimed::claimed_parts(&self.text, self.lm_head.as_ref(), &p.tokens, &p.batch)
    }
}
