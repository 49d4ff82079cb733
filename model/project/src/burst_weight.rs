//! What accesses cost: the bytes that they move, and the cycles of their loops.

use std::collections::BTreeSet;

use crate::Code;
use crate::access_words::count_words;
use derate_hls::{
    Access, AccessForm, Burst, BurstVerdict, Function, Report, SmallCost, Sources,
    find_small_loops, is_by_default, is_outside_loops, top_name, word_of,
};
use derate_units::figures::grouped;

/// What moves fewer bytes in a run costs next to nothing.
const FEW: u64 = 512;
/// Cycles that an access without a burst waits for the memory.
const WAIT: u64 = 128;

/// `1,449 of the 2,548,093,730 cycles of a run`.
#[must_use]
#[allow(clippy::cast_precision_loss)]
pub fn describe_share(cost: &SmallCost) -> String {
    let [lost, whole] = [cost.lost, cost.whole].map(|cycles| grouped(cycles as f64));
    let more = if cost.is_bound { " or more" } else { "" };
    format!("{lost} of the {whole}{more} cycles of a run")
}

/// Why accesses cost little in a run of the kernel; `None` where they do not, or where that is not known.
#[must_use]
pub fn find_small(
    (code, sources): (&Code, &Sources),
    report: &Report,
    all: &[&Burst],
    bits: Option<u64>,
) -> Option<String> {
    if all.is_empty() {
        return None;
    }
    let words = |burst: &&Burst| {
        burst.variable.as_ref()?;
        count_words((code, sources), report, burst)
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
        let words = count_words((code, sources), report, burst)?;
        Some(words.saturating_mul(if is_burst(burst) { 1 } else { WAIT }))
    };
    let (known, open): (Vec<&Burst>, Vec<&Burst>) =
        all.iter().copied().partition(|burst| cost(burst).is_some());
    let loops = open.iter().map(|burst| Some(burst.loop_name.as_ref()?.value.as_str()));
    let loops = loops.collect::<Option<BTreeSet<&str>>>().filter(|_| open.iter().all(is_burst))?;
    let words = known.iter().map(cost).try_fold(0_u64, sum)?;
    let small = find_small_loops(report, &loops, words)?;
    Some(format!("it takes {}", describe_share(&small)))
}

/// Why the access to a lone value costs little.
pub const LONE_VALUE: &str =
    "the report has no loop for it: a single access, which is never a burst";

/// Why an access is the single one of a lone value: the report has it in no loop, and the source never counts along the argument. Where
/// the source is not here, the argument has no interface of its own.
#[must_use]
pub fn find_lone_value(
    code: &Code,
    reports: &[Report],
    report: &Report,
    burst: &Burst,
) -> Option<&'static str> {
    let name = word_of(burst.variable.as_ref())?;
    let has_it = |one: &&Function| {
        one.name == top_name(report) && one.parameters.iter().any(|own| own.name == name)
    };
    let mut bodies = code.functions().filter(|one| one.body.is_some()).filter(has_it).peekable();
    let is_lone = if bodies.peek().is_some() {
        bodies.all(|one| is_lone_value(one, name))
    } else {
        is_by_default(reports, report, name)
    };
    (is_lone && is_outside_loops(report, burst)).then_some(LONE_VALUE)
}

/// Whether a function uses an argument as one value, and not in its innermost loops.
fn is_lone_value(function: &Function, name: &str) -> bool {
    let is_innermost = |at: usize| !function.loops.iter().any(|one| one.parent == Some(at));
    let is_lone = |one: &Access| {
        matches!(one.form, AccessForm::Subscript | AccessForm::Dereference)
            && one.index.iter().all(|index| index.trim() == "0")
            && !one.loop_index.is_some_and(is_innermost)
    };
    let mut own = function.accesses.iter().filter(|one| one.array == name).peekable();
    own.peek().is_some() && own.all(is_lone)
}
