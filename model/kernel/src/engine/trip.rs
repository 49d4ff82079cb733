//! How often a loop is run.

use super::Engine;
use super::ways::Test;
use crate::graph::{Linear, Symbol, Value};

/// Iterations of a loop each time it is run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Trip {
    pub(crate) least: f64,
    pub(crate) most: f64,
    /// Over all runs, each counted.
    pub(crate) mean: f64,
    /// Whether data decide.
    pub(crate) is_open: bool,
    /// Whether a directive gives it, or the loop may be left before its bound.
    pub(crate) is_given: bool,
    /// What a report counts with.
    pub(crate) printed: f64,
    /// Whether data decide, and only the range of a type bounds it.
    pub(crate) rests_on_type: bool,
}

impl Trip {
    pub(crate) const UNKNOWN: Self = Self { is_open: true, ..Self::exactly(0.0) };

    pub(crate) const fn exactly(count: f64) -> Self {
        Self {
            least: count,
            most: count,
            mean: count,
            is_open: false,
            is_given: false,
            printed: count,
            rests_on_type: false,
        }
    }

    /// Between two counts. What 2023.1 prints is the whole number in their middle, rounded down.
    pub(crate) fn between(least: f64, most: f64, mean: f64) -> Self {
        let printed = f64::midpoint(least, most).floor();
        Self { least, most, mean, printed, ..Self::exactly(0.0) }
    }

    /// The iterations of a loop whose body is copied so often.
    pub(crate) fn divided(self, factor: u64) -> Self {
        if factor <= 1 {
            return self;
        }
        #[allow(clippy::cast_precision_loss)]
        let scale = |count: f64| (count / factor as f64).ceil();
        Self {
            least: scale(self.least),
            most: scale(self.most),
            mean: scale(self.mean),
            printed: scale(self.printed),
            ..self
        }
    }

    /// The iterations of a loop with those of a loop in it, as one.
    pub(crate) fn times(self, inner: Self) -> Self {
        Self {
            least: self.least * inner.least,
            most: self.most * inner.most,
            mean: self.mean * inner.mean,
            printed: self.printed * inner.printed,
            is_open: self.is_open || inner.is_open,
            is_given: self.is_given || inner.is_given,
            rests_on_type: self.rests_on_type || inner.rests_on_type,
        }
    }

    /// The iterations that the tool counts: what a directive says of them decides nothing.
    pub(crate) fn counted(self) -> Option<u64> {
        self.whole().filter(|_| !(self.is_given || self.rests_on_type))
    }

    pub(crate) fn whole(self) -> Option<u64> {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let count = self.most as u64;
        let is_whole = !self.is_open && (self.least - self.most).abs() < 0.5;
        is_whole.then_some(count)
    }
}

/// What is done with the values of counters, and what they weigh.
type Visit<'v> = &'v mut dyn FnMut(&[(u32, i64)], f64);

/// Values that are tried of the counter around; more are sampled.
const SAMPLES: i64 = 512;
/// Values that are tried of all counters around together.
const TRIED: f64 = 20_000.0;
/// Loops around that decide how often one is run; with more of them the middle of the range is taken.
const AROUND: usize = 12;

impl Engine<'_> {
    /// The trips of `for (c = start; c < end; c += step)`.
    #[allow(clippy::cast_precision_loss)]
    pub(crate) fn count_trips(&self, start: Value, end: Value, step: i64) -> Trip {
        let (Some(start), Some(end)) = (self.linear(start), self.linear(end)) else {
            return Trip::UNKNOWN;
        };
        let Some(length) = end
            .minus(&start)
            .and_then(|length| if step < 0 { length.scaled(-1) } else { Some(length) })
        else {
            return Trip::UNKNOWN;
        };
        let step = step.unsigned_abs().max(1);
        let count = |length: i64| {
            if length <= 0 { 0.0 } else { length.unsigned_abs().div_ceil(step) as f64 }
        };
        if length.is_constant() {
            return Trip::exactly(count(length.constant));
        }
        let Some((low, high)) = self.range(&length) else { return Trip::UNKNOWN };
        let test = self.test_of(&length);
        let around = &test.counters;
        let (least, most) = (count(low), count(high));
        let rests_on_type = self.rests_on_type(&length)
            || around.iter().any(|counter| self.counters[*counter as usize].trip.rests_on_type);
        let between = |mean| Trip { rests_on_type, ..Trip::between(least, most, mean) };
        if around.len() > AROUND {
            return between(f64::midpoint(least, most));
        }
        #[allow(clippy::cast_possible_truncation)]
        let limit = TRIED.powf(1.0 / around.len() as f64) as i64;
        let limit = limit.clamp(2, SAMPLES);
        let mut sums = (0.0, 0.0);
        self.sample((around, limit), 1.0, &mut Vec::new(), &mut |values, weight| {
            if self.lets_through(&test, values) {
                sums.0 += weight * count(length.value_at(values));
                sums.1 += weight;
            }
        });
        let mean = if sums.1 > 0.0 { sums.0 / sums.1 } else { 0.0 };
        between(mean)
    }

    /// The counters that decide a length, outermost first, and the conditions on them that are on the way.
    fn test_of(&self, length: &Linear) -> Test {
        let mut test = Test::default();
        self.counters_of(length, &mut test.counters);
        let has_values = |counter: &u32| {
            let own = &self.counters[*counter as usize];
            own.bounds.is_some() || own.range.is_some()
        };
        if self.add_ways(&mut test).is_none() || !test.counters.iter().all(has_values) {
            // Data decide when it is reached.
            test = Test::default();
            self.counters_of(length, &mut test.counters);
            self.add_weights(&mut test.counters);
        }
        test
    }

    /// Adds the loops around whose own trips vary with the counters that are found: the more often they run, the more a value
    /// of these counters weighs. Outermost first.
    pub(crate) fn add_weights(&self, found: &mut Vec<u32>) {
        let varies = |counter: u32, found: &[u32]| {
            let mut own = Vec::new();
            if let Some((start, end)) = &self.counters[counter as usize].bounds {
                self.counters_of(start, &mut own);
                self.counters_of(end, &mut own);
            }
            own.iter().any(|one| found.contains(one))
        };
        for counter in &self.around {
            if !found.contains(counter) && varies(*counter, found) {
                found.push(*counter);
            }
        }
        found.sort_unstable();
    }

    /// The counters that a sum and their bounds depend on, outermost first.
    pub(crate) fn counters_of(&self, linear: &Linear, found: &mut Vec<u32>) {
        for (symbol, _) in &linear.terms {
            if let Symbol::Counter(counter) = symbol
                && !found.contains(counter)
            {
                if let Some((start, end)) = &self.counters[*counter as usize].bounds {
                    self.counters_of(start, found);
                    self.counters_of(end, found);
                }
                if !found.contains(counter) {
                    found.push(*counter);
                }
            }
        }
    }

    /// Goes through the values of the counters around, each run weighted alike.
    #[allow(clippy::cast_precision_loss)]
    pub(crate) fn sample(
        &self,
        (around, limit): (&[u32], i64),
        weight: f64,
        values: &mut Vec<(u32, i64)>,
        visit: Visit<'_>,
    ) {
        let Some((first, rest)) = around.split_first() else {
            visit(values, weight);
            return;
        };
        let counter = &self.counters[*first as usize];
        let (start, end) = match (&counter.bounds, counter.range) {
            (Some((start, end)), _) => (start.value_at(values), end.value_at(values)),
            (None, Some((low, high))) => (low, high + 1),
            (None, None) => return,
        };
        let step = counter.step;
        if step == 0 {
            return;
        }
        let trips = (end - start) / step + i64::from((end - start) % step != 0);
        let tried = trips.clamp(0, limit);
        for at in 0..tried {
            let middle = if trips > limit {
                (at as f64 + 0.5) * trips as f64 / tried as f64
            } else {
                at as f64
            };
            #[allow(clippy::cast_possible_truncation)]
            let value = middle as i64;
            values.push((*first, value));
            let share = trips as f64 / tried as f64;
            self.sample((rest, limit), weight * share, values, visit);
            values.pop();
        }
    }
}
