use derate_model::{Figure, Platform, Provenance};

/// A bank of external memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Bank {
    /// `HBM[3]`, as v++ calls it.
    pub name: String,
    /// Where it starts on the device.
    pub base: Figure<f64>,
    /// What it holds, in bytes.
    pub bytes: u64,
}

impl Bank {
    /// The device address of its first byte.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "made from a u64 below 2^53"
    )]
    pub fn start(&self) -> u64 {
        self.base.value as u64
    }

    /// Whether the address lies in it.
    pub fn holds(&self, address: u64) -> bool {
        address.checked_sub(self.start()).is_some_and(|offset| offset < self.bytes)
    }
}

/// Where the banks of the second memory start.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Bases {
    /// As on a card.
    Card,
    /// As XRT's software emulation counts them: each starts where the one before ends.
    RunningSum,
}

/// The first DDR bank of a U280 and the distance to the next, as they are remembered of its shells.
const DDR: u64 = 0x40_0000_0000;
const DDR_STRIDE: u64 = 0x10_0000_0000;

/// The banks of a card, in the order in which the platform names its memories: on a U280 32 pseudo channels of HBM and two
/// banks of DDR. The error is a sentence: a memory whose size or name the platform file does not give.
pub fn banks(platform: &Platform, bases: Bases) -> Result<Vec<Bank>, String> {
    let mut banks: Vec<Bank> = Vec::new();
    let mut next = 0_u64;
    for memory in [Some(&platform.memory), platform.second_memory.as_ref()].into_iter().flatten() {
        let lacks = |what: &str| format!("the platform file of {} gives no {what}", platform.title);
        let size = memory.channel_bytes.as_ref();
        let size = size.ok_or_else(|| lacks(&format!("channel_bytes for {}", memory.title)))?;
        let name =
            memory.bank.as_ref().ok_or_else(|| lacks(&format!("bank for {}", memory.title)))?;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a whole count of bytes below 2^53"
        )]
        let (bytes, count) = (size.value.0 as u64, memory.channels.value.clamp(0.0, 4096.0) as u64);
        let second = !banks.is_empty();
        for index in 0..count {
            let (start, provenance, source) = match (bases, second) {
                (Bases::Card, false) => (
                    next,
                    Provenance::Derived,
                    "the banks of the first memory follow each other from 0, as in the memory topology of XRT's U280 binaries",
                ),
                (Bases::Card, true) => (
                    DDR + index * DDR_STRIDE,
                    Provenance::Assumed,
                    "remembered of U280 shells; no public memory topology was found that shows it",
                ),
                (Bases::RunningSum, _) => (
                    next,
                    Provenance::Derived,
                    "XRT's software emulation lets each bank start where the one before ends",
                ),
            };
            banks.push(Bank {
                name: format!("{name}[{index}]"),
                base: Figure::new(start as f64, provenance, source),
                bytes,
            });
            next = start.saturating_add(bytes);
        }
    }
    Ok(banks)
}
