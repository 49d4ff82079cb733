//! A function that is followed: which of its loops a place is in, and whether that loop makes the place busy.

use std::collections::BTreeSet;

use super::fixed_bounds::has_fixed_bounds;
use super::{Bodies, Caller, is_task};
use derate_hls::{
    Access, AccessForm, AccessKind, Call, Count, DirectiveKind, Function, Span, split_words,
};

/// The loop that a place is in.
pub(super) struct Place {
    /// The calls that lead to it, and the loop.
    pub(super) path: Vec<Span>,
    /// Whether all that is called there is pipelined with it.
    pub(super) pipelined: bool,
    /// The loop, where it is one of the function.
    index: Option<usize>,
}

pub(super) struct Frame<'a> {
    function: &'a Function,
    bodies: &'a Bodies<'a>,
    caller: &'a Caller,
    pub(super) is_dataflow: bool,
    pub(super) pipelined: bool,
}

impl<'a> Frame<'a> {
    pub(super) fn new(function: &'a Function, bodies: &'a Bodies<'a>, caller: &'a Caller) -> Self {
        let own = list_directives(function, None);
        let is_dataflow = own.iter().any(|one| matches!(one, DirectiveKind::Dataflow))
            || function.calls.iter().any(is_task);
        let pipelined = caller.pipelined || bodies.is_pipelined(function);
        Self { function, bodies, caller, is_dataflow, pipelined }
    }

    /// The function as one place.
    pub(super) fn whole(&self) -> Vec<Span> {
        [self.caller.path.clone(), vec![self.function.name_span]].concat()
    }

    /// The loop that a place is in; all loops within one that is pipelined are unrolled. `None` in no loop, and beside loops of
    /// the same body: what is done once for each run of another loop keeps no port busy.
    pub(super) fn find_place(&self, at: Span, inner: Option<usize>) -> Option<Place> {
        let (function, caller) = (self.function, self.caller);
        if self.is_dataflow {
            let inner = inner.or_else(|| innermost(function, at));
            return inner.map(|_| Place { path: self.whole(), pipelined: false, index: None });
        }
        if self.pipelined {
            let path = caller.around.clone().unwrap_or_else(|| self.whole());
            return Some(Place { path, pipelined: true, index: None });
        }
        let mut chain = Vec::new();
        let mut next = inner.or_else(|| innermost(function, at));
        while let Some(index) = next {
            chain.push(index);
            next = function.loops.get(index).and_then(|one| one.parent);
        }
        let has = |index: &usize, is_it: fn(&DirectiveKind) -> bool| {
            list_directives(function, Some(*index)).iter().any(is_it)
        };
        let dataflow = chain.iter().rev().find(|index| has(index, is_dataflow));
        let outer = chain.iter().rev().find(|index| has(index, is_pipeline));
        let first = chain.first().filter(|index| !self.holds_loops(**index));
        let Some(_) = chain.first() else {
            return caller.around.clone().map(|path| Place { path, pipelined: false, index: None });
        };
        let index = *dataflow.or(outer).or(first)?;
        let one = function.loops.get(index)?;
        let path = [caller.path.clone(), vec![one.span]].concat();
        let pipelined = dataflow.is_none() && outer.is_some();
        Some(Place { path, pipelined, index: Some(index).filter(|_| dataflow.is_none()) })
    }

    /// Whether a read is of one element in all iterations of the loop that it is in: `scale[c]` beside `x[c][w]`. The tool takes it
    /// before the loop.
    pub(super) fn is_hoisted(&self, access: &Access, place: &Place) -> bool {
        let function = self.function;
        let Some(index) = place.index else { return false };
        let parent = |at: &usize| function.loops.get(*at)?.parent;
        let around: BTreeSet<&str> = std::iter::successors(parent(&index), parent)
            .filter_map(|at| function.loops[at].variable.as_deref())
            .collect();
        let is_fixed = |word: &str| {
            let own = function.loops[index].variable.as_deref() == Some(word);
            word.starts_with(|sign: char| sign.is_ascii_digit()) || (around.contains(word) && !own)
        };
        let body = function.loops[index].body;
        let writes = |other: &Access| {
            other.array == access.array
                && other.kind != AccessKind::Read
                && body.contains(other.span)
        };
        access.form == AccessForm::Subscript
            && access.kind == AccessKind::Read
            && !access.conditional
            && access.index.iter().all(|text| split_words(text).all(is_fixed))
            && !function.accesses.iter().any(writes)
    }

    /// Whether loops run within a loop, here or in what it calls.
    fn holds_loops(&self, index: usize) -> bool {
        let function = self.function;
        let is_inner = |&other: &usize| {
            let mut next = function.loops.get(other).and_then(|one| one.parent);
            while let Some(at) = next {
                if at == index {
                    return true;
                }
                next = function.loops.get(at).and_then(|one| one.parent);
            }
            false
        };
        let mut inner = (0..function.loops.len()).filter(is_inner);
        if inner.any(|other| !is_unrolled(function, other)) {
            return true;
        }
        let Some(body) = function.loops.get(index).map(|one| one.body) else { return false };
        let within = |call: &&Call| body.contains(call.span);
        let mut seen = BTreeSet::from([function.span]);
        function.calls.iter().filter(within).any(|call| self.calls_loop(call, &mut seen))
    }

    /// Whether a function that is called has loops that run one after another.
    pub(super) fn calls_loop(&self, call: &Call, seen: &mut BTreeSet<Span>) -> bool {
        let Some(callee) = self.bodies.find_callee(call) else { return false };
        if !seen.insert(callee.span) || self.bodies.is_pipelined(callee) {
            return false;
        }
        (0..callee.loops.len()).any(|index| !is_unrolled(callee, index))
            || callee.calls.iter().any(|inner| self.calls_loop(inner, seen))
    }
}

impl Bodies<'_> {
    /// Whether a function is pipelined as a whole. A loop without fixed bounds cannot be unrolled; above one, the directive has
    /// no effect.
    pub(super) fn is_pipelined(&self, function: &Function) -> bool {
        let known = self.pipelined.borrow().get(&function.span).copied();
        known.unwrap_or_else(|| {
            let asks = list_directives(function, None).iter().any(is_pipeline);
            let is_so = asks && has_fixed_bounds(function, self);
            self.pipelined.borrow_mut().insert(function.span, is_so);
            is_so
        })
    }
}

fn is_unrolled(function: &Function, index: usize) -> bool {
    let trips = function.loops.get(index).and_then(|one| one.trip_count);
    list_directives(function, Some(index)).iter().any(|one| match one {
        DirectiveKind::Unroll { factor: None } => true,
        DirectiveKind::Unroll { factor: Some(Count::Number(factor)) } => Some(*factor) == trips,
        _ => false,
    })
}

/// The directives of a function's body that are in no loop, or those of a loop.
pub(super) fn list_directives(function: &Function, of: Option<usize>) -> Vec<DirectiveKind> {
    let all = function.pragmas.iter().enumerate().filter(|(at, _)| match of {
        Some(index) => function.loops.get(index).is_some_and(|one| one.pragmas.contains(at)),
        None => !function.loops.iter().any(|one| one.pragmas.contains(at)),
    });
    all.filter_map(|(_, pragma)| pragma.directive().map(|one| one.kind)).collect()
}

pub(super) fn is_pipeline(kind: &DirectiveKind) -> bool {
    matches!(kind, DirectiveKind::Pipeline(one) if !one.off)
}

fn is_dataflow(kind: &DirectiveKind) -> bool {
    matches!(kind, DirectiveKind::Dataflow)
}

/// The innermost loop whose body holds a place.
fn innermost(function: &Function, at: Span) -> Option<usize> {
    let holds = |index: &usize| function.loops[*index].body.contains(at);
    (0..function.loops.len()).filter(holds).max_by_key(|index| function.loops[*index].depth)
}
