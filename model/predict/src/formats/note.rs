//! What to know beside the figures: above all where values that are passed around are wrong.

use super::FormatRow;
use derate_machine::Target;
use derate_units::{Encoding, Precision};

/// What to know of an encoding, where a wrong count of its bits is passed around.
pub fn note_encoding(encoding: Encoding) -> Option<&'static str> {
    Some(match encoding {
        Encoding::NVFP4 => {
            "4.5 bits, and 32 for the whole tensor; the 4.53 that is passed around holds for a tensor of 1,024 elements, and makes \
             33.1 us of a GEMV of 4096 x 4096 at 287 GB/s, where about 30 us are told. It moves 3.56 times fewer bytes than FP16, not 4.0 times"
        }
        Encoding::NF4 => {
            "4.5 bits with the FP32 constants of QLoRA, 4.127 with double quantisation; the 4.25 that \
             is passed around takes them for 16 bits"
        }
        Encoding::NF4_DOUBLE => {
            "4.127 bits; the 4.25 that is passed around is neither this nor NF4 without double quantisation"
        }
        encoding if encoding == Precision::INT4.into() => {
            "no scales: in use a group of 128 has one of 16 bits, 4.125 bits in all (int4-g128)"
        }
        _ => return None,
    })
}

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
             allocator is no measure of them: it is what is held, not what moves, and active and allocated bytes \
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
