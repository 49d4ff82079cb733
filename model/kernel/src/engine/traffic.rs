//! When a process reads and writes its streams: tokens in order, as sums over the loops around.

use super::schedule::Case;
use super::window::Window;
use super::{Engine, Piece};
use crate::graph::{BlockId, Linear, NodeId, Op};

/// Tokens of one stream in order: `first + sum of index * stride`, the outermost loop first.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Traffic {
    pub(crate) storage: usize,
    /// Which stream of an array of streams.
    pub(crate) element: Vec<Linear>,
    pub(crate) is_write: bool,
    pub(crate) first: f64,
    /// The cycle of the access within its first iteration, whether it happens there or not.
    pub(crate) stage: f64,
    pub(crate) dims: Vec<(f64, f64)>,
}

/// Tokens at equal distances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Run {
    pub(crate) count: f64,
    pub(crate) first: f64,
    pub(crate) step: f64,
}

/// More runs are not told apart: the tokens are spread evenly.
const RUNS: f64 = 20_000.0;

impl Traffic {
    pub(crate) fn shifted(mut self, by: f64) -> Self {
        self.first += by;
        self.stage += by;
        self
    }

    /// The traffic of a loop whose iterations are `stride` apart.
    pub(crate) fn repeated(mut self, count: f64, stride: f64) -> Self {
        self.dims.insert(0, (count, stride));
        self
    }

    pub(crate) fn count(&self) -> f64 {
        self.dims.iter().map(|dim| dim.0).product()
    }

    /// The tokens as runs.
    pub(crate) fn runs(&self) -> Vec<Run> {
        let mut dims: Vec<(f64, f64)> = Vec::new();
        for dim in self.dims.iter().filter(|dim| dim.0 > 1.0).rev() {
            match dims.last_mut() {
                Some(inner) if (inner.0 * inner.1 - dim.1).abs() < 1e-6 => inner.0 *= dim.0,
                _ => dims.push(*dim),
            }
        }
        let outer: f64 = dims.iter().skip(1).map(|dim| dim.0).product();
        if outer > RUNS {
            let last: f64 = dims.iter().map(|dim| (dim.0 - 1.0) * dim.1).sum();
            let count = self.count();
            return vec![Run { count, first: self.first, step: last / (count - 1.0).max(1.0) }];
        }
        let (count, step) = dims.first().copied().unwrap_or((1.0, 0.0));
        let mut runs = vec![Run { count, first: self.first, step }];
        for (count, stride) in dims.iter().skip(1) {
            let inner = std::mem::take(&mut runs);
            let mut at = 0.0;
            while at < *count {
                runs.extend(inner.iter().map(|run| Run { first: run.first + at * stride, ..*run }));
                at += 1.0;
            }
        }
        runs
    }
}

impl Engine<'_> {
    /// The traffic of a sequence of pieces, from its start on.
    pub(crate) fn pieces_traffic(&self, pieces: &[Piece]) -> Vec<Traffic> {
        let mut all = Vec::new();
        let mut at = 0.0;
        for piece in pieces {
            match piece {
                Piece::Block(block) => {
                    let (traffic, states) = self.block_traffic(*block);
                    all.extend(traffic.into_iter().map(|one| one.shifted(at)));
                    at += states;
                }
                Piece::Loop(span, traffic) => {
                    all.extend(traffic.iter().cloned().map(|one| one.shifted(at)));
                    at += span.expected;
                }
                Piece::Branch(then, otherwise) => {
                    for way in [then, otherwise] {
                        all.extend(self.pieces_traffic(way).into_iter().map(|one| one.shifted(at)));
                    }
                }
            }
        }
        all
    }

    /// The traffic of a pipeline, from the cycles of its accesses in an iteration.
    #[allow(clippy::cast_precision_loss)]
    pub(crate) fn pipeline_traffic(
        &self,
        transfers: &[(NodeId, i64)],
        counters: &[u32],
        interval: u64,
    ) -> Vec<Traffic> {
        let trips: Vec<f64> =
            counters.iter().map(|counter| self.counters[*counter as usize].trip.mean).collect();
        let mut strides = vec![interval as f64; trips.len()];
        for at in (0..trips.len().saturating_sub(1)).rev() {
            strides[at] = strides[at + 1] * trips[at + 1];
        }
        let mut all = Vec::new();
        for (id, stage) in transfers {
            let node = self.graph.node(*id);
            let Some(access) = &node.access else { continue };
            let mut window: Window = trips.iter().map(|trip| (0.0, *trip)).collect();
            if let Some(guard) = node.guard
                && !self.narrow(guard, true, counters, &mut window)
            {
                continue;
            }
            let offset: f64 = window.iter().zip(&strides).map(|(part, by)| part.0 * by).sum();
            all.push(Traffic {
                storage: access.storage,
                element: access.index.clone(),
                is_write: node.op == Op::Push,
                first: *stage as f64 + offset,
                stage: *stage as f64,
                dims: window.iter().zip(&strides).map(|(part, by)| (part.1, *by)).collect(),
            });
        }
        all
    }

    /// The traffic of a block and of the modules that it calls, and the states that it takes.
    #[allow(clippy::cast_precision_loss)]
    fn block_traffic(&self, block: BlockId) -> (Vec<Traffic>, f64) {
        let live = self.live_nodes(block);
        let (slots, states) = self.place_block(&live, Case::Expected);
        let mut all = Vec::new();
        for id in &live {
            let node = self.graph.node(*id);
            let start = slots.get(id).map_or(0.0, |slot| slot.start as f64);
            match (node.op, &node.access) {
                (Op::Call(module), _) => {
                    let traffic = self.modules[module as usize].traffic.iter();
                    all.extend(traffic.cloned().map(|one| one.shifted(start)));
                }
                (Op::Pop | Op::Push, Some(access)) => all.push(Traffic {
                    storage: access.storage,
                    element: access.index.clone(),
                    is_write: node.op == Op::Push,
                    first: start,
                    stage: start,
                    dims: Vec::new(),
                }),
                _ => {}
            }
        }
        (all, (states as f64).max(1.0))
    }
}
