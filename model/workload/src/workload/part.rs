//! Blocks that belong together.

use std::borrow::Cow;
use std::sync::Arc;

use super::Block;

/// A block and how often an inference runs each of its layers.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Repeated<C = u64> {
    /// Runs of each layer per inference.
    pub runs: C,
    /// The kernels; estimates of the same block share it.
    pub block: Arc<Block<C>>,
}

impl<C> Repeated<C> {
    pub(super) fn new(runs: C, block: Block<C>) -> Self {
        Self { runs, block: Arc::new(block) }
    }
}

/// Why an inference does not run a part.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum NeverRuns {
    /// A claimed analysis models with it what other parts run.
    Modelled(&'static str),
    /// Nothing calls it.
    Uncalled(&'static str),
}

impl NeverRuns {
    /// The reason, for a reader.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Modelled(reason) | Self::Uncalled(reason) => reason,
        }
    }
}

/// One part of a workload, such as the vision encoder.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Part<C = u64> {
    /// What it is called whatever the parameters are, such as `vision` or `expert`.
    pub key: Cow<'static, str>,
    /// Its name in outputs: the key, with the count of its runs where parameters set that.
    pub name: Cow<'static, str>,
    /// Whether claims about the model are about this part, where they model no kernels of their own.
    pub is_main: bool,
    /// Why an inference never runs it; `None` where it does.
    pub never_runs: Option<NeverRuns>,
    /// What is in it and what is not.
    pub note: Cow<'static, str>,
    /// Its blocks, in their order.
    pub blocks: Vec<Repeated<C>>,
}

impl<C> Part<C> {
    /// A part that an inference runs.
    pub(super) fn new(
        key: impl Into<Cow<'static, str>>,
        note: impl Into<Cow<'static, str>>,
        blocks: Vec<Repeated<C>>,
    ) -> Self {
        let (key, note) = (key.into(), note.into());
        Self { name: key.clone(), key, is_main: false, never_runs: None, note, blocks }
    }

    /// Layers that it holds.
    pub fn layers(&self) -> u64 {
        self.blocks.iter().map(|b| b.block.layers.len() as u64).max().unwrap_or(0)
    }

    /// Whether `name` is its key, with or without a count of runs such as ` x10`.
    pub fn is_named(&self, name: &str) -> bool {
        let Some(count) = name.strip_prefix(self.key.as_ref()) else { return false };
        let runs = count.strip_prefix(" x").map(str::parse::<u64>);
        count.is_empty() || runs.is_some_and(|runs| runs.is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_held_however_often_it_runs() {
        let part = |key: &'static str| Part::<u64>::new(key, "", Vec::new());
        assert!(part("expert").is_named("expert") && part("expert").is_named("expert x10"));
        assert!(part("text prefix").is_named("text prefix"));
        assert!(!part("text prefix").is_named("text") && !part("expert").is_named("expert xl"));
    }
}
