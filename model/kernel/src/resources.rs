//! DSP, block memory, LUT and FF of a scheduled kernel.

use crate::answer::{ResourceAnswer, Resources};
use crate::engine::{Activation, Engine};
use crate::graph::Implementation;
use crate::ir::ObjectKind;
use crate::operators::Unit;

pub(crate) fn resources(engine: &Engine<'_>, _run: &Activation<'_>) -> Resources {
    let total = engine.usage.total();
    let settings = engine.settings;
    let (mut dsp, mut lut, mut ff) = (0.0, total.logic, total.registers);
    for (unit, count) in &total.units {
        let (kind, bits) = match unit {
            Unit::FloatAdd(bits) => ("add", *bits),
            Unit::FloatMul(bits) => ("mul", *bits),
            Unit::FloatDiv(bits) => ("div", *bits),
            Unit::FloatCompare(bits) => ("cmp", *bits),
            Unit::FloatConvert => ("from_int", 32),
            Unit::Math(name, bits) => (*name, *bits),
            Unit::IntMul(wide, narrow) => {
                #[allow(clippy::cast_precision_loss)]
                let count = *count as f64;
                dsp += count * f64::from(multiplier_dsp(*wide, *narrow));
                lut += count
                    * if multiplier_dsp(*wide, *narrow) == 0 {
                        f64::from(*wide) * f64::from(*narrow) * 0.6
                    } else {
                        20.0
                    };
                continue;
            }
            Unit::IntDiv(bits) => {
                #[allow(clippy::cast_precision_loss)]
                let count = *count as f64;
                lut += count * f64::from(*bits) * 8.0;
                ff += count * f64::from(*bits) * 12.0;
                continue;
            }
        };
        let operator = settings.float(kind, bits);
        #[allow(clippy::cast_precision_loss)]
        let count = *count as f64;
        dsp += count * f64::from(operator.dsp);
        lut += count * f64::from(operator.lut);
        ff += count * f64::from(operator.ff);
    }
    lut += total.states * 6.0 + 50.0;
    ff += total.states + 10.0;
    let (mut bram, mut uram) = (0.0, 0.0);
    for storage in &engine.storages {
        if storage.kind != ObjectKind::Array || storage.is_top {
            continue;
        }
        let memory = memory_of(storage);
        bram += memory.0;
        uram += memory.1;
        lut += memory.2;
    }
    let answer = |value: f64, band: f64, routed: f64| ResourceAnswer {
        value: value.round(),
        low: (value * (1.0 - band)).floor().max(0.0),
        high: (value * (1.0 + band)).ceil(),
        routed: routed.round(),
    };
    Resources {
        dsp: answer(dsp, 0.0, dsp),
        bram18: answer(bram, 0.0, bram),
        uram: answer(uram, 0.0, uram),
        lut: answer(lut, 0.5, lut / 1.8),
        ff: answer(ff, 0.5, ff / 1.1),
    }
}

/// DSP slices of a multiplier of whole numbers.
fn multiplier_dsp(wide: u16, narrow: u16) -> u32 {
    if u32::from(wide) * u32::from(narrow) <= 64 || narrow <= 4 {
        return 0;
    }
    match (wide, narrow) {
        (..=27, ..=18) => 1,
        (..=35, ..=18) => 2,
        (..=35, _) => 3,
        (..=64, ..=35) => 6,
        _ => {
            let across = u32::from(wide).div_ceil(26);
            let down = u32::from(narrow).div_ceil(17);
            across * down
        }
    }
}

/// Block memories, `UltraRAM` and LUT of an array.
fn memory_of(storage: &crate::graph::Storage) -> (f64, f64, f64) {
    let banks = storage.banks().max(1);
    let word = storage.word().max(1);
    let depth = storage.elements().div_ceil(banks).div_ceil(word);
    let width = u64::from(storage.ty.bits()).saturating_mul(word);
    #[allow(clippy::cast_precision_loss)]
    match storage.implementation {
        Implementation::Bram => {
            if depth.saturating_mul(width) <= 1024 && storage.core.is_none() {
                return (
                    0.0,
                    0.0,
                    (depth.saturating_mul(width).saturating_mul(banks)) as f64 / 32.0,
                );
            }
            ((banks * block_memories(depth, width)) as f64, 0.0, 0.0)
        }
        Implementation::Uram => {
            let blocks = width.div_ceil(72) * depth.div_ceil(4096);
            (0.0, (banks * blocks) as f64, 0.0)
        }
        Implementation::Lutram => (0.0, 0.0, (banks * depth.div_ceil(64) * width) as f64),
        _ => (0.0, 0.0, 0.0),
    }
}

/// 18 Kb halves of a memory: the cheapest of the shapes that a half can take.
fn block_memories(depth: u64, width: u64) -> u64 {
    const SHAPES: [(u64, u64); 6] =
        [(512, 36), (1024, 18), (2048, 9), (4096, 4), (8192, 2), (16384, 1)];
    SHAPES
        .iter()
        .map(|(deep, wide)| depth.div_ceil(*deep).saturating_mul(width.div_ceil(*wide)))
        .min()
        .unwrap_or(0)
}
