//! From modules with their callers to one list of loops.

use super::SynthesisedLoop;
use crate::csynth::{Figure, Module, Report, ReportedLoop};

/// Deeper trees were not seen, and a report may name a circle.
const DEPTH: usize = 64;

/// The loops of a module and of those that it calls, in the order that the report prints them.
pub(super) fn list_loops(report: &Report, top: usize) -> Vec<SynthesisedLoop> {
    let mut tree = Tree { modules: &report.modules, found: Vec::new() };
    tree.add_module(top, Around { nest: 0, runs: Some(1), depth: 0 });
    merge_copies(tree.found)
}

/// Copies of a loop that differ in nothing are one, which runs as often as all of them.
fn merge_copies(loops: Vec<SynthesisedLoop>) -> Vec<SynthesisedLoop> {
    let mut found: Vec<SynthesisedLoop> = Vec::new();
    for one in loops {
        // What is in a loop must stay below it.
        match found.iter_mut().find(|known| known.is_innermost && is_copy(known, &one)) {
            Some(known) if one.is_innermost => {
                known.runs = known.runs.zip(one.runs).and_then(|(all, more)| all.checked_add(more));
            }
            _ => found.push(one),
        }
    }
    found
}

fn is_copy(one: &SynthesisedLoop, other: &SynthesisedLoop) -> bool {
    (&one.label, &one.function, one.nest) == (&other.label, &other.function, other.nest)
        && (&one.trip, &one.ii) == (&other.trip, &other.ii)
        && (&one.depth, &one.latency) == (&other.depth, &other.latency)
}

struct Tree<'a> {
    modules: &'a [Module],
    found: Vec<SynthesisedLoop>,
}

/// What is around a module or a loop.
#[derive(Clone, Copy)]
struct Around {
    nest: usize,
    runs: Option<u64>,
    /// Modules and loops on the way.
    depth: usize,
}

/// What is in a module or in a loop.
enum Part<'a> {
    Loop(&'a ReportedLoop),
    Module(usize),
}

impl Tree<'_> {
    fn add_module(&mut self, at: usize, around: Around) {
        if around.depth < DEPTH {
            let module = &self.modules[at];
            self.add_parts(at, &module.loops, None, around);
        }
    }

    /// The loops of a level, and the modules that are called there.
    fn add_parts(
        &mut self,
        at: usize,
        loops: &[ReportedLoop],
        within: Option<&str>,
        around: Around,
    ) {
        let mut parts: Vec<(usize, Part<'_>)> =
            loops.iter().map(|one| (one.name.span.start, Part::Loop(one))).collect();
        let modules = self.modules;
        let called = modules.iter().enumerate().filter(|(_, module)| {
            module.caller == Some(at) && module.caller_loop.as_deref() == within
        });
        parts.extend(called.map(|(at, module)| (module.name.span.start, Part::Module(at))));
        parts.sort_by_key(|(start, _)| *start);
        let below = Around { depth: around.depth + 1, ..around };
        for (_, part) in parts {
            match part {
                Part::Module(inner) => self.add_module(inner, below),
                Part::Loop(one) => self.add_loop(at, one, below),
            }
        }
    }

    fn add_loop(&mut self, at: usize, one: &ReportedLoop, around: Around) {
        if around.depth >= DEPTH {
            return;
        }
        let value = |figure: &Option<crate::Located<Figure>>| {
            figure.as_ref().map(|figure| figure.value.clone())
        };
        let module = self.modules[at].name.value.as_str();
        let trip = value(&one.trip_count);
        let at_loop = self.found.len();
        self.found.push(SynthesisedLoop {
            label: one.name.value.clone(),
            function: module.split("_Pipeline_").next().unwrap_or(module).to_owned(),
            nest: around.nest,
            trip: trip.clone(),
            ii: value(&one.ii_achieved),
            target: value(&one.ii_target),
            depth: value(&one.depth).or_else(|| value(&one.iteration_latency)),
            latency: value(&one.latency),
            runs: around.runs,
            is_innermost: true,
            span: one.name.span,
        });
        let trips = trip.and_then(|trip| trip.known());
        let runs = around.runs.zip(trips).and_then(|(runs, trips)| runs.checked_mul(trips));
        let inside = Around { nest: around.nest + 1, runs, ..around };
        self.add_parts(at, &one.loops, Some(&one.name.value), inside);
        self.found[at_loop].is_innermost = self.found.len() == at_loop + 1;
    }
}
