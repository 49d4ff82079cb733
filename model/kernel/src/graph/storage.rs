//! Arrays and streams as hardware: how they are cut into banks, and what each bank is made of.

use super::Linear;
use crate::ir::{ObjectKind, Place, Scalar};

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
            Self::Cyclic(factor) | Self::Block(factor) => factor.clamp(1, length.max(1)),
            Self::Complete => length.max(1),
        }
    }
}

/// What a bank is made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Implementation {
    /// Flip-flops: any number of accesses.
    Registers,
    /// LUT memory.
    Lutram,
    /// Block memory.
    Bram,
    /// Large block memory.
    Uram,
    /// A memory outside of the kernel, `ap_memory`.
    Port,
    /// A memory behind a bus, `m_axi`.
    Bus,
    /// A queue.
    Fifo,
}

/// Which bank an access goes to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Bank {
    /// This one.
    One(u64),
    /// Any of them, by the data.
    Any,
}

/// An array, a stream or a scalar of the design.
#[derive(Clone, Debug)]
pub(crate) struct Storage {
    pub(crate) name: String,
    pub(crate) kind: ObjectKind,
    pub(crate) ty: Scalar,
    pub(crate) dims: Vec<u64>,
    pub(crate) cuts: Vec<Cut>,
    /// Elements of these dimensions share a word.
    pub(crate) words: Vec<Cut>,
    pub(crate) implementation: Implementation,
    /// Accesses to a bank in one cycle: reads, writes, together.
    pub(crate) ports: (u32, u32, u32),
    /// Cycles from the address to the data.
    pub(crate) read_latency: u32,
    pub(crate) is_top: bool,
    pub(crate) is_constant: bool,
    pub(crate) is_static: bool,
    /// The bus that it shares with others.
    pub(crate) bundle: Option<String>,
    /// The depth that a directive gives a stream.
    pub(crate) depth: Option<u64>,
    pub(crate) place: Place,
    /// Asked for by a directive.
    pub(crate) core: Option<String>,
}

impl Storage {
    /// How many banks there are.
    pub(crate) fn banks(&self) -> u64 {
        let mut banks = 1_u64;
        for (cut, length) in self.cuts.iter().zip(&self.dims) {
            banks = banks.saturating_mul(cut.banks(*length));
        }
        banks
    }

    /// Elements in all.
    pub(crate) fn elements(&self) -> u64 {
        self.dims.iter().fold(1, |product, length| product.saturating_mul((*length).max(1)))
    }

    /// Elements that share a word.
    pub(crate) fn word(&self) -> u64 {
        let mut word = 1_u64;
        for (cut, length) in self.words.iter().zip(&self.dims) {
            word = word.saturating_mul(cut.banks(*length));
        }
        word
    }

    /// Which bank an element is in.
    pub(crate) fn bank(&self, index: &[Linear]) -> Bank {
        let mut bank = 0_u64;
        for (at, (cut, length)) in self.cuts.iter().zip(&self.dims).enumerate() {
            let banks = cut.banks(*length);
            if banks <= 1 {
                continue;
            }
            let Some(index) = index.get(at) else { return Bank::Any };
            let part = match cut {
                Cut::Whole => Some(0),
                Cut::Cyclic(factor) => index.rest(i64::try_from(*factor).unwrap_or(i64::MAX)),
                Cut::Block(factor) => {
                    let size = i64::try_from(length.div_ceil(*factor)).unwrap_or(i64::MAX);
                    index.is_constant().then(|| index.constant / size.max(1))
                }
                Cut::Complete => index.is_constant().then_some(index.constant),
            };
            let Some(part) = part.and_then(|part| u64::try_from(part).ok()) else {
                return Bank::Any;
            };
            bank = bank.saturating_mul(banks).saturating_add(part.min(banks - 1));
        }
        Bank::One(bank)
    }

    /// The index with lanes of one word made equal, to count accesses to words.
    pub(crate) fn word_index(&self, index: &[Linear]) -> Vec<Linear> {
        let whole = |at: usize| self.words.get(at).is_none_or(|word| matches!(word, Cut::Whole));
        let part = |(at, index): (usize, &Linear)| {
            if whole(at) {
                return index.clone();
            }
            match self.words[at] {
                Cut::Complete => Linear::default(),
                Cut::Cyclic(factor) => {
                    let factor = i64::try_from(factor).unwrap_or(i64::MAX);
                    let mut index = index.clone();
                    index.constant = index.constant.div_euclid(factor) * factor;
                    index
                }
                _ => index.clone(),
            }
        };
        index.iter().enumerate().map(part).collect()
    }
}
