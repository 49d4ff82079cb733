//! Functions: inlined, or modules of their own.

use super::tokens::Traffic;
use super::{Activation, Bound, Engine, Flow, Module, Piece};
use crate::answer::Span;
use crate::engine::schedule::Usage;
use crate::graph::{Op, Value};
use derate_hls::DirectiveKind;
use derate_program::{Argument, Call, Function, NESTING, Place, Stmt, with_stack};
use rustc_hash::FxHashSet as HashSet;
use std::sync::Arc;

/// A function that was scheduled by itself.
#[derive(Clone, Debug)]
pub(super) struct Scheduled {
    pub(super) latency: Span,
    pub(super) interval: Span,
    /// The scalars that it changes.
    pub(super) changed: Vec<(usize, u64)>,
    /// The storages that it reads and writes.
    pub(super) touched: Vec<(usize, bool)>,
    pub(super) usage: Usage,
    /// What it does with streams.
    pub(super) traffic: Vec<Traffic>,
}

impl<'a> Engine<'a> {
    /// The activation of a call: its parameters bound, its scalars set.
    fn activate(
        &mut self,
        call: &'a Call,
        run: &mut Activation<'a>,
        flow: &mut Flow,
    ) -> Activation<'a> {
        let function: &'a Function = &self.program.functions[call.function];
        let mut inner = Activation { function, bound: vec![None; function.objects.len()] };
        let mut values = Vec::new();
        for (parameter, argument) in function.parameters.iter().zip(&call.arguments) {
            match argument {
                Argument::Value(expr) => {
                    let value = self.value(expr, run, flow);
                    values.push((*parameter, value));
                }
                Argument::Object(access) => {
                    let (storage, prefix) = self.locate_part(access, run, flow);
                    // The dimensions of a slice are the last ones of the array.
                    let dims = function.objects[*parameter].dims.len().max(1);
                    let others = self.storages[storage].dims.len().saturating_sub(dims);
                    let behind = prefix.len().min(others);
                    inner.bound[*parameter] = Some(Bound { storage, prefix });
                    self.apply_storage_directives(storage, function, *parameter, behind);
                }
            }
        }
        for (parameter, value) in values {
            let bound = self.bind(&mut inner, parameter);
            self.set_scalar((bound.storage, 0), value);
        }
        inner
    }

    pub(crate) fn run_call(&mut self, call: &'a Call, run: &mut Activation<'a>, flow: &mut Flow) {
        let is_recursive = self.stack.contains(&call.function);
        if is_recursive || self.stack.len() > NESTING {
            let name = &self.program.functions[call.function].name;
            let reason = if is_recursive {
                format!("`{name}` calls itself: how often is not known")
            } else {
                format!("more than {NESTING} functions call one another down to `{name}`")
            };
            self.note_unknown(call.place, reason);
            self.opened = true;
            return;
        }
        with_stack(|| self.run_callee(call, run, flow));
    }

    fn run_callee(&mut self, call: &'a Call, run: &mut Activation<'a>, flow: &mut Flow) {
        self.opened |= self.program.functions[call.function].is_incomplete;
        let mut inner = self.activate(call, run, flow);
        self.stack.push(call.function);
        if flow.pipelined || self.is_inlined(call.function) {
            let (guard, stays) = (flow.guard, flow.stays);
            self.statements(&inner.function.body, &mut inner, flow);
            (flow.guard, flow.stays, flow.left) = (guard, stays, false);
        } else {
            self.call_module(call, &mut inner, flow);
        }
        self.stack.pop();
        if let (Some(target), Some(result)) = (call.result, inner.function.result) {
            let from = self.bind(&mut inner, result);
            let to = self.bind(run, target);
            let ty = self.storages[from.storage].ty;
            let value = match self.env.get(&(from.storage, 0)) {
                Some(value) => *value,
                None => self.input(ty, flow, call.place),
            };
            self.set_scalar((to.storage, 0), value);
        }
    }

    /// A call of a module: its body is scheduled by itself.
    fn call_module(&mut self, call: &Call, inner: &mut Activation<'a>, flow: &mut Flow) {
        let (known, memory) = (std::mem::take(&mut self.known), std::mem::take(&mut self.memory));
        let first = self.graph.next_id();
        let before = self.record_question(call.function, inner);
        let recalled = before.as_ref().and_then(|before| self.recall_schedule(before, inner));
        let scheduled = recalled.unwrap_or_else(|| {
            let scheduled = self.schedule_function(inner);
            if let Some(before) = before {
                self.remember_schedule(before, inner, &scheduled);
            }
            scheduled
        });
        self.note_called(first);
        (self.known, self.memory) = (known, memory);
        let Scheduled { latency, interval, changed, touched, usage, traffic } = scheduled;
        let name = inner.function.name.clone();
        let module = self.make_module(name, latency, interval, &touched, usage, 1);
        self.modules[module as usize].traffic = traffic;
        self.add_call(module, &changed, flow, call.place);
    }

    fn schedule_function(&mut self, inner: &mut Activation<'a>) -> Scheduled {
        let touched = std::mem::take(&mut self.touched);
        let usage = std::mem::take(&mut self.usage);
        let traffic = std::mem::take(&mut self.traffic);
        self.journaling += 1;
        let mark = self.journal.len();
        let first = self.graph.next_id();
        let (latency, interval) = self.function_latency(inner);
        self.count_crossing(first);
        let mut changed: Vec<(usize, u64)> =
            self.journal[mark..].iter().map(|change| change.0).collect();
        changed.sort_unstable();
        changed.dedup();
        self.journaling -= 1;
        if self.journaling == 0 {
            self.journal.clear();
        }
        Scheduled {
            latency,
            interval,
            changed,
            touched: std::mem::replace(&mut self.touched, touched),
            usage: std::mem::replace(&mut self.usage, usage),
            traffic: std::mem::replace(&mut self.traffic, traffic),
        }
    }

    pub(crate) fn make_module(
        &mut self,
        name: String,
        latency: Span,
        interval: Span,
        touched: &[(usize, bool)],
        mut usage: Usage,
        overhead: u32,
    ) -> u32 {
        let mut reads: Vec<usize> =
            touched.iter().filter(|touch| !touch.1).map(|touch| touch.0).collect();
        let mut writes: Vec<usize> =
            touched.iter().filter(|touch| touch.1).map(|touch| touch.0).collect();
        for list in [&mut reads, &mut writes] {
            list.sort_unstable();
            list.dedup();
        }
        self.touched.extend(touched.iter().copied());
        let (traffic, from_outside) = (Vec::new(), std::mem::take(&mut usage.from_outside));
        usage.kept = Vec::new();
        self.modules.push(Module {
            name,
            latency,
            interval,
            reads,
            writes,
            usage: Arc::new(usage),
            from_outside,
            traffic,
            overhead,
        });
        u32::try_from(self.modules.len() - 1).unwrap_or(0)
    }

    /// The node of a call, after what it needs and before what needs it.
    pub(crate) fn add_call(
        &mut self,
        module: u32,
        changed: &[(usize, u64)],
        flow: &mut Flow,
        place: Place,
    ) {
        let (reads, writes) = {
            let module = &self.modules[module as usize];
            (module.reads.clone(), module.writes.clone())
        };
        let mut after = Vec::new();
        let mut inputs = Vec::new();
        for id in &self.graph.blocks[flow.block as usize] {
            let node = self.graph.node(*id);
            match (&node.op, &node.access) {
                // What is set to a constant is set in a state before, whichever loop reads it: in reports of four sets.
                (Op::Store | Op::Push, Some(access))
                    if reads.contains(&access.storage)
                        || writes.contains(&access.storage)
                        || matches!(node.inputs.first(), Some(Value::Constant(_))) =>
                {
                    after.push((*id, 1));
                }
                (Op::Load, Some(access)) if writes.contains(&access.storage) => {
                    after.push((*id, 1));
                }
                // What is read of a stream is read in the order of the source.
                (Op::Pop, Some(access))
                    if reads.contains(&access.storage) || writes.contains(&access.storage) =>
                {
                    after.push((*id, 1));
                }
                (Op::Call(other), _) => {
                    let other = &self.modules[*other as usize];
                    let clash =
                        other.writes.iter().any(|one| reads.contains(one) || writes.contains(one))
                            || other.reads.iter().any(|one| {
                                writes.contains(one)
                                    || (reads.contains(one)
                                        && (self.is_memory(*one) || self.is_stream(*one)))
                            })
                            || self.share_bus(&other.reads, &reads)
                            || self.share_bus(&other.writes, &writes);
                    if clash {
                        after.push((*id, 0));
                    }
                }
                _ => {}
            }
        }
        for storage in &reads {
            // A module gets all elements of an array in registers.
            inputs.extend(self.env.elements(*storage).map(|(_, value)| value));
        }
        inputs.extend(self.pending.drain(..).map(Value::Node));
        let mut node = Self::blank(Op::Call(module), derate_program::Scalar::INT, flow, place);
        node.inputs = inputs.into_iter().filter(|value| value.node().is_some()).collect();
        node.after = after;
        node.guard = flow.guard;
        let call = self.push(node);
        for storage in &reads {
            self.memory.entry(*storage).or_default().read_by(call);
        }
        for storage in &writes {
            self.memory.remove(storage);
            self.calls_after.insert(*storage, call);
        }
        for key in changed {
            let ty = self.storages[key.0].ty;
            let value = self.input(ty, flow, place);
            if let Value::Node(node) = value {
                self.graph.node_mut(node).after.push((call, 0));
            }
            self.set_scalar(*key, value);
        }
    }

    /// The latency and the interval of a function that runs by itself.
    pub(crate) fn function_latency(&mut self, run: &mut Activation<'a>) -> (Span, Span) {
        self.alone = false;
        let options = self.directives.of_function(run.function);
        let dataflow =
            options.iter().any(|(kind, off)| matches!(kind, DirectiveKind::Dataflow) && !off);
        let pipeline = options.iter().rev().find_map(|(kind, off)| match kind {
            DirectiveKind::Pipeline(pipeline) => Some((
                !(*off || pipeline.off),
                pipeline.ii.as_ref().and_then(derate_hls::Count::number),
            )),
            _ => None,
        });
        if dataflow {
            return self.dataflow(run);
        }
        self.varying.clear();
        if let Some((true, ii)) = pipeline
            && self.can_flatten_all(&run.function.body, run)
        {
            return self.pipelined_function(run, ii);
        }
        let block = self.begin_block();
        let mut flow = Flow::new(block, false);
        let body: &'a [Stmt] = &run.function.body;
        let plain = |one: &Stmt| matches!(one, Stmt::Set(target, derate_program::Expr::Constant(..)) if target.index.is_empty());
        self.alone = body.iter().filter(|one| !plain(one)).count() == 1;
        let refused = usize::from(pipeline.is_some_and(|(is_on, _)| is_on));
        self.refused += refused;
        self.statements(body, run, &mut flow);
        self.refused -= refused;
        self.alone = false;
        self.keep_results(run);
        let latency = self.finish_function(&flow.pieces);
        (latency, latency.map(|cycles| cycles + 1.0))
    }

    /// What a function leaves in registers to its caller or to its next run is needed, although nothing in its blocks uses it.
    fn keep_results(&mut self, run: &Activation<'a>) {
        let function = run.function;
        let of_caller = function.parameters.iter().chain(&function.result);
        let bound = of_caller.filter_map(|object| run.bound[*object].as_ref());
        let statics = run.bound.iter().flatten().filter(|one| self.storages[one.storage].is_static);
        let globals = self.global_storages.values().copied();
        let storages = bound.chain(statics).map(|bound| bound.storage).chain(globals);
        let left: HashSet<usize> = storages.filter(|storage| self.is_register(*storage)).collect();
        self.kept.extend(self.env.within(&left).filter_map(|(_, value)| value.node()));
    }

    fn finish_function(&mut self, pieces: &[Piece]) -> Span {
        let states = self.compose(pieces);
        self.traffic = self.pieces_traffic(pieces);
        states.map(|states| (states - 1.0).max(0.0))
    }

    fn pipelined_function(&mut self, run: &mut Activation<'a>, ii: Option<u64>) -> (Span, Span) {
        let block = self.begin_block();
        let mut flow = Flow::new(block, true);
        let body: &'a [Stmt] = &run.function.body;
        self.statements(body, run, &mut flow);
        self.keep_results(run);
        let outcome = self.schedule_pipeline(block, (ii, true), &[]);
        self.usage.join(&outcome.usage);
        #[allow(clippy::cast_precision_loss)]
        let depth = Span::exactly((outcome.depth.max(1) - 1) as f64);
        #[allow(clippy::cast_precision_loss)]
        let interval = Span::exactly(outcome.ii as f64);
        (depth, interval)
    }
}
