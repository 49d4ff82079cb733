//! A logarithmic axis in pixels, and its ticks.

use crate::{Axis, NumberFormat, format_number};

/// Maps values to pixels: `from + (to - from) · log(v / min) / log(max / min)`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    min: f64,
    max: f64,
    from: f64,
    to: f64,
}

/// A tick and, if it is a major one, its label.
#[derive(Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) at: f64,
    pub(super) decade: bool,
    pub(super) label: Option<String>,
}

impl Scale {
    /// The scale of `axis` from pixel `from` to pixel `to`.
    pub(super) fn new(axis: &Axis, from: f64, to: f64) -> Self {
        Self { min: axis.min, max: axis.max, from, to }
    }

    /// The pixel of `value`; nothing for what has no logarithm.
    pub(super) fn to_pixel(self, value: f64) -> Option<f64> {
        let share = (value / self.min).log10() / (self.max / self.min).log10();
        share.is_finite().then_some(self.from + share * (self.to - self.from))
    }

    /// Ticks at 1 to 9 times each power of ten. Decades are labelled; 2 and 5 too where there are few decades.
    pub(super) fn list_ticks(&self) -> Vec<Tick> {
        let (first, last) = (self.min.log10().floor(), self.max.log10().ceil());
        let decades = last - first;
        let span = (self.max / self.min).log10();
        if decades > 60.0 {
            // So many cannot be read: only the ends get ticks.
            return [self.min, self.max]
                .iter()
                .filter_map(|&value| self.make_tick(value, true, true))
                .collect();
        }
        let mut ticks = Vec::new();
        let mut decade = first;
        while decade <= last {
            for step in 1..=9 {
                let value = f64::from(step) * 10_f64.powf(decade);
                let inside = value >= self.min * (1.0 - 1e-9) && value <= self.max * (1.0 + 1e-9);
                let labelled = step == 1 || (span <= 2.0 && matches!(step, 2 | 5)) || span <= 0.8;
                let shown = step == 1 || span <= 6.0;
                if inside && shown {
                    ticks.extend(self.make_tick(value, step == 1, labelled));
                }
            }
            decade += 1.0;
        }
        ticks
    }

    fn make_tick(&self, value: f64, decade: bool, labelled: bool) -> Option<Tick> {
        let at = self.to_pixel(value)?;
        Some(Tick { at, decade, label: labelled.then(|| tick_label(value)) })
    }
}

/// The label of a tick: the shortest form, with an SI prefix where the value is large or tiny.
fn tick_label(value: f64) -> String {
    let plain = (1e-3..1e4).contains(&value);
    if plain {
        let text = format!("{value:.6}");
        return text.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    let text = format_number(value, NumberFormat::Si(3));
    let (figure, prefix) = text.split_once(' ').unwrap_or((&text, ""));
    let figure = if figure.contains('.') && !figure.contains('e') {
        figure.trim_end_matches('0').trim_end_matches('.')
    } else {
        figure
    };
    format!("{figure} {prefix}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(min: f64, max: f64) -> Scale {
        Scale::new(&Axis { label: String::new(), unit: String::new(), min, max }, 0.0, 300.0)
    }

    fn labels(min: f64, max: f64) -> Vec<String> {
        scale(min, max).list_ticks().into_iter().filter_map(|tick| tick.label).collect()
    }

    #[test]
    fn decades_are_labelled_shortly() {
        assert_eq!(labels(0.1, 1000.0), ["0.1", "1", "10", "100", "1000"]);
        assert_eq!(labels(5e10, 1.2e13), ["100 G", "1 T", "10 T"]);
        assert_eq!(labels(1.0, 60.0), ["1", "2", "5", "10", "20", "50"]);
        assert!(!labels(1e-300, 1e300).is_empty());
    }

    #[test]
    fn a_decade_is_as_wide_as_the_next() {
        let scale = scale(1.0, 1000.0);
        assert!((scale.to_pixel(10.0).unwrap() - 100.0).abs() < 1e-9);
        assert_eq!(scale.to_pixel(0.0), None);
        assert_eq!(scale.to_pixel(-1.0), None);
    }
}
