//! What a kernel leaves open if nobody says it: its loops.

use super::{Variation, VariationTarget};
use derate_kernel::Program;
use derate_kernel::ir::{Loop, Stmt};

/// A loop is not unrolled more often: larger designs take long to schedule and rarely fit.
const MOST_LANES: u64 = 64;

/// Unroll factors of every innermost loop, and a pipeline for every loop around one. Factors are the powers of two that divide
/// the trip count. Loops without a constant trip count, and functions with equal labels, are left as they are.
#[must_use]
pub fn propose_variations(program: &Program) -> Vec<Variation> {
    let mut found = Vec::new();
    for function in &program.functions {
        propose_in(&function.name, &function.body, &mut found);
    }
    found.dedup();
    found
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

fn propose_loop(function: &str, item: &Loop, found: &mut Vec<Variation>) {
    let (function, label) = (function.to_owned(), item.label.clone());
    if !has_loop(&item.body) {
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

fn has_loop(body: &[Stmt]) -> bool {
    body.iter().any(|stmt| match stmt {
        Stmt::Loop(_) | Stmt::Call(_) => true,
        Stmt::If(_, then, otherwise) => has_loop(then) || has_loop(otherwise),
        _ => false,
    })
}

/// A short loop without loops in it: what is around it may be pipelined, which unrolls it.
fn is_innermost(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Loop(item) => {
            !has_loop(&item.body) && count_trips(item).is_some_and(|trips| trips <= MOST_LANES)
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
