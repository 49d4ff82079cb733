//! Data that do not fit into the memory that they are said to lie in.

use super::setup::Setup;
use super::{KernelKind, Run, VerdictReason};
use derate_units::Bytes;
use derate_units::figures::quantity;

/// A repetition that is about more bytes than the whole memory holds, in as many kernel calls as it counts.
pub(super) fn check_capacity(kind: KernelKind, run: &Run, setup: &Setup) -> Option<VerdictReason> {
    let bytes = match kind {
        KernelKind::Read => run.bytes_read?,
        KernelKind::Write => run.bytes_written?,
        KernelKind::Memcpy => run.bytes()?,
        // Their operands are read again and again.
        KernelKind::Gemm | KernelKind::Gemv | KernelKind::Attention | KernelKind::Mlp => {
            return None;
        }
    };
    let holds = setup.memory.capacity()?;
    // Each call may go over the same buffers.
    let calls = run.launches.map_or(1.0, |calls| calls.max(1) as f64);
    let each: Bytes = bytes * (1.0 / calls);
    (each > holds).then(|| {
        VerdictReason::new(
            "capacity",
            format!(
                "A repetition moves {} in each of its kernel calls, and {} holds {}: so much does not lie \
                 there at once. Where the calls went over the buffers several times, count them in `launches`; give the bytes of \
                 one pass, and its time.",
                quantity(each),
                setup.memory.title,
                quantity(holds)
            ),
        )
    })
}
