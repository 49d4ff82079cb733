//! When the arguments of a kernel are used: in which loop, or in which process of a dataflow, here and in what it calls.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use derate_hls::{AccessKind, Arm, Call, Function, Resolver, Span, bare_name};

mod fixed_bounds;
mod follow;
mod frame;
mod meeting;
mod weigh;

pub use meeting::{Meeting, SmallShare};
use weigh::{Nest, Size, list_element_bytes, list_extents};

/// So many accesses in one run of a kernel, at most, are no traffic: some hundred bytes.
const FEW: u64 = 256;

/// Uses of one direction that may be in the same cycles.
#[derive(Clone, Debug, Eq, PartialEq, Ord, PartialOrd)]
struct Together {
    /// The calls that lead to the place, and the loop: its head, or the body of a pipelined function.
    place: Vec<Span>,
    writes: bool,
}

/// Where an argument is used: the arm of an `if`, and the process of a dataflow; `None` is in none.
type Arms = BTreeSet<(Option<Arm>, Option<Span>)>;

/// The uses of an argument in one place.
#[derive(Clone, Debug, Default)]
struct Uses {
    arms: Arms,
    /// The accesses in a run of the kernel; those beside a loop that takes far longer count once for each of the loop's runs.
    times: u64,
    /// All accesses in a run of the kernel, at most.
    whole: u64,
}

/// The arguments that are used together, by place and direction.
#[derive(Debug, Default)]
pub struct ConcurrentUses {
    together: BTreeMap<Together, BTreeMap<String, Uses>>,
    /// The accesses of each argument in a run of the kernel.
    totals: BTreeMap<String, u64>,
    /// The same without those that are under a condition.
    least: BTreeMap<String, u64>,
    /// The arguments that have uses which are not followed: through another pointer, or in a call whose body is not known.
    open: BTreeSet<String>,
    /// The arguments that have any use that is known.
    used: BTreeSet<String>,
    /// The iterations of the loop that has most in a run of the kernel, of those whose number is known.
    longest: u64,
    longest_at: Option<Span>,
    number: usize,
}

/// The call that a task of TAPA makes of its first argument, `task().invoke(load, a, b)`; others as they are.
fn unwrap_task(call: &Call) -> Cow<'_, Call> {
    match call.arguments.split_first() {
        Some((function, arguments)) if is_task(call) => Cow::Owned(Call {
            callee: function.trim().to_owned(),
            arguments: arguments.to_vec(),
            ..call.clone()
        }),
        _ => Cow::Borrowed(call),
    }
}

/// Whether a call starts a task of TAPA: it runs at the same time as the others.
fn is_task(call: &Call) -> bool {
    bare_name(&call.callee) == "invoke"
}

/// Where a function is called from.
#[derive(Clone, Default)]
struct Caller {
    /// What its parameters are: arguments of the kernel.
    arguments: BTreeMap<String, String>,
    path: Vec<Span>,
    /// The loop of a caller that runs it.
    around: Option<Vec<Span>>,
    /// Whether a caller is pipelined with all that it calls.
    pipelined: bool,
    /// The arm that the call is in.
    arm: Option<Arm>,
    /// The loops around the call.
    nest: Nest,
    /// What is known of the parameters' values.
    values: BTreeMap<String, i128>,
    depth: usize,
}

/// What is known of the functions that may be called.
struct Bodies<'a> {
    functions: &'a [&'a Function],
    constants: &'a BTreeSet<&'a str>,
    resolver: &'a Resolver<'a>,
    /// The elements of the kernel's arguments, by their names.
    extents: BTreeMap<String, u64>,
    /// The bytes of an element of each of them.
    element_bytes: BTreeMap<String, u64>,
    /// Whether a function is pipelined as a whole, where it was asked for.
    pipelined: RefCell<BTreeMap<Span, bool>>,
    /// The longest loop of a function without arguments of the kernel, and its iterations in one call.
    longest: RefCell<BTreeMap<Span, Option<(u64, Span)>>>,
}

impl<'a> Bodies<'a> {
    fn size_of(&self, argument: &str) -> Size {
        Size {
            elements: self.extents.get(argument).copied(),
            element_bytes: self.element_bytes.get(argument).copied(),
        }
    }

    /// The function that is called; `None` where the design has no body of it, or several.
    fn find_callee(&self, call: &Call) -> Option<&'a Function> {
        let name = bare_name(&call.callee);
        let is_it = |one: &&&Function| {
            one.name == name && one.body.is_some() && one.parameters.len() == call.arguments.len()
        };
        let mut all = self.functions.iter().filter(is_it);
        let first = all.next()?;
        all.all(|other| other.span == first.span).then_some(*first)
    }
}

impl ConcurrentUses {
    /// The uses of a kernel's arguments; functions are those of the design, constants the names of those of its files.
    pub fn find(
        top: &Function,
        functions: &[&Function],
        constants: &BTreeSet<&str>,
        resolver: &Resolver<'_>,
    ) -> Self {
        let mut uses = Self::default();
        let extents = list_extents(top, resolver);
        let element_bytes = list_element_bytes(top, resolver);
        let pipelined = RefCell::default();
        let longest = RefCell::default();
        let bodies =
            &Bodies { functions, constants, resolver, extents, element_bytes, pipelined, longest };
        let names = top.parameters.iter().map(|one| (one.name.clone(), one.name.clone()));
        let caller = Caller { arguments: names.collect(), ..Caller::default() };
        uses.follow(top, bodies, &caller);
        uses
    }

    /// Whether all uses of an argument are known, and are few.
    pub fn is_light(&self, name: &str) -> bool {
        !self.is_open(name) && self.totals.get(name).is_some_and(|times| *times <= FEW)
    }

    /// Whether any use of an argument is known.
    pub fn has_use(&self, name: &str) -> bool {
        self.used.contains(name)
    }

    /// Whether any use of an argument is repeated in a loop, or in a process of a dataflow.
    pub fn is_repeated(&self, name: &str) -> bool {
        self.together.values().any(|all| all.contains_key(name))
    }

    /// Whether an argument may have uses beyond those that are known.
    pub fn is_open(&self, name: &str) -> bool {
        self.open.contains(name)
    }

    fn add(&mut self, place: &[Span], kind: AccessKind, one: &Uses, argument: &str) {
        self.number += 1;
        for writes in [false, true] {
            let counts = match kind {
                AccessKind::Read => !writes,
                AccessKind::Write => writes,
                AccessKind::ReadWrite => true,
            };
            if counts {
                let key = Together { place: place.to_vec(), writes };
                self.join(key, argument, one);
            }
        }
    }

    fn join(&mut self, key: Together, argument: &str, one: &Uses) {
        let place = self.together.entry(key).or_default();
        place.entry(argument.to_owned()).or_default().join(one);
    }

    /// Counts the accesses of an argument, also those that are in no loop.
    fn count(&mut self, argument: &str, times: u64, is_sure: bool) {
        let all = is_sure.then_some(&mut self.least).into_iter().chain([&mut self.totals]);
        for all in all {
            let total = all.entry(argument.to_owned()).or_default();
            *total = total.saturating_add(times);
        }
    }

    /// Takes in what a process of a dataflow uses, which is called at `at`: it runs at the same time as the other processes of the
    /// `whole`. What its own loops use one after another does not meet.
    fn join_process(&mut self, process: Self, at: Span, whole: &[Span]) {
        self.number += process.number;
        self.open.extend(process.open);
        self.used.extend(process.used);
        self.note_longest(process.longest, process.longest_at);
        for (key, all) in process.together {
            for (argument, uses) in all {
                let whole = Together { place: whole.to_vec(), writes: key.writes };
                let arms = uses.arms.iter().map(|(arm, _)| (*arm, Some(at))).collect();
                self.join(whole, &argument, &Uses { arms, ..uses.clone() });
                self.join(key.clone(), &argument, &uses);
            }
        }
        for (own, all) in [(&mut self.totals, process.totals), (&mut self.least, process.least)] {
            for (argument, times) in all {
                let total = own.entry(argument).or_default();
                *total = total.saturating_add(times);
            }
        }
    }

    fn note_longest(&mut self, iterations: u64, at: Option<Span>) {
        if iterations > self.longest {
            (self.longest, self.longest_at) = (iterations, at);
        }
    }
}

impl Uses {
    fn join(&mut self, other: &Self) {
        self.arms.extend(&other.arms);
        self.times = self.times.saturating_add(other.times);
        self.whole = self.whole.saturating_add(other.whole);
    }
}
