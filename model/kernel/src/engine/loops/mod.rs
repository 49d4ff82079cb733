//! Loops: unrolled, pipelined, flattened, or one iteration after another.

mod choice;
mod count;
mod counter;
mod fresh;
mod join;
mod left;
mod merged;
mod nest;
mod pipelined;
mod plain;
mod shell;
mod simulate;

use choice::unrolls_whole;

use crate::engine::trip::Trip;
use crate::engine::{Activation, Engine, Flow, Piece};
use crate::graph::{Op, Value};
use derate_program::{Binary, Loop, Number, Scalar, constant_trips, list_fresh};

/// Copies that an unrolled loop may have.
const COPIES: u64 = 20_000;

/// Before which copies of an unrolled body the loop may end.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tests {
    /// Before none: the copies divide the iterations.
    None,
    /// Before each copy: they run one after another.
    Each,
    /// Before the copies from one to another: the loop has a way out there. Where the iterations are known, there is one.
    Between(u64, u64),
    /// Before one copy and each that follows: a flattened nest has no way out, and each copy has its condition.
    From(u64),
}

impl Tests {
    /// The tests of a loop that is unrolled by a factor.
    pub(super) fn of_unrolled(trip: Trip, factor: u64, is_flattened: bool) -> Self {
        let (first, last) = match trip.counted() {
            Some(count) => (count % factor, count % factor),
            None => (u64::from(factor > 1), factor - 1),
        };
        match (first, is_flattened) {
            (0, _) => Self::None,
            (first, true) => Self::From(first),
            (first, false) => Self::Between(first, last),
        }
    }
}

impl<'a> Engine<'a> {
    /// The products that a bound is computed of are there, although nothing in their block uses them.
    fn keep_products(&mut self, bound: Option<Value>, flow: &Flow) {
        let mut left: Vec<_> = bound.and_then(Value::node).into_iter().collect();
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(id) = left.pop() {
            let node = self.graph.node(id);
            if node.block != flow.block || !seen.insert(id) {
                continue;
            }
            left.extend(node.inputs.iter().filter_map(|input| input.node()));
            if node.op == Op::Binary(Binary::Mul) {
                self.kept.insert(id);
            }
        }
    }

    pub(crate) fn run_loop(&mut self, item: &'a Loop, run: &mut Activation<'a>, flow: &mut Flow) {
        let alone = std::mem::take(&mut self.alone);
        let options = self.directives.of_loop(run.function, item, self.settings.tool);
        // Where a condition decides whether it runs, a counter from outside has its first value all the same.
        let start = match item.first {
            Some(first) => Value::Constant(Number::Int(first)),
            None => self.value(&item.start, run, flow),
        };
        let end = item.end.as_ref().map(|end| self.value(end, run, flow));
        let trip = self.trip_of(item, start, end, &options, run);
        if trip.is_open {
            self.keep_products(end, flow);
        }
        let whole = trip.whole();
        let unroll_all = unrolls_whole(&options, whole);
        if whole == Some(0) {
            self.leave_counter(item, end, run, flow);
            return;
        }
        // A loop that may be left early has all its copies; those after the way out do nothing.
        let copies = whole.or_else(|| constant_trips(item).filter(|_| item.leaves));
        if (flow.pipelined
            || unroll_all
            || trip.counted().is_some() && self.is_unrolled_for_refused(item, run)
            || whole == Some(1) && !item.leaves)
            && let (Some(count), true) = (copies, item.counter.is_some())
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
        self.bind_arrays(&item.body, run);
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
            self.count_step();
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
        } else if trip.rests_on_type {
            let (label, most) = (&item.label, trip.most);
            let reason = format!(
                "data decide how often the loop `{label}` runs; the type of its bound allows {most} iterations"
            );
            self.note_unknown(item.place, reason);
        }
    }

    /// The copies of a body; where `is_tested`, the loop may end after each of them.
    pub(super) fn run_body(
        &mut self,
        item: &'a Loop,
        (number, factor, tests): (u32, u64, Tests),
        run: &mut Activation<'a>,
        flow: &mut Flow,
    ) {
        let (guard, stays) = (flow.guard, flow.stays);
        let counter = item.counter.map(|counter| self.bind(run, counter).storage);
        let base = counter.and_then(|storage| self.env.get(&(storage, 0)).copied());
        let around = flow.copy;
        let fresh = if factor > 1 { list_fresh(&item.body) } else { Vec::new() };
        for at in 0..factor {
            if at > 0 {
                self.begin_fresh(&fresh, run);
            }
            flow.copy = (number, at);
            if let (Some(storage), Some(base), true) = (counter, base, at > 0) {
                let ty = self.storages[storage].ty;
                let by = Value::Constant(Number::Int(item.step * i128::from(at)));
                let value = self.binary(Binary::Add, [base, by], ty, ty, flow, item.place);
                self.set_scalar((storage, 0), value);
            }
            match tests {
                Tests::Each if at > 0 => {
                    flow.block = self.begin_block();
                    flow.pieces.push(Piece::Block(flow.block));
                }
                Tests::Between(first, last) if at >= first && at <= last => {
                    self.keep_partial_values(flow);
                }
                Tests::From(first) if at >= first => {
                    let goes_on = self.input(Scalar::BOOL, flow, item.place);
                    flow.guard = Some(self.and(flow.guard, goes_on, flow));
                    flow.stays = flow.guard;
                }
                _ => {}
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
        (flow.guard, flow.stays) = (guard, stays);
        if let (Some(storage), Some(base)) = (counter, base) {
            self.set_scalar((storage, 0), base);
        }
    }

    /// What a loop changed up to a way out is needed there: sums are not reordered over it.
    fn keep_partial_values(&mut self, flow: &Flow) {
        let stored = self.graph.blocks[flow.block as usize].iter().filter_map(|id| {
            let node = self.graph.node(*id);
            let value = node.inputs.first().filter(|_| node.op == Op::Store && !node.dead);
            value?.node()
        });
        self.kept.extend(stored);
        let Some((changed, _)) = self.carrying.last() else { return };
        self.kept.extend(self.env.within(changed).filter_map(|(_, value)| value.node()));
    }
}
