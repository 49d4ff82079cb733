//! What an iteration does in one way of a condition or in the other: accesses of one memory do not wait for each other, and reads
//! or writes of a stream share the port.

use super::{Engine, Flow};
use crate::graph::{NodeId, Op, Value};
use derate_program::{Binary, Place, Scalar, Unary};

/// Choices within each other that are looked at.
pub(super) const DEEPEST: usize = 2;
/// Parts of a condition that are looked at.
const MOST_PARTS: usize = 64;
/// Accesses of other ways that are looked at: where there are more, none are joined, and the interval is that of all.
const MOST_JOINED: usize = 64;

impl Engine<'_> {
    /// Joins a write with the first of those at the end of the stream's order that another way of a condition makes: one port
    /// gets one value or the other. Returns the write, and the last one of the stream. Reports have interval 1 where both ways
    /// of an `if` write a stream.
    pub(crate) fn join_exclusive_push(
        &mut self,
        last: NodeId,
        value: Value,
        flow: &Flow,
        place: Place,
    ) -> Option<(NodeId, NodeId)> {
        let own = flow.guard?;
        let mut first = None;
        let mut after_first = None;
        let mut next = Some(last);
        let mut looked_at = 0;
        while let Some(id) = next {
            looked_at += 1;
            if looked_at > MOST_JOINED {
                return None;
            }
            let node = self.graph.node(id);
            let is_other_way = node.op == Op::Push
                && node.block == flow.block
                && node.guard.is_some_and(|guard| self.are_exclusive(guard, own));
            if !is_other_way {
                break;
            }
            after_first = first.replace(id);
            next = node.after.first().map(|before| before.0);
        }
        let old = first?;
        let first_is_last = old == last;
        let node = self.graph.node(old).clone();
        let (before, guard) = (*node.inputs.first()?, node.guard?);
        let value = self.select(own, value, before, node.ty, flow, place);
        let ty = Scalar::BOOL;
        let either = self.binary(Binary::Or, [guard, own], ty, ty, flow, place);
        let mut joined = node;
        joined.guard = Some(either);
        joined.inputs[0] = value;
        self.graph.node_mut(old).dead = true;
        let joined = self.push(joined);
        // What the other way writes after it still comes after it.
        if let Some(following) = after_first {
            self.graph.node_mut(following).after = vec![(joined, 1)];
            let mut order = vec![last];
            while let Some(id) = order.last().copied().filter(|id| *id != following) {
                order.extend(self.graph.node(id).after.first().map(|before| before.0));
            }
            let mut at = joined;
            for id in order.into_iter().rev() {
                self.graph.move_after(at, id);
                at = id;
            }
        }
        Some((joined, if first_is_last { joined } else { last }))
    }

    /// Whether a read is the last one of its stream in other ways of a condition: one port gives the word that the iteration
    /// wants, in the state of that read. Sliding windows of FINN read so in two ways, and start one iteration a cycle.
    pub(crate) fn joins_exclusive_pop(&mut self, last: NodeId, flow: &Flow) -> bool {
        let node = self.graph.node(last);
        let (Some(own), Some(guard)) = (flow.guard, node.guard) else { return false };
        if node.op != Op::Pop || node.block != flow.block {
            return false;
        }
        let joined = self.joined_pops.get(&last).cloned().unwrap_or_default();
        let is_other_way = |guard: &Value| self.are_exclusive(*guard, own);
        let joins = joined.len() < MOST_JOINED && joined.iter().chain([&guard]).all(is_other_way);
        if joins {
            self.joined_pops.entry(last).or_default().push(own);
        }
        joins
    }

    /// Whether an access is in another way of a condition than what follows: the two never meet in one iteration.
    pub(crate) fn is_other_way(&self, access: NodeId, flow: &Flow) -> bool {
        let guards = self.graph.node(access).guard.zip(flow.guard);
        guards.is_some_and(|(one, own)| self.are_exclusive(one, own))
    }

    /// Whether two conditions never hold together, as far as their form says. A memory with many accesses asks the same of each
    /// pair of them.
    pub(crate) fn are_exclusive(&self, left: Value, right: Value) -> bool {
        let look =
            || self.clash(&self.list_conditions(left), &self.list_conditions(right), DEEPEST);
        let (Value::Node(one), Value::Node(other)) = (left, right) else { return look() };
        if let Some(known) = self.exclusive.borrow().get(&(one, other)) {
            return *known;
        }
        let found = look();
        self.exclusive.borrow_mut().insert((one, other), found);
        found
    }

    /// Whether some conditions never hold together with some others, as far as their form says.
    pub(crate) fn clash(&self, own: &[Value], others: &[Value], depth: usize) -> bool {
        own.iter().any(|one| others.iter().any(|other| self.excludes(*one, *other)))
            || own.iter().any(|one| self.denies(*one, others))
            || others.iter().any(|other| self.denies(*other, own))
            || own.iter().any(|one| self.excludes_by_choice(*one, others, depth))
            || others.iter().any(|one| self.excludes_by_choice(*one, own, depth))
    }

    /// The conditions of which all have to hold.
    pub(crate) fn list_conditions(&self, guard: Value) -> Vec<Value> {
        self.list_parts(guard, Binary::And)
    }

    /// Whether a condition says that not all of some conditions hold: `!(a && b)` beside `a`, `b` and others.
    fn denies(&self, one: Value, all: &[Value]) -> bool {
        let Some(inner) = self.negated(one) else { return false };
        self.list_parts(inner, Binary::And).iter().all(|part| all.contains(part))
    }

    /// What a condition is the opposite of.
    fn negated(&self, one: Value) -> Option<Value> {
        let Value::Node(id) = one else { return None };
        let node = self.graph.node(id);
        (node.op == Op::Unary(Unary::Not)).then(|| node.inputs.first().copied()).flatten()
    }

    /// Whether each choice of a condition excludes others.
    fn excludes_by_choice(&self, one: Value, others: &[Value], depth: usize) -> bool {
        let choices = self.list_parts(one, Binary::Or);
        depth > 0
            && choices.len() > 1
            && choices
                .iter()
                .all(|choice| self.clash(&self.list_conditions(*choice), others, depth - 1))
    }

    /// The conditions that one is made of with an operator; those beyond the most that are looked at are left together.
    fn list_parts(&self, condition: Value, operator: Binary) -> Vec<Value> {
        let (mut open, mut parts) = (vec![condition], Vec::new());
        while let Some(value) = open.pop() {
            match value {
                Value::Node(id)
                    if self.graph.node(id).op == Op::Binary(operator)
                        && parts.len() + open.len() < MOST_PARTS =>
                {
                    open.extend(self.graph.node(id).inputs.iter().copied());
                }
                _ => parts.push(value),
            }
        }
        parts
    }

    /// Whether one condition is the other's opposite, or they ask for two values of one number.
    fn excludes(&self, one: Value, other: Value) -> bool {
        self.negated(one) == Some(other)
            || self.negated(other) == Some(one)
            || self.ask_for_two_values(one, other)
    }

    /// `x == 3` and `x == 5`
    fn ask_for_two_values(&self, one: Value, other: Value) -> bool {
        let asked = |value: Value| {
            let Value::Node(id) = value else { return None };
            let node = self.graph.node(id);
            match (node.op, node.inputs.as_slice()) {
                (
                    Op::Binary(Binary::Equal),
                    [subject, Value::Constant(number)] | [Value::Constant(number), subject],
                ) => Some((*subject, *number)),
                _ => None,
            }
        };
        match (asked(one), asked(other)) {
            (Some((left, first)), Some((right, second))) => left == right && first != second,
            _ => false,
        }
    }
}
