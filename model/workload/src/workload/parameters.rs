//! What an inference is run with: the numbers that shapes cannot tell.

/// Parameters of one inference.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct InferenceParameters {
    /// Inferences at a time.
    pub batch: u64,
    /// Camera images.
    pub cameras: u64,
    /// Language tokens, padding included.
    pub language_tokens: u64,
    /// Denoising steps of the action expert.
    pub denoise_steps: u64,
    /// Actions that are denoised at once.
    pub chunk: u64,
    /// Rows of a workload whose shapes do not tell how many its layers see.
    pub tokens: u64,
    /// Whether the expert's cross-attention projects the cached keys and values once, not in every step.
    pub hoist_cross_kv: bool,
    /// Whether results that nobody reads are left out.
    pub drop_dead_work: bool,
}

impl InferenceParameters {
    /// What a part depends on starts as nothing: it is built from the parameters that it names.
    pub(super) const NONE: Self = Self {
        batch: 0,
        cameras: 0,
        language_tokens: 0,
        denoise_steps: 0,
        chunk: 0,
        tokens: 0,
        hoist_cross_kv: false,
        drop_dead_work: false,
    };
}
