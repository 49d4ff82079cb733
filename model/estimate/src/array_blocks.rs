//! The block memories that arrays fill at least, and those that a report has.

use derate_hls::Synthesis;
use derate_kernel::ArrayAnswer;

use crate::ModelledKernel;

/// The blocks that the bits of an array fill, in however many banks they are.
#[must_use]
pub fn count_filled(one: &ArrayAnswer, is_uram: bool) -> f64 {
    let (blocks, size) = if is_uram { (one.uram, 288 << 10) } else { (one.bram18, 18 << 10) };
    #[allow(clippy::cast_precision_loss)]
    let filled = one.copies as f64 * one.bits.div_ceil(size) as f64;
    filled.min(blocks)
}

/// The blocks of an array if each of them were filled: a bank shares none with another one, and a block has words of at most
/// 36 bits, one of `UltraRAM` of 72.
#[must_use]
pub fn count_full(one: &ArrayAnswer, is_uram: bool) -> f64 {
    let (blocks, size, widest) =
        if is_uram { (one.uram, 288 << 10, 72) } else { (one.bram18, 18 << 10, 36) };
    let bank = one.bits.div_ceil(one.banks.max(1));
    let least = bank.div_ceil(size).max(u64::from(one.word.div_ceil(widest)));
    #[allow(clippy::cast_precision_loss)]
    let filled = one.copies as f64 * one.banks as f64 * least as f64;
    filled.min(blocks)
}

/// Whether a report of a kernel says that its compute units fit.
#[must_use]
pub fn fits_by_report(
    synthesis: &Synthesis,
    kernel: &ModelledKernel,
    is_uram: bool,
    available: f64,
) -> bool {
    count_used(synthesis, kernel, is_uram).is_some_and(|used| used <= available)
}

/// What the compute units of a kernel take by a report of it.
#[must_use]
pub fn count_used(synthesis: &Synthesis, kernel: &ModelledKernel, is_uram: bool) -> Option<f64> {
    let name = if is_uram { "URAM" } else { "BRAM_18K" };
    let used = synthesis.resources.get(name)?.used.value.known()?;
    #[allow(clippy::cast_precision_loss)]
    let all = used as f64 * kernel.units as f64;
    (synthesis.top == kernel.answer.top).then_some(all)
}
