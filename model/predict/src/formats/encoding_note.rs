//! What to know of an encoding.

use derate_units::{Encoding, Precision};

/// What to know of an encoding, where a wrong count of its bits is passed around.
pub fn note_encoding(encoding: Encoding) -> Option<&'static str> {
    Some(match encoding {
        Encoding::NVFP4 => {
            "4.5 bits, and 32 for the whole tensor; the 4.53 that is passed around holds for a tensor of 1,024 elements, and makes \
             33.1 us of a GEMV of 4096 x 4096 at 287 GB/s, where about 30 us are reported. It moves 3.56 times fewer bytes than FP16, not 4.0 times"
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
