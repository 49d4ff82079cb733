//! The counter of a loop, and what its body changes.

use crate::engine::schedule::Level;
use crate::engine::trip::Trip;
use crate::engine::{Activation, Counter, Engine, Flow};
use crate::graph::{Linear, Op, Symbol, Value};
use derate_program::{Loop, Stmt, any_in, assigned_objects};
use std::collections::BTreeSet;

impl<'a> Engine<'a> {
    /// The counter of a loop as a node, with its range.
    pub(super) fn add_counter(
        &mut self,
        item: &Loop,
        (start, end, trip): (Value, Option<Value>, Trip),
        step: i128,
        run: &mut Activation<'a>,
        flow: &Flow,
    ) -> u32 {
        let step = i64::try_from(step).unwrap_or(0);
        let own = i64::try_from(item.step).unwrap_or(0);
        let own_factor = if own == 0 { 1 } else { (step / own).max(1) };
        let bounds = match (self.linear(start), end.and_then(|end| self.linear(end))) {
            (Some(start), Some(end)) => Some((start, end)),
            _ => None,
        };
        // The symbol is the number of the iteration, from zero.
        let range = (!trip.is_open && trip.most < 1e15).then(|| {
            #[allow(clippy::cast_possible_truncation)]
            let most = trip.most as i64;
            (0, (most.div_euclid(own_factor) - 1 + i64::from(most % own_factor != 0)).max(0))
        });
        let first = self.linear(start);
        let level = Level::default();
        self.counters.push(Counter { range, step, trip, bounds, level });
        let number = u32::try_from(self.counters.len() - 1).unwrap_or(u32::MAX);
        self.around.push(number);
        if let Some(counter) = item.counter {
            let bound = self.bind(run, counter);
            let ty = self.storages[bound.storage].ty;
            let mut node = Self::blank(Op::Counter, ty, flow, item.place);
            let symbol = Linear::symbol(Symbol::Counter(number));
            if step != 0 {
                node.linear = first.and_then(|first| symbol.scaled(step)?.plus(&first));
            }
            if let Some((low, high)) = node.linear.as_ref().and_then(|linear| self.range(linear)) {
                let most = low.unsigned_abs().max(high.unsigned_abs());
                let bits = 64 - most.leading_zeros() + u32::from(low < 0);
                node.width = u16::try_from(bits.max(1)).unwrap_or(64).min(ty.bits());
            }
            let id = self.push(node);
            self.set_scalar((bound.storage, 0), Value::Node(id));
        }
        number
    }

    /// Tells the counters of a nest where they are in it. Returns the innermost one.
    pub(super) fn set_levels(&mut self, nest: &[u32]) -> u32 {
        for (place, counter) in nest.iter().enumerate() {
            self.counters[*counter as usize].level = Level::at(place, nest.len());
        }
        nest.last().copied().unwrap_or_default()
    }

    /// After the loop the counter has its end value.
    pub(super) fn leave_counter(
        &mut self,
        item: &Loop,
        end: Option<Value>,
        run: &mut Activation<'a>,
        flow: &Flow,
    ) {
        let Some(counter) = item.counter else { return };
        let bound = self.bind(run, counter);
        let ty = self.storages[bound.storage].ty;
        let value = match end {
            Some(value @ Value::Constant(_)) if item.step.abs() == 1 => value,
            _ => self.input(ty, flow, item.place),
        };
        self.set_scalar((bound.storage, 0), value);
    }

    /// The storages of scalars and register arrays that a body may change.
    pub(super) fn assigned(&mut self, body: &[Stmt], run: &mut Activation<'a>) -> BTreeSet<usize> {
        let mut objects = BTreeSet::new();
        assigned_objects(body, &mut objects);
        let mut storages = BTreeSet::new();
        for object in objects {
            let local = run.bound.get(object).is_some_and(Option::is_none);
            if local {
                // It is not in use yet: the body sets it before it reads it, or it has no value.
                continue;
            }
            let bound = self.bind(run, object);
            if self.is_register(bound.storage) {
                storages.insert(bound.storage);
            }
        }
        // Statics and globals that functions change.
        let kept: Vec<usize> = (0..self.storages.len())
            .filter(|at| {
                self.storages[*at].is_static
                    && self.is_register(*at)
                    && !self.storages[*at].is_constant
            })
            .collect();
        if calls(body) {
            storages.extend(kept);
        }
        storages
    }

    /// Forgets the values of what a loop changes; reads in it are carried or from outside.
    pub(super) fn forget(&mut self, storages: &BTreeSet<usize>) {
        let keys: Vec<(usize, u64)> = self.env.within(storages).map(|one| one.0).collect();
        for key in keys {
            let old = self.env.remove(&key);
            if self.journaling > 0 {
                self.journal.push((key, old));
            }
        }
    }
}

pub(super) fn calls(body: &[Stmt]) -> bool {
    any_in(body, &mut |statement| matches!(statement, Stmt::Call(_)))
}
