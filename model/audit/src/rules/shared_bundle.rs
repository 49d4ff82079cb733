//! Three or more ports of a kernel share one bundle, and two of them are used at the same time.
//!
//! ## What it does
//!
//! Groups the `m_axi` arguments of every function by their `bundle`; all bundles of a function are one finding. Arguments without one share a bundle of their own.
//! Three or more in one bundle are reported where at least two of them are read, or two written, in one body of a loop
//! or in one dataflow region, here or in a function that is called. What is in different
//! arms of one `if`, or in different cases of one `switch`, is not used at the same time; cases that run into one another are one. What is read in one loop and in another behind it loses nothing. Numbers
//! that are read beside a loop, once for each of its runs, do not count either, nor do those of one element in all iterations of a loop
//! (`scale[c]` beside `x[c][w]`): the tool reads them before it. Where no two of them make more than 256 accesses
//! in a run of the kernel, it is a note. So it is where those that are used at the same time, without the busiest of them,
//! make at most 2 % of the accesses to the kernel's busiest argument, or of the iterations of its longest loop: copies in front of a long computation. So it is where the loops in which they meet wait
//! for a sum for at least as many cycles as they have accesses. So it is where all that are used at the same time swap their pointers (`T *t = a; a = b; b = t;`,
//! or calls of one function with `a, b` and with `b, a`): such ports need one bundle. So are up to 64 accesses beside a loop of 1,024 iterations or more. The groups that cost
//! most are named first, without those that have so few accesses. The `pipeline` of a function counts where the bounds of all its
//! loops are made of numbers, constants, template arguments and counters. Above another bound the tool drops it. A
//! function that another one with ports calls is not judged: the tool ignores its interfaces.
//!
//! ## Why it matters
//!
//! A bundle is one AXI port with one channel for reads and one for writes. Arguments that share it take turns: an
//! analysis that gives each of them the bandwidth of a port counts the same port several times, and reads of the same
//! bundle in one loop break the bursts.
//!
//! ## Example
//!
//! ```cpp
//! #pragma HLS interface m_axi port=a bundle=gmem
//! #pragma HLS interface m_axi port=b bundle=gmem
//! #pragma HLS interface m_axi port=c bundle=gmem
//! for (int i = 0; i < n; i++)
//!     c[i] = a[i] + b[i];
//! ```
//!
//! ## How to fix
//!
//! Give the arguments that are used at the same time bundles of their own, and connect them to banks of their own.

use std::collections::{BTreeMap, BTreeSet};

use derate_hls::{Function, Sources, Span};
use derate_kernel::{HeldBy, LoopAnswer};
use serde_json::json;

use crate::AuditInput;
use crate::modelled::{each_kernel, line_span};
use crate::{Finding, Level};
use derate_hls::Resolver;
use derate_machine::m_axi::{Port, PortCallers, list_swapped, m_axi_ports};
use derate_machine::{ConcurrentUses, Meeting, SmallShare};
use derate_units::figures::list_few;

/// From this many on, arguments of one bundle are reported.
const MANY: usize = 3;
/// So many arguments of a bundle or a group are named, and so many groups.
const NAMED: usize = 8;
const GROUPS: usize = 4;

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let functions: Vec<&Function> = input.code.functions().collect();
    let no_tops = BTreeSet::new();
    let tops = input.tops().unwrap_or(&no_tops);
    let callers = PortCallers::list(&functions);
    let is_kernel = |one: &&&Function| tops.contains(&one.name) || !callers.call(one);
    let kernels = functions.iter().filter(is_kernel);
    let constants = input.code.constant_names();
    let resolver = Resolver::new(input.code.all_headers(), input.sources);
    let find = |one: &Function| ConcurrentUses::find(one, &functions, &constants, &resolver);
    let held = |name: &str, groups: &[Meeting<'_>]| is_held(input, name, groups);
    kernels.flat_map(|function| report_function(input.sources, function, find, held)).collect()
}

/// Whether a sum holds each loop in which arguments meet, and takes as many cycles as they have accesses: they wait for it.
fn is_held(input: &AuditInput<'_>, top: &str, groups: &[Meeting<'_>]) -> bool {
    let mut kernels = each_kernel(input).filter(|(_, kernel)| kernel.answer.top == top);
    let line = |span: Span| (span.file, input.sources.position(span).line);
    kernels.any(|(_, kernel)| {
        let waits = |at: Span, number: usize| {
            let is_it = |one: &&LoopAnswer| {
                line_span(input, kernel, one.place).is_some_and(|span| line(span) == line(at))
            };
            let is_slow = |one: &LoopAnswer| {
                matches!(one.held_by, Some(HeldBy::Recurrence { .. }))
                    && one.ii.is_some_and(|ii| ii >= number as u64)
            };
            let mut own = kernel.answer.loops.iter().filter(is_it).peekable();
            own.peek().is_some() && own.all(is_slow)
        };
        groups.iter().all(|one| {
            !one.places.is_empty() && one.places.iter().all(|at| waits(*at, one.names.len()))
        })
    })
}

fn report_function(
    sources: &Sources,
    function: &Function,
    find: impl Fn(&Function) -> ConcurrentUses,
    held: impl Fn(&str, &[Meeting<'_>]) -> bool,
) -> Vec<Finding> {
    let all = m_axi_ports(function);
    let mut bundles: BTreeMap<&str, Vec<&Port<'_>>> = BTreeMap::new();
    for port in &all {
        // A bundle that two pragmas dispute is not known.
        let Some(bundle) = &port.bundle else { continue };
        bundles.entry(bundle).or_default().push(port);
    }
    bundles.retain(|_, ports| ports.len() >= MANY);
    if bundles.is_empty() {
        return Vec::new();
    }
    let uses = find(function);
    let shared = bundles.into_iter();
    let swapped = list_swapped(sources, function, &all);
    let report = |(bundle, ports): (&str, Vec<&Port<'_>>)| {
        report_bundle(sources, function, all.len(), (bundle, &ports), (&uses, &swapped), &held)
    };
    shared.filter_map(report).collect()
}

/// The arguments that are used at the same time, a group for each of the first loops.
fn list_groups(groups: &[Meeting<'_>]) -> String {
    let shown = groups.iter().take(GROUPS).map(|one| list_few(&one.names, NAMED));
    let shown: Vec<String> = shown.collect();
    let more = match groups.len().saturating_sub(GROUPS) {
        0 => String::new(),
        1 => "; and 1 more group".to_owned(),
        more => format!("; and {more} more groups"),
    };
    format!("used at the same time: {}{more}", shown.join("; "))
}

/// Why it costs little that they share a port.
fn describe_share(sources: &Sources, SmallShare { accesses, work, at }: SmallShare) -> String {
    let rest = match at {
        Some(at) => {
            let line = sources.position(at).line;
            format!("of the {work} iterations at {}:{line}", sources.name(at.file))
        }
        None => format!("of the {work} accesses to the busiest argument"),
    };
    format!(
        "where they are used at the same time they make at most {accesses} accesses beside those of \
         the busiest one: less than 2 % {rest}"
    )
}

fn report_bundle(
    sources: &Sources,
    function: &Function,
    of: usize,
    (bundle, ports): (&str, &[&Port<'_>]),
    (uses, swapped): (&ConcurrentUses, &BTreeSet<String>),
    held: impl Fn(&str, &[Meeting<'_>]) -> bool,
) -> Option<Finding> {
    let (name, within, number) = (&function.name, function.qualified(), ports.len());
    let names: Vec<&str> = ports.iter().map(|port| port.parameter.name.as_str()).collect();
    let groups = uses.list_meeting(&names);
    if groups.is_empty() {
        return None;
    }
    let is_used = |name: &&&str| groups.iter().any(|group| group.names.contains(*name));
    let seldom = groups.iter().map(Meeting::seldom).collect::<Option<Vec<u64>>>();
    let seldom = seldom.and_then(|all| all.into_iter().max());
    let is_bound = groups.iter().all(|group| group.names.iter().all(|one| swapped.contains(*one)));
    let slight = uses.find_small_share(&names).filter(|_| seldom.is_none());
    let is_held = held(name, &groups);
    let is_light = seldom.is_some() || slight.is_some() || is_held;
    let level = if is_light || is_bound { Level::Note } else { Level::Warning };
    let bound: Vec<&str> = names.iter().filter(|name| swapped.contains(**name)).copied().collect();
    let swap = (!bound.is_empty())
        .then(|| format!("{} swap their pointers: they need one bundle", list_few(&bound, NAMED)));
    let shown: Vec<&[&str]> = groups.iter().map(|one| one.names.as_slice()).collect();
    let meeting: Vec<&str> = names.iter().filter(is_used).copied().collect();
    Some(
        Finding::new("kernel/shared-bundle", level, format!("{within}::{bundle}"))
            .in_group(within.clone())
            .with_cause(within.clone(), format!("bundle `{bundle}`"), number as f64)
            .with_message(format!(
                "{number} ports of `{name}` share bundle `{bundle}` and take turns"
            ))
            .with_label(
                ports.first()?.pragma,
                format!("{number} arguments share bundle `{bundle}`"),
            )
            .with_note(format!("bundle `{bundle}`: {}", list_few(&names, NAMED)))
            .with_note(list_groups(&groups))
            .with_notes(seldom.map(|times| {
                format!("two of them meet in at most {times} accesses of a run: that costs little")
            }))
            .with_notes(slight.map(|share| describe_share(sources, share)))
            .with_notes(is_held.then_some(
                "the loops in which they meet wait for a sum longer than for the bundle: others bring nothing before it is cut",
            ))
            .with_notes(swap)
            .with_note("a bundle is one AXI port: its bandwidth is divided, not multiplied")
            .with_help(if bound.is_empty() || is_bound {
                format!("give the arguments that `{name}` uses at the same time bundles and banks of their own")
            } else {
                let free: Vec<&str> =
                    meeting.iter().filter(|one| !swapped.contains(**one)).copied().collect();
                format!("give a bundle and a bank of its own to each of {}", list_few(&free, NAMED))
            })
            .with_evidence(json!({
                "function": within,
                "function_ports": of,
                "bundle": bundle,
                "ports": names,
                "used_together": meeting,
                "groups": shown,
            })),
    )
}
