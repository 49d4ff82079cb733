//! Where Vitis HLS puts the arguments of a kernel.
//!
//! All registers lie in one `s_axilite` block. The first sixteen bytes are the block's own: control, global interrupt
//! enable, interrupt enable, interrupt status. The arguments follow in their order from 0x10 on; each takes the 32-bit
//! words that its value needs and one word that stays free. A buffer's value is its address of 64 bit:
//!
//! ```text
//! void gemm(const float *a, const float *b, float *c, unsigned m, unsigned n, unsigned k)
//!      a 0x10, b 0x1c, c 0x28, m 0x34, n 0x3c, k 0x44
//! ```

use super::KernelArgumentKind;

/// Bit of the control register: start.
pub const START: u32 = 1;
/// Bit of the control register: the run has ended.
pub const DONE: u32 = 1 << 1;
/// Bit of the control register: nothing runs.
pub const IDLE: u32 = 1 << 2;
/// The first argument's register, in bytes from the block's start.
pub const FIRST_ARGUMENT: u32 = 0x10;

/// Bytes from one argument's register to the next one's, for a value of so many bytes.
pub fn register_span(bytes: u64) -> u64 {
    bytes.div_ceil(4).saturating_add(1).saturating_mul(4)
}

/// The same for a value that the kernel writes: it has a word that says whether it is new, and one that stays free.
pub fn result_span(bytes: u64) -> u64 {
    bytes.div_ceil(4).saturating_add(2).next_multiple_of(4).saturating_mul(4)
}

/// The registers of these arguments, in bytes from the block's start.
pub fn place_registers(kinds: &[KernelArgumentKind]) -> Vec<u32> {
    let mut next = FIRST_ARGUMENT;
    let place = |kind: &KernelArgumentKind| {
        let here = next;
        let span = match kind {
            KernelArgumentKind::Scalar { bytes } => register_span(u64::from(*bytes)),
            KernelArgumentKind::Result { bytes } => result_span(u64::from(*bytes)),
            KernelArgumentKind::Port { .. } => register_span(8),
            KernelArgumentKind::Stream { .. } => return 0,
        };
        next = next.saturating_add(u32::try_from(span).unwrap_or(u32::MAX));
        here
    };
    kinds.iter().map(place).collect()
}
