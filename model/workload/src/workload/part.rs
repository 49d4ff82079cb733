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

    /// Whether `name` is its name, with or without the count of its runs, which parameters may change.
    pub fn is_named(&self, name: &str) -> bool {
        bare_name(name) == self.bare_name()
    }

    /// Its name without the count of its runs: `expert` of `expert x10`.
    pub fn bare_name(&self) -> &str {
        bare_name(&self.name)
    }
}

fn bare_name(name: &str) -> &str {
    let counted = name.rsplit_once(" x").filter(|(_, runs)| runs.parse::<u64>().is_ok());
    counted.map_or(name, |(bare, _)| bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_held_however_often_it_runs() {
        let part = |name: &'static str| Part {
            name: name.into(),
            never_runs: None,
            note: "".into(),
            blocks: Vec::new(),
        };
        for name in ["expert", "expert x10"] {
            assert!(part("expert x10").is_named(name) && part("expert x5").is_named(name));
        }
        assert!(
            part("text prefix").is_named("text prefix") && !part("text prefix").is_named("text")
        );
        assert!(!part("expert x10").is_named("expert xl"));
    }
}
