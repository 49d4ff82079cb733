//! Follows the arguments of a kernel through its body and through what it calls.

use std::collections::{BTreeMap, BTreeSet};

use derate_hls::{Access, AccessForm, Call, Function, split_words};

use super::frame::Frame;
use super::weigh::Trips;
use super::{Bodies, Caller, ConcurrentUses, Uses, unwrap_task};

/// Calls are followed this deep.
const DEPTH: usize = 12;
/// No more uses are listed.
const USES: usize = 4000;

impl ConcurrentUses {
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

    pub(super) fn follow(&mut self, function: &Function, bodies: &Bodies<'_>, caller: &Caller) {
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
            let (times, whole) = trips.weigh(access, &nest, &bodies.size_of(argument));
            let one = Uses { arms: [(arm, None)].into(), times, whole };
            let is_sure = caller.arm.is_none() && !access.conditional;
            match access.form {
                AccessForm::Subscript | AccessForm::Dereference => {
                    self.count(argument, one.times, is_sure);
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
                    self.count(argument, one.times, is_sure);
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
