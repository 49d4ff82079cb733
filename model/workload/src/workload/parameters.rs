//! What an inference is run with: the numbers that shapes cannot tell.

use super::Count;

/// Parameters of one inference.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct InferenceParameters<C = u64> {
    /// Inferences at a time.
    pub batch: C,
    /// Camera images.
    pub cameras: C,
    /// Language tokens, padding included.
    pub language_tokens: C,
    /// Denoising steps of the action expert.
    pub denoise_steps: C,
    /// Actions that are denoised at once.
    pub chunk: C,
    /// Rows of a workload whose shapes do not tell how many its layers see.
    pub tokens: C,
    /// Whether the expert's cross-attention projects the cached keys and values once, not in every step.
    pub hoist_cross_kv: bool,
    /// Whether results that nobody reads are left out.
    pub drop_dead_work: bool,
}

impl<C: Count> InferenceParameters<C> {
    /// What a part depends on starts as nothing: it is built from the parameters that it names.
    pub(super) fn none() -> Self {
        let none = || C::from(0);
        Self {
            batch: none(),
            cameras: none(),
            language_tokens: none(),
            denoise_steps: none(),
            chunk: none(),
            tokens: none(),
            hoist_cross_kv: false,
            drop_dead_work: false,
        }
    }
}
