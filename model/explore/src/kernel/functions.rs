//! Functions whose loops are short: a pipeline of the whole function is open, which unrolls them.

use super::candidate::{Candidate, add};
use super::cuts::find_owners;
use super::extent::{MOST_LANES, STATEMENTS, explain_left};
use super::nest::Nests;
use super::unopened::NotOpened;
use super::variation::AS_WRITTEN;
use super::{Variation, VariationTarget};
use derate_kernel::ir::{Function, Stmt, any_in};
use derate_kernel::{KernelAnswer, constant_trips};

/// A function with fewer loops gains no more than its loop does.
const LEAST_LOOPS: usize = 2;

/// Opens the pipelines of functions. One with a loop that is long is named; one that uses a bus, or runs its parts at the same time,
/// stays as it is.
pub(super) fn open_functions(
    nests: &Nests<'_>,
    written: &KernelAnswer,
    found: &mut Vec<Candidate>,
    left: &mut Vec<NotOpened>,
) {
    for (at, function) in nests.program.functions.iter().enumerate() {
        let is_closed = uses_bus(nests, at, written)
            || nests.is_function_pipelined(function)
            || nests.has_dataflow(function);
        let loops = count_loops(&function.body);
        let Some(share) = find_share(nests, function).filter(|_| !is_closed) else { continue };
        if loops.all < LEAST_LOOPS {
            continue;
        }
        let target = VariationTarget::PipelineFunction { function: function.name.clone() };
        let variation = Variation { target, values: [AS_WRITTEN, "1"].map(str::to_owned).into() };
        let weight = nests.weigh(&function.body, 0);
        let fits = weight.is_some_and(|weight| weight <= STATEMENTS);
        if fits && loops.longest.is_some_and(|trips| trips <= MOST_LANES) {
            add(found, Candidate { variation, share: Some(share), is_advised: false });
        } else if loops.longest.is_some() {
            let reason = explain_left(weight, nests.calls_loops(&function.body));
            left.push(NotOpened::of_variation(&variation, Some(share), reason));
        }
    }
}

/// Whether a function is the top with a port behind a bus, or gets such a port.
fn uses_bus(nests: &Nests<'_>, at: usize, written: &KernelAnswer) -> bool {
    let program = nests.program;
    let Some(top) = program.functions.first() else { return false };
    let buses: Vec<&str> = {
        let buses = written.ports.iter().filter(|port| port.kind == "m_axi");
        buses.map(|port| port.name.as_str()).collect()
    };
    let function = &program.functions[at];
    let mut parameters = function.parameters.iter().filter_map(|id| function.objects.get(*id));
    parameters.any(|parameter| {
        let owners = find_owners(program, &function.name, &parameter.name);
        let of_top = owners.iter().filter(|(owner, _)| *owner == 0);
        let mut names = of_top.filter_map(|(_, id)| top.objects.get(*id));
        names.any(|one| buses.contains(&one.name.as_str()))
    })
}

/// The loops of a body.
struct Loops {
    all: usize,
    /// Most trips of one; `None` where those of one are not constant.
    longest: Option<u64>,
}

fn count_loops(body: &[Stmt]) -> Loops {
    let mut loops = Loops { all: 0, longest: Some(0) };
    any_in(body, &mut |stmt| {
        if let Stmt::Loop(item) = stmt {
            loops.all += 1;
            let own = constant_trips(item);
            loops.longest = loops.longest.zip(own).map(|(most, own)| most.max(own));
        }
        false
    });
    loops
}

/// The share of the cycles that the outer loops of a function have together; `None` where none of them is scheduled.
fn find_share(nests: &Nests<'_>, function: &Function) -> Option<f64> {
    let own: Vec<_> =
        nests.runs.iter().filter(|one| one.answer.function == function.name).collect();
    let outer = own.iter().map(|one| one.answer.nest).min()?;
    let outer = own.iter().filter(|one| one.answer.nest == outer);
    let shares: Option<Vec<f64>> = outer.map(|one| nests.find_share(one)).collect();
    shares.map(|shares| shares.iter().sum::<f64>().min(1.0))
}
