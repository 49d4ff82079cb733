//! The period that a tree counts its times with: `2.347e+09` ns for 234,651,524 cycles are 10 ns, and not 10.002.

/// The periods in ns that fit all times of a tree so far.
#[derive(Default)]
pub(super) struct CountedPeriods(Option<(f64, f64)>);

impl CountedPeriods {
    /// Narrows them by those of a module. One that fits none of them has a clock of its own.
    pub(super) fn add(&mut self, periods: Option<(f64, f64)>) {
        let Some((low, high)) = periods else { return };
        self.0 = match self.0 {
            None => Some((low, high)),
            Some((least, most)) if low.max(least) <= high.min(most) => {
                Some((low.max(least), high.min(most)))
            }
            known => known,
        };
    }

    /// The one with the fewest decimals, as people ask for them; the middle where three do not do.
    pub(super) fn shortest(&self) -> Option<f64> {
        let (low, high) = self.0?;
        let middle = f64::midpoint(low, high);
        let fits = |period: &f64| (low..=high).contains(period) && *period > 0.0;
        let rounded = [1.0, 10.0, 100.0, 1000.0].map(|scale| (middle * scale).round() / scale);
        Some(rounded.into_iter().find(fits).unwrap_or(middle))
    }
}

/// The worth of the last digit that is printed: 1e6 of `2.347e+09`, 0.001 of `350.000`.
pub(super) fn last_digit(printed: &str) -> Option<f64> {
    let (digits, power) = printed.trim().split_once(['e', 'E']).unwrap_or((printed.trim(), "0"));
    let decimals = digits.split_once('.').map_or(0, |(_, behind)| behind.len());
    let power = power.parse::<i32>().ok()?.checked_sub(i32::try_from(decimals).ok()?)?;
    Some(10_f64.powi(power)).filter(|worth| worth.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(rows: &[(f64, &str)]) -> Option<f64> {
        let mut periods = CountedPeriods::default();
        for (cycles, printed) in rows {
            let half = last_digit(printed).unwrap_or_default() / 2.0;
            let time: f64 = printed.parse().unwrap_or_default();
            periods.add(Some(((time - half) / cycles, (time + half) / cycles)));
        }
        periods.shortest()
    }

    #[test]
    fn the_digits_that_are_printed_bound_the_period() {
        assert_eq!(count(&[(234_651_524.0, "2.347e+09")]), Some(10.0));
        assert_eq!(count(&[(35.0, "350.000"), (1.0, "12.000")]), Some(10.0));
        assert_eq!(count(&[(1_000.0, "3.333e+03"), (300_000.0, "9.999e+05")]), Some(3.333));
        // Close to 10 ns, and not it.
        assert_eq!(count(&[(1_000.0, "9.980e+03")]), Some(9.98));
        assert_eq!(count(&[]), None);
        assert_eq!((last_digit("2.347e+09"), last_digit("-")), (Some(1e6), Some(1.0)));
    }
}
