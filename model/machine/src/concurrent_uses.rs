//! When the arguments of a kernel are used: in which loop, or in which process of a dataflow, here and in what it calls.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use derate_hls::{
    Access, AccessForm, AccessKind, Arm, Call, Function, Resolver, Span, bare_name, split_words,
};

mod fixed_bounds;
mod frame;
mod weigh;

use frame::Frame;
use weigh::{Nest, Trips, list_extents};

/// Calls are followed this deep.
const DEPTH: usize = 12;
/// No more uses are listed.
const USES: usize = 4000;
/// So many accesses in one run of a kernel, at most, are no traffic: some hundred bytes.
const FEW: u64 = 256;
/// One part in so many of the kernel's work is a small one.
const SMALL: u64 = 50;

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
    /// The accesses in a run of the kernel.
    times: u64,
}

/// Arguments that are used at the same time.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Meeting<'a> {
    /// The arguments.
    pub names: Vec<&'a str>,
    /// The accesses in a run of the kernel that at least two of them make; the largest number where they are not known.
    times: u64,
    /// The accesses of all of them but the busiest: the cycles that a port each would save, at most.
    cost: u64,
    /// The loops, or the bodies of pipelined functions, that they meet in.
    pub places: Vec<Span>,
}

impl Meeting<'_> {
    /// The accesses that at least two of them make in a run of the kernel.
    pub fn times(&self) -> u64 {
        self.times
    }

    /// How often a run of the kernel has them meet, at most, where that is so seldom that it costs nothing.
    pub fn seldom(&self) -> Option<u64> {
        (self.times <= FEW).then_some(self.times)
    }
}

/// What meetings cost beside the rest of the kernel.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SmallShare {
    /// The cycles that ports of their own would save, at most.
    pub cycles: u64,
    /// What the kernel does at least: accesses to one argument, or iterations of one loop.
    pub work: u64,
    /// The loop; `None` where it is accesses to one argument.
    pub at: Option<Span>,
}

/// The arguments that are used together, by place and direction.
#[derive(Debug, Default)]
pub struct ConcurrentUses {
    together: BTreeMap<Together, BTreeMap<String, Uses>>,
    /// The accesses of each argument in a run of the kernel.
    totals: BTreeMap<String, u64>,
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
    /// Whether a function is pipelined as a whole, where it was asked for.
    pipelined: RefCell<BTreeMap<Span, bool>>,
    /// The longest loop of a function without arguments of the kernel, and its iterations in one call.
    longest: RefCell<BTreeMap<Span, Option<(u64, Span)>>>,
}

impl<'a> Bodies<'a> {
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
        let pipelined = RefCell::default();
        let longest = RefCell::default();
        let bodies = &Bodies { functions, constants, resolver, extents, pipelined, longest };
        let names = top.parameters.iter().map(|one| (one.name.clone(), one.name.clone()));
        let caller = Caller { arguments: names.collect(), ..Caller::default() };
        uses.follow(top, bodies, &caller);
        uses
    }

    /// Which arguments of `names` are used at the same time, in one direction: each of a group with each other one of it. Those
    /// that make few accesses are left out of a group where others make more. The groups that cost most are first.
    pub fn list_meeting<'a>(&self, names: &[&'a str]) -> Vec<Meeting<'a>> {
        let mut groups: Vec<Meeting<'a>> = Vec::new();
        for (key, all) in &self.together {
            join_groups(&mut groups, names, &key.place, all);
        }
        keep_whole(&groups, names)
    }

    /// Which arguments of `names` are used at the same time, whatever their directions: the group that costs most.
    pub fn find_meeting<'a>(&self, names: &[&'a str]) -> Option<Meeting<'a>> {
        let mut places: BTreeMap<&[Span], BTreeMap<String, Uses>> = BTreeMap::new();
        for (key, all) in &self.together {
            let place = places.entry(&key.place).or_default();
            for (name, uses) in all {
                place.entry(name.clone()).or_default().join(uses);
            }
        }
        let mut groups = Vec::new();
        for (place, all) in places {
            join_groups(&mut groups, names, place, &all);
        }
        keep_whole(&groups, names).into_iter().next()
    }

    /// What meetings cost, where a loop of the kernel or the accesses to one argument take fifty times as long.
    pub fn find_small_share(&self, meetings: &[Meeting<'_>]) -> Option<SmallShare> {
        let known = self.totals.values().copied().filter(|total| *total < u64::MAX);
        let busiest = known.max().unwrap_or_default();
        let cycles = meetings.iter().fold(0_u64, |all, one| all.saturating_add(one.cost));
        let (work, at) = match self.longest_at {
            Some(at) if self.longest > busiest => (self.longest, Some(at)),
            _ => (busiest, None),
        };
        (cycles < work / SMALL).then_some(SmallShare { cycles, work, at })
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
    fn count(&mut self, argument: &str, times: u64) {
        let total = self.totals.entry(argument.to_owned()).or_default();
        *total = total.saturating_add(times);
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
                self.join(whole, &argument, &Uses { arms, times: uses.times });
                self.join(key.clone(), &argument, &uses);
            }
        }
        for (argument, times) in process.totals {
            self.count(&argument, times);
        }
    }

    fn note_longest(&mut self, iterations: u64, at: Option<Span>) {
        if iterations > self.longest {
            (self.longest, self.longest_at) = (iterations, at);
        }
    }

    /// Notes an argument that is handed on to what is not followed.
    fn note_handed(
        &mut self,
        function: &Function,
        bodies: &Bodies<'_>,
        access: &Access,
        argument: &str,
    ) {
        let at = access.span;
        let holds = |call: &&Call| {
            call.span.file == at.file && call.span.start <= at.start && at.end <= call.span.end
        };
        let calls = function.calls.iter().filter(holds);
        let innermost = calls.min_by_key(|call| call.span.end - call.span.start);
        let is_followed = innermost.is_some_and(|call| {
            let call = &*unwrap_task(call);
            let mentions = |text: &&String| split_words(text).any(|word| word == access.array);
            let mut all = call.arguments.iter().filter(mentions);
            bodies.find_callee(call).is_some()
                && all.all(|text| first_name(text) == Some(&access.array))
        });
        if !is_followed || access.form == AccessForm::Stream {
            self.open.insert(argument.to_owned());
        }
    }

    fn follow(&mut self, function: &Function, bodies: &Bodies<'_>, caller: &Caller) {
        if caller.depth > DEPTH || self.number > USES {
            self.open.extend(caller.arguments.values().cloned());
            return;
        }
        self.number += 1;
        let frame = Frame::new(function, bodies, caller);
        let calls = |call: &Call| frame.calls_loop(call, &mut BTreeSet::from([function.span]));
        let trips =
            Trips::count(function, bodies.resolver, caller.values.clone(), frame.is_dataflow);
        if caller.arm.is_none() {
            for (iterations, at) in trips.list_iterations(&caller.nest, frame.pipelined) {
                self.note_longest(iterations, Some(at));
            }
        }
        for access in &function.accesses {
            let Some(argument) = caller.arguments.get(&access.array) else { continue };
            self.used.insert(argument.clone());
            let parameter = function.parameters.iter().find(|one| one.name == access.array);
            let rank = parameter.map_or(0, |one| one.dims.len() + usize::from(one.pointer));
            // A row of an array is an address, not an element.
            if access.form == AccessForm::Subscript && access.index.len() < rank {
                self.note_handed(function, bodies, access, argument);
                continue;
            }
            let (kind, arm) = (access.kind, caller.arm.or(access.arm));
            let nest = trips.around(access.span, &caller.nest, calls);
            let extent = bodies.extents.get(argument).copied();
            let one =
                Uses { arms: [(arm, None)].into(), times: trips.weigh(access, &nest, extent) };
            match access.form {
                AccessForm::Subscript | AccessForm::Dereference => {
                    self.count(argument, one.times);
                    if let Some(place) = frame.find_place(access.span, access.loop_index)
                        && !frame.is_hoisted(access, &place)
                    {
                        self.add(&place.path, kind, &one, argument);
                    }
                }
                // A copy is a loop of its own.
                AccessForm::Copy => {
                    let alone = [caller.path.clone(), vec![access.span]].concat();
                    let place = if frame.is_dataflow { frame.whole() } else { alone };
                    self.count(argument, one.times);
                    self.add(&place, kind, &one, argument);
                }
                // What a call does with them is followed below.
                AccessForm::Stream | AccessForm::Address | AccessForm::Whole => {
                    self.note_handed(function, bodies, access, argument);
                }
            }
        }
        for call in &function.calls {
            let call = &*unwrap_task(call);
            let Some(callee) = bodies.find_callee(call) else { continue };
            let pairs = callee.parameters.iter().zip(&call.arguments);
            let arguments: BTreeMap<String, String> = pairs
                .filter_map(|(parameter, text)| {
                    let argument = caller.arguments.get(first_name(text)?)?;
                    Some((parameter.name.clone(), argument.clone()))
                })
                .collect();
            if arguments.is_empty() {
                if let Some((iterations, at)) = bodies.find_longest(call, &trips, &caller.nest)
                    && caller.arm.is_none()
                    && !frame.pipelined
                {
                    self.note_longest(iterations, Some(at));
                }
                continue;
            }
            let arm = caller.arm.or(call.arm);
            let mut path = caller.path.clone();
            path.push(call.span);
            let depth = caller.depth + 1;
            let nest = trips.around(call.span, &caller.nest, calls);
            let values = bodies.resolver.call_values(function, call, callee, &trips.values);
            if frame.is_dataflow {
                // Processes run at the same time, whatever their own loops are.
                let mut inner = Self::default();
                let within =
                    Caller { arguments, path, arm, nest, values, depth, ..Caller::default() };
                inner.follow(callee, bodies, &within);
                self.join_process(inner, call.span, &frame.whole());
                continue;
            }
            let place = frame.find_place(call.span, None);
            let pipelined = place.as_ref().is_some_and(|place| place.pipelined);
            let around = place.map(|place| place.path);
            let within = Caller { arguments, path, around, pipelined, arm, nest, values, depth };
            self.follow(callee, bodies, &within);
        }
    }
}

impl Uses {
    fn join(&mut self, other: &Self) {
        self.arms.extend(&other.arms);
        self.times = self.times.saturating_add(other.times);
    }
}

/// Adds the groups of arguments that meet in one place, each of which has those that meet one of them.
fn join_groups<'a>(
    groups: &mut Vec<Meeting<'a>>,
    names: &[&'a str],
    place: &[Span],
    all: &BTreeMap<String, Uses>,
) {
    let own: Vec<(&'a str, &Uses)> =
        names.iter().filter_map(|&name| Some((name, all.get(name)?))).collect();
    for first in 0..own.len() {
        let mut group = vec![own[first]];
        for &other in &own {
            let is_new = group.iter().all(|(name, _)| *name != other.0);
            if is_new && group.iter().all(|(_, uses)| may_meet(&uses.arms, &other.1.arms)) {
                group.push(other);
            }
        }
        let many = group.iter().filter(|(_, uses)| uses.times > FEW).count();
        if many > 1 {
            group.retain(|(_, uses)| uses.times > FEW);
        }
        let mut all: Vec<u64> = group.iter().map(|(_, uses)| uses.times).collect();
        all.sort_unstable();
        let cost = all.iter().rev().skip(1).fold(0_u64, |sum, times| sum.saturating_add(*times));
        let Some(times) = all.len().checked_sub(2).and_then(|at| all.get(at).copied()) else {
            continue;
        };
        let mut group: Vec<&str> = group.into_iter().map(|(name, _)| name).collect();
        group.sort_by_key(|name| names.iter().position(|one| one == name));
        match groups.iter_mut().find(|one| one.names == group) {
            Some(known) => {
                known.times = known.times.max(times);
                if place.last().is_none_or(|at| !known.places.contains(at)) {
                    known.cost = known.cost.saturating_add(cost);
                }
                known.places.extend(place.last());
            }
            None => {
                groups.push(Meeting {
                    names: group,
                    times,
                    cost,
                    places: place.last().copied().into_iter().collect(),
                });
            }
        }
    }
}

/// The groups that are no part of a larger one which costs as much, those that cost most first.
fn keep_whole<'a>(groups: &[Meeting<'a>], names: &[&str]) -> Vec<Meeting<'a>> {
    let is_part = |group: &Meeting<'_>| {
        let holds = |other: &Meeting<'_>| {
            group.names.iter().all(|name| other.names.contains(name)) && other.times >= group.times
        };
        groups.iter().any(|other| other.names.len() > group.names.len() && holds(other))
    };
    let mut whole: Vec<Meeting<'_>> = groups.iter().filter(|one| !is_part(one)).cloned().collect();
    let place = |one: &Meeting<'_>| names.iter().position(|name| one.names.first() == Some(name));
    whole.sort_by_key(|one| (std::cmp::Reverse(one.times), place(one)));
    if whole.iter().any(|one| one.times > FEW) {
        whole.retain(|one| one.times > FEW);
    }
    whole
}

/// Whether two arguments are used at once: in arms of which one does not exclude the other, and not in one process.
fn may_meet(own: &Arms, other: &Arms) -> bool {
    let excludes = |a: Option<Arm>, b: Option<Arm>| a.zip(b).is_some_and(|(a, b)| a.excludes(&b));
    let is_one = |a: Option<Span>, b: Option<Span>| a.is_some() && a == b;
    let meet = |a: &(Option<Arm>, Option<Span>), b: &(Option<Arm>, Option<Span>)| {
        !excludes(a.0, b.0) && !is_one(a.1, b.1)
    };
    own.iter().any(|a| other.iter().any(|b| meet(a, b)))
}

/// The name that an argument begins with: `in` of `&in[4 * i]`, of `in + n` and of `(word *)in`.
fn first_name(text: &str) -> Option<&str> {
    let text = text.trim_start_matches(['&', '*', ' ', '(']);
    let text = match text.split_once(')') {
        Some((cast, rest)) if cast.ends_with('*') && !rest.trim().is_empty() => rest.trim(),
        _ => text,
    };
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    text.get(..end).filter(|name| !name.is_empty())
}
