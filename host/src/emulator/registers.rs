use super::Kind;

/// Bit of the control register: start.
pub const START: u32 = 1;
/// Bit of the control register: the run has ended.
pub const DONE: u32 = 1 << 1;
/// Bit of the control register: nothing runs.
pub const IDLE: u32 = 1 << 2;

/// Where Vitis HLS puts the arguments among the control registers of `s_axilite`: from 0x10 on, one or two words each and a
/// reserved one after it.
pub fn offsets(kinds: &[Kind]) -> Vec<u32> {
    let mut next = 0x10_u32;
    let place = |kind: &Kind| {
        let here = next;
        let words = match kind {
            Kind::Scalar { bytes } if *bytes <= 4 => 1,
            Kind::Scalar { .. } | Kind::Port { .. } => 2,
        };
        next = next.saturating_add(4 * (words + 1));
        here
    };
    kinds.iter().map(place).collect()
}
