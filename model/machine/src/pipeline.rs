//! Cycles: from trip counts, initiation intervals and depths to loops, modules and dataflow regions.
//!
//! Each file holds one rule, its formula and what it was held against; `docs/book/src/validation.md` has the errors.
//! A [`CycleRule`] carries its inputs, so that every term of a latency can say where it comes from. [`compare_report`] holds the rules against a
//! synthesis report, and [`reported_latency`] is what a report says of its top function.

mod compare;
mod dataflow;
mod module;
mod operator;
mod pipelined_function;
mod pipelined_loop;
mod plain_loop;
mod recurrence;
mod reported;
mod rule;
mod sequence;

pub use compare::{ComparedCycles, compare_report};
pub use dataflow::{dataflow_interval, dataflow_loop, ping_pong_latency, stream_latency};
pub use module::{outlined_pipelined_loop, outlined_plain_loop};
pub use operator::{Implementation, LibraryOperator, NotPublished, operator_latency};
pub use pipelined_function::pipelined_function;
pub use pipelined_loop::{pipelined_loop, pipelined_loop_at_most};
pub use plain_loop::plain_loop;
pub use recurrence::recurrence_interval;
pub use reported::{NoLatency, ReportedLatency, reported_latency};
pub use rule::CycleRule;
pub use sequence::sequence;

#[cfg(test)]
mod tests;
