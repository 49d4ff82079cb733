//! What makes bursts and wide ports, by the number of the tool's reason.

use derate_hls::{Burst, MemoryPort, word_of};

/// What makes a burst of an access.
#[must_use]
pub fn advise_access(code: Option<&str>) -> String {
    let text = match code {
        Some("214-224") => "give the arrays that are used in one region bundles of their own",
        Some("214-229") => {
            "compute the address from the loop's counter, or copy in order into a local buffer"
        }
        Some("214-230") => {
            "go through the array in the order of its memory, or copy in order into a local buffer"
        }
        Some("214-231") => {
            "read all before what is written, or use a local buffer: the tool fears that both meet"
        }
        Some("214-232") => {
            "access in every iteration, outside the condition, and choose the value behind it"
        }
        _ => "copy in order into a local buffer, and give each array a bundle of its own",
    };
    text.to_owned()
}

/// What spares one value the way through memory.
#[must_use]
pub fn advise_lone_value() -> String {
    "give a lone value an `s_axilite` interface (`#pragma HLS interface s_axilite port=...`): a pointer without one becomes `m_axi`".to_owned()
}

/// What makes ports of this width wide. A width is not asked for again where the ports allow it; `memory` is the width of the chip's
/// own ports.
#[must_use]
pub fn advise_width(
    cause: Option<&Burst>,
    ports: &[&MemoryPort],
    width: u64,
    memory: Option<u64>,
) -> String {
    let wide = memory.unwrap_or(512);
    let widest = ports.iter().filter_map(|port| port.max_widen_bitwidth.as_ref()?.value.known());
    let text = match cause.and_then(|one| word_of(one.code.as_ref())) {
        Some("214-234") => {
            "let the tool see that lengths are multiples of a wide word: round a variable bound, `(n / 16) * 16`, or fix it".to_owned()
        }
        Some("214-235") => "let each access begin at a multiple of a wide word".to_owned(),
        Some("214-307") => {
            "align the pointer, with `__builtin_assume_aligned` or a wide type in the signature".to_owned()
        }
        _ => match widest.min() {
            Some(bits) if bits >= wide => {
                format!("use `ap_uint<{wide}>` or `hls::vector` in the signature")
            }
            // The Vivado IP flow does neither by default, and takes a pointer to be aligned to a byte (UG1399).
            Some(0) => format!(
                "let the tool widen the port, `config_interface -m_axi_max_widen_bitwidth {wide} -m_axi_alignment_byte_size {}` \
                 where its pointer is aligned so, or use `ap_uint<{wide}>` in the signature",
                wide / 8
            ),
            _ => format!(
                "let the port be wide: `max_widen_bitwidth={wide}`, or `ap_uint<{wide}>` in the signature"
            ),
        },
    };
    // A loop that moves one element in a cycle needs no wide port.
    let elements =
        wide.checked_div(width).filter(|elements| *elements > 1 && wide.is_multiple_of(width));
    let unroll = elements.map(|elements| {
        format!(
            "; and move a whole word in an iteration: unroll the loop by {elements}, and partition its local arrays to match"
        )
    });
    text + &unroll.unwrap_or_default()
}
