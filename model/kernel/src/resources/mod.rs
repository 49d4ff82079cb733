//! DSP, block memory, LUT and FF of a scheduled kernel.

mod arrays;
mod dsp;
mod logic;
mod memory;

pub(crate) use arrays::list_arrays;

use std::ops::Add;

use crate::answer::{LoopAnswer, ResourceAnswer, Resources};
use crate::engine::{Engine, Usage};
use crate::operators::{Unit, multiplier_dsp};
use derate_operators::Counted;
use dsp::{unit_bram18, unit_dsp};
use logic::Logic;
use memory::count_memories;

pub(crate) fn resources(engine: &Engine<'_>) -> Resources {
    let total = engine.usage.total();
    let settings = engine.settings;
    let (mut dsp, mut routed) = (0.0, 0.0);
    #[allow(clippy::cast_precision_loss)]
    for (unit, count) in &total.units {
        let (own, own_routed) = unit_dsp(*unit, settings);
        dsp += own * *count as f64;
        routed += own_routed * *count as f64;
    }
    let mut memory = count_memories(engine, &total);
    #[allow(clippy::cast_precision_loss)]
    let tables = total.units.iter().map(|(unit, count)| unit_bram18(*unit) * *count as f64);
    memory.bram18 += tables.fold(0.0, f64::add);
    let dsp = ResourceAnswer { routed: routed.round(), ..dsp_answer(engine, &total, dsp) };
    let logic = Logic::of_engine(engine, total);
    let area = settings.area();
    let exactly = |value: f64| answer(value, (1.0, 1.0), value);
    Resources {
        dsp,
        bram18: {
            let reported = memory.bram18 - memory.unreported;
            ResourceAnswer { value: reported, low: reported, ..exactly(memory.bram18) }
        },
        uram: exactly(memory.uram),
        lut: answer(
            logic.cost(&area.lut) + memory.lut * area.lut.of(Counted::Memory),
            area.band.lut,
            logic.cost(&area.lut_routed) + memory.lut * area.lut_routed.of(Counted::Memory),
        ),
        ff: answer(
            logic.cost(&area.ff) + memory.ff * area.ff.of(Counted::Memory),
            area.band.ff,
            logic.cost(&area.ff_routed) + memory.ff * area.ff_routed.of(Counted::Memory),
        ),
    }
}

/// A product that is added at once is in a slice or in look-up tables, and so is one of its size that is not. Where data bound
/// loops, the tool multiplies trips and addresses, in up to 64 bits: a report of 2024.2 has four slices for a product of two
/// trip counts and seven for that of an address.
#[allow(clippy::cast_precision_loss)]
fn dsp_answer(engine: &Engine<'_>, total: &Usage, dsp: f64) -> ResourceAnswer {
    const OF_TRIPS: f64 = 4.0;
    const OF_ADDRESS: f64 = 7.0;
    let is_open = |one: &&LoopAnswer| one.trip.is_none() || one.trip_rests_on_type;
    let open = engine.loops.iter().filter(is_open).count() as f64;
    let (mut less, mut more) = (0.0, OF_TRIPS * open);
    for (unit, count) in &total.units {
        match *unit {
            Unit::MulAdd(..) => less += *count as f64,
            Unit::IntMul(wide, narrow) if multiplier_dsp(wide, narrow) == 0 && narrow > 4 => {
                more += *count as f64;
            }
            Unit::IntMul(wide, _) if wide >= 30 && open > 0.0 => {
                let bound = total.bound.get(unit).copied().unwrap_or(*count);
                more += OF_ADDRESS * bound as f64;
            }
            _ => {}
        }
    }
    ResourceAnswer { low: dsp - less, high: dsp + more, ..answer(dsp, (1.0, 1.0), dsp) }
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
