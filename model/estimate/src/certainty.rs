//! How sure an interval is.

use std::ops::RangeInclusive;

use derate_hls::is_vitis;
use derate_kernel::{HeldBy, LoopAnswer};
use derate_units::figures::grouped;

use crate::unread::has_unknown;
use crate::{KernelModels, ModelledKernel};

/// Versions that cut local arrays by themselves, banks of a directive among them; none of their logs is known that shows an
/// array outside functions.
const CUTS_SOME_GLOBALS: RangeInclusive<(u16, u16)> = (2022, 2)..=(2024, 1);

/// Whether the array that holds the interval may have more ports: a function of another file may cut what it is passed,
/// the tool may cut an array outside functions, and Vivado HLS a dimension with constant subscripts.
#[must_use]
pub fn may_be_cut(kernel: &ModelledKernel, one: &LoopAnswer, tool: (u16, u16)) -> bool {
    let Some(HeldBy::Memory { array, .. }) = &one.held_by else { return false };
    if kernel.is_bus(array) || kernel.is_stream(array) {
        return false;
    }
    let program = &kernel.program;
    program.functions.iter().any(|function| function.is_incomplete)
        || !is_vitis(tool) && kernel.is_cut_by_constants(one)
        || CUTS_SOME_GLOBALS.contains(&tool) && program.globals.iter().any(|one| one.name == *array)
}

/// The interval that is certain: what the tool may put in another order, do before the loop, or give one port does not count.
/// A stream takes one word in a cycle whatever is done. A bus whose words have several numbers may have all in one beat.
#[must_use]
pub fn find_least(kernel: &ModelledKernel, one: &LoopAnswer) -> Option<u64> {
    let reached = one.ii?;
    match one.held_by.as_ref()? {
        HeldBy::Memory { array, .. } if kernel.is_stream(array) => Some(reached),
        HeldBy::Memory { array, .. } if kernel.is_bus(array) && !kernel.is_plain_bus(array) => {
            Some(1)
        }
        HeldBy::Recurrence { least, .. } | HeldBy::Memory { least, .. } => {
            Some(*least.min(&reached))
        }
        HeldBy::Target | HeldBy::Module(_) => None,
    }
}

/// The interval that the accesses of an iteration need at the most: those that cannot be to one bank do not add up.
#[must_use]
pub fn find_most(one: &LoopAnswer) -> Option<u64> {
    let reached = one.ii?;
    match &one.held_by {
        Some(HeldBy::Memory { most: Some((_, cycles)), .. }) if one.port_ii == one.ii => {
            Some(reached.min(*cycles))
        }
        _ => Some(reached),
    }
}

/// The slowest clock of the reports that the latencies of operators are from, as a period in ns.
const SLOWEST_NS: f64 = 10.5;

/// Why the latency of the operation that holds the interval is not certain.
#[must_use]
pub fn doubt_latencies(
    models: &KernelModels,
    kernel: &ModelledKernel,
    one: &LoopAnswer,
) -> Vec<String> {
    if !matches!(one.held_by, Some(HeldBy::Recurrence { .. })) {
        return Vec::new();
    }
    let lent = models.settings.part.family.lent_numbers().map(str::to_owned);
    let assumed = models.assumes_clock.then(|| {
        "no file names a clock: at a slower one the operation takes fewer cycles".to_owned()
    });
    let slow = (1e9 / kernel.clock.0 > SLOWEST_NS).then(|| {
        "the latencies of operators are from reports at 100 MHz and faster: at this clock they are estimated"
            .to_owned()
    });
    lent.into_iter().chain(models.doubt_part()).chain(assumed).chain(slow).collect()
}

/// Whether the interval may be longer than the model's: another process of a dataflow may use a port of the array, or data
/// decide how often the loop runs.
#[must_use]
pub fn is_bound(kernel: &ModelledKernel, one: &LoopAnswer) -> bool {
    let top = kernel.program.functions.first();
    let is_argument = |array: &str| {
        top.is_some_and(|top| {
            let mut names = top.parameters.iter().filter_map(|&at| top.objects.get(at));
            names.any(|object| object.name == array)
        })
    };
    let shares = matches!(&one.held_by, Some(HeldBy::Memory { array, .. }) if is_argument(array));
    // An access whose bank the data decide may need more.
    let is_cut = matches!(&one.held_by, Some(HeldBy::Memory { array, .. })
        if kernel.answer.arrays.iter().any(|it| it.name == *array && it.banks > 1));
    shares && !kernel.answer.regions.is_empty() || has_unknown(kernel, one) || is_cut
}

/// What the interval costs each time the loop runs, where the trip count is known.
#[must_use]
#[allow(clippy::cast_precision_loss)]
pub fn count_cycles(one: &LoopAnswer, asked: u64, reached: u64) -> Option<String> {
    let (least, most, _) = one.trip.filter(|_| !one.trip_rests_on_type)?;
    let fixed = (least - most).abs() < 0.5 && most > 1.0;
    let cycles = |ii: u64| grouped((most - 1.0) * ii as f64 + one.depth);
    fixed.then(|| {
        format!(
            "{} iterations: {} cycles at II={reached}, {} at II={asked}",
            grouped(most),
            cycles(reached),
            cycles(asked)
        )
    })
}
