//! The arrays of a kernel in block memories.

use super::memory::memory_of;
use crate::answer::ArrayAnswer;
use crate::engine::Engine;
use derate_program::ObjectKind;

/// The arrays that take block memory or `UltraRAM`, those of one name and form together, in order of the source.
pub(crate) fn list_arrays(engine: &Engine<'_>) -> Vec<ArrayAnswer> {
    let usage = engine.usage.total();
    let mut found: Vec<ArrayAnswer> = Vec::new();
    for (at, storage) in engine.storages.iter().enumerate() {
        if storage.kind != ObjectKind::Array || storage.is_top {
            continue;
        }
        let Some((banks, memory)) = memory_of(engine, &usage, at) else { continue };
        if memory.bram18 <= 0.0 && memory.uram <= 0.0 {
            continue;
        }
        let name = storage.name.clone();
        let word = u32::from(storage.ty.bits());
        let bits = storage.elements().saturating_mul(u64::from(word));
        let (bram18, uram) = (memory.bram18, memory.uram);
        let key = |one: &ArrayAnswer| (one.name.clone(), one.banks, one.bits, one.word);
        let same = |known: &&mut ArrayAnswer| key(known) == (name.clone(), banks, bits, word);
        if let Some(known) = found.iter_mut().find(same) {
            known.copies += 1;
            known.bram18 += bram18;
            known.uram += uram;
            continue;
        }
        let may_be_narrower = storage.is_constant && !storage.ty.is_float();
        found.push(ArrayAnswer {
            name,
            copies: 1,
            banks,
            bits,
            word,
            may_be_narrower,
            bram18,
            uram,
        });
    }
    found
}
