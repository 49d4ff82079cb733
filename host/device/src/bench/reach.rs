use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use derate_hls::BankRange;
use derate_model::units::Hertz;
use derate_model::{Memory, Platform};

use crate::error::BenchError;

/// The memories of a card, the main one first, each with the number of its first bank.
fn list_memories(platform: &Platform) -> Vec<(usize, usize, &Memory)> {
    let mut next = 0;
    [Some(&platform.memory), platform.second_memory.as_ref()]
        .into_iter()
        .flatten()
        .map(|memory| {
            let count = memory.channels.value as usize;
            let first = next;
            next += count;
            (first, count, memory)
        })
        .collect()
}

/// The memory that has a bank; the main one where none has.
pub(super) fn memory_of(platform: &Platform, bank: usize) -> &Memory {
    let memories = list_memories(platform);
    let found = memories.iter().find(|(first, count, _)| (*first..first + count).contains(&bank));
    found.map_or(&platform.memory, |(.., memory)| memory)
}

/// The banks of a card, counted from 0 through all its memories, that `HBM[0:31]` or `DDR` names.
pub fn banks_named(platform: &Platform, text: &str) -> Result<RangeInclusive<usize>, BenchError> {
    let range = BankRange::parse(text).map_err(|error| BenchError::Setup(error.to_string()))?;
    let memories = list_memories(platform);
    let named = |memory: &Memory| {
        memory.bank.as_ref().is_some_and(|bank| bank.eq_ignore_ascii_case(&range.memory))
    };
    let found = memories.iter().find(|(_, _, memory)| named(memory));
    let &(start, count, memory) = found.ok_or_else(|| {
        let known: Vec<&str> = memories.iter().filter_map(|(.., m)| m.bank.as_deref()).collect();
        BenchError::Setup(format!(
            "{} has no {}: its banks are {}",
            platform.title,
            range.memory,
            known.join(" and ")
        ))
    })?;
    let (Some(first), Some(last)) = (range.first, range.last) else {
        return Ok(start..=start + count.max(1) - 1);
    };
    match (usize::try_from(first), usize::try_from(last)) {
        (Ok(first), Ok(last)) if last < count => Ok(start + first..=start + last),
        _ => Err(BenchError::Setup(format!(
            "{range}: {} has {count} banks, counted from 0",
            memory.title
        ))),
    }
}

/// The memory that has all of these banks; none where they are in several.
pub(super) fn memory_of_all<'a>(platform: &'a Platform, banks: &[usize]) -> Option<&'a Memory> {
    let holds = |&(start, count, _): &(usize, usize, &Memory)| {
        banks.iter().all(|bank| (start..start + count).contains(bank))
    };
    list_memories(platform).into_iter().find(holds).map(|(.., memory)| memory)
}

/// The bank of a port, where ports take the banks in turn.
pub(super) fn bank_of(banks: &[usize], port: usize) -> usize {
    let at = port.checked_rem(banks.len()).unwrap_or_default();
    banks.get(at).copied().unwrap_or_default()
}

/// What a measurement says of the banks that so many ports reach: their name, if they are all there are between the first
/// and the last, and the clock of their memory.
pub(super) fn describe_reach(
    platform: &Platform,
    banks: &[usize],
    ports: usize,
) -> (Option<String>, Option<Hertz>) {
    let used: BTreeSet<usize> = banks.iter().copied().take(ports).collect();
    let (Some(&first), Some(&last)) = (used.first(), used.last()) else { return (None, None) };
    let holds = |&&(start, count, _): &&(usize, usize, &Memory)| {
        (start..start + count).contains(&first) && (start..start + count).contains(&last)
    };
    let memories = list_memories(platform);
    let Some(&(start, _, memory)) = memories.iter().find(holds) else { return (None, None) };
    let whole = used.len() == last - first + 1;
    let name = memory.bank.as_ref().filter(|_| whole).map(|bank| {
        let range = BankRange {
            memory: bank.clone(),
            first: Some((first - start) as u64),
            last: Some((last - start) as u64),
        };
        range.to_string()
    });
    (name, Some(memory.axi_clock.value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn banks_have_a_name_where_they_follow_each_other() {
        let u280 = Platform::named("u280").unwrap();
        let name = |banks: &[usize], ports| describe_reach(&u280, banks, ports).0;
        assert_eq!(name(&[0], 3).as_deref(), Some("HBM[0]"));
        assert_eq!(name(&[0, 0, 0], 3).as_deref(), Some("HBM[0]"));
        assert_eq!(name(&[5, 4, 3], 3).as_deref(), Some("HBM[3:5]"));
        assert_eq!(name(&(0..32).collect::<Vec<_>>(), 4).as_deref(), Some("HBM[0:3]"));
        assert_eq!(name(&[32, 33], 2).as_deref(), Some("DDR[0:1]"));
        // HBM[0] and HBM[2] are not a range, and two memories have no common name.
        assert_eq!(describe_reach(&u280, &[0, 2], 2), (None, Some(u280.memory.axi_clock.value)));
        assert_eq!(describe_reach(&u280, &[31, 32], 2), (None, None));
    }
}
