//! From a program and its directives to blocks of operations and the time that they take.
//!
//! Statements are run with symbolic counters: constants are folded, loops are unrolled as directives and the tool ask,
//! functions are inlined or become modules, and each stretch of operations becomes a block of the [`Graph`].

mod activation;
mod balance;
mod bank_update;
mod binding;
mod bits;
mod bus;
mod callees;
mod dataflow;
mod dependence;
mod evaluate;
mod exclusive;
mod fixed;
mod flow;
mod forward;
mod function;
mod invariant;
mod leave;
mod loops;
mod meeting;
mod memory;
mod options;
mod promote;
mod range;
mod recall;
mod reuse;
mod scalars;
mod schedule;
mod simplify;
mod subscript;
mod tokens;
mod traffic;
mod trip;
mod values;
mod ways;
mod window;

pub(crate) use activation::{Activation, Bound};
pub(crate) use bank_update::StorageDim;
pub(crate) use bus::bank_of as bus_bank;
pub(crate) use flow::{Flow, Piece};
use function::Scheduled;
pub use options::Directives;
pub use recall::ScheduleCache;

use crate::answer::{LoopAnswer, RegionAnswer, Span};
pub(crate) use crate::engine::schedule::{Accesses, Usage};
use crate::graph::{BlockId, Graph, Implementation, LocalArray, NodeId, Storage, Value};
use derate_hls::TclDirective;
use derate_operators::Settings;
use derate_program::{Number, Place, Program, Unknown};
pub(crate) use reuse::REUSES;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::cell::RefCell;
use std::sync::{Arc, Mutex};

/// With more nodes, or objects of functions that run, the design is not scheduled.
const NODES: usize = 200_000;
/// With more operands and orders of nodes, it is not scheduled: each read of a register by an unknown subscript has all of them.
const EDGES: usize = 10 * NODES;
/// With more statements that run one after another, with each copy of an unrolled loop and each call, it is not scheduled.
const STEPS: u64 = 1_000_000;
/// With more loops, modules and blocks in all copies, it is not scheduled.
const PARTS: usize = 50_000;

/// A loop while it is elaborated.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Counter {
    /// Least and greatest value.
    pub(crate) range: Option<(i64, i64)>,
    pub(crate) step: i64,
    pub(crate) trip: trip::Trip,
    /// The bounds as sums over the counters around.
    pub(crate) bounds: Option<(crate::graph::Linear, crate::graph::Linear)>,
    /// Where it is in a flattened nest.
    pub(crate) level: schedule::Level,
}

/// What a loop changes, and the reads of it that are carried.
pub(crate) type Carrying = (std::collections::BTreeSet<usize>, Vec<((usize, u64), NodeId)>);

/// A module: a function or an outlined loop.
#[derive(Clone, Debug)]
pub(crate) struct Module {
    pub(crate) name: String,
    pub(crate) latency: Span,
    pub(crate) interval: Span,
    /// Storages that it reads and writes.
    pub(crate) reads: Vec<usize>,
    pub(crate) writes: Vec<usize>,
    pub(crate) usage: Arc<Usage>,
    /// Values of the blocks around it that it uses.
    pub(crate) from_outside: Vec<NodeId>,
    /// What it does with streams, from its start on.
    pub(crate) traffic: Vec<tokens::Traffic>,
    /// Extra cycles that the caller spends around it.
    pub(crate) overhead: u32,
}

/// The state of elaboration.
pub(crate) struct Engine<'a> {
    pub(crate) program: &'a Program,
    pub(crate) settings: &'a Settings,
    pub(crate) directives: &'a Directives,
    /// Ports that are tried with wide words: a directive cannot ask for them.
    pub(crate) wide: &'a [TclDirective],
    pub(crate) graph: Graph,
    pub(crate) storages: Vec<Storage>,
    /// The value of each scalar, and of each element of arrays in registers.
    pub(crate) env: values::Values,
    pub(crate) counters: Vec<Counter>,
    /// The counters of the loops around, outermost first.
    pub(crate) around: Vec<u32>,
    pub(crate) modules: Vec<Module>,
    pub(crate) loops: Vec<LoopAnswer>,
    pub(crate) regions: Vec<RegionAnswer>,
    pub(crate) unknown: Vec<Unknown>,
    pub(crate) stack: Vec<usize>,
    pub(crate) usage: Usage,
    pub(crate) bindings: binding::Bindings,
    pub(crate) known: HashMap<evaluate::Key, NodeId>,
    pub(crate) memory: HashMap<usize, memory::Log>,
    pub(crate) global_storages: HashMap<usize, usize>,
    /// The values of constant storages.
    pub(crate) tables: HashMap<usize, Arc<[Number]>>,
    /// How many functions cut a parameter: what they get is then cut too.
    pub(crate) cutters: usize,
    pub(crate) nest: usize,
    /// How many loops and functions around are asked to be pipelines and cannot be: the tool pipelines no loop in them by itself, and
    /// unrolls those with a fixed number of iterations.
    pub(crate) refused: usize,
    /// Storages that were read and written, for the module that is being made.
    pub(crate) touched: Vec<(usize, bool)>,
    pub(crate) full: bool,
    /// Operands and orders of all nodes.
    pub(crate) edges: usize,
    /// Statements that were run.
    pub(crate) steps: u64,
    /// What is known of the functions by themselves.
    pub(crate) callees: callees::Callees,
    /// Whether a recursion was met.
    pub(crate) opened: bool,
    /// How many branches are open whose changes are undone.
    pub(crate) journaling: usize,
    pub(crate) journal: flow::Changes,
    /// The last call that wrote a storage in the block.
    pub(crate) calls_after: HashMap<usize, NodeId>,
    /// Whether the next loop is all that its function has.
    pub(crate) alone: bool,
    /// Objects that change in the loop that is looked at.
    pub(crate) varying: std::collections::BTreeSet<derate_program::ObjectId>,
    /// The conditions in loops around that the statements in hand are under.
    pub(crate) ways: Vec<ways::Way>,
    /// For each loop around: what it changes, and the reads that are carried.
    pub(crate) carrying: Vec<Carrying>,
    /// The conditions of the other ways in which a stream is read by the same node.
    pub(crate) joined_pops: HashMap<NodeId, Vec<Value>>,
    /// Pairs of conditions that were compared: whether they never hold together.
    pub(crate) exclusive: RefCell<HashMap<(NodeId, NodeId), bool>>,
    /// Nodes that are needed although nothing in their block uses them.
    pub(crate) kept: HashSet<NodeId>,
    pub(crate) exit_nodes: Vec<NodeId>,
    /// The scalars that reads of an iteration before are of.
    pub(crate) carriers: HashMap<NodeId, usize>,
    /// Choices between what is read from a storage and what was stored last.
    pub(crate) reused: HashMap<NodeId, usize>,
    /// Carried values that begin anew each time an inner loop of a flattened nest does.
    pub(crate) restarted: HashSet<NodeId>,
    pub(crate) pending: Vec<NodeId>,
    /// What scalars hold while a loop runs that does not change them.
    pub(crate) steady: HashSet<NodeId>,
    /// Accesses of buses that are in bursts.
    pub(crate) bursts: HashSet<NodeId>,
    /// What is read and written in bursts and what is not, by port.
    pub(crate) burst_notes: HashMap<usize, Vec<crate::answer::BurstAnswer>>,
    /// Elements that the block in hand stores.
    pub(crate) stored: HashSet<(usize, Vec<crate::graph::Linear>)>,
    /// What the function in hand does with streams, from its start on.
    pub(crate) traffic: Vec<tokens::Traffic>,
    /// Dimensions that the tool cuts into a bank for each element, as an earlier run found.
    pub(crate) completed: std::collections::BTreeSet<StorageDim>,
    /// Arrays whose elements the tool takes for scalars, as an earlier run found.
    pub(crate) scalars: std::collections::BTreeSet<LocalArray>,
    /// Dimensions over which a loop updates elements at the same place of one bank after another.
    pub(crate) bank_updates: std::collections::BTreeSet<StorageDim>,
    /// The nodes of functions that were called, in order.
    pub(crate) called: Vec<std::ops::Range<NodeId>>,
    /// Functions of other designs.
    pub(crate) cache: Option<&'a Mutex<ScheduleCache>>,
    /// Nodes that functions of other designs have and that were not made again.
    pub(crate) skipped: usize,
}

impl<'a> Engine<'a> {
    pub(crate) fn new(
        program: &'a Program,
        settings: &'a Settings,
        directives: &'a Directives,
    ) -> Self {
        Self {
            program,
            settings,
            directives,
            wide: &[],
            graph: Graph::new(),
            storages: Vec::new(),
            env: values::Values::default(),
            counters: Vec::new(),
            around: Vec::new(),
            modules: Vec::new(),
            loops: Vec::new(),
            regions: Vec::new(),
            unknown: Vec::new(),
            stack: Vec::new(),
            usage: Usage::default(),
            bindings: binding::Bindings::of(program, directives),
            known: HashMap::default(),
            memory: HashMap::default(),
            global_storages: HashMap::default(),
            tables: HashMap::default(),
            cutters: program
                .functions
                .iter()
                .filter(|one| derate_program::cuts_parameter(one))
                .count(),
            nest: 0,
            refused: 0,
            touched: Vec::new(),
            full: false,
            edges: 0,
            steps: 0,
            callees: callees::Callees::default(),
            opened: false,
            journaling: 0,
            journal: Vec::new(),
            calls_after: HashMap::default(),
            alone: false,
            varying: std::collections::BTreeSet::new(),
            ways: Vec::new(),
            carrying: Vec::new(),
            joined_pops: HashMap::default(),
            exclusive: RefCell::default(),
            kept: HashSet::default(),
            exit_nodes: Vec::new(),
            carriers: HashMap::default(),
            reused: HashMap::default(),
            restarted: HashSet::default(),
            pending: Vec::new(),
            steady: HashSet::default(),
            bursts: HashSet::default(),
            burst_notes: HashMap::default(),
            stored: HashSet::default(),
            traffic: Vec::new(),
            completed: std::collections::BTreeSet::new(),
            scalars: std::collections::BTreeSet::new(),
            bank_updates: std::collections::BTreeSet::new(),
            called: Vec::new(),
            cache: None,
            skipped: 0,
        }
    }

    pub(crate) fn note_unknown(&mut self, place: Place, reason: impl Into<String>) {
        let unknown = Unknown { place, reason: reason.into() };
        if !self.unknown.contains(&unknown) {
            self.unknown.push(unknown);
        }
    }

    /// Begins a block: what is known of memory in the one before is forgotten.
    pub(crate) fn begin_block(&mut self) -> BlockId {
        self.known.clear();
        self.memory.clear();
        self.calls_after.clear();
        self.pending.clear();
        self.graph.new_block()
    }

    pub(crate) fn is_register(&self, storage: usize) -> bool {
        matches!(self.storages[storage].implementation, Implementation::Registers)
    }
}
