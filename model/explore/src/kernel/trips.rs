//! Trip counts of loops with constant bounds.

use derate_kernel::ir::Loop;

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
