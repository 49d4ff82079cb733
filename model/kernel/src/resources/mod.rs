//! DSP, block memory, LUT and FF of a scheduled kernel.

mod arrays;
mod dsp;
mod memory;

pub(crate) use arrays::list_arrays;

use crate::answer::{ResourceAnswer, Resources};
use crate::engine::{Activation, Engine};
use crate::operators::Unit;
use dsp::multiplier_dsp;
use memory::count_memories;

pub(crate) fn resources(engine: &Engine<'_>, _run: &Activation<'_>) -> Resources {
    let total = engine.usage.total();
    let settings = engine.settings;
    let (mut dsp, mut lut, mut ff) = (0.0, total.expressions, total.registers);
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
    #[allow(clippy::cast_precision_loss)]
    let modules = engine.usage.count_modules() as f64;
    lut += total.states * 6.0 + modules * 20.0 + 50.0;
    ff += total.states + 10.0;
    let memory = count_memories(engine, &total);
    lut += memory.lut;
    ff += memory.ff;
    let answer = |value: f64, band: f64, routed: f64| ResourceAnswer {
        value: value.round(),
        low: (value * (1.0 - band)).floor().max(0.0),
        high: (value * (1.0 + band)).ceil(),
        routed: routed.round(),
    };
    Resources {
        dsp: answer(dsp, 0.0, dsp),
        bram18: answer(memory.bram18, 0.0, memory.bram18),
        uram: answer(memory.uram, 0.0, memory.uram),
        lut: answer(lut, 0.5, lut / 1.8),
        ff: answer(ff, 0.5, ff / 1.1),
    }
}
