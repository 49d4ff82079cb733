//! DSP, block memory, LUT and FF of a scheduled kernel.

mod arrays;
mod dsp;
mod logic;
mod memory;
mod multiplexer;

pub(crate) use arrays::list_arrays;

use std::ops::Add;

use crate::answer::{ResourceAnswer, Resources};
use crate::engine::Engine;
use dsp::unit_dsp;
use logic::Logic;
use memory::count_memories;

pub(crate) fn resources(engine: &Engine<'_>) -> Resources {
    let total = engine.usage.total();
    let settings = engine.settings;
    #[allow(clippy::cast_precision_loss)]
    let dsp: f64 = total
        .units
        .iter()
        .map(|(unit, count)| unit_dsp(*unit, settings) * *count as f64)
        .fold(0.0, f64::add);
    let memory = count_memories(engine, &total);
    let logic = Logic::of_engine(engine, total);
    let area = settings.area();
    let exactly = |value: f64| answer(value, (1.0, 1.0), value);
    Resources {
        dsp: exactly(dsp),
        bram18: {
            let reported = memory.bram18 - memory.unreported;
            ResourceAnswer { value: reported, low: reported, ..exactly(memory.bram18) }
        },
        uram: exactly(memory.uram),
        lut: answer(
            logic.cost(&area.lut) + memory.lut,
            area.band.lut,
            logic.cost(&area.lut_routed) + memory.lut,
        ),
        ff: answer(
            logic.cost(&area.ff) + memory.ff,
            area.band.ff,
            logic.cost(&area.ff_routed) + memory.ff,
        ),
    }
}

/// A value between itself divided by the one factor and multiplied by the other.
fn answer(value: f64, band: (f64, f64), routed: f64) -> ResourceAnswer {
    ResourceAnswer {
        value: value.round(),
        low: (value / band.0).floor().max(0.0),
        high: (value * band.1).ceil(),
        routed: routed.round(),
    }
}
