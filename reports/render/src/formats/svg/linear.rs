//! A linear axis that begins at zero, and its round ticks.

use std::fmt::Write;

use super::super::palette::GRID;
use super::ink::{SOFT, draw_text, px};
use crate::{NumberFormat, format_number};

/// About this many steps.
const STEPS: f64 = 6.0;

/// Steps are at least a sixth of the span, so there are never more.
const MOST_TICKS: u8 = 9;

/// Maps values to pixels.
#[derive(Debug, Clone, Copy)]
pub(super) struct Linear {
    low: f64,
    high: f64,
    step: f64,
    left: f64,
    right: f64,
}

impl Linear {
    /// The axis that holds zero and every value, from pixel `left` to pixel `right`.
    pub(super) fn new(values: impl Iterator<Item = f64>, left: f64, right: f64) -> Self {
        let (low, high) = values
            .filter(|value| value.is_finite())
            .fold((0.0_f64, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
        // The axis has a length even if no bar has one.
        let high = if high - low > f64::MIN_POSITIVE { high } else { 1.0 };
        let step = round_step(high / STEPS - low / STEPS);
        let whole =
            |steps: f64, bound: f64| if (steps * step).is_finite() { steps * step } else { bound };
        let (low, high) = (whole((low / step).floor(), low), whole((high / step).ceil(), high));
        Self { low, high, step, left, right }
    }

    /// The pixel of `value`, which never leaves the axis.
    pub(super) fn to_pixel(self, value: f64) -> f64 {
        // Halves keep the span of the largest numbers finite.
        let half = |value: f64| value / 2.0 - self.low / 2.0;
        let share = (half(value) / half(self.high)).clamp(0.0, 1.0);
        self.left + share * (self.right - self.left)
    }

    /// Grid lines from `top` to `bottom` and the figures below them.
    pub(super) fn draw_grid(&self, format: NumberFormat, top: f64, bottom: f64) -> String {
        let mut out = String::new();
        for tick in 0..=MOST_TICKS {
            let at = self.low + f64::from(tick) * self.step;
            if at > self.high + self.step / 2.0 || !at.is_finite() {
                break;
            }
            let x = self.to_pixel(at);
            let zero = at.abs() < self.step / 2.0;
            let color = if zero { "#9aa5b1" } else { GRID };
            let (across, from, to) = (px(x), px(top), px(bottom));
            let _ =
                writeln!(out, r#"<path d="M{across} {from}V{to}" stroke="{color}" fill="none"/>"#);
            let label = tick_label(if zero { 0.0 } else { at }, self.step, format);
            out.push_str(&draw_text(
                x,
                bottom + 18.0,
                12.0,
                SOFT,
                &label,
                " text-anchor=\"middle\"",
            ));
        }
        out
    }
}

/// The next 1, 2 or 5 times a power of ten.
fn round_step(step: f64) -> f64 {
    let decade = 10_f64.powf(step.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * decade >= step * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * decade
}

/// The label of a tick: no more decimals than the step has.
fn tick_label(value: f64, step: f64, format: NumberFormat) -> String {
    let percent = matches!(format, NumberFormat::Percent(_));
    let step = if percent { step * 100.0 } else { step };
    let decimals = (0..=9_u8).find(|&decimals| {
        let scaled = step * 10_f64.powi(i32::from(decimals));
        (scaled - scaled.round()).abs() < 1e-6 * scaled
    });
    match (decimals, percent) {
        (Some(decimals), true) => format_number(value, NumberFormat::Percent(decimals)),
        (Some(decimals), false) if value.abs() < 1e7 => {
            format_number(value, NumberFormat::Fixed(decimals))
        }
        _ => format_number(value, NumberFormat::Si(3)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_hold_every_value() {
        for (values, high, step) in [
            (vec![165.0, 805.7], 1000.0, 200.0),
            (vec![0.0], 1.0, 0.2),
            (vec![], 1.0, 0.2),
            (vec![6.0], 6.0, 1.0),
            (vec![f64::NAN, f64::INFINITY, 0.03], 0.03, 0.005),
        ] {
            let axis = Linear::new(values.into_iter(), 0.0, 100.0);
            assert!((axis.high - high).abs() < 1e-9 * high, "{axis:?}");
            assert!((axis.step - step).abs() < 1e-9, "{axis:?}");
        }
        let axis = Linear::new([-3.0, 9.0].into_iter(), 0.0, 100.0);
        assert!(
            axis.to_pixel(-3.0) >= 0.0 && axis.to_pixel(9.0) <= 100.0 && axis.to_pixel(0.0) > 0.0
        );
    }

    #[test]
    fn a_figure_has_the_digits_of_its_step() {
        assert_eq!(tick_label(0.25, 0.05, NumberFormat::Percent(1)), "25%");
        assert_eq!(tick_label(1200.0, 200.0, NumberFormat::Significant(4)), "1,200");
        assert_eq!(tick_label(0.015, 0.005, NumberFormat::Significant(4)), "0.015");
        assert_eq!(tick_label(2e9, 5e8, NumberFormat::Si(3)), "2.00 G");
    }
}
