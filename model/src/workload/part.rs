//! Blocks that belong together.

use std::borrow::Cow;
use std::sync::Arc;

use super::Block;

/// A block and how often an inference runs each of its layers.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Repeated {
    /// Runs of each layer per inference.
    pub runs: u64,
    /// The kernels; estimates of the same block share it.
    pub block: Arc<Block>,
}

impl Repeated {
    pub(super) fn new(runs: u64, block: Block) -> Self {
        Self { runs, block: Arc::new(block) }
    }
}

/// One part of a workload, such as the vision encoder.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Part {
    /// Name, such as `vision`.
    pub name: Cow<'static, str>,
    /// Why an inference never runs it; `None` where it does.
    pub never_runs: Option<&'static str>,
    /// What stands in it and what does not.
    pub note: Cow<'static, str>,
    /// Its blocks, in their order.
    pub blocks: Vec<Repeated>,
}

impl Part {
    /// A part that an inference runs.
    pub(super) fn new(
        name: impl Into<Cow<'static, str>>,
        note: impl Into<Cow<'static, str>>,
        blocks: Vec<Repeated>,
    ) -> Self {
        Self { name: name.into(), never_runs: None, note: note.into(), blocks }
    }

    /// Layers that it holds.
    pub fn layers(&self) -> u64 {
        self.blocks.iter().map(|b| b.block.layers.len() as u64).max().unwrap_or(0)
    }
}
