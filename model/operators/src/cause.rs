//! Why cycles are doubtful.

use serde::Deserialize;

/// Why cycles are doubtful.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// Ports of memories hold an interval: how arrays are cut decides it.
    Ports,
    /// The same in a deep pipeline.
    DeepPorts,
    /// A recurrence through memory at a fast clock: which adder is taken, and in which order sums are.
    FastRecurrence,
    /// A recurrence through memory in a loop that the tool pipelines by itself.
    OwnRecurrence,
    /// A recurrence through a value.
    ValueRecurrence,
    /// Data decide: the worst case over the best, in the logarithm.
    Data,
    /// Something is not known.
    Unknown,
    /// Processes of a dataflow wait for each other.
    Stalls,
    /// Time that is in no loop.
    Outside,
    /// A stream at the interface.
    Streams,
    /// Memory behind a bus.
    Buses,
    /// The tool may put sums in another order.
    ReorderedSums,
    /// A part of another family than `UltraScale+`: fewer reports have its operators.
    Family,
    /// A version of the tool of which the rules are not from.
    Version,
}
