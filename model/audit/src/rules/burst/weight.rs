//! What accesses cost: the bytes that they move, and the cycles of their loops.

use std::collections::BTreeSet;

use derate_hls::{
    Burst, BurstVerdict, Count, DirectiveKind, Function, Report, count_iterations, find_small_loops,
};
use derate_units::figures::grouped;

use crate::AuditInput;

/// What moves fewer bytes in a run costs next to nothing.
const FEW: u64 = 512;
/// Cycles that an access without a burst waits for the memory.
const WAIT: u64 = 128;

/// Why accesses cost little in a run of the kernel; `None` where they do not, or where that is not known.
pub(super) fn find_small(
    input: &AuditInput<'_>,
    report: &Report,
    all: &[&Burst],
    bits: Option<u64>,
) -> Option<String> {
    if all.is_empty() {
        return None;
    }
    let words = |burst: &&Burst| {
        burst.variable.as_ref()?;
        count_words(input, report, burst)
    };
    let sum = |sum: u64, words: Option<u64>| Some(sum.saturating_add(words?));
    let words_of_all = all.iter().map(words).try_fold(0_u64, sum);
    let bytes = words_of_all.zip(bits).map(|(words, bits)| words.saturating_mul(bits) / 8);
    if bytes.is_some_and(|bytes| bytes < FEW) {
        return Some(format!("it moves fewer than {FEW} bytes in a run of the kernel"));
    }
    let is_burst =
        |burst: &&Burst| matches!(burst.verdict, BurstVerdict::Inferred | BurstVerdict::NotWidened);
    let cost = |burst: &&Burst| {
        let words = count_words(input, report, burst)?;
        Some(words.saturating_mul(if is_burst(burst) { 1 } else { WAIT }))
    };
    // Of a word that is not counted, all cycles of its loop.
    let (known, open): (Vec<&Burst>, Vec<&Burst>) =
        all.iter().copied().partition(|burst| cost(burst).is_some());
    let loops = open.iter().map(|burst| Some(burst.loop_name.as_ref()?.value.as_str()));
    let loops = loops.collect::<Option<BTreeSet<&str>>>().filter(|_| open.iter().all(is_burst))?;
    let words = known.iter().map(cost).try_fold(0_u64, sum)?;
    let small = find_small_loops(report, &loops, words)?;
    let [lost, whole] = [small.lost, small.whole].map(|cycles| grouped(cycles as f64));
    Some(format!("it takes {lost} of the {whole} cycles of a run"))
}

/// The words that an access moves in a run of the kernel: its loop may be unrolled in part, and the tool counts what is left.
fn count_words(input: &AuditInput<'_>, report: &Report, burst: &Burst) -> Option<u64> {
    let name = &burst.loop_name.as_ref()?.value;
    let of_loop = input.code.functions().flat_map(|function| {
        let own = 0..function.loops.len();
        own.filter(|&at| is_named(input, function, at, name)).map(move |at| (function, at))
    });
    let mut copies = of_loop.map(|(function, at)| count_copies(report, function, at));
    let copies = copies.try_fold(1_u64, |most, one| Some(most.max(one?)))?;
    Some(count_iterations(report, name)?.saturating_mul(copies))
}

/// Whether a loop of the source has the name of one of a report.
fn is_named(input: &AuditInput<'_>, function: &Function, at: usize, name: &str) -> bool {
    let one = &function.loops[at];
    let line = || name.strip_prefix("VITIS_LOOP_")?.split('_').next()?.parse::<usize>().ok();
    one.label.as_deref() == Some(name) || line() == Some(input.sources.line(one.span))
}

/// How often the tool copies the body of a loop: by its own `unroll`, and by the loops in it that the report does not have.
fn count_copies(report: &Report, function: &Function, at: usize) -> Option<u64> {
    let asked = |one: &derate_hls::Loop| {
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
            let mut loops = report.modules.iter().flat_map(derate_hls::Module::all_loops);
            loops.any(|other| other.name.value.contains(label))
        });
        if !is_left {
            copies = copies.saturating_mul(one.trip_count?);
        }
    }
    Some(copies)
}
