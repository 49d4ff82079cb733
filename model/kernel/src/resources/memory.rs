//! What arrays, streams and buses are built of: block memories, `UltraRAM`, LUT memory, registers.

use crate::engine::{Engine, Usage};
use crate::graph::{Implementation, Storage};
use derate_operators::Settings;
use derate_program::ObjectKind;
use std::collections::BTreeMap;

/// Memory of a kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Memory {
    pub(super) bram18: f64,
    /// Halves that the report leaves out.
    pub(super) unreported: f64,
    pub(super) uram: f64,
    pub(super) lut: f64,
    pub(super) ff: f64,
}

impl Memory {
    fn add(&mut self, other: Self, times: f64) {
        self.bram18 += other.bram18 * times;
        self.unreported += other.unreported * times;
        self.uram += other.uram * times;
        self.lut += other.lut * times;
        self.ff += other.ff * times;
    }
}

/// The memory of all arrays, streams and buses.
pub(super) fn count_memories(engine: &Engine<'_>, usage: &Usage) -> Memory {
    let mut memory = Memory::default();
    let mut buses: BTreeMap<&str, (u64, bool)> = BTreeMap::new();
    for (at, storage) in engine.storages.iter().enumerate() {
        let asked = usage.accesses.get(&at).cloned().unwrap_or_default();
        if storage.implementation == Implementation::Bus {
            let bundle = storage.bus.as_ref().map_or(storage.name.as_str(), |bus| &bus.bundle);
            let bus = buses.entry(bundle).or_default();
            bus.0 = bus.0.max(u64::from(storage.ty.bits()).saturating_mul(storage.word()));
            bus.1 |= asked.writes > 0.0;
        } else if let Some((_, own)) = memory_of(engine, usage, at) {
            memory.add(own, 1.0);
        }
    }
    for (bits, writes) in buses.into_values() {
        memory.add(bus_buffers(bits, writes, engine.settings.tool), 1.0);
    }
    memory
}

/// The banks of an array or a stream, and the memory of all of them. `None` where nothing uses it, or where it is outside.
pub(super) fn memory_of(engine: &Engine<'_>, usage: &Usage, at: usize) -> Option<(u64, Memory)> {
    let storage = &engine.storages[at];
    let asked = usage.accesses.get(&at).filter(|asked| asked.reads + asked.writes > 0.0)?;
    if storage.is_top || storage.implementation == Implementation::Bus {
        return None;
    }
    let bank = Bank::of_storage(storage, &banks_of(storage, &asked.banks));
    let mut memory = Memory::default();
    #[allow(clippy::cast_precision_loss)]
    memory.add(bank.build(storage, engine.settings), bank.count as f64);
    Some((bank.count, memory))
}

/// The banks of a storage in each dimension: cut as directives say, or into as many as the tool makes of it.
pub(super) fn banks_of(storage: &Storage, asked: &[u64]) -> Vec<u64> {
    let banks = |(at, length): (usize, &u64)| {
        let own = storage.cuts.get(at).map_or(1, |cut| cut.banks(*length));
        // Elements of one word are read together: they need no banks of their own.
        let lanes = storage.words.get(at).map_or(1, |word| word.banks(*length)).max(1);
        let asked = asked.get(at).copied().unwrap_or(1).min(length.div_ceil(lanes));
        own.max(asked).clamp(1, (*length).max(1))
    };
    storage.dims.iter().enumerate().map(banks).collect()
}

/// One of the equal banks of an array.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bank {
    count: u64,
    words: u64,
    bits: u64,
}

/// The deepest `UltraRAM`, and its width.
const ULTRA: (u64, u64) = (4096, 72);
/// Memories that need more halves than this are not block memories where there is `UltraRAM` that is deep enough.
const MOST_HALVES: u64 = 4;

impl Bank {
    /// Of so many banks in each dimension.
    fn of_storage(storage: &Storage, banks: &[u64]) -> Self {
        let mut bank = Self { count: 1, words: 1, bits: u64::from(storage.ty.bits()) };
        for (at, length) in storage.dims.iter().enumerate() {
            let count = banks.get(at).copied().unwrap_or(1);
            let lanes = storage.words.get(at).map_or(1, |word| word.banks(*length)).max(1);
            bank.count = bank.count.saturating_mul(count);
            bank.words = bank.words.saturating_mul(length.div_ceil(count).div_ceil(lanes).max(1));
            bank.bits = bank.bits.saturating_mul(lanes);
        }
        if storage.kind == ObjectKind::Stream {
            bank.words = storage.depth.unwrap_or(2);
        } else if let Some(depth) = storage.depth {
            // An array that a directive makes a stream.
            bank.words = depth;
        }
        bank
    }

    fn build(self, storage: &Storage, settings: &Settings) -> Memory {
        let size = self.words.saturating_mul(self.bits);
        match (storage.kind, storage.implementation) {
            (ObjectKind::Scalar, _) | (_, Implementation::Port | Implementation::Bus) => {
                Memory::default()
            }
            // A directive binds a queue to it as well as an array.
            (_, Implementation::Lutram) => self.build_lutram(storage, settings.tool),
            (ObjectKind::Stream, _) | (_, Implementation::Fifo) => self.build_queue(settings.tool),
            _ if storage.depth.is_some() => self.build_queue(settings.tool),
            // The registers of scalars are counted where they cross states.
            (_, Implementation::Registers) => Memory::default(),
            // A word that is known is part of the logic.
            _ if self.words <= 1 && storage.is_constant && storage.core.is_none() => {
                Memory::default()
            }
            (_, Implementation::Uram) => Memory { uram: self.ultra(), ..Memory::default() },
            (_, Implementation::Bram)
                if storage.core.is_none() && size <= smallest(settings.tool) =>
            {
                self.build_lutram(storage, settings.tool)
            }
            (_, Implementation::Bram) => self.build_blocks(storage, settings),
        }
    }

    #[allow(clippy::cast_precision_loss)]
    fn build_blocks(self, storage: &Storage, settings: &Settings) -> Memory {
        let halves = self.halves(settings.tool);
        let is_free =
            settings.tool >= (2025, 1) && storage.core.is_none() && settings.part.uram > 0;
        let block = |halves: u64| Memory { bram18: halves as f64, ..Memory::default() };
        if !is_free || halves <= MOST_HALVES {
            return block(halves);
        }
        if self.words <= ULTRA.0 {
            return Memory { uram: self.ultra(), ..Memory::default() };
        }
        // Reports of 2025.1 have no more for deeper memories than for 8192 words.
        block(self.bits.div_ceil(2))
    }

    /// 18 Kb halves: those of the first shape that is deep enough, side by side; deeper memories stack the deepest. From
    /// 2023.2 on, reports count a memory of more than 8,192 words by its bits: 25 for 12,544 words of 32 bits, 105 for 53,824
    /// and 203 for 103,968.
    fn halves(self, tool: (u16, u16)) -> u64 {
        const SHAPES: [(u64, u64); 6] =
            [(512, 36), (1024, 18), (2048, 9), (4096, 4), (8192, 2), (16384, 1)];
        const HALF: u64 = 16384;
        if tool >= (2023, 2) && self.words > 8192 {
            return self.words.saturating_mul(self.bits).saturating_add(HALF / 2) / HALF;
        }
        let (deep, wide) = *SHAPES
            .iter()
            .find(|(deep, _)| self.words <= *deep)
            .unwrap_or(&SHAPES[SHAPES.len() - 1]);
        self.words.div_ceil(deep).saturating_mul(self.bits.div_ceil(wide))
    }

    #[allow(clippy::cast_precision_loss)]
    fn ultra(self) -> f64 {
        self.words.div_ceil(ULTRA.0).saturating_mul(self.bits.div_ceil(ULTRA.1)) as f64
    }

    /// 64 words of a bit in a LUT, and a register for what is read: up to 2022.1 for both ports.
    #[allow(clippy::cast_precision_loss)]
    fn build_lutram(self, storage: &Storage, tool: (u16, u16)) -> Memory {
        if self.words <= 1 {
            return Memory { ff: self.bits as f64, ..Memory::default() };
        }
        let bits = self.bits as f64;
        if tool < (2022, 2) {
            let lut = (self.words as f64 * bits / 64.0).ceil();
            let ff = if storage.is_constant { bits } else { 2.0 * bits };
            return Memory { lut, ff, ..Memory::default() };
        }
        let lut = self.words.div_ceil(64) as f64 * bits + 1.0;
        Memory { lut, ff: bits, ..Memory::default() }
    }

    /// A queue: a shift register if it is short, else block memory. FF as reports of 2020.1 and of 2022.1 to 2023.2 have them;
    /// these have no LUT for queues.
    #[allow(clippy::cast_precision_loss)]
    fn build_queue(self, tool: (u16, u16)) -> Memory {
        if self.words.saturating_mul(self.bits) <= 1024 || self.words <= 16 {
            let ff = if tool < (2022, 1) { 5.0 } else { 99.0 };
            return Memory { ff, ..Memory::default() };
        }
        let bram18 = self.halves(tool) as f64;
        // Reports of 2023.2 count one half for each queue in block memory, from 1,792 words of 32 bits to 524,288.
        let unreported = if tool >= (2023, 2) { bram18 - 1.0 } else { 0.0 };
        Memory { bram18, unreported, ff: 95.0, ..Memory::default() }
    }
}

/// Bits up to which an array is LUT memory. Reports of 2021.1 have block memory for 2048 bits, those from 2023.1 on not
/// for 4032.
fn smallest(tool: (u16, u16)) -> u64 {
    if tool >= (2023, 1) { 4096 } else { 1024 }
}

/// Buffers of a bus: for 16 bursts of 16 words that are read, and before 2023.1 as many that are written.
#[allow(clippy::cast_precision_loss)]
fn bus_buffers(bits: u64, writes: bool, tool: (u16, u16)) -> Memory {
    let halves = bits.max(32).div_ceil(36);
    let sides = if writes && tool < (2023, 1) { 2 } else { 1 };
    let bits = bits as f64;
    Memory {
        bram18: (halves * sides) as f64,
        lut: 600.0 + 2.0 * bits,
        ff: 700.0 + 2.0 * bits,
        ..Memory::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn halves(words: u64, bits: u64, tool: (u16, u16)) -> u64 {
        Bank { count: 1, words, bits }.halves(tool)
    }

    #[test]
    fn halves_take_the_first_shape_that_is_deep_enough() {
        for tool in [(2022, 1), (2023, 2)] {
            assert_eq!(halves(1024, 32, tool), 2);
            assert_eq!(halves(2088, 32, tool), 8);
            assert_eq!(halves(49152, 32, tool), 96);
            assert_eq!(halves(540, 64, tool), 4);
            assert_eq!(halves(100, 64, tool), 2);
            assert_eq!(halves(8100, 64, tool), 32);
        }
        // Not 36 of 512 words: the report of 140 x 64 doubles has 64.
        assert_eq!(halves(8960, 64, (2022, 1)), 64);
    }

    #[test]
    fn later_reports_count_deep_memories_by_their_bits() {
        for (words, count) in
            [(12_544, 25), (25_088, 49), (53_824, 105), (103_968, 203), (200_704, 392)]
        {
            assert_eq!(halves(words, 32, (2023, 2)), count);
        }
    }

    #[test]
    fn a_wide_bus_has_wide_buffers() {
        assert!((bus_buffers(512, true, (2019, 2)).bram18 - 30.0).abs() < 1e-9);
        assert!((bus_buffers(32, true, (2025, 1)).bram18 - 1.0).abs() < 1e-9);
    }
}
