//! What functions are by themselves, looked at once each: functions that call others twice would take the power of their depth.

use super::Engine;
use derate_hls::DirectiveKind;
use derate_program::{Expr, Function, Stmt, any_in, has_loop};
use rustc_hash::FxHashMap as HashMap;
use std::cell::RefCell;

/// A function with fewer operations is inlined unless a directive forbids it.
const SMALL: usize = 60;
/// Calls are followed this deep.
const DEEPEST: usize = 20;

/// Functions of mathematics that make a function large in the reports that were seen.
const SINES: [&str; 3] = ["sin", "cos", "sincos"];

/// By the number of the function.
type Known<T = bool> = RefCell<HashMap<usize, T>>;

/// What is known of functions by themselves.
#[derive(Default)]
pub(crate) struct Callees {
    inlined: Known,
    innermost: Known,
    straight: Known,
    sines: Known,
    short: Known<Option<u64>>,
}

/// What is known, or else what `look` finds. A function that calls itself is found not to be so.
fn recall<T: Copy + Default>(known: &Known<T>, function: usize, look: impl FnOnce() -> T) -> T {
    if let Some(known) = known.borrow().get(&function) {
        return *known;
    }
    known.borrow_mut().insert(function, T::default());
    let found = look();
    known.borrow_mut().insert(function, found);
    found
}

impl Engine<'_> {
    /// Whether calls of a function become part of the caller.
    pub(crate) fn is_inlined(&self, function: usize) -> bool {
        recall(&self.callees.inlined, function, || {
            let function = &self.program.functions[function];
            self.asks_inlining(function)
                .unwrap_or_else(|| !has_loop(&function.body) && operations(&function.body) < SMALL)
        })
    }

    /// The most iterations that a loop in a function unrolls to, as `look` finds it once.
    pub(super) fn recall_short_callee(
        &self,
        function: usize,
        look: impl FnOnce() -> Option<u64>,
    ) -> Option<u64> {
        recall(&self.callees.short, function, look)
    }

    /// What directives say.
    pub(super) fn asks_inlining(&self, function: &Function) -> Option<bool> {
        self.directives.of_function(function).into_iter().find_map(|(kind, off)| match kind {
            DirectiveKind::Inline(inline) => Some(!(off || inline.off)),
            DirectiveKind::Pipeline(_) | DirectiveKind::Dataflow => Some(false),
            _ => None,
        })
    }

    /// Whether a function, with those that it calls, has no loop.
    pub(super) fn is_innermost_callee(&self, function: usize, depth: usize) -> bool {
        let look = || {
            let body = &self.program.functions[function].body;
            let mut calls = body.iter().filter_map(|statement| match statement {
                Stmt::Call(call) => Some(call.function),
                _ => None,
            });
            !has_loop(body) && calls.all(|callee| self.is_innermost_callee(callee, depth + 1))
        };
        depth < DEEPEST && recall(&self.callees.innermost, function, look)
    }

    /// Whether a function, or one that it calls, computes sines.
    pub(super) fn has_sines(&self, function: usize, depth: usize) -> bool {
        let is_sine = |part: &Expr| matches!(part, Expr::Math(name, ..) if SINES.contains(name));
        let look = || {
            any_in(&self.program.functions[function].body, &mut |statement| match statement {
                Stmt::Call(call) if self.has_sines(call.function, depth + 1) => true,
                other => other.any_value(&mut |part| is_sine(part)),
            })
        };
        depth < DEEPEST && recall(&self.callees.sines, function, look)
    }

    /// Whether calls of a function become part of the caller, without a loop or a call of a module.
    pub(super) fn is_straight_callee(&self, function: usize, depth: usize) -> bool {
        depth < DEEPEST
            && recall(&self.callees.straight, function, || {
                self.is_inlined(function)
                    && self.is_straight(&self.program.functions[function].body, depth)
            })
    }
}

fn operations(body: &[Stmt]) -> usize {
    body.iter()
        .map(|statement| match statement {
            Stmt::Set(_, value) | Stmt::Push(_, value) | Stmt::Evaluate(value) => 1 + size(value),
            Stmt::If(condition, then, otherwise) => {
                1 + size(condition) + operations(then) + operations(otherwise)
            }
            Stmt::Loop(item) => 5 + operations(&item.body),
            Stmt::Call(call) => 2 + call.arguments.len(),
            _ => 1,
        })
        .sum()
}

fn size(expr: &Expr) -> usize {
    let own = match expr {
        Expr::Read(access, _) | Expr::Pop(access, _) => usize::from(!access.index.is_empty()),
        Expr::Binary(..) | Expr::Select(..) => 1,
        Expr::Math(..) => 4,
        _ => 0,
    };
    own + expr.operands().chain(expr.subscripts()).map(size).sum::<usize>()
}
