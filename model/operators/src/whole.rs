//! LUT and FF of operators of whole numbers, in a report.

use serde::Deserialize;

/// LUT and FF of multipliers and dividers of whole numbers.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WholeNumberArea {
    /// A divider that takes one operation at a time.
    divider: ByBits,
    /// A divider in a pipeline: each bit of the quotient has a stage of its own.
    staged_divider: ByBits,
    /// A multiplier without DSP slices and without registers: LUT for each bit of one operand and each of the other.
    small_multiplier: f64,
    /// A multiplier that `bind_op impl=fabric` asks for: LUT for each bit of one operand and each of the other.
    logic_multiplier: f64,
    /// Width up to which, LUT and FF within one cycle.
    multiplier: Vec<(u16, f64, f64)>,
    /// Width up to which, LUT and FF with registers.
    staged_multiplier: Vec<(u16, f64, f64)>,
}

/// LUT and FF by the width: times the bits, and times their square.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ByBits {
    lut: (f64, f64),
    ff: (f64, f64),
}

impl ByBits {
    fn area(self, bits: u16) -> (f64, f64) {
        let bits = f64::from(bits);
        let value = |(linear, square): (f64, f64)| linear * bits + square * bits * bits;
        (value(self.lut), value(self.ff))
    }
}

/// Bits of one operand times bits of the other, up to which a multiplier takes no DSP slices.
const SMALL: f64 = 64.0;

impl ByBits {
    fn numbers(self) -> [f64; 4] {
        [self.lut.0, self.lut.1, self.ff.0, self.ff.1]
    }
}

impl WholeNumberArea {
    /// What is wrong with it, a sentence without a full stop.
    pub(crate) fn find_mistake(&self) -> Option<&'static str> {
        let rows = [&self.multiplier, &self.staged_multiplier];
        let mut numbers = vec![self.small_multiplier, self.logic_multiplier];
        numbers.extend([self.divider, self.staged_divider].map(ByBits::numbers).concat());
        numbers.extend(rows.iter().flat_map(|rows| rows.iter().flat_map(|row| [row.1, row.2])));
        if numbers.iter().any(|number| !number.is_finite() || *number < 0.0) {
            return Some("[area.whole] has a number below 0, or none: give finite numbers");
        }
        if rows.iter().any(|rows| rows.is_empty() || !rows.is_sorted_by(|a, b| a.0 < b.0)) {
            return Some(
                "the rows of a multiplier in [area.whole] go from narrow to wide: sort them, and give one at least",
            );
        }
        None
    }

    /// LUT and FF of a divider of so many bits.
    #[must_use]
    pub fn divider(&self, bits: u16) -> (f64, f64) {
        self.divider.area(bits)
    }

    /// LUT and FF of a divider in a pipeline.
    #[must_use]
    pub fn staged_divider(&self, bits: u16) -> (f64, f64) {
        self.staged_divider.area(bits)
    }

    /// LUT and FF of a multiplier that a directive binds to logic.
    #[must_use]
    pub fn logic_multiplier(&self, wide: u16, narrow: u16) -> (f64, f64) {
        (self.logic_multiplier * f64::from(wide) * f64::from(narrow), 0.0)
    }

    /// LUT and FF of a multiplier of two widths, the larger first, with so many cycles.
    #[must_use]
    pub fn multiplier(&self, wide: u16, narrow: u16, cycles: u32) -> (f64, f64) {
        let product = f64::from(wide) * f64::from(narrow);
        if cycles == 0 && product <= SMALL {
            return (self.small_multiplier * product, 0.0);
        }
        let rows = if cycles == 0 { &self.multiplier } else { &self.staged_multiplier };
        let row = rows.iter().find(|row| wide <= row.0).or(rows.last());
        row.map_or((0.0, 0.0), |row| (row.1, row.2))
    }
}
