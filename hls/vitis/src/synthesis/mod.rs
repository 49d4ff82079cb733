//! The reports of one synthesis put together: one tree of loops, as the tool's summary draws it.

mod gather;
mod tree;

use crate::csynth::{Figure, Resource};
use crate::{FileId, MemoryPort, ReportedPragma, Span, TopArgument};
use std::collections::BTreeMap;

pub use gather::gather_syntheses;

/// What the reports of one synthesis say of a kernel.
#[derive(Clone, Debug)]
pub struct Synthesis {
    /// The reports, first the one that the tree is of.
    pub reports: Vec<FileId>,
    /// The top function.
    pub top: String,
    /// The version of the tool.
    pub version: Option<String>,
    /// The part.
    pub part: Option<String>,
    /// The period that was asked for, in ns.
    pub clock_ns: Option<f64>,
    /// The period that the tool expects to reach, in ns.
    pub estimated_ns: Option<f64>,
    /// Cycles from start to end.
    pub latency: Option<Figure>,
    /// Cycles from start to start.
    pub interval: Option<Figure>,
    /// What the kernel takes.
    pub resources: BTreeMap<String, Resource>,
    /// The words of each memory of the top, where its report lists them.
    pub memories: Vec<(String, u64)>,
    /// The loops, each before those inside it.
    pub loops: Vec<SynthesisedLoop>,
    /// `m_axi` ports.
    pub ports: Vec<MemoryPort>,
    /// The arguments of the top function.
    pub arguments: Vec<TopArgument>,
    /// Modules with reports of their own that the summary does not name: they are left from other runs.
    pub left_over: Vec<String>,
    /// Pragmas with their places.
    pub pragmas: Vec<ReportedPragma>,
}

/// The name of a loop as all forms of a report have it: `Loop 1` of a text is `Loop1` in XML.
pub fn plain_loop_name(name: &str) -> String {
    name.split_whitespace().collect()
}

/// A loop of the tree.
#[derive(Clone, Debug)]
pub struct SynthesisedLoop {
    /// Its label, or the name that the tool gave; a flattened nest has all of them.
    pub label: String,
    /// The function or process that it is in; a pipelined loop's own module does not count.
    pub function: String,
    /// How deep it is in other loops.
    pub nest: usize,
    /// Iterations.
    pub trip: Option<Figure>,
    /// The initiation interval that was reached.
    pub ii: Option<Figure>,
    /// The one that was asked for, where it is printed.
    pub target: Option<Figure>,
    /// Cycles of one iteration.
    pub depth: Option<Figure>,
    /// Cycles of one run.
    pub latency: Option<Figure>,
    /// How many times it runs in one run of the kernel, where the trips around it are known.
    pub runs: Option<u64>,
    /// Whether it has no loop in it.
    pub is_innermost: bool,
    /// Where the report prints it.
    pub span: Span,
}

impl SynthesisedLoop {
    /// Worst cycles of all runs, where they are known.
    pub fn total_cycles(&self) -> Option<u64> {
        self.runs?.checked_mul(self.latency.as_ref()?.max()?)
    }
}
