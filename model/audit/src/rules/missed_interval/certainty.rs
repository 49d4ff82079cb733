//! How sure an interval is.

use std::ops::RangeInclusive;

use derate_estimate::{KernelModels, ModelledKernel};
use derate_kernel::ir::{Function, Object, ObjectKind, Written};
use derate_kernel::{HeldBy, LoopAnswer};

use crate::AuditInput;
use crate::input::doubt_part;
use crate::modelled::may_widen;

/// Versions that cut local arrays by themselves, banks of a directive among them; none of their logs is known that shows an
/// array outside functions.
const CUTS_SOME_GLOBALS: RangeInclusive<(u16, u16)> = (2022, 2)..=(2024, 1);

/// Whether the array that holds the interval may have more ports: a function of another file may cut what it is passed, and
/// the tool may cut an array outside functions.
pub(super) fn may_be_cut(kernel: &ModelledKernel, one: &LoopAnswer, tool: (u16, u16)) -> bool {
    let Some(HeldBy::Memory { array, .. }) = &one.held_by else { return false };
    if is_bus(kernel, array) || is_stream(kernel, array) {
        return false;
    }
    let program = &kernel.program;
    program.functions.iter().any(|function| function.is_incomplete)
        || CUTS_SOME_GLOBALS.contains(&tool) && program.globals.iter().any(|one| one.name == *array)
}

/// Whether nothing writes the array that holds the interval, in whichever function it is: the tool does not build it.
pub(super) fn is_unwritten(kernel: &ModelledKernel, one: &LoopAnswer) -> bool {
    let Some(HeldBy::Memory { array, .. }) = &one.held_by else { return false };
    let own = |function: &Function, at: usize| !function.parameters.contains(&at);
    let locals = kernel.program.functions.iter().flat_map(|function| {
        let objects = function.objects.iter().enumerate();
        objects.filter(move |(at, _)| own(function, *at)).map(|(_, object)| object)
    });
    let all = locals.chain(&kernel.program.globals);
    let mut named = all.filter(|object| object.name == *array).peekable();
    named.peek().is_some() && named.all(|object| object.written == Written::Nowhere)
}

/// The interval that is certain: what the tool may put in another order, do before the loop, or give one port does not count.
/// A stream takes one word in a cycle whatever is done. A bus whose words have several numbers may have all in one beat.
pub(super) fn find_least(kernel: &ModelledKernel, one: &LoopAnswer) -> Option<u64> {
    let reached = one.ii?;
    match one.held_by.as_ref()? {
        HeldBy::Memory { array, .. } if is_stream(kernel, array) => Some(reached),
        HeldBy::Memory { array, .. } if is_bus(kernel, array) && !is_plain_bus(kernel, array) => {
            Some(1)
        }
        HeldBy::Recurrence { least, .. } | HeldBy::Memory { least, .. } => {
            Some(*least.min(&reached))
        }
        HeldBy::Target | HeldBy::Module(_) => None,
    }
}

/// Whether an array is an `m_axi` port of the kernel.
pub(super) fn is_bus(kernel: &ModelledKernel, array: &str) -> bool {
    kernel.answer.ports.iter().any(|port| port.kind == "m_axi" && port.name == array)
}

/// The same, of single numbers in one dimension: words of vectors and of structs have several numbers in one access.
fn is_plain_bus(kernel: &ModelledKernel, array: &str) -> bool {
    let top = kernel.program.functions.first();
    let own = top.into_iter().flat_map(|top| &top.objects).find(|one| one.name == array);
    is_bus(kernel, array) && own.is_some_and(|one| one.lanes == 0 && one.dims.len() <= 1)
}

/// Whether an array is a stream, inside the kernel or as a port.
pub(super) fn is_stream(kernel: &ModelledKernel, array: &str) -> bool {
    let objects = kernel.program.functions.iter().flat_map(|function| &function.objects);
    let mut named = objects.chain(&kernel.program.globals).filter(|one| one.name == array);
    let is_one = |object: &Object| object.kind == ObjectKind::Stream;
    named.next().is_some_and(is_one) && named.all(is_one)
}

/// Why a bus may have several of the accesses in one beat: the tool makes it wide by itself.
pub(super) fn doubt_width(
    input: &AuditInput<'_>,
    models: &KernelModels,
    kernel: &ModelledKernel,
    one: &LoopAnswer,
) -> Option<String> {
    let Some(HeldBy::Memory { array, .. }) = &one.held_by else { return None };
    (is_bus(kernel, array) && may_widen(input, models, kernel, array)).then(|| {
        format!(
            "where the tool makes `{array}` wider (`max_widen_bitwidth`), one beat may have several of them"
        )
    })
}

/// The slowest clock of the reports that the latencies of operators are from, as a period in ns.
const SLOWEST_NS: f64 = 10.5;

/// Why the latency of the operation that holds the interval is not certain.
pub(super) fn doubt_latencies(
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
    lent.into_iter().chain(doubt_part(models)).chain(assumed).chain(slow).collect()
}
