//! The loops of a function as they are scheduled: which iterate, which are pipelined, which are unrolled whole.

use derate_hls::{Count, DirectiveKind};
use derate_kernel::ir::{Function, Loop, Stmt, any_in};
use derate_kernel::{Directives, LoopRuns, Program, constant_trips};

/// Calls are followed this deep.
const DEEPEST: usize = 16;

/// What becomes of a loop of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// It has loops in it that are scheduled on their own.
    Around,
    /// It is pipelined, or has no loop in it.
    Inner,
    /// A loop around it is pipelined, which unrolls it: by a directive, or as the tool does by itself.
    Dissolved {
        /// Whether a directive asks for it.
        asked: bool,
    },
}

/// A loop of the source with what is known of it.
#[derive(Clone, Debug)]
pub(super) struct NestLoop<'p> {
    pub(super) function: &'p str,
    pub(super) item: &'p Loop,
    pub(super) state: State,
    /// Statements of one iteration if the loops in it are unrolled whole; `None` where their trips are not known.
    pub(super) weight: Option<u64>,
    /// Whether a function that is called in it has loops: its pipeline does not unroll them.
    pub(super) calls_loops: bool,
    /// Whether it, or the nest that it is part of, is scheduled as a loop.
    pub(super) is_scheduled: bool,
    /// Its share of the cycles.
    pub(super) share: Option<f64>,
    /// The interval that its own directive asks for.
    pub(super) asked_ii: Option<u64>,
    /// Whether a directive says that it is not pipelined.
    pub(super) is_off: bool,
}

/// The scheduled loops and the directives that all loops are looked up in.
pub(super) struct Nests<'a> {
    pub(super) program: &'a Program,
    pub(super) given: &'a Directives,
    pub(super) runs: Vec<LoopRuns<'a>>,
    /// Cycles of the kernel.
    pub(super) cycles: f64,
}

impl<'a> Nests<'a> {
    /// The loops of all functions, in order of the source.
    pub(super) fn list_loops(&self) -> Vec<NestLoop<'a>> {
        let mut found = Vec::new();
        for function in &self.program.functions {
            let asked = self.is_function_pipelined(function);
            let around = asked.then_some(State::Dissolved { asked });
            self.visit(function, &function.body, (around, &[]), &mut found);
        }
        found
    }

    fn visit(
        &self,
        function: &'a Function,
        body: &'a [Stmt],
        (around, labels): (Option<State>, &[&'a str]),
        found: &mut Vec<NestLoop<'a>>,
    ) {
        for stmt in body {
            match stmt {
                Stmt::If(_, then, otherwise) => {
                    self.visit(function, then, (around, labels), found);
                    self.visit(function, otherwise, (around, labels), found);
                }
                Stmt::Loop(item) => {
                    let (asked, is_off, asked_ii) = self.find_pipeline(function, item);
                    let labels = [labels, &[item.label.as_str()]].concat();
                    let row = self.find_row(&function.name, &labels);
                    let nest = row.or_else(|| self.find_nest(&function.name, item, &labels));
                    let is_pipelined = asked || row.is_some_and(|one| one.answer.ii.is_some());
                    let has_loops = self.has_loops(&item.body, 0);
                    let own = if is_pipelined || !has_loops { State::Inner } else { State::Around };
                    let state = around.filter(|_| row.is_none()).unwrap_or(own);
                    found.push(NestLoop {
                        function: &function.name,
                        item,
                        state,
                        weight: self.weigh(&item.body, 0),
                        calls_loops: self.calls_loops(&item.body),
                        is_scheduled: nest.is_some(),
                        share: nest.and_then(|one| self.find_share(one)),
                        asked_ii,
                        is_off,
                    });
                    let inside = if state == State::Inner && has_loops {
                        Some(State::Dissolved { asked })
                    } else {
                        around.filter(|_| row.is_none())
                    };
                    self.visit(function, &item.body, (inside, &labels), found);
                }
                _ => {}
            }
        }
    }

    pub(super) fn is_function_pipelined(&self, function: &Function) -> bool {
        let mut pipelines = self.list_directives(function).filter_map(|(kind, off)| match kind {
            DirectiveKind::Pipeline(one) => Some(!(off || one.off)),
            _ => None,
        });
        pipelines.next_back().unwrap_or(false)
    }

    pub(super) fn has_dataflow(&self, function: &Function) -> bool {
        let all = self.list_directives(function);
        let mut own = all.filter(|(kind, _)| matches!(kind, DirectiveKind::Dataflow));
        own.next_back().is_some_and(|(_, off)| !off)
    }

    /// The directives of a function itself, and whether each says that it is off; the last counts.
    fn list_directives<'s>(
        &'s self,
        function: &'s Function,
    ) -> impl DoubleEndedIterator<Item = (&'s DirectiveKind, bool)> {
        let pragmas = function.pragmas.iter().map(|one| (&one.kind, one.off));
        let given = self.given.list.iter().filter(|one| {
            one.function == function.name && one.label.is_none() && one.variable.is_none()
        });
        pragmas.chain(given.map(|one| (&one.kind, one.off)))
    }

    /// Whether the last directive pipelines it, whether that forbids it, and the interval that it asks for.
    fn find_pipeline(&self, function: &Function, item: &Loop) -> (bool, bool, Option<u64>) {
        let pragmas = item.pragmas.iter().map(|one| (&one.kind, one.off));
        let given = self.given.list.iter().filter(|one| {
            one.function == function.name && one.label.as_deref() == Some(item.label.as_str())
        });
        let all = pragmas.chain(given.map(|one| (&one.kind, one.off)));
        let mut last = all.filter_map(|(kind, off)| match kind {
            DirectiveKind::Pipeline(one) => {
                let off = off || one.off;
                Some((!off, off, one.ii.as_ref().and_then(Count::number)))
            }
            _ => None,
        });
        last.next_back().unwrap_or((false, false, None))
    }

    /// The scheduled loop whose iterations are those of this one: itself, or the innermost of a nest that became one loop.
    /// `labels` are those of the loops around it, and its own.
    fn find_row(&self, function: &str, labels: &[&str]) -> Option<&LoopRuns<'a>> {
        let mut names = (0..labels.len()).rev().map(|first| labels[first..].join("_"));
        names.find_map(|name| {
            let is_own = |one: &&LoopRuns<'_>| one.answer.label == name;
            self.runs.iter().filter(|one| one.answer.function == function).find(is_own)
        })
    }

    /// The loop that a nest became which has this one around others.
    fn find_nest(&self, function: &str, item: &Loop, labels: &[&str]) -> Option<&LoopRuns<'a>> {
        let names = (0..labels.len()).map(|first| labels[first..].join("_") + "_");
        let names: Vec<String> = names.collect();
        let mut own = self.runs.iter().filter(|one| one.answer.function == function);
        own.find(|one| {
            let inner = names.iter().filter_map(|name| one.answer.label.strip_prefix(name));
            inner.into_iter().any(|inner| self.has_nest(&item.body, inner, 0))
        })
    }

    /// Whether loops within each other have these labels, joined.
    fn has_nest(&self, body: &[Stmt], labels: &str, depth: usize) -> bool {
        body.iter().any(|stmt| match stmt {
            Stmt::If(_, then, otherwise) => {
                self.has_nest(then, labels, depth) || self.has_nest(otherwise, labels, depth)
            }
            Stmt::Loop(item) => labels.strip_prefix(item.label.as_str()).is_some_and(|rest| {
                let inner = rest.strip_prefix('_');
                rest.is_empty() || inner.is_some_and(|rest| self.has_nest(&item.body, rest, depth))
            }),
            Stmt::Call(call) if depth < DEEPEST => {
                self.has_nest(&self.program.functions[call.function].body, labels, depth + 1)
            }
            _ => false,
        })
    }

    /// The share of the cycles that a loop has, where it is known.
    pub(super) fn find_share(&self, one: &LoopRuns<'_>) -> Option<f64> {
        one.total_cycles().filter(|_| self.cycles > 0.0).map(|all| (all / self.cycles).min(1.0))
    }

    fn has_loops(&self, body: &[Stmt], depth: usize) -> bool {
        any_in(body, &mut |stmt| match stmt {
            Stmt::Loop(_) => true,
            Stmt::Call(call) => {
                depth >= DEEPEST
                    || self.has_loops(&self.program.functions[call.function].body, depth + 1)
            }
            _ => false,
        })
    }

    /// Whether a function that is called has loops.
    pub(super) fn calls_loops(&self, body: &[Stmt]) -> bool {
        any_in(body, &mut |stmt| match stmt {
            Stmt::Call(call) => self.has_loops(&self.program.functions[call.function].body, 1),
            _ => false,
        })
    }

    /// Statements where all loops are unrolled whole.
    pub(super) fn weigh(&self, body: &[Stmt], depth: usize) -> Option<u64> {
        let mut all = 0_u64;
        for stmt in body {
            let own = match stmt {
                Stmt::Loop(item) => {
                    constant_trips(item)?.checked_mul(self.weigh(&item.body, depth)?.max(1))?
                }
                Stmt::If(_, then, otherwise) => self
                    .weigh(then, depth)?
                    .checked_add(self.weigh(otherwise, depth)?)?
                    .checked_add(1)?,
                Stmt::Call(call) => {
                    let callee = &self.program.functions[call.function];
                    if depth >= DEEPEST || self.has_loops(&callee.body, depth + 1) {
                        return None;
                    }
                    self.weigh(&callee.body, depth + 1)?
                }
                _ => 1,
            };
            all = all.checked_add(own)?;
        }
        Some(all)
    }
}
