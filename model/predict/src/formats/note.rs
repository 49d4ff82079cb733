//! What to know beside the figures: above all where values that are passed around are wrong.

use super::FormatRow;
use derate_machine::Target;

/// What to know of all rows, which have bytes where an operator is studied.
pub(super) fn note_study(
    rows: &[FormatRow],
    has_bytes: bool,
    target: Option<&Target>,
) -> Vec<String> {
    let mut notes = Vec::new();
    if has_bytes {
        notes.push(
            "Bytes are those of operands and results, each read or written once a pass. The peak of an \
             allocator is not a measure of them: it is what is held, not what moves, and active and allocated bytes \
             together count twice."
                .to_owned(),
        );
    }
    if rows.iter().any(|row| row.rho.is_some()) {
        notes.push(
            "rho is the operational intensity over the ridge of that arithmetic, both in operations a byte. A ridge of \
             TFLOP/s over GB/s makes rho 1,000 times too large."
                .to_owned(),
        );
    }
    if rows.iter().any(|row| !row.bit_intensity.is_empty()) {
        notes.push(
            "The study that proposes a bit-level intensity defines it twice, F w / (B b) in its text and F w / (8 B) x 32 / b \
             in its code, four times the other, and with other circuit weights w. All weights are assumed; formats \
             without one have no such intensity."
                .to_owned(),
        );
    }
    match target {
        Some(Target::Card(card)) => notes.push(format!(
            "Peaks of {} are those of its default shell and kernel clock with every DSP slice in use; the bandwidth is what \
             its memory's pins carry, and `derate platform {}` lists what ports get of it.",
            card.title, card.name
        )),
        Some(Target::Processor(processor)) => {
            notes.extend(processor.disputes(true, |arithmetic| {
                rows.iter().any(|row| row.arithmetic == arithmetic && row.peak.is_some())
            }));
        }
        None => {}
    }
    notes
}
