//! Reads and writes: scalars by value, elements by their index, with what is known of memory in the block.

mod log;

pub(crate) use log::Log;

use super::meeting::Meeting;
use super::{Activation, Engine, Flow};
use crate::graph::{Bank, Implementation, Linear, MemoryAccess, NodeId, Op, Value};
use derate_program::{Access, Number, ObjectKind, Place, Scalar};
use log::{Event, shape};

/// Registers that a read with an unknown subscript chooses between; more of them cost no other delay.
const CHOICES: usize = 1024;
/// Orders kept for one shape: older stores are before these anyway.
const ORDERS: usize = 16;
/// Shapes of stores that are looked at; older ones are before these.
const SHAPES: usize = 48;

impl<'a> Engine<'a> {
    /// The elements of an array in registers that have a value, in order.
    pub(crate) fn known_elements(&self, storage: usize) -> Vec<(u64, Value)> {
        self.env.elements(storage).collect()
    }

    pub(crate) fn read_access(
        &mut self,
        access: &Access,
        ty: Scalar,
        run: &mut Activation<'a>,
        flow: &mut Flow,
    ) -> Value {
        let (storage, index) = self.locate(access, run, flow);
        if self.storages[storage].kind == ObjectKind::Stream {
            return self.pop_from(storage, &index, ty, flow, access.place);
        }
        if let Some(value) = self.read_table(storage, &index) {
            return Value::Constant(value);
        }
        if self.is_register(storage)
            && let Some(element) = self.element(storage, &index)
        {
            self.touched.push((storage, false));
            if let Some(value) = self.env.get(&(storage, element)) {
                return *value;
            }
            let key = (storage, element);
            let ty = self.storages[storage].ty;
            let is_carried =
                self.carrying.last().is_some_and(|carrying| carrying.0.contains(&storage));
            let value = if is_carried && flow.pipelined {
                Value::Node(self.push(Self::blank(Op::Carried, ty, flow, access.place)))
            } else {
                let value = self.input(ty, flow, access.place);
                self.steady.extend(value.node());
                value
            };
            if let (true, Some(id), Some(carrying)) =
                (is_carried, value.node(), self.carrying.last_mut())
            {
                carrying.1.push((key, id));
            }
            self.set_scalar(key, value);
            return value;
        }
        self.load(storage, &index, ty, flow, access.place)
    }

    /// The value of a table at subscripts that are known: no memory is asked for it.
    fn read_table(&self, storage: usize, index: &[Value]) -> Option<Number> {
        let table = self.tables.get(&storage)?;
        table.get(usize::try_from(self.element(storage, index)?).ok()?).copied()
    }

    pub(crate) fn linear_index(&self, index: &[Value]) -> Vec<Linear> {
        index.iter().map(|value| self.linear(*value).unwrap_or_default()).collect()
    }

    fn load(
        &mut self,
        storage: usize,
        index: &[Value],
        ty: Scalar,
        flow: &Flow,
        place: Place,
    ) -> Value {
        self.touched.push((storage, false));
        let linear = self.linear_index(index);
        self.note_subscripts(storage, &linear);
        let mut after = Vec::new();
        let mut chain: Vec<Event> = Vec::new();
        let mut forwarded = None;
        if let Some(log) = self.memory.get(&storage) {
            let own = shape(&linear);
            let mut last_unclear = 0;
            for (other, nodes) in log.shapes.iter().rev().take(SHAPES) {
                if *other != own {
                    let meeting = Meeting::of(&own, other);
                    let may_meet = |node: &&NodeId| {
                        self.may_meet(&meeting, &linear, **node) && !self.is_other_way(**node, flow)
                    };
                    let met = nodes.iter().rev().filter(may_meet).take(ORDERS);
                    for node in met {
                        last_unclear = last_unclear.max(*node as usize);
                        after.push((*node, 1));
                    }
                }
            }
            if let Some(events) = log.events.get(&linear) {
                for event in events.iter().rev() {
                    if event.order < last_unclear {
                        after.push((event.node, 1));
                        break;
                    }
                    if event.guard.is_none() || event.guard == flow.guard {
                        forwarded = Some(event.value);
                        break;
                    }
                    if self.is_other_way(event.node, flow) {
                        continue;
                    }
                    // Unless a later store replaces it, memory has the value first.
                    after.push((event.node, 1));
                    chain.push(event.clone());
                }
            }
            if forwarded.is_none()
                && let Some(known) = log.loads.get(&own).and_then(|loads| loads.get(&linear))
                && self.graph.node(*known).block == flow.block
                && log.is_seen_equal(*known, &linear, flow.copy)
            {
                forwarded = Some(Value::Node(*known));
            }
        }
        if let Some(call) = self.calls_after.get(&storage) {
            after.push((*call, 0));
        }
        let mut inputs = index.to_vec();
        if self.is_register(storage) {
            let known = self.known_elements(storage);
            inputs.extend(known.into_iter().map(|(_, value)| value).take(CHOICES));
        }
        let mut value = forwarded.unwrap_or_else(|| {
            let bank = self.storages[storage].bank(&linear, &|index| self.range(index));
            let mut node = Self::blank(Op::Load, ty, flow, place);
            node.inputs = inputs;
            node.guard = flow.guard;
            node.after = after;
            node.access = Some(MemoryAccess { storage, index: linear.clone(), bank });
            let id = self.push(node);
            let log = self.memory.entry(storage).or_default();
            log.keep_load(linear.clone(), id);
            log.copies.insert(id, flow.copy);
            Value::Node(id)
        });
        for event in chain.into_iter().rev() {
            let guard = event.guard.unwrap_or(Value::Constant(Number::Int(1)));
            value = self.select(guard, event.value, value, ty, flow, place);
        }
        value
    }

    pub(crate) fn write_access(
        &mut self,
        access: &Access,
        value: Value,
        run: &mut Activation<'a>,
        flow: &mut Flow,
    ) {
        let (storage, index) = self.locate(access, run, flow);
        if self.storages[storage].kind == ObjectKind::Stream {
            self.push_to(storage, &index, value, flow, access.place);
            return;
        }
        self.touched.push((storage, true));
        if self.is_register(storage) {
            if let Some(element) = self.element(storage, &index) {
                let old = self.env.get(&(storage, element)).copied();
                let value = match (flow.stays, old) {
                    (Some(guard), Some(old)) => {
                        let ty = self.storages[storage].ty;
                        self.select(guard, value, old, ty, flow, access.place)
                    }
                    (Some(guard), None) if self.storages[storage].is_static => {
                        let ty = self.storages[storage].ty;
                        let old = self.input(ty, flow, access.place);
                        self.select(guard, value, old, ty, flow, access.place)
                    }
                    _ => value,
                };
                self.set_scalar((storage, element), value);
                return;
            }
            // Any element may change.
            for (element, _) in self.known_elements(storage) {
                let value = self.input(self.storages[storage].ty, flow, access.place);
                self.set_scalar((storage, element), value);
            }
        }
        self.store(storage, &index, value, flow, access.place);
    }

    fn store(
        &mut self,
        storage: usize,
        index: &[Value],
        mut value: Value,
        flow: &Flow,
        place: Place,
    ) {
        let linear = self.linear_index(index);
        self.note_subscripts(storage, &linear);
        let own = shape(&linear);
        let mut guard = flow.guard;
        let before = self.memory.get(&storage).and_then(|log| log.replaceable(&own, &linear));
        // Two stores of one element become one, also where conditions decide.
        let mut joined = false;
        if let (Some(before), Some(own)) = (&before, flow.guard)
            && before.guard != Some(own)
            && self.graph.node(before.node).block == flow.block
        {
            let ty = self.storages[storage].ty;
            value = self.select(own, value, before.value, ty, flow, place);
            let either = Scalar::BOOL;
            guard = before.guard.map(|other| {
                self.binary(derate_program::Binary::Or, [other, own], either, either, flow, place)
            });
            joined = true;
        }
        let bank = self.storages[storage].bank(&linear, &|index| self.range(index));
        let mut after = Vec::new();
        let mut log = self.memory.remove(&storage).unwrap_or_default();
        for (other, nodes) in log.shapes.iter().rev().take(SHAPES) {
            if *other != own {
                let meeting = Meeting::of(&own, other);
                let may_meet = |node: &&NodeId| {
                    self.may_meet(&meeting, &linear, **node) && !self.is_other_way(**node, flow)
                };
                let nodes = nodes.iter().rev().filter(may_meet).take(ORDERS);
                after.extend(nodes.map(|node| (*node, 1)));
            }
        }
        after.extend(log.readers.iter().rev().take(ORDERS).map(|call| (*call, 0)));
        let mut dead = None;
        if let Some(event) = log.events.get(&linear).and_then(|events| events.last()) {
            if before.is_some() && (flow.guard.is_none() || flow.guard == event.guard || joined) {
                dead = Some(event.node);
            } else {
                after.push((event.node, 1));
            }
        }
        // A load of the element comes first; it may be in the same cycle.
        let before = log.take_loads(&own, &linear, |node| self.is_other_way(node, flow));
        after.extend(before.into_iter().map(|node| (node, 0)));
        self.memory.insert(storage, log);
        if let Some(call) = self.calls_after.get(&storage) {
            after.push((*call, 0));
        }
        let mut node = Self::blank(Op::Store, self.storages[storage].ty, flow, place);
        node.inputs = std::iter::once(value).chain(index.iter().copied()).collect();
        node.guard = guard.filter(|guard| guard.whole() != Some(1));
        node.after = after;
        node.access = Some(MemoryAccess { storage, index: linear.clone(), bank });
        let id = self.push(node);
        if let Some(dead) = dead {
            self.graph.node_mut(dead).dead = true;
        }
        self.memory.entry(storage).or_default().keep_store(linear, id, value, guard);
    }

    /// Keeps in mind a value that an element has.
    pub(crate) fn note_known_element(&mut self, storage: usize, index: Vec<Linear>, value: NodeId) {
        self.memory.entry(storage).or_default().keep_load(index, value);
    }

    /// Keeps in mind a store after a loop, of what the loop left at an element; nothing else is known of the storage any more.
    pub(crate) fn note_moved_store(&mut self, store: NodeId, value: Value) {
        let Some(access) = self.graph.node(store).access.clone() else { return };
        let mut log = Log::default();
        log.keep_store(access.index, store, value, None);
        self.memory.insert(access.storage, log);
    }

    pub(crate) fn pop(
        &mut self,
        access: &Access,
        ty: Scalar,
        run: &mut Activation<'a>,
        flow: &mut Flow,
    ) -> Value {
        let (storage, index) = self.locate(access, run, flow);
        self.pop_from(storage, &index, ty, flow, access.place)
    }

    fn pop_from(
        &mut self,
        storage: usize,
        index: &[Value],
        ty: Scalar,
        flow: &Flow,
        place: Place,
    ) -> Value {
        let node = self.transfer(Op::Pop, storage, index, Vec::new(), ty, flow, place);
        Value::Node(node)
    }

    pub(crate) fn push_to(
        &mut self,
        storage: usize,
        index: &[Value],
        value: Value,
        flow: &Flow,
        place: Place,
    ) {
        let ty = self.storages[storage].ty;
        self.transfer(Op::Push, storage, index, vec![value], ty, flow, place);
    }

    #[allow(clippy::too_many_arguments)]
    fn transfer(
        &mut self,
        op: Op,
        storage: usize,
        index: &[Value],
        mut inputs: Vec<Value>,
        ty: Scalar,
        flow: &Flow,
        place: Place,
    ) -> NodeId {
        self.touched.push((storage, op == Op::Push));
        let linear = self.linear_index(index);
        let last = self.memory.entry(storage).or_default().load(&linear);
        if let (Op::Push, Some(last), Some(value)) = (op, last, inputs.first())
            && let Some((joined, last)) = self.join_exclusive_push(last, *value, flow, place)
        {
            self.memory.entry(storage).or_default().keep_load(linear, last);
            return joined;
        }
        if let (Op::Pop, Some(last)) = (op, last)
            && self.joins_exclusive_pop(last, flow)
        {
            return last;
        }
        let after: Vec<(NodeId, i64)> = last.map(|node| (node, 1)).into_iter().collect();
        let part = |part: &Linear| {
            if part.is_constant() { (0, part.constant.unsigned_abs()) } else { (1, 0) }
        };
        let bank = Bank(linear.iter().map(part).collect());
        inputs.extend(index.iter().copied());
        let mut node = Self::blank(op, ty, flow, place);
        node.inputs = inputs;
        node.guard = flow.guard;
        node.after = after;
        node.access = Some(MemoryAccess { storage, index: linear.clone(), bank });
        let id = self.push(node);
        self.memory.entry(storage).or_default().keep_load(linear, id);
        id
    }

    /// Whether a storage is read or written in registers.
    pub(crate) fn is_memory(&self, storage: usize) -> bool {
        !matches!(
            self.storages[storage].implementation,
            Implementation::Registers | Implementation::Fifo
        )
    }

    /// Whether a storage is a stream: what is read of it is gone.
    pub(crate) fn is_stream(&self, storage: usize) -> bool {
        self.storages[storage].kind == ObjectKind::Stream
    }
}
