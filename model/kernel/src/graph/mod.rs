//! The data flow of a kernel: typed operations, in blocks that are scheduled together.

mod bus;
mod cut;
mod linear;
mod storage;

pub(crate) use bus::{Beat, Bus};
pub(crate) use cut::{Bank, Cut, common_divisor};
pub(crate) use derate_operators::{Binding, Build};
pub(crate) use linear::{Linear, Symbol};
pub(crate) use storage::{Implementation, LocalArray, PortChoice, REGISTERS, Storage};

use derate_program::{Binary, Number, Place, Scalar, Unary};
use smallvec::SmallVec;

/// The number of a node.
pub(crate) type NodeId = u32;
/// The number of a block: nodes that are scheduled together.
pub(crate) type BlockId = u32;

/// A value: known, or computed by a node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Value {
    Constant(Number),
    Node(NodeId),
}

impl Value {
    pub(crate) fn node(self) -> Option<NodeId> {
        match self {
            Self::Node(node) => Some(node),
            Self::Constant(_) => None,
        }
    }

    pub(crate) fn whole(self) -> Option<i128> {
        match self {
            Self::Constant(Number::Int(value)) => Some(value),
            _ => None,
        }
    }
}

/// What a node does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Op {
    /// A value from outside of the block, ready at its start.
    Input,
    /// The counter of a loop.
    Counter,
    /// A value that the iteration before left.
    Carried,
    Binary(Binary),
    Unary(Unary),
    Select,
    /// Between number formats; from a whole number to another costs nothing.
    Convert,
    Math(&'static str),
    /// Some bits of a number are written: the lowest one and how many, where that is known.
    Insert(Option<(u16, u16)>),
    Load,
    Store,
    Pop,
    Push,
    /// Something outside takes so many cycles: a bus that is asked, or that answers.
    Wait(u32),
    /// A module that runs as often as its own latency says.
    Call(u32),
}

/// An operation.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) op: Op,
    pub(crate) ty: Scalar,
    /// The type that it computes in, where that is not the type of its result.
    pub(crate) operand: Option<Scalar>,
    /// How `bind_op` asks for it.
    pub(crate) binding: Option<Binding>,
    /// Bits that are really needed of the result.
    pub(crate) width: u16,
    pub(crate) inputs: Vec<Value>,
    /// The condition under which a store, a push or a pop happens.
    pub(crate) guard: Option<Value>,
    /// Nodes that must come before, and by how many cycles.
    pub(crate) after: Vec<(NodeId, i64)>,
    /// The value as a sum over counters.
    pub(crate) linear: Option<Linear>,
    /// Which element of which storage.
    pub(crate) access: Option<MemoryAccess>,
    pub(crate) block: BlockId,
    pub(crate) place: Place,
    /// Whether it came to nothing: its value is replaced.
    pub(crate) dead: bool,
}

/// An element of a storage.
#[derive(Clone, Debug)]
pub(crate) struct MemoryAccess {
    pub(crate) storage: usize,
    pub(crate) index: Vec<Linear>,
    pub(crate) bank: Bank,
}

impl MemoryAccess {
    /// In each dimension what divides all steps of the index, 0 for a constant.
    pub(crate) fn steps(&self) -> SmallVec<[u64; 4]> {
        let divisor = |part: &Linear| {
            part.terms.iter().fold(0, |all, term| common_divisor(term.1.unsigned_abs(), all))
        };
        self.index.iter().map(divisor).collect()
    }
}

/// In each dimension how many values an index has; `None` where the tool takes it for any number.
pub(crate) type IndexValues = SmallVec<[Option<u64>; 4]>;

/// What accesses of a storage have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct AccessForm {
    /// In each dimension what divides all steps of the index, 0 for a constant.
    pub(crate) steps: SmallVec<[u64; 4]>,
    pub(crate) values: IndexValues,
    pub(crate) write: bool,
    /// Whether it writes what the same iteration of a pipeline reads.
    pub(crate) update: bool,
}

/// A dependence on an iteration before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CarriedEdge {
    pub(crate) from: NodeId,
    pub(crate) to: NodeId,
    pub(crate) distance: u64,
    /// Whether it is through a value, not through memory.
    pub(crate) is_value: bool,
}

/// All nodes of a design.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
    pub(crate) blocks: Vec<Vec<NodeId>>,
}

/// Nodes that there is room for from the start.
const ROOM: usize = 512;

impl Graph {
    pub(crate) fn new() -> Self {
        Self { nodes: Vec::with_capacity(ROOM), blocks: Vec::new() }
    }

    pub(crate) fn new_block(&mut self) -> BlockId {
        self.blocks.push(Vec::new());
        u32::try_from(self.blocks.len() - 1).unwrap_or(u32::MAX)
    }

    /// The number of the node that is added next.
    pub(crate) fn next_id(&self) -> NodeId {
        u32::try_from(self.nodes.len()).unwrap_or(u32::MAX)
    }

    pub(crate) fn add(&mut self, node: Node) -> NodeId {
        let id = self.next_id();
        self.blocks[node.block as usize].push(id);
        self.nodes.push(node);
        id
    }

    /// Adds a node right after another one of its block.
    pub(crate) fn add_after(&mut self, before: NodeId, node: Node) -> NodeId {
        let id = self.add(node);
        self.move_after(before, id);
        id
    }

    /// Moves a node right after another one of its block.
    pub(crate) fn move_after(&mut self, before: NodeId, node: NodeId) {
        let block = &mut self.blocks[self.nodes[node as usize].block as usize];
        // Both are mostly near the end.
        if let Some(at) = block.iter().rposition(|one| *one == node) {
            block.remove(at);
        }
        let at = block.iter().rposition(|one| *one == before);
        block.insert(at.map_or(0, |at| at + 1), node);
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    pub(crate) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id as usize]
    }
}
