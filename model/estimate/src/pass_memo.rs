//! Blocks that were fused and run before: points of a sweep share most of theirs.

use std::sync::{Arc, Weak};

use rustc_hash::FxHashMap;

use crate::EstimateError;
use crate::pass::{ClassCost, ClassPass, Pass, Setting, run_class, sum_classes};
use derate_project::{Schedule, TensorFormats};
use derate_workload::classes::{LayerClass, classify_block};
use derate_workload::{Block, Part, Repeated};

/// Blocks that are kept. Beyond it all are forgotten.
const MOST: usize = 4096;

/// What the groups of a block depend on, beside the block itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct BlockKey {
    /// Address of the block, which the memo keeps from others.
    block: usize,
    formats: usize,
    schedule: u8,
    capacity: u64,
    /// Runs that share one read of the weights; 0 where the weights are not held.
    held_runs: u64,
}

/// A block with its classes.
struct KnownBlock {
    classes: Vec<ClassCost>,
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
    places: FxHashMap<BlockKey, usize>,
    known: Vec<KnownBlock>,
    /// Blocks whose addresses are keys: no other block gets one of them.
    keyed: Vec<Weak<Block>>,
    /// The last rates, and how many there were.
    setting: Option<Setting>,
    rates: u64,
}

/// The blocks of a pass by their places in the memo, and how often each runs. It holds until the next is planned.
pub(crate) struct MemoPlan(Vec<(usize, u64)>);

impl PassMemo {
    /// Finds the blocks of `parts` under the schedule and capacity of `setting`; the error says which tensor's format is
    /// not known.
    pub(crate) fn plan(
        &mut self,
        parts: &[Part],
        formats: NumberedFormats<'_>,
        held: &dyn Fn(&Part) -> bool,
        setting: &Setting,
    ) -> Result<MemoPlan, EstimateError> {
        if self.known.len() > MOST {
            *self = Self::default();
        }
        let mut blocks = Vec::with_capacity(16);
        for (index, part) in parts.iter().enumerate() {
            let is_held = held(part);
            for repeated in &part.blocks {
                let key = find_key(repeated, formats.index, is_held, setting);
                let place = if let Some(place) = self.places.get(&key) {
                    *place
                } else {
                    let mut classes = Vec::new();
                    classify_block(index, repeated, formats.formats, is_held, &mut classes)
                        .map_err(EstimateError::UnknownFormat)?;
                    self.add_block(key, &repeated.block, &classes, setting)
                };
                blocks.push((place, repeated.runs));
            }
        }
        Ok(MemoPlan(blocks))
    }

    fn add_block(
        &mut self,
        key: BlockKey,
        block: &Arc<Block>,
        classes: &[LayerClass],
        setting: &Setting,
    ) -> usize {
        let cost = |class| ClassCost::new(class, setting.schedule, setting.capacity);
        let classes = classes.iter().map(cost).collect();
        self.keyed.push(Arc::downgrade(block));
        self.known.push(KnownBlock { classes, rates: 0, passes: Vec::new() });
        let place = self.known.len() - 1;
        self.places.insert(key, place);
        place
    }

    /// A pass of `parts`, planned as `plan`, at the rates of `setting`: the same as that of a [`Plan`](crate::pass::Plan).
    pub(crate) fn run(&mut self, plan: &MemoPlan, parts: &[Part], setting: &Setting) -> Pass {
        if !self.setting.as_ref().is_some_and(|last| last.has_rates_of(setting)) {
            self.setting = Some(setting.clone());
            self.rates += 1;
        }
        let rates = self.rates;
        for (place, _) in &plan.0 {
            let block = &mut self.known[*place];
            if block.rates != rates {
                block.passes.clear();
                block.passes.extend(block.classes.iter().map(|cost| run_class(cost, setting)));
                block.rates = rates;
            }
        }
        let classes = plan.0.iter().flat_map(|(place, runs)| {
            let block = &self.known[*place];
            let calls = block.classes.iter().map(|cost| runs.saturating_mul(cost.layers) as f64);
            block.passes.iter().zip(calls)
        });
        sum_classes(classes, parts, setting)
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
