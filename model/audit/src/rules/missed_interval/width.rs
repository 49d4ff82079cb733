//! Whether a bus may be wider than its elements.

use derate_estimate::{KernelModels, ModelledKernel};
use derate_kernel::{HeldBy, LoopAnswer};

use crate::AuditInput;
use crate::modelled::may_widen;

/// Why a bus may have several of the accesses in one beat: the tool makes it wide by itself.
pub(super) fn doubt_width(
    input: &AuditInput<'_>,
    models: &KernelModels,
    kernel: &ModelledKernel,
    one: &LoopAnswer,
) -> Option<String> {
    let Some(HeldBy::Memory { array, .. }) = &one.held_by else { return None };
    (kernel.is_bus(array) && may_widen(input, models, kernel, array)).then(|| {
        format!(
            "where the tool makes `{array}` wider (`max_widen_bitwidth`), one beat may have several of them"
        )
    })
}
