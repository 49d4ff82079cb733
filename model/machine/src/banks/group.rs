//! Banks with more than one argument.

use std::collections::{BTreeMap, BTreeSet};

use derate_hls::{BankRange, MemoryPin};

/// More banks than any card has: a range beyond is a slip, and not gone through.
const BANKS: u64 = 1024;

/// Arguments that share banks.
pub struct BankGroup<'a> {
    /// The banks.
    pub banks: BankRange,
    /// The arguments.
    pub pins: Vec<&'a MemoryPin>,
    /// Whether their ranges have room for all of them.
    pub may_be_apart: bool,
}

/// The groups by their banks. Where two arguments are on a bank and on no other, ranges that have it are left out: their
/// buffers may lie elsewhere.
pub fn find_bank_groups<'a>(pins: impl Iterator<Item = &'a MemoryPin>) -> Vec<BankGroup<'a>> {
    let mut groups: Vec<BankGroup<'a>> = Vec::new();
    for (banks, mut pins) in find_shared(pins) {
        let is_fixed = |pin: &&MemoryPin| pin.banks.value.count() == Some(1);
        if pins.iter().filter(|pin| is_fixed(pin)).count() > 1 {
            pins.retain(is_fixed);
            groups.push(BankGroup { banks, pins, may_be_apart: false });
            continue;
        }
        let own =
            pins.iter().filter_map(|pin| Some((pin.banks.value.first?, pin.banks.value.last?)));
        let room: BTreeSet<u64> = own.flat_map(|(first, last)| first..=last).collect();
        let may_be_apart = room.len() >= pins.len();
        groups.push(BankGroup { banks, pins, may_be_apart });
    }
    let is_part = |index: usize| {
        let Some(group) = groups.get(index).filter(|one| one.may_be_apart) else { return false };
        let holds = |other: &BankGroup<'_>| group.pins.iter().all(|pin| other.pins.contains(pin));
        groups.iter().enumerate().any(|(at, other)| {
            let is_larger = other.pins.len() > group.pins.len();
            at != index && other.may_be_apart && holds(other) && (is_larger || at < index)
        })
    };
    let kept: Vec<bool> = (0..groups.len()).map(|index| !is_part(index)).collect();
    let mut kept = kept.into_iter();
    groups.retain(|_| kept.next().unwrap_or(true));
    groups
}

/// Banks with more than one argument; neighbours with the same arguments are one range.
fn find_shared<'a>(
    pins: impl Iterator<Item = &'a MemoryPin>,
) -> Vec<(BankRange, Vec<&'a MemoryPin>)> {
    let mut on: BTreeMap<(&str, u64), Vec<&MemoryPin>> = BTreeMap::new();
    for pin in pins {
        let banks = &pin.banks.value;
        let (Some(first), Some(last)) = (banks.first, banks.last) else { continue };
        let judged = matches!(banks.memory.as_str(), "HBM" | "DDR");
        if !judged || banks.count().is_none_or(|number| number > BANKS) {
            continue;
        }
        for bank in first..=last {
            let here = on.entry((&banks.memory, bank)).or_default();
            // An argument that is pinned twice does not share with itself.
            let is_it = |other: &&MemoryPin| {
                other.unit.value == pin.unit.value && other.argument.value == pin.argument.value
            };
            if !here.iter().any(is_it) {
                here.push(pin);
            }
        }
    }
    let mut groups: Vec<(BankRange, Vec<&MemoryPin>)> = Vec::new();
    for ((memory, bank), here) in on.into_iter().filter(|(_, here)| here.len() > 1) {
        match groups.last_mut() {
            Some((range, same))
                if *same == here
                    && range.memory == memory
                    && range.last.and_then(|last| last.checked_add(1)) == Some(bank) =>
            {
                range.last = Some(bank);
            }
            _ => {
                let range =
                    BankRange { memory: memory.to_owned(), first: Some(bank), last: Some(bank) };
                groups.push((range, here));
            }
        }
    }
    groups
}
