//! How an operator is built, where `bind_op` says it.

/// What an operator is made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Build {
    /// `fabric`: without DSP slices.
    Logic,
    /// `fulldsp`: as much of it in DSP slices as can be, but not all that helps.
    FullDsp,
    /// What the tool takes by itself.
    Usual,
}

/// What `bind_op` asks of an operator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Binding {
    pub(crate) build: Build,
    /// Its cycles, where they are asked for.
    pub(crate) latency: Option<u32>,
}
