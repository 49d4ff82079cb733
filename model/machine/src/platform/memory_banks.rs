use derate_units::Figure;

/// The banks of one memory that a v++ configuration may name.
#[derive(Clone, Debug, PartialEq)]
pub struct MemoryBanks {
    /// `HBM`, `DDR`, `PLRAM`.
    pub memory: String,
    /// How many, numbered from 0.
    pub count: Figure<u64>,
    /// The SLR of each bank, one for all or one per bank, where that is known.
    pub slr: Option<Figure<Vec<u64>>>,
}

/// More banks than any memory of a card has.
pub(super) const MOST_BANKS: u32 = 4096;

impl MemoryBanks {
    /// The SLR of a bank.
    pub fn slr_of(&self, bank: u64) -> Option<u64> {
        let slr = &self.slr.as_ref()?.value;
        match slr[..] {
            [all] => Some(all),
            _ => slr.get(usize::try_from(bank).ok()?).copied(),
        }
    }
}
