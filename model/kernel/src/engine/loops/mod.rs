//! Loops: unrolled, pipelined, flattened, or one iteration after another.

mod choice;
mod count;
mod counter;
mod held;
mod join;
mod nest;
mod pipelined;
mod plain;

use crate::engine::trip::Trip;
use crate::engine::{Activation, Engine, Flow, Piece};
use crate::graph::Value;
use crate::ir::{Binary, Loop, Number};

/// Copies that an unrolled loop may have.
const COPIES: u64 = 20_000;

impl<'a> Engine<'a> {
    pub(crate) fn run_loop(&mut self, item: &'a Loop, run: &mut Activation<'a>, flow: &mut Flow) {
        let alone = std::mem::take(&mut self.alone);
        let options = self.directives.of_loop(run.function, item, self.settings.tool);
        let start = self.value(&item.start, run, flow);
        let end = item.end.as_ref().map(|end| self.value(end, run, flow));
        let trip = self.trip_of(item, start, end, &options, run);
        let whole = trip.whole();
        let unroll_all = match (options.unroll, whole) {
            (Some(0), Some(_)) => true,
            (Some(factor), Some(count)) => factor >= count && factor > 1,
            _ => false,
        };
        if whole == Some(0) {
            self.leave_counter(item, end, run, flow);
            return;
        }
        if (flow.pipelined || unroll_all || whole == Some(1) && !item.leaves)
            && let (Some(count), true) = (whole, item.counter.is_some())
            && count <= COPIES
        {
            self.unroll(item, start, end, count, run, flow);
            return;
        }
        if flow.pipelined {
            // It stays a loop inside of what should be one block.
            self.note_unknown(
                item.place,
                format!(
                    "the loop `{}` has no fixed trip count: what is around it cannot be pipelined",
                    item.label
                ),
            );
        }
        if self.is_pipelined(item, &options, run) {
            self.pipelined_loop(&[item], &[(start, end, trip)], &options, alone, run, flow);
            return;
        }
        if let Some((nest, bounds, inner)) =
            self.flattened(item, (start, end, trip), &options, run, flow)
        {
            self.pipelined_loop(&nest, &bounds, &inner, alone, run, flow);
            return;
        }
        self.plain_loop(item, (start, end, trip), &options, run, flow);
    }

    /// Every iteration one after another in the flow around.
    fn unroll(
        &mut self,
        item: &'a Loop,
        start: Value,
        end: Option<Value>,
        count: u64,
        run: &mut Activation<'a>,
        flow: &mut Flow,
    ) {
        let Some(counter) = item.counter else { return };
        let bound = self.bind(run, counter);
        let ty = self.storages[bound.storage].ty;
        let (guard, stays) = (flow.guard, flow.stays);
        let mut value = start;
        for at in 0..count {
            if self.full {
                break;
            }
            if item.step != 0 {
                let by = Value::Constant(Number::Int(item.step * i128::from(at)));
                value = self.binary(Binary::Add, [start, by], ty, ty, flow, item.place);
            } else if at > 0
                && let Some(next) = &item.next
            {
                value = self.value(next, run, flow);
            }
            self.set_scalar((bound.storage, 0), value);
            self.statements(&item.body, run, flow);
            if std::mem::take(&mut flow.left) && !item.leaves {
                continue;
            }
            if !item.leaves {
                (flow.guard, flow.stays) = (guard, stays);
            }
        }
        (flow.guard, flow.stays) = (guard, stays);
        self.leave_counter(item, end, run, flow);
    }

    pub(super) fn note_open(&mut self, item: &Loop, trip: Trip) {
        if trip.is_open {
            let reason = format!("data decide how often the loop `{}` runs", item.label);
            self.note_unknown(item.place, reason);
        }
    }

    /// The copies of a body; where `is_tested`, the loop may end after each of them.
    pub(super) fn run_body(
        &mut self,
        item: &'a Loop,
        (number, factor, is_tested): (u32, u64, bool),
        run: &mut Activation<'a>,
        flow: &mut Flow,
    ) {
        let counter = item.counter.map(|counter| self.bind(run, counter).storage);
        let base = counter.and_then(|storage| self.env.get(&(storage, 0)).copied());
        let around = flow.copy;
        for at in 0..factor {
            flow.copy = (number, at);
            if at > 0 && is_tested {
                flow.block = self.begin_block();
                flow.pieces.push(Piece::Block(flow.block));
            }
            if let (Some(storage), Some(base), true) = (counter, base, at > 0) {
                let ty = self.storages[storage].ty;
                let by = Value::Constant(Number::Int(item.step * i128::from(at)));
                let value = self.binary(Binary::Add, [base, by], ty, ty, flow, item.place);
                self.set_scalar((storage, 0), value);
            }
            if let Some(condition) = &item.condition {
                let value = self.value(condition, run, flow);
                if let Value::Node(node) = value {
                    self.kept.insert(node);
                    self.exit_nodes.push(node);
                }
            }
            self.statements(&item.body, run, flow);
            flow.left = false;
        }
        flow.copy = around;
        if let (Some(storage), Some(base)) = (counter, base) {
            self.set_scalar((storage, 0), base);
        }
    }
}
