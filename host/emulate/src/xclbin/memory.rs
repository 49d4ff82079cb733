//! `MEM_TOPOLOGY`: the memory banks.

use std::fmt;

use super::bytes::{field_of, split_records, text_in, u32_at, u64_at};

/// Bytes in front of the first bank, and of one bank.
const FIRST: usize = 8;
const RECORD: usize = 40;

/// What a bank is made of.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct MemoryKind(pub u8);

impl MemoryKind {
    /// DDR4.
    pub const DDR4: Self = Self(1);
    /// Memory of another kind, such as on the chip.
    pub const DRAM: Self = Self(2);
    /// A pseudo channel of HBM.
    pub const HBM: Self = Self(6);
    /// The host's own memory.
    pub const HOST: Self = Self(10);

    /// Whether it is a stream, which holds nothing.
    pub fn is_stream(self) -> bool {
        matches!(self.0, 3 | 9)
    }
}

impl fmt::Display for MemoryKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAMES: [&str; 12] = [
            "DDR3",
            "DDR4",
            "DRAM",
            "stream",
            "preallocated",
            "Aurora",
            "HBM",
            "BRAM",
            "URAM",
            "stream connection",
            "host",
            "PS kernel",
        ];
        match NAMES.get(usize::from(self.0)) {
            Some(name) => f.pad(name),
            None => f.pad(&format!("kind {}", self.0)),
        }
    }
}

/// One bank.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct DesignBank {
    /// `HBM[3]`.
    pub tag: String,
    /// What it is made of.
    pub kind: MemoryKind,
    /// Whether the design uses it.
    pub used: bool,
    /// KiB; of a stream, its route.
    pub kib: u64,
    /// Its first address; of a stream, its flow.
    pub base: u64,
}

impl DesignBank {
    /// Bytes; `None` of a stream, or where no machine has them.
    pub fn bytes(&self) -> Option<u64> {
        if self.kind.is_stream() { None } else { self.kib.checked_mul(1024) }
    }
}

/// The banks, and whether the section ends before the last of them.
pub(super) fn read_banks(data: &[u8]) -> (Vec<DesignBank>, bool) {
    let count = u32_at(data, 0).map_or(0, u64::from);
    let (records, cut) = split_records(data, count, FIRST, RECORD);
    let bank = |record: &[u8]| {
        Some(DesignBank {
            tag: text_in(record.get(24..40)?),
            kind: MemoryKind(*record.first()?),
            used: *record.get(1)? != 0,
            kib: u64_at(record, 8)?,
            base: u64_at(record, 16)?,
        })
    };
    (records.filter_map(bank).collect(), cut)
}

/// The section; `None` where a tag has more than 15 bytes.
pub(super) fn write_banks(banks: &[DesignBank]) -> Option<Vec<u8>> {
    let mut data = Vec::new();
    data.extend(u32::try_from(banks.len()).ok()?.to_le_bytes());
    data.extend([0; 4]);
    for bank in banks {
        data.extend([bank.kind.0, u8::from(bank.used), 0, 0, 0, 0, 0, 0]);
        data.extend(bank.kib.to_le_bytes());
        data.extend(bank.base.to_le_bytes());
        data.extend(field_of::<16>(&bank.tag)?);
    }
    Some(data)
}
