//! What a kernel leaves open if nobody says it: its loops.

use super::{Variation, VariationTarget};
use derate_kernel::ir::{Loop, Stmt, any_in};
use derate_kernel::{PortAnswer, PortGroup, Program, group_ports};

/// A loop is not unrolled more often: larger designs take long to schedule and rarely fit.
const MOST_LANES: u64 = 64;
/// Statements that the unrolled loops of a wide port may have.
const STATEMENTS: u64 = 2000;

/// Unroll factors of every innermost loop, and a pipeline for every loop around one. Factors are the powers of two that divide
/// the trip count. Loops without a constant trip count, and functions with equal labels, are left as they are.
///
/// Narrow ports behind a bus get their widths instead: their loops are unrolled to the lanes.
#[must_use]
pub fn propose_variations(program: &Program, ports: &[PortAnswer]) -> Vec<Variation> {
    let mut found = Vec::new();
    for function in &program.functions {
        propose_in(&function.name, &function.body, &mut found);
    }
    found.dedup();
    let groups = group_ports(program, ports);
    for group in groups.iter().filter(|group| is_worth(group)) {
        let is_own = |one: &Variation| match &one.target {
            VariationTarget::Unroll { function, label } => {
                group.loops.contains(&(function.clone(), label.clone()))
            }
            _ => false,
        };
        // A loop without a factor cannot be unrolled: its trips are not known.
        if found.iter().any(is_own) {
            found.retain(|one| !is_own(one));
            found.push(widen_group(group));
        }
    }
    found
}

/// Whether the engine can schedule the loops of the ports at their full width.
fn is_worth(group: &PortGroup) -> bool {
    group.most_lanes() > 1 && group.most_lanes() * group.statements as u64 <= STATEMENTS
}

/// The widths that the ports of a group may have, in powers of two.
fn widen_group(group: &PortGroup) -> Variation {
    let bits = group.ports.first().map_or(1, |port| port.1);
    let lanes = (0..).map(|n| 1_u64 << n).take_while(|lanes| *lanes <= group.most_lanes());
    Variation {
        target: VariationTarget::Port {
            ports: group.ports.iter().map(|port| port.0.clone()).collect(),
        },
        values: lanes.map(|lanes| (bits * lanes).to_string()).collect(),
    }
}

fn propose_in(function: &str, body: &[Stmt], found: &mut Vec<Variation>) {
    for stmt in body {
        match stmt {
            Stmt::If(_, then, otherwise) => {
                propose_in(function, then, found);
                propose_in(function, otherwise, found);
            }
            Stmt::Loop(item) => {
                propose_loop(function, item, found);
                propose_in(function, &item.body, found);
            }
            _ => {}
        }
    }
}

/// Whether a directive can name a loop: that of a `memcpy` or of a first value `= {0}` is in no source.
fn has_name(item: &Loop) -> bool {
    item.labelled || item.label.starts_with("VITIS_LOOP_")
}

fn propose_loop(function: &str, item: &Loop, found: &mut Vec<Variation>) {
    if !has_name(item) {
        return;
    }
    let (function, label) = (function.to_owned(), item.label.clone());
    if !has_parts(&item.body) {
        let factors: Vec<String> = list_factors(item).iter().map(u64::to_string).collect();
        if factors.len() > 1 {
            let target = VariationTarget::Unroll { function, label };
            found.push(Variation { target, values: factors });
        }
    } else if item.body.iter().any(is_innermost) {
        let values = ["as-written", "1"].map(str::to_owned).into();
        found.push(Variation { target: VariationTarget::Pipeline { function, label }, values });
    }
}

/// Whether there is a loop or a call in statements.
fn has_parts(body: &[Stmt]) -> bool {
    any_in(body, &mut |stmt| matches!(stmt, Stmt::Loop(_) | Stmt::Call(_)))
}

/// A short loop without loops in it: what is around it may be pipelined, which unrolls it.
fn is_innermost(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Loop(item) => {
            !has_parts(&item.body) && count_trips(item).is_some_and(|trips| trips <= MOST_LANES)
        }
        _ => false,
    }
}

/// Trips of a loop with constant bounds.
pub(super) fn count_trips(item: &Loop) -> Option<u64> {
    let (first, end) = (item.first?, item.end.as_ref()?.constant()?);
    if item.step == 0 {
        return None;
    }
    let span = (end - first) * item.step.signum();
    let step = item.step.abs();
    u64::try_from((span.max(0) + step - 1) / step).ok()
}

fn list_factors(item: &Loop) -> Vec<u64> {
    let Some(trips) = count_trips(item) else { return vec![1] };
    let powers = (0..).map(|n| 1_u64 << n).take_while(|factor| *factor <= MOST_LANES.min(trips));
    powers.filter(|factor| trips % factor == 0).collect()
}
