//! What a recurrence is: which value goes round, and what computes it.

use crate::answer::HeldBy;
use crate::engine::Engine;
use crate::graph::{CarriedEdge, Node, NodeId, Op, Value};
use derate_program::{Binary, Scalar};

impl Engine<'_> {
    /// The recurrence of an edge in words of the source.
    pub(super) fn describe_recurrence(&self, edge: &CarriedEdge) -> HeldBy {
        let (from, to) = (self.graph.node(edge.from), self.graph.node(edge.to));
        let name = |storage: usize| self.storages[storage].name.clone();
        let through = to.access.as_ref().map(|access| access.storage);
        let computed = self.computed_by(edge.from);
        let cycles = self.shortest_cycles(computed);
        // Nodes that choose between values are written nowhere.
        let places = [from.place, self.graph.node(computed).place, to.place];
        let places = places.into_iter().find(|place| place.line > 0).into_iter().collect();
        HeldBy::Recurrence {
            places,
            through: self.reused.get(&edge.to).copied().or(through).map(name),
            variable: self.carriers.get(&edge.to).map(|storage| name(*storage)),
            operation: operation_of(self.graph.node(computed)),
            least: cycles.div_ceil(edge.distance.max(1)).max(1),
        }
    }

    /// The operation whose result is carried: of a store, that of the value that it stores.
    fn computed_by(&self, from: NodeId) -> NodeId {
        let node = self.graph.node(from);
        let stored = match (node.op, node.inputs.first()) {
            (Op::Store, Some(Value::Node(value))) => *value,
            _ => from,
        };
        // Bits that are cut off cost nothing.
        match (self.graph.node(stored).op, self.behind_conversions(Value::Node(stored))) {
            (Op::Convert, Some(inner)) if !self.graph.node(inner).ty.is_float() => inner,
            _ => stored,
        }
    }

    /// Cycles of an operation: of a floating-point sum, those of the fastest adder that the tool takes for it.
    fn shortest_cycles(&self, id: NodeId) -> u64 {
        let node = self.graph.node(id);
        let latency = u64::from(self.node_timing(id).latency);
        let is_sum = matches!(node.op, Op::Binary(Binary::Add | Binary::Sub)) && node.ty.is_float();
        let fastest = self.settings.shortest_accumulation(node.ty.bits());
        let fastest = fastest.filter(|_| is_sum).and_then(|cycles| u64::try_from(cycles).ok());
        fastest.map_or(latency, |cycles| latency.min(cycles))
    }
}

fn operation_of(computed: &Node) -> Option<String> {
    let verb = match computed.op {
        Op::Binary(Binary::Add) => "addition",
        Op::Binary(Binary::Sub) => "subtraction",
        Op::Binary(Binary::Mul) => "multiplication",
        Op::Binary(Binary::Div | Binary::Rem) => "division",
        Op::Math(function) => return Some(format!("`{function}`")),
        _ => return None,
    };
    let ty = match computed.operand.unwrap_or(computed.ty) {
        Scalar::Int { .. } => "integer".to_owned(),
        Scalar::Fixed { .. } => "fixed-point".to_owned(),
        float => float.to_string(),
    };
    Some(format!("{ty} {verb}"))
}
