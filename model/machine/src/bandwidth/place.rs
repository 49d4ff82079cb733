use derate_hls::{BankRange, Reason};

use crate::Platform;

/// Which of the card's external memories a range lies in, counted as [`Platform::memories`] gives them, and its first and
/// last channel there. The error says why it lies in none.
pub fn find_channels(
    range: &BankRange,
    platform: &Platform,
) -> Result<(usize, (usize, usize)), Reason> {
    let is_named = |bank: &str| bank.eq_ignore_ascii_case(&range.memory);
    let mut memories = platform.memories().enumerate();
    let found = memories.find(|(_, memory)| memory.bank.as_deref().is_some_and(is_named));
    let (at, memory) = found.ok_or_else(|| {
        let title = |memory: &crate::Memory| match &memory.bank {
            Some(bank) => bank.clone(),
            None => format!("{}, whose banks the platform file gives no name", memory.title),
        };
        let known = platform.memories().map(title).collect::<Vec<_>>().join(" and ");
        format!("{range} is not a bank of the card's external memory: {known}")
    })?;
    let count = memory.channels.value as usize;
    let (Some(from), Some(to)) = (range.first, range.last) else {
        return Ok((at, (0, count.saturating_sub(1))));
    };
    let index = |bank: u64| usize::try_from(bank).ok().filter(|&bank| bank < count);
    match (index(from), index(to)) {
        (Some(from), Some(to)) if from <= to => Ok((at, (from, to))),
        _ => Err(format!("{range}: {} has {count} channels, counted from 0", memory.title).into()),
    }
}
