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
/// buffers may lie elsewhere. Other banks that ranges join are one group: which of them two share is not known.
pub fn find_bank_groups<'a>(pins: impl Iterator<Item = &'a MemoryPin>) -> Vec<BankGroup<'a>> {
    let mut groups: Vec<BankGroup<'a>> = Vec::new();
    let is_fixed = |pin: &&MemoryPin| pin.banks.value.count() == Some(1);
    for (banks, mut pins) in find_shared(pins) {
        if pins.iter().filter(|pin| is_fixed(pin)).count() > 1 {
            pins.retain(is_fixed);
            groups.push(BankGroup { banks, pins, may_be_apart: false });
            continue;
        }
        // One before it may have been joined to several.
        let mut joined = BankGroup { banks, pins, may_be_apart: true };
        groups.retain_mut(|one| {
            let is_joined =
                one.may_be_apart && one.pins.iter().any(|pin| joined.pins.contains(pin));
            if is_joined {
                one.pins.extend(
                    joined
                        .pins
                        .iter()
                        .filter(|pin| !one.pins.contains(pin))
                        .copied()
                        .collect::<Vec<_>>(),
                );
                joined.pins = std::mem::take(&mut one.pins);
                joined.banks.first = one.banks.first.min(joined.banks.first);
                joined.banks.last = one.banks.last.max(joined.banks.last);
            }
            !is_joined
        });
        groups.push(joined);
    }
    for group in groups.iter_mut().filter(|one| one.may_be_apart) {
        let ranges = group.pins.iter().map(|pin| pin.banks.value.first.zip(pin.banks.value.last));
        group.may_be_apart =
            ranges.collect::<Option<Vec<_>>>().is_some_and(have_banks_of_their_own);
    }
    groups
}

/// Whether each range (its first bank and its last) can have a bank that no other one takes. The range that ends first takes
/// its lowest free bank: no other choice leaves more to the rest.
fn have_banks_of_their_own(mut ranges: Vec<(u64, u64)>) -> bool {
    ranges.sort_by_key(|&(first, last)| (last, first));
    let mut taken = BTreeSet::new();
    ranges.into_iter().all(|(first, last)| {
        let free = (first..=last).find(|bank| !taken.contains(bank));
        free.is_some_and(|bank| taken.insert(bank))
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_banks_of_their_own_where_each_can_take_one() {
        for ranges in [
            vec![(0, 2), (2, 3), (2, 2), (3, 4)],
            vec![(0, 3), (0, 3), (0, 3), (0, 3)],
            vec![(0, 2), (1, 1), (0, 1)],
        ] {
            assert!(have_banks_of_their_own(ranges.clone()), "{ranges:?}");
        }
        for ranges in [
            // Four banks for four, and three of them have two.
            vec![(0, 2), (2, 3), (2, 2), (2, 3)],
            vec![(0, 1), (0, 1), (0, 1)],
            vec![(5, 5), (5, 5)],
        ] {
            assert!(!have_banks_of_their_own(ranges.clone()), "{ranges:?}");
        }
    }
}
