//! Blocks that were fused and run before: points of a sweep share most of theirs.

use std::collections::HashMap;
use std::sync::Arc;

use crate::EstimateError;
use crate::pass::{ClassPass, Pass, Setting, fuse_class, run_class, sum_classes};
use derate_project::{Schedule, TensorFormats};
use derate_workload::classes::{LayerClass, classify_block};
use derate_workload::fusion::KernelGroup;
use derate_workload::{Block, Part, Repeated};

/// Blocks that are kept. Beyond it all are forgotten.
const MOST: usize = 4096;

/// What the groups of a block depend on, beside the block itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct BlockKey {
    /// Address of the block, which the memo keeps alive.
    block: usize,
    formats: usize,
    schedule: u8,
    capacity: u64,
    /// Runs that share one read of the weights; 0 where the weights are not held.
    held_runs: u64,
}

/// A block with its classes.
struct KnownBlock {
    classes: Vec<(LayerClass, Vec<KernelGroup>)>,
    /// The rates that it was last run at, and those runs.
    rates: u64,
    passes: Vec<ClassPass>,
}

/// Number formats of all tensors, and which of several they are.
#[derive(Clone, Copy)]
pub(crate) struct NumberedFormats<'a> {
    pub(crate) index: usize,
    pub(crate) formats: &'a TensorFormats,
}

/// Blocks that were fused and run before.
#[derive(Default)]
pub(crate) struct PassMemo {
    known: HashMap<BlockKey, KnownBlock>,
    /// Blocks whose addresses are keys.
    alive: Vec<Arc<Block>>,
    /// The last rates, and how many there were.
    setting: Option<Setting>,
    rates: u64,
}

impl PassMemo {
    /// A pass of `parts` at the rates of `setting`, the same as that of a [`Plan`](crate::pass::Plan); the error says which
    /// tensor's format is not known.
    pub(crate) fn run(
        &mut self,
        parts: &[Part],
        formats: NumberedFormats<'_>,
        held: &dyn Fn(&Part) -> bool,
        setting: &Setting,
    ) -> Result<Pass, EstimateError> {
        if self.known.len() > MOST {
            *self = Self::default();
        }
        if !self.setting.as_ref().is_some_and(|last| last.has_rates_of(setting)) {
            self.setting = Some(setting.clone());
            self.rates += 1;
        }
        let mut keys = Vec::with_capacity(16);
        for (index, part) in parts.iter().enumerate() {
            let is_held = held(part);
            for repeated in &part.blocks {
                let key = find_key(repeated, formats.index, is_held, setting);
                self.prepare(key, index, repeated, formats.formats, is_held, setting)?;
                keys.push((key, repeated.runs));
            }
        }
        let known = keys.iter().filter_map(|(key, runs)| Some((self.known.get(key)?, *runs)));
        let classes = known.flat_map(|(block, runs)| {
            let calls = move |(class, _): &(LayerClass, Vec<KernelGroup>)| {
                runs.saturating_mul(class.layers.len() as u64) as f64
            };
            block.passes.iter().zip(block.classes.iter().map(calls))
        });
        Ok(sum_classes(classes, parts, setting))
    }

    /// Makes sure that a block is known at the rates of `setting`.
    fn prepare(
        &mut self,
        key: BlockKey,
        part: usize,
        repeated: &Repeated,
        formats: &TensorFormats,
        is_held: bool,
        setting: &Setting,
    ) -> Result<(), EstimateError> {
        let rates = self.rates;
        if !self.known.contains_key(&key) {
            let mut classes = Vec::new();
            classify_block(part, repeated, formats, is_held, &mut classes)
                .map_err(EstimateError::UnknownFormat)?;
            let fuse = |class: LayerClass| {
                let groups = fuse_class(&class, setting.schedule, setting.capacity);
                (class, groups)
            };
            let classes = classes.into_iter().map(fuse).collect();
            self.alive.push(Arc::clone(&repeated.block));
            self.known.insert(key, KnownBlock { classes, rates: 0, passes: Vec::new() });
        }
        if let Some(block) = self.known.get_mut(&key).filter(|block| block.rates != rates) {
            let run = |(class, groups): &(LayerClass, Vec<KernelGroup>)| {
                run_class(class, groups, setting)
            };
            block.passes.clear();
            block.passes.extend(block.classes.iter().map(run));
            block.rates = rates;
        }
        Ok(())
    }
}

fn find_key(repeated: &Repeated, formats: usize, is_held: bool, setting: &Setting) -> BlockKey {
    let schedule = match setting.schedule {
        Schedule::Unfused => 0,
        Schedule::Epilogue => 1,
        Schedule::Attention => 2,
        Schedule::Block => 3,
    };
    BlockKey {
        block: Arc::as_ptr(&repeated.block).addr(),
        formats,
        schedule,
        capacity: setting.capacity.to_bits(),
        held_runs: if is_held { repeated.runs } else { 0 },
    }
}
