use super::{BytesFrom, Measurement, Run, VerdictReason};

/// Bytes that nobody counted and no kernel was told to move: they may as well have come from a cache.
pub(super) fn check_formulas(run: &Run) -> Option<VerdictReason> {
    (run.bytes_from == Some(BytesFrom::Formulas)).then(|| {
        VerdictReason::new(
            "bytes",
            "`bytes_from` is `formulas`: its bytes are those of each operand once, wherever they came from, so that nothing says \
             what crossed the memory. Measure with read, write or memcpy; `derate compare` holds operators against their roofline.",
        )
    })
}

/// Bytes that are said to be counted where nobody counts: only derate's emulator sees a kernel's accesses.
pub(super) fn check_counted(measurement: &Measurement, run: &Run) -> Option<VerdictReason> {
    (run.bytes_from == Some(BytesFrom::Counted)).then(|| {
        VerdictReason::new(
            "counted",
            format!(
                "`bytes_from` is `counted`, and `device.kind` says {}: only derate's emulator counts bytes at a kernel's \
                 accesses. Say `arguments` where they are those that the kernel was told to move.",
                measurement.device.kind.as_str()
            ),
        )
    })
}
