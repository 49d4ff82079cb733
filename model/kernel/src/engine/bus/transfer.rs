//! What a burst costs around its loop: a request before it, and an answer after it.

use super::Burst;
use crate::engine::{Engine, Flow};
use crate::graph::{NodeId, Op, Value};
use derate_program::{Place, Scalar};

impl Engine<'_> {
    /// Asks for the bursts of a loop. The loop waits for it.
    pub(crate) fn request_bursts(&mut self, bursts: &[Burst], flow: &Flow, place: Place) {
        for burst in bursts {
            let address = self.wait(u32::try_from(super::ADDRESS).unwrap_or(1), flow, place);
            let cycles = if burst.write { 1 } else { self.request_cycles(burst.storage) };
            let request = self.wait(cycles, flow, place);
            self.graph.node_mut(request).inputs.push(Value::Node(address));
            let written = self.calls_after.get(&burst.storage).copied();
            let before = self.calls_on_bus(burst, flow).chain(written);
            let before: Vec<(NodeId, i64)> = before.map(|call| (call, 0)).collect();
            self.graph.node_mut(request).after.extend(before);
            self.pending.push(request);
        }
    }

    /// The calls of the block that use the bus of a burst in its direction. A bus takes no request before they are done: a schedule
    /// of 2022.1 has that of the second load in the state after the first.
    fn calls_on_bus(&self, burst: &Burst, flow: &Flow) -> impl Iterator<Item = NodeId> {
        let nodes = self.graph.blocks[flow.block as usize].iter().copied();
        nodes.filter(|id| {
            let Op::Call(module) = self.graph.node(*id).op else { return false };
            let module = &self.modules[module as usize];
            let used = if burst.write { &module.writes } else { &module.reads };
            self.share_bus(used, &[burst.storage])
        })
    }

    /// Waits until what was written is there.
    pub(crate) fn await_bursts(&mut self, bursts: &[Burst], flow: &Flow, place: Place) {
        let nodes = &self.graph.blocks[flow.block as usize];
        let call =
            nodes.iter().rev().copied().find(|id| matches!(self.graph.node(*id).op, Op::Call(_)));
        for burst in bursts.iter().filter(|burst| burst.write) {
            let cycles = self.response_cycles(burst.storage).saturating_sub(1);
            let answer = self.wait(cycles, flow, place);
            self.graph.node_mut(answer).after.extend(call.map(|call| (call, 0)));
            self.calls_after.insert(burst.storage, answer);
        }
    }

    /// Cycles that the rows of a nest add to it: each begins with a request of its own.
    #[allow(clippy::cast_precision_loss)]
    pub(crate) fn row_cycles(&self, bursts: &[Burst]) -> f64 {
        let cost = |burst: &Burst| {
            let cycles = if burst.write {
                1 + self.response_cycles(burst.storage)
            } else {
                self.request_cycles(burst.storage)
            };
            (burst.rows - 1.0) * f64::from(cycles)
        };
        bursts.iter().map(cost).fold(0.0, f64::max)
    }

    fn wait(&mut self, cycles: u32, flow: &Flow, place: Place) -> NodeId {
        let node = Self::blank(Op::Wait(cycles), Scalar::INT, flow, place);
        let id = self.push(node);
        self.kept.insert(id);
        id
    }
}
