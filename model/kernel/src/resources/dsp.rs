//! DSP slices, and the tables that operators have in block memory.

use crate::operators::{Unit, multiplier_dsp};
use derate_operators::Settings;

/// DSP slices of an operator, in a report and after place and route.
pub(super) fn unit_dsp(unit: Unit, settings: &Settings) -> (f64, f64) {
    let both = |dsp: u32| (f64::from(dsp), f64::from(dsp));
    let (kind, bits) = match unit {
        Unit::FloatAdd(bits) => ("add", bits),
        Unit::FloatMul(bits) => ("mul", bits),
        Unit::FloatDiv(bits) => ("div", bits),
        Unit::FloatCompare(bits) => ("cmp", bits),
        Unit::FloatConvert => ("from_int", 32),
        Unit::Math(name, bits) => (name, bits),
        Unit::IntMul(wide, narrow) => return both(multiplier_dsp(wide, narrow)),
        Unit::MulAdd(..) => return both(1),
        Unit::FullDspMul(bits) => {
            let usual = settings.float("mul", bits).dsp;
            return both(settings.full_dsp_mul(bits).unwrap_or(usual));
        }
        Unit::IntDiv(_)
        | Unit::StagedDiv(_)
        | Unit::FastAdd(_)
        | Unit::LogicMul(_)
        | Unit::LogicIntMul(..) => {
            return both(0);
        }
    };
    let operator = settings.float(kind, bits);
    (f64::from(operator.dsp), f64::from(operator.dsp_routed))
}

/// Halves of block memory of an operator's tables. Reports of 2022.1 and 2022.2 have five for a power of doubles.
pub(super) fn unit_bram18(unit: Unit) -> f64 {
    match unit {
        Unit::Math("pow", 33..) => 5.0,
        _ => 0.0,
    }
}
