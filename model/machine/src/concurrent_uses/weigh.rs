//! How many accesses a place makes in one run of a kernel.

use std::collections::{BTreeMap, BTreeSet};

use super::Bodies;
use super::frame::{is_pipeline, list_directives};
use derate_hls::{
    Access, AccessForm, Call, Count, DirectiveKind, Function, HlsType, Loop, Resolver, Settled,
    Span, split_words,
};

/// Accesses whose number is not known.
const UNKNOWN: u64 = u64::MAX;
/// So many accesses beside a loop that takes far longer, at most, are little in each of its runs.
const FEW: u64 = 64;
/// So many iterations of it take far longer.
const LONG: u64 = 1024;

/// A loop of a function.
#[derive(Clone, Debug)]
struct NestLoop {
    trips: Option<u64>,
    /// The iterations that run one after another: those that are unrolled run at once.
    serial: Option<u64>,
    variable: Option<String>,
    /// Whether loops that take far longer run in it, one after another with the place.
    is_long: bool,
}

/// The loops around a place, from the innermost on, here and in the callers.
#[derive(Clone, Debug, Default)]
pub(super) struct Nest(Vec<NestLoop>);

impl Nest {
    /// The iterations that run one after another, of all loops together.
    fn count_serial(&self) -> Option<u64> {
        self.0.iter().try_fold(1, |all: u64, one| Some(all.saturating_mul(one.serial?)))
    }
}

/// What is known of the size of an argument.
pub(super) struct Size {
    pub(super) elements: Option<u64>,
    pub(super) element_bytes: Option<u64>,
}

/// The loops of a function, counted for one call of it.
pub(super) struct Trips<'a> {
    function: &'a Function,
    resolver: &'a Resolver<'a>,
    counted: Vec<Option<u64>>,
    pub(super) values: BTreeMap<String, i128>,
    is_dataflow: bool,
}

impl<'a> Trips<'a> {
    pub(super) fn count(
        function: &'a Function,
        resolver: &'a Resolver<'a>,
        values: BTreeMap<String, i128>,
        is_dataflow: bool,
    ) -> Self {
        let trips = resolver.trip_counts(function, &values);
        let counted = trips.into_iter().map(Result::ok).collect();
        Self { function, resolver, counted, values, is_dataflow }
    }

    /// The loops from one on outwards.
    fn list_around(&self, inner: Option<usize>) -> Vec<usize> {
        let parent = |at: &usize| self.function.loops.get(*at)?.parent;
        std::iter::successors(inner, parent).collect()
    }

    /// The loops around a place of the function, and those of its caller. `calls` says whether a call runs loops.
    pub(super) fn around(&self, at: Span, outer: &Nest, calls: impl Fn(&Call) -> bool) -> Nest {
        let function = self.function;
        let holds = |index: &usize| function.loops[*index].body.contains(at);
        let inner = (0..function.loops.len()).filter(holds);
        let inner = inner.max_by_key(|index| function.loops[*index].depth);
        let chain = self.list_around(inner);
        let own = chain.iter().enumerate().map(|(place, &index)| {
            let within = place.checked_sub(1).and_then(|place| chain.get(place));
            let step = within.map_or(at, |inner| {
                let one = &function.loops[*inner];
                Span { end: one.body.end, ..one.span }
            });
            NestLoop {
                trips: self.counted.get(index).copied().flatten(),
                serial: self.count_serial(index),
                variable: function.loops[index].variable.clone(),
                is_long: !self.is_dataflow && self.is_long(index, &chain, step, &calls),
            }
        });
        Nest(own.chain(outer.0.iter().cloned()).collect())
    }

    /// Whether a loop holds others that take far longer than the step of it which is looked at. One of an unknown bound is not
    /// known to.
    fn is_long(
        &self,
        index: usize,
        chain: &[usize],
        step: Span,
        calls: impl Fn(&Call) -> bool,
    ) -> bool {
        let loops = &self.function.loops;
        let beside = (0..loops.len()).filter(|other| {
            !chain.contains(other)
                && self.list_around(Some(*other)).contains(&index)
                && !step.contains(loops[*other].span)
        });
        let mut longer = beside.map(|other| {
            let within = self.list_around(Some(other)).into_iter().take_while(|at| *at != index);
            let mut all = within.map(|at| self.counted[at]);
            all.try_fold(1, |all: u64, trips| Some(all.saturating_mul(trips?)))
        });
        let body = loops[index].body;
        longer.any(|trips| trips.is_some_and(|trips| trips >= LONG))
            || self.function.calls.iter().any(|call| {
                body.contains(call.span)
                    && !(call.span.contains(step) || step.contains(call.span))
                    && calls(call)
            })
    }

    /// The iterations of a loop that run one after another. Those in a pipelined loop are one, and a factor that is not a number,
    /// such as a placeholder, is not known to be above 1.
    fn count_serial(&self, index: usize) -> Option<u64> {
        let is_pipelined =
            |at: usize| list_directives(self.function, Some(at)).iter().any(is_pipeline);
        if self.list_around(Some(index)).into_iter().skip(1).any(is_pipelined) {
            return Some(1);
        }
        let trips = self.counted.get(index).copied().flatten();
        let own = list_directives(self.function, Some(index));
        let unrolled = own.iter().find_map(|one| match one {
            DirectiveKind::Unroll { factor } => Some(factor.as_ref()),
            _ => None,
        });
        match unrolled {
            Some(None) => Some(1),
            Some(Some(Count::Number(factor))) => {
                trips.map(|trips| trips.div_ceil((*factor).max(1)))
            }
            Some(Some(Count::Text(text))) => {
                let at = self.function.loops[index].span;
                let factor = self.value(at, text).ok().and_then(|one| u64::try_from(one).ok());
                trips.map(|trips| trips.div_ceil(factor.unwrap_or(1).max(1)))
            }
            None => trips,
        }
    }

    /// The iterations of each loop of the function in a run of the kernel, where they are known and the loop is always reached.
    pub(super) fn list_iterations(&self, outer: &Nest, pipelined: bool) -> Vec<(u64, Span)> {
        let loops = &self.function.loops;
        let around = outer.count_serial().filter(|_| !pipelined);
        let Some(around) = around else { return Vec::new() };
        let count = |index: usize| {
            let chain = self.list_around(Some(index));
            let is_sure = chain.iter().all(|at| !loops[*at].conditional && !loops[*at].exits);
            let mut all = chain.iter().map(|at| self.count_serial(*at));
            let own = all.try_fold(around, |all, one| Some(all.saturating_mul(one?)))?;
            is_sure.then_some((own, loops[index].span))
        };
        (0..loops.len()).filter_map(count).collect()
    }

    /// The accesses to an argument that one of the text makes in a run of the kernel, and all of them: few beside a loop that takes
    /// far longer are counted once in the first figure.
    pub(super) fn weigh(&self, access: &Access, nest: &Nest, size: &Size) -> (u64, u64) {
        let (mut times, extent) = (1, size.elements);
        if access.form == AccessForm::Copy {
            let bytes = access.bytes.as_ref().and_then(|text| self.value(access.span, text).ok());
            let bytes = bytes.and_then(|bytes| u64::try_from(bytes).ok());
            // Of an unknown width, it may be one of bytes.
            let elements = bytes.map(|bytes| bytes.div_ceil(size.element_bytes.unwrap_or(1)));
            times = elements.or(extent).unwrap_or(UNKNOWN).max(1);
        }
        let sweeps = |one: &NestLoop| {
            let is_it = |word: &str| Some(word) == one.variable.as_deref();
            // `a[i % 16]` and `a[next[i]]` come back to what they had.
            let returns = |text: &String| text.contains(['%', '&', '/', '[', '>']);
            !access.index.iter().any(returns)
                && access.index.iter().any(|text| split_words(text).any(is_it))
        };
        let (mut swept, mut light) = (false, None);
        for one in &nest.0 {
            if times <= FEW && one.is_long && !swept {
                light = light.or(Some(times));
            }
            match one.trips {
                Some(trips) => times = times.saturating_mul(trips),
                None if sweeps(one) && extent.is_some() => swept = true,
                None => return (light.unwrap_or(UNKNOWN), UNKNOWN),
            }
        }
        let whole = if swept { times.saturating_mul(extent.unwrap_or(UNKNOWN)) } else { times };
        (light.unwrap_or(whole), whole)
    }

    fn value(&self, at: Span, text: &str) -> Settled<i128> {
        self.resolver.value_within(self.function, at, text, &self.values)
    }
}

impl Bodies<'_> {
    /// The longest loop that a call without arguments of the kernel runs, of those whose iterations are known, and their number
    /// in a run of the kernel.
    pub(super) fn find_longest(
        &self,
        call: &Call,
        trips: &Trips<'_>,
        outer: &Nest,
    ) -> Option<(u64, Span)> {
        let loops = &trips.function.loops;
        // In a pipeline the loops of what is called are unrolled.
        let is_pipelined =
            |at: usize| list_directives(trips.function, Some(at)).iter().any(is_pipeline);
        let is_open = |(at, one): (usize, &Loop)| {
            one.body.contains(call.span) && (one.conditional || one.exits || is_pipelined(at))
        };
        if call.arm.is_some() || loops.iter().enumerate().any(is_open) {
            return None;
        }
        let callee = self.find_callee(call)?;
        let (own, at) = self.longest_within(callee)?;
        let around = trips.around(call.span, outer, |_| false).count_serial()?;
        Some((own.saturating_mul(around), at))
    }

    fn longest_within(&self, function: &Function) -> Option<(u64, Span)> {
        if let Some(known) = self.longest.borrow().get(&function.span) {
            return *known;
        }
        // A function that calls itself finds nothing here.
        self.longest.borrow_mut().insert(function.span, None);
        if self.is_pipelined(function) {
            return None;
        }
        let trips = Trips::count(function, self.resolver, BTreeMap::new(), false);
        let none = Nest::default();
        let inner = function.calls.iter().filter_map(|call| self.find_longest(call, &trips, &none));
        let longest = trips.list_iterations(&none, false).into_iter().chain(inner).max();
        self.longest.borrow_mut().insert(function.span, longest);
        longest
    }
}

/// The bytes of an element of each argument of a kernel whose type is known.
pub(super) fn list_element_bytes(top: &Function, resolver: &Resolver<'_>) -> BTreeMap<String, u64> {
    let bytes = |kind: &HlsType| {
        let mut kind = kind;
        while let HlsType::Pointer(element) | HlsType::Array { element, .. } = kind {
            kind = element;
        }
        kind.bytes_in_memory().filter(|bytes| *bytes > 0)
    };
    let sized = top
        .parameters
        .iter()
        .filter_map(|one| Some((one.name.clone(), bytes(resolver.parameter(top, one).known()?)?)));
    sized.collect()
}

/// The elements of the arguments of a kernel whose type or whose `depth=` has a number of them.
pub(super) fn list_extents(top: &Function, resolver: &Resolver<'_>) -> BTreeMap<String, u64> {
    let none = BTreeMap::new();
    let value = |at: Span, text: &str| {
        let value = resolver.value_within(top, at, text, &none).ok()?;
        u64::try_from(value).ok().filter(|value| *value > 1)
    };
    let dims = top.parameters.iter().filter(|one| !one.dims.is_empty()).filter_map(|one| {
        let mut all =
            one.dims.iter().map(|dim| dim.value.or_else(|| value(dim.span, &dim.expression)));
        let elements = all.try_fold(1_u64, |all, one| all.checked_mul(one?))?;
        Some((one.name.clone(), elements))
    });
    let depths = top.pragmas.iter().filter_map(|pragma| {
        let DirectiveKind::Interface(one) = pragma.directive()?.kind else { return None };
        let elements = match one.depth? {
            Count::Number(number) => Some(number).filter(|number| *number > 1),
            Count::Text(text) => value(pragma.span, &text),
        };
        Some((one.port?, elements?))
    });
    let mut all: BTreeMap<String, u64> = depths.collect();
    all.extend(dims);
    let own: BTreeSet<&str> = top.parameters.iter().map(|one| one.name.as_str()).collect();
    all.retain(|name, _| own.contains(name.as_str()));
    all
}
