//! What is known of a kernel after it is scheduled.

use derate_operators::Cause;
pub use derate_operators::Span;
use derate_program::{Place, Unknown, Work};

/// What keeps an interval from being shorter.
#[derive(Clone, Debug, PartialEq)]
pub enum HeldBy {
    /// Nothing: it is what was asked for.
    Target,
    /// A value that an iteration needs from one before.
    Recurrence {
        /// Where the operations on the way are written, as far as that is known.
        places: Vec<Place>,
        /// Through which array, if it is one.
        through: Option<String>,
        /// The scalar that carries the value, if it is one.
        variable: Option<String>,
        /// What computes the value, such as `float addition`, where one operation does.
        operation: Option<String>,
        /// The interval that this operation alone needs, however the rest is put in order: at most the one that is held.
        least: u64,
    },
    /// The accesses to an array.
    Memory {
        /// The array.
        array: String,
        /// Accesses in one iteration to its busiest bank.
        accesses: u64,
        /// Accesses that the bank can do in one cycle.
        ports: u64,
        /// The interval that is certain: without reads that are the same in every iteration, and with one port for accesses in two ways of
        /// a condition.
        least: u64,
        /// The accesses of an iteration that may be to one bank, at most, where these are fewer than are counted: what is in different
        /// ways of a condition, or has another place in the banks, is not; and the interval that they need.
        most: Option<(u64, u64)>,
        /// The bundle and all the arrays that the loop uses on it, where those are several.
        shared: Option<SharedBundle>,
    },
    /// A part that is not pipelined.
    Module(String),
}

/// An `m_axi` bundle that several arrays of one loop are on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedBundle {
    /// Its name.
    pub bundle: String,
    /// The parameters, in their order.
    pub arrays: Vec<String>,
}

/// A loop, as scheduled.
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[derive(Clone, Debug)]
pub struct LoopAnswer {
    /// Its label; a flattened nest has all of them.
    pub label: String,
    /// The function it is in.
    pub function: String,
    /// Where it is written.
    pub place: Place,
    /// Iterations at least, at most and on average; `None` where they are not known.
    pub trip: Option<(f64, f64, f64)>,
    /// Whether data decide them, and only the range of a type bounds them: the tool's report counts with its end.
    pub trip_rests_on_type: bool,
    /// Whether data decide them, and a `LOOP_TRIPCOUNT` or the bound of a loop that may be left early is counted with.
    pub trip_is_given: bool,
    /// The initiation interval, if it is pipelined.
    pub ii: Option<u64>,
    /// The initiation interval that a directive asks for: 1 where it names none.
    pub asked: Option<u64>,
    /// Whether the tool unrolls it for a pipeline around it that cannot be made, and what its copies share is not known.
    pub is_copied: bool,
    /// What holds it.
    pub held_by: Option<HeldBy>,
    /// The initiation interval that its target and the ports of its memories allow, whatever its recurrences ask for.
    pub port_ii: Option<u64>,
    /// Cycles of one iteration.
    pub depth: f64,
    /// Whether an iteration takes so many: a loop in it may run as often as data decide.
    pub is_depth_known: bool,
    /// Cycles of the whole loop, each time it is run.
    pub cycles: Span,
    /// How deep it is in other loops.
    pub nest: usize,
}

/// A resource: as the tool's report has it, its range, and after place and route.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ResourceAnswer {
    /// As the tool's report has it.
    pub value: f64,
    /// The least.
    pub low: f64,
    /// The most.
    pub high: f64,
    /// After place and route.
    pub routed: f64,
}

impl ResourceAnswer {
    /// What the card has to hold: reports leave some block memory out.
    #[must_use]
    pub fn needed(&self) -> f64 {
        self.value.max(self.routed)
    }
}

/// The resources of a kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Resources {
    /// DSP slices.
    pub dsp: ResourceAnswer,
    /// 18 Kb block memories.
    pub bram18: ResourceAnswer,
    /// `UltraRAM`.
    pub uram: ResourceAnswer,
    /// Look-up tables.
    pub lut: ResourceAnswer,
    /// Flip-flops.
    pub ff: ResourceAnswer,
}

/// Why accesses of a bus are not a burst.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoBurst {
    /// It happens only under a condition.
    Condition,
    /// The address is not known before the loop runs.
    Pattern,
    /// It does not go on from element to element in the innermost loop.
    Stride,
    /// Other accesses of the same direction use the bus in an iteration.
    SharedBus,
    /// The loop reads and writes the same array.
    ReadAndWritten,
    /// No loop around it is known to be a pipeline: whether it is a burst is not known.
    NotPipelined,
    /// A condition or a part of the address is the same in all iterations of the innermost loop: whether it is a burst is not
    /// known.
    Unsure,
}

impl NoBurst {
    /// Whether it may be a burst all the same.
    #[must_use]
    pub fn is_doubt(self) -> bool {
        matches!(self, Self::NotPipelined | Self::Unsure)
    }
}

impl std::fmt::Display for NoBurst {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Condition => "it is under a condition",
            Self::Pattern => "data decide its address",
            Self::Stride => "it does not go on by one element in the innermost loop",
            Self::SharedBus => "an iteration has more than one such access on the bus",
            Self::ReadAndWritten => "the loop reads and writes the same array",
            Self::NotPipelined => "no loop around it is known to be a pipeline",
            Self::Unsure => {
                "its condition or address has a part that only loops around the innermost change"
            }
        })
    }
}

/// Accesses of a port in one loop.
#[derive(Clone, PartialEq, Debug)]
pub struct BurstAnswer {
    /// Whether they write.
    pub write: bool,
    /// Where the first of them is written.
    pub place: Place,
    /// Where the others are written, without that place.
    pub others: Vec<Place>,
    /// Beats of one burst, if it is one.
    pub length: Option<f64>,
    /// Why it is none.
    pub reason: Option<NoBurst>,
}

impl BurstAnswer {
    /// Whether one of the accesses is written here.
    pub(crate) fn is_at(&self, place: Place) -> bool {
        self.place == place || self.others.contains(&place)
    }
}

/// A port of the kernel.
#[derive(Clone, Debug)]
pub struct PortAnswer {
    /// The parameter.
    pub name: String,
    /// `ap_memory`, `m_axi`, `fifo`.
    pub kind: &'static str,
    /// The bus, if it is one.
    pub bundle: Option<String>,
    /// Bits of one element; `None` where its type is not known.
    pub bits: Option<u64>,
    /// Elements.
    pub elements: u64,
    /// What is read and written in bursts, and what is not; of `m_axi` alone.
    pub bursts: Vec<BurstAnswer>,
}

/// A dataflow region.
#[derive(Clone, Debug)]
pub struct RegionAnswer {
    /// The function that it is.
    pub function: String,
    /// Where it is written.
    pub place: Place,
    /// Its stages, in order of the source.
    pub stages: Vec<StageAnswer>,
}

/// A stage of a dataflow region: a call or a loop.
#[derive(Clone, Debug)]
pub struct StageAnswer {
    /// The function that is called, or the label of the loop.
    pub name: String,
    /// Where it is written.
    pub place: Place,
    /// Cycles from start to start.
    pub interval: Span,
}

/// An array in block memories.
#[derive(Clone, Debug, PartialEq)]
pub struct ArrayAnswer {
    /// Its name.
    pub name: String,
    /// How many arrays of this name and form there are.
    pub copies: u64,
    /// Banks of one of them.
    pub banks: u64,
    /// Bits of one of them.
    pub bits: u64,
    /// Bits of a word.
    pub word: u32,
    /// Whether it has constants of integers: the tool makes words of no more bits than their values have.
    pub may_be_narrower: bool,
    /// 18 Kb block memories of all of them.
    pub bram18: f64,
    /// `UltraRAM` blocks of all of them.
    pub uram: f64,
}

/// Something that makes cycles doubtful.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Doubt {
    /// What it is.
    pub cause: Cause,
    /// How much of it: a share of the cycles, or what the cause says.
    pub amount: f64,
    /// By what hardware may be faster and slower for an amount of one.
    pub factors: (f64, f64),
}

impl KernelAnswer {
    /// Multiply-adds in one run; `None` where data decide how often some are done, or a part is not read.
    #[must_use]
    pub fn multiply_adds(&self) -> Option<f64> {
        (!self.work.is_open).then_some(self.work.multiplications)
    }
}

/// What is known of a kernel.
#[derive(Clone, Debug)]
pub struct KernelAnswer {
    /// The top function.
    pub top: String,
    /// Cycles from start to end.
    pub latency: Span,
    /// Cycles from start to start.
    pub interval: Span,
    /// The loops, in order of the source.
    pub loops: Vec<LoopAnswer>,
    /// What it is built of; nothing where it was not scheduled.
    pub resources: Resources,
    /// Whether the design was scheduled: neither one with too many operations is nor one of which nothing is read that takes
    /// time. Then neither cycles nor resources are known.
    pub is_scheduled: bool,
    /// Whether all functions and types are known. Else resources are those of what is read: there may be more.
    pub is_read: bool,
    /// Operations in all copies of loops and functions.
    pub operations: usize,
    /// Its ports.
    pub ports: Vec<PortAnswer>,
    /// The dataflow regions with their stages.
    pub regions: Vec<RegionAnswer>,
    /// The arrays that take block memory or `UltraRAM`.
    pub arrays: Vec<ArrayAnswer>,
    /// What one run multiplies.
    pub work: Work,
    /// What is not known, and why.
    pub unknown: Vec<Unknown>,
    /// The functions that call one whose body is not there, directly or not: its loops are not among [`Self::loops`].
    pub open_functions: Vec<String>,
    /// What makes the cycles doubtful.
    pub doubts: Vec<Doubt>,
    /// The files, by [`Place::file`].
    pub files: Vec<String>,
}
