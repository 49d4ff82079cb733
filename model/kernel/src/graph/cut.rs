//! How arrays are cut into banks, and which bank an access goes to.

/// How a dimension is cut.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Cut {
    Whole,
    Cyclic(u64),
    Block(u64),
    Complete,
}

impl Cut {
    pub(crate) fn banks(self, length: u64) -> u64 {
        match self {
            Self::Whole => 1,
            // The length behind a pointer is not known.
            Self::Cyclic(factor) | Self::Block(factor) if length == 0 => factor.max(1),
            Self::Cyclic(factor) | Self::Block(factor) => factor.min(length).max(1),
            Self::Complete => length.max(1),
        }
    }

    /// The block that all values of an index are in.
    pub(super) fn block_of(self, length: u64, range: Option<(i64, i64)>) -> Option<i64> {
        let (Self::Block(factor), Some((low, high))) = (self, range) else { return None };
        let size = i64::try_from(length.div_ceil(factor.max(1)).max(1)).unwrap_or(i64::MAX);
        let block = low.div_euclid(size);
        (block == high.div_euclid(size)).then_some(block)
    }
}

/// Which bank an access goes to: in each dimension a rest, and what it is the rest of a division by. By 0 the bank is
/// known exactly, by 1 nothing is known.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Bank(pub(crate) Vec<(u64, u64)>);

impl Bank {
    /// A number that is the same for all banks that have the same rests by `moduli`.
    pub(crate) fn class(&self, moduli: &[u64]) -> u64 {
        let mut class = 0_u64;
        for (part, modulus) in self.0.iter().zip(moduli) {
            let rest = if *modulus == 0 { part.1 } else { part.1 % modulus };
            class = class.wrapping_mul(0x1_0000_01b3).wrapping_add(rest + 1);
        }
        class
    }

    /// Whether data choose among banks that others name exactly.
    pub(crate) fn is_open(&self, moduli: &[u64]) -> bool {
        let mut parts = self.0.iter().zip(moduli);
        parts.any(|(part, modulus)| *modulus == 0 && part.0 != 0)
    }
}

pub(crate) fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}
