//! Ports that swap their pointers.

use std::collections::BTreeSet;

use derate_hls::{Call, Function, Sources};

use super::Port;

/// The ports that swap their pointers: in assignments of the kernel's text, or in calls of one function.
pub fn list_swapped(
    sources: &Sources,
    function: &Function,
    ports: &[Port<'_>],
) -> BTreeSet<String> {
    let text = function.body.map_or("", |body| sources.slice(body));
    let assigned: BTreeSet<(&str, &str)> = text
        .split([';', '{', '}'])
        .filter_map(|line| {
            let (left, right) = line.split_once('=')?;
            Some((left.split(['*', ' ', '\t', '\n']).rfind(|word| !word.is_empty())?, right.trim()))
        })
        .collect();
    let sets = |a: &str, b: &str| assigned.contains(&(a, b));
    let through = |a: &str, b: &str| {
        let mut kept = assigned.iter().filter(|(_, right)| *right == a);
        sets(a, b) && kept.any(|(kept, _)| sets(b, kept))
    };
    let place = |call: &Call, name: &str| call.arguments.iter().position(|one| one.trim() == name);
    let is_called = |a: &str, b: &str| {
        function.calls.iter().any(|call| {
            let (Some(first), Some(second)) = (place(call, a), place(call, b)) else {
                return false;
            };
            call.callee.ends_with("swap")
                || function.calls.iter().any(|other| {
                    other.callee == call.callee
                        && place(other, a) == Some(second)
                        && place(other, b) == Some(first)
                })
        })
    };
    let names = || ports.iter().map(|port| port.parameter.name.as_str());
    let is_swapped = |a: &&str| {
        names().any(|b| **a != *b && (through(a, b) || through(b, a) || is_called(a, b)))
    };
    names().filter(is_swapped).map(str::to_owned).collect()
}
