//! How many words the accesses of a report move.

use derate_hls::{
    Burst, Count, DirectiveKind, Function, Loop, Module, Report, Sources, count_iterations,
};

use crate::Code;

/// The words that an access moves in a run of the kernel: its loop may be unrolled in part, and the tool counts what is left.
pub fn count_words(
    (code, sources): (&Code, &Sources),
    report: &Report,
    burst: &Burst,
) -> Option<u64> {
    let name = &burst.loop_name.as_ref()?.value;
    let of_loop = code.functions().flat_map(|function| {
        let own = 0..function.loops.len();
        own.filter(|&at| is_named(sources, function, at, name)).map(move |at| (function, at))
    });
    let mut copies = of_loop.map(|(function, at)| count_copies(report, function, at));
    let copies = copies.try_fold(1_u64, |most, one| Some(most.max(one?)))?;
    Some(count_iterations(report, name)?.saturating_mul(copies))
}

/// Whether a loop of the source has the name of one of a report.
fn is_named(sources: &Sources, function: &Function, at: usize, name: &str) -> bool {
    let one = &function.loops[at];
    let line = || name.strip_prefix("VITIS_LOOP_")?.split('_').next()?.parse::<usize>().ok();
    one.label.as_deref() == Some(name) || line() == Some(sources.line(one.span))
}

/// How often the tool copies the body of a loop: by its own `unroll`, and by the loops in it that the report does not have.
fn count_copies(report: &Report, function: &Function, at: usize) -> Option<u64> {
    let asked = |one: &Loop| {
        let pragmas = one.pragmas.iter().filter_map(|at| function.pragmas.get(*at)?.directive());
        pragmas.map(|one| one.kind).find_map(|kind| match kind {
            DirectiveKind::Unroll { factor } => Some(factor),
            _ => None,
        })
    };
    let mut copies = match asked(&function.loops[at]) {
        None => 1,
        Some(Some(Count::Number(factor))) => factor.max(1),
        // All of it, and it is a loop of the report all the same; or a factor by a name.
        Some(_) => return None,
    };
    let inner = function.loops.iter().filter(|one| one.parent == Some(at));
    for one in inner.filter(|one| asked(one).is_some()) {
        let is_left = one.label.as_deref().is_some_and(|label| {
            let mut loops = report.modules.iter().flat_map(Module::all_loops);
            loops.any(|other| other.name.value.contains(label))
        });
        if !is_left {
            copies = copies.saturating_mul(one.trip_count?);
        }
    }
    Some(copies)
}
