use super::clock_periods::ClockPeriods;
use super::figure::{Decimal, Figure, Located};
use super::parts::ReportedPart;
use super::resource::Resource;
use serde::Serialize;
use std::collections::BTreeMap;

/// One synthesised function. Counts are clock cycles.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Module {
    /// The function, or the instance where the report names instances.
    pub name: Located<String>,
    /// The module that calls it, as an index into the report's modules.
    pub caller: Option<usize>,
    /// The loop of the caller that holds the call.
    pub caller_loop: Option<String>,
    /// Its further calls, each by the module with it and the loop of that: this module may be called from several places.
    #[serde(skip)]
    pub other_callers: Vec<(usize, Option<String>)>,
    /// The compute unit that it belongs to (`system_estimate`).
    pub compute_unit: Option<Located<String>>,
    /// From start to end, best to worst case; the worst alone in a tree report.
    pub latency: Option<Located<Figure>>,
    /// From start to the next possible start.
    pub interval: Option<Located<Figure>>,
    /// How the function itself is pipelined, as printed: `none`, `no`, `yes`, `function`,
    /// `dataflow`, `rewind`, or a sentence.
    pub pipeline: Option<Located<String>>,
    /// Stages, where the function itself is pipelined.
    pub depth: Option<Located<Figure>>,
    /// Whether it is a dataflow region.
    pub dataflow: bool,
    /// The modules that it has instances of, where the report lists them.
    #[serde(skip)]
    pub calls: Vec<String>,
    /// What its resources are spent on, where the report lists it.
    #[serde(skip)]
    pub parts: Vec<ReportedPart>,
    /// Its loops, in the order of the report.
    pub loops: Vec<ReportedLoop>,
    /// What it takes. `DSP48E` of old reports is `DSP`, and `BRAM` of HLS reports is `BRAM_18K`.
    pub resources: BTreeMap<String, Resource>,
    /// Nanoseconds that are left of the period; negative if timing fails.
    pub slack: Option<Located<Decimal>>,
    /// The module's own clock figures, in nanoseconds, where they are printed.
    pub clock: ClockPeriods,
    /// The module's own target and estimate in MHz, where frequencies are printed.
    pub frequency: Option<Frequency>,
    /// Timing and II violations that the tool admits.
    pub violations: Vec<Violation>,
}

/// Clock frequencies in MHz.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Frequency {
    /// What was asked for.
    pub target: Located<Decimal>,
    /// What the tool expects.
    pub estimated: Located<Decimal>,
}

/// One loop. Counts are clock cycles.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ReportedLoop {
    /// Its label, or the name that the tool gave.
    pub name: Located<String>,
    /// Rounds.
    pub trip_count: Option<Located<Figure>>,
    /// All iterations.
    pub latency: Option<Located<Figure>>,
    /// One iteration. For a pipelined loop the text reports print the depth here.
    pub iteration_latency: Option<Located<Figure>>,
    /// The initiation interval that was reached.
    pub ii_achieved: Option<Located<Figure>>,
    /// The initiation interval that was asked for.
    pub ii_target: Option<Located<Figure>>,
    /// Stages of a pipelined loop.
    pub depth: Option<Located<Figure>>,
    /// Whether it is pipelined; `None` where the report does not say.
    pub pipelined: Option<bool>,
    /// Nanoseconds that are left of the period.
    pub slack: Option<Located<Decimal>>,
    /// The instances that run in it, where the report lists them.
    #[serde(skip)]
    pub instances: Vec<String>,
    /// Loops inside.
    pub loops: Vec<ReportedLoop>,
}

/// A violation that the tool reports itself.
#[derive(Clone, Eq, PartialEq, Debug, Serialize)]
pub struct Violation {
    /// `II Violation`, `Timing`, `II`, as printed.
    pub issue: Located<String>,
    /// The cause: `Resource Limitation`.
    pub cause: Option<Located<String>>,
    /// The loop; `None` for the module itself.
    pub loop_name: Option<String>,
    /// `file.cpp:51`, where it is printed.
    pub location: Option<Located<String>>,
}

impl Module {
    /// Whether the report has its resources, and all of them are 0.
    #[must_use]
    pub fn uses_nothing(&self) -> bool {
        let mut used = self.resources.values().map(|one| one.used.value.known());
        !self.resources.is_empty() && used.all(|one| one == Some(0))
    }

    pub(crate) fn new(name: Located<String>) -> Self {
        Self {
            name,
            caller: None,
            caller_loop: None,
            other_callers: Vec::new(),
            compute_unit: None,
            latency: None,
            interval: None,
            pipeline: None,
            depth: None,
            dataflow: false,
            calls: Vec::new(),
            parts: Vec::new(),
            loops: Vec::new(),
            resources: BTreeMap::new(),
            slack: None,
            clock: ClockPeriods::default(),
            frequency: None,
            violations: Vec::new(),
        }
    }

    /// Every loop, each before the loops inside it.
    pub fn all_loops(&self) -> Vec<&ReportedLoop> {
        let mut found = Vec::new();
        let mut open: Vec<&ReportedLoop> = self.loops.iter().rev().collect();
        while let Some(one) = open.pop() {
            found.push(one);
            open.extend(one.loops.iter().rev());
        }
        found
    }
}

impl ReportedLoop {
    pub(crate) fn new(name: Located<String>) -> Self {
        Self {
            name,
            trip_count: None,
            latency: None,
            iteration_latency: None,
            ii_achieved: None,
            ii_target: None,
            depth: None,
            pipelined: None,
            slack: None,
            instances: Vec::new(),
            loops: Vec::new(),
        }
    }
}

/// One name for a resource through all versions of the HLS tools.
pub(crate) fn resource_name(printed: &str) -> &str {
    match printed {
        "DSP48E" | "DSP58" | "DSP48" => "DSP",
        "BRAM" => "BRAM_18K",
        other => other,
    }
}

/// Whether the word about pipelining says yes.
pub(crate) fn says_pipelined(word: &str) -> Option<bool> {
    match word.trim() {
        "" | "-" => None,
        "no" | "none" => Some(false),
        _ => Some(true),
    }
}
