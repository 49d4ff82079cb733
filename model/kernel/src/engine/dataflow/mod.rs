//! Dataflow: processes that run side by side, tied by streams and by buffers in two halves.

mod delay;
mod solve;
mod writers;

use super::tokens::Traffic;
use super::{Activation, Engine, Flow, Piece};
use crate::answer::{RegionAnswer, Span, StageAnswer};
use crate::graph::Op;
use derate_program::{ObjectKind, Stmt};
use solve::Work;
use std::collections::BTreeSet;
use writers::Writers;

struct Process {
    latency: Span,
    interval: Span,
    reads: Vec<usize>,
    writes: Vec<usize>,
    traffic: Vec<Traffic>,
}

impl<'a> Engine<'a> {
    /// The latency and the interval of a function whose statements are processes.
    pub(crate) fn dataflow(&mut self, run: &mut Activation<'a>) -> (Span, Span) {
        let body: &'a [Stmt] = &run.function.body;
        let mut processes: Vec<Process> = Vec::new();
        let mut stages = Vec::new();
        for statement in body {
            let block = self.begin_block();
            let mut flow = Flow::new(block, false);
            let touched = std::mem::take(&mut self.touched);
            let usage = std::mem::take(&mut self.usage);
            let before = self.modules.len();
            self.statements(std::slice::from_ref(statement), run, &mut flow);
            let own = std::mem::replace(&mut self.touched, touched);
            self.touched.extend(own.iter().copied());
            if matches!(statement, Stmt::Set(..) | Stmt::Evaluate(_)) {
                self.usage = usage;
                continue;
            }
            let list = |write: bool| {
                let mut list: Vec<usize> =
                    own.iter().filter(|touch| touch.1 == write).map(|touch| touch.0).collect();
                list.sort_unstable();
                list.dedup();
                list
            };
            let single = self.graph.blocks[flow.block as usize].iter().find_map(|id| {
                match self.graph.node(*id).op {
                    Op::Call(module) if module as usize >= before => Some(module),
                    _ => None,
                }
            });
            // The call is not timed here, but what it is built of counts.
            let states = self.compose(&flow.pieces);
            let usage = std::mem::replace(&mut self.usage, usage);
            self.usage.add_process(usage);
            let (latency, interval, traffic) =
                if let (Some(module), [Piece::Block(_)]) = (single, flow.pieces.as_slice()) {
                    let module = &self.modules[module as usize];
                    (module.latency, module.interval, module.traffic.clone())
                } else {
                    let latency = states.map(|states| (states - 1.0).max(0.0));
                    (latency, states, self.pieces_traffic(&flow.pieces))
                };
            stages.extend(self.stage_of(statement, interval));
            let (reads, writes) = (list(false), list(true));
            processes.push(Process { latency, interval, reads, writes, traffic });
        }
        let (function, place) = (run.function.name.clone(), run.function.place);
        self.regions.push(RegionAnswer { function, place, stages });
        let interval = processes
            .iter()
            .map(|process| process.interval)
            .fold(Span::exactly(1.0), |most, one| most.zip(one, f64::max));
        (self.dataflow_latency(&processes), interval)
    }

    /// When the last process ends in hardware, and what the report says of it.
    fn dataflow_latency(&mut self, processes: &[Process]) -> Span {
        let writers = Writers::of(processes);
        let work_of = |at: usize| self.work_of(&processes[at], writers.list_before(processes, at));
        let works: Vec<Work> = (0..processes.len()).map(work_of).collect();
        #[allow(clippy::cast_precision_loss)]
        let depth = |storage: usize| self.storages[storage].depth.unwrap_or(2) as f64;
        let timed = solve::solve(&works, &depth);
        self.traffic = processes
            .iter()
            .zip(&timed)
            .flat_map(|(process, timed)| {
                process.traffic.iter().cloned().map(|one| one.shifted(timed.start))
            })
            .collect();
        let ends = timed.iter().map(|timed| timed.end).fold(0.0, f64::max);
        let alone = processes
            .iter()
            .map(|process| process.latency)
            .fold(Span::exactly(0.0), |most, one| most.zip(one, f64::max));
        Span {
            expected: ends,
            worst: alone.worst.max(ends),
            ..self.chain_latency(processes, &writers)
        }
    }

    fn work_of(&self, own: &Process, before: impl Iterator<Item = (usize, usize)>) -> Work {
        let is_buffer = |storage: usize| self.storages[storage].kind == ObjectKind::Array;
        let behind: BTreeSet<usize> =
            before.filter(|(storage, _)| is_buffer(*storage)).map(|(_, before)| before).collect();
        Work {
            latency: own.latency.expected,
            traffic: own.traffic.clone(),
            behind: behind.into_iter().collect(),
        }
    }

    /// A call or a loop as a stage.
    fn stage_of(&self, statement: &Stmt, interval: Span) -> Option<StageAnswer> {
        let (name, place) = match statement {
            Stmt::Call(call) => (self.program.functions[call.function].name.clone(), call.place),
            Stmt::Loop(item) => (item.label.clone(), item.place),
            _ => return None,
        };
        Some(StageAnswer { name, place, interval })
    }

    /// When the last process ends: behind a buffer a process starts when the one before it ends, behind a stream soon
    /// after it starts.
    fn chain_latency(&self, processes: &[Process], writers: &Writers) -> Span {
        let mut ends: Vec<(Span, Span)> = Vec::new();
        let mut latest = Span::exactly(0.0);
        for (at, process) in processes.iter().enumerate() {
            let mut start = Span::exactly(0.0);
            let mut end_at_least = Span::exactly(0.0);
            for (storage, other) in writers.list_before(processes, at) {
                let (other_start, other_end) = ends[other];
                if self.storages[storage].kind == ObjectKind::Stream {
                    let first = other_start.map(|start| start + 2.0);
                    start = start.zip(first, f64::max);
                    end_at_least = end_at_least.zip(other_end, f64::max);
                } else if self.storages[storage].kind == ObjectKind::Array {
                    start = start.zip(other_end.map(|end| end + 1.0), f64::max);
                }
            }
            let end = (start + process.latency).zip(end_at_least.map(|end| end + 1.0), f64::max);
            latest = latest.zip(end, f64::max);
            ends.push((start, end));
        }
        latest
    }
}
