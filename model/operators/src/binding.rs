//! How an operator is built, where `bind_op` says it.

/// What an operator is made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Build {
    /// `fabric`: without DSP slices.
    Logic,
    /// `fulldsp`: as much of it in DSP slices as can be, but not all that helps.
    FullDsp,
    /// What the tool takes by itself.
    Usual,
}

/// What `bind_op` asks of an operator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Binding {
    /// What it is made of.
    pub build: Build,
    /// Its cycles, where they are asked for.
    pub latency: Option<u32>,
}
