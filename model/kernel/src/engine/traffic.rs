//! When a process reads and writes its streams: tokens in order, as sums over the loops around.

use super::schedule::Case;
use super::tokens::Traffic;
use super::window::Window;
use super::{Engine, Piece};
use crate::graph::{BlockId, NodeId, Op};

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
                Piece::Branch(_, then, otherwise) => {
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
        let (slots, states, waits) = self.place_block(&live, Case::Expected);
        let mut all = Vec::new();
        for id in &live {
            let node = self.graph.node(*id);
            let start = slots.get(id).map_or(0.0, |slot| waits.cycles_before(slot.start) as f64);
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
        (all, (waits.cycles_before(states) as f64).max(1.0))
    }
}
