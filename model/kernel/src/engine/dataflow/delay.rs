//! By how much a process is late: a polyline over the time that it would be at without stalls.

use crate::engine::tokens::Run;

/// From `at` on at least `by` late; on a ramp the lateness grows evenly to the next point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    pub(crate) at: f64,
    pub(crate) by: f64,
    pub(crate) is_ramp: bool,
}

/// More runs or points than this are too many for each process and stream of a large region.
const MOST: usize = 4096;

/// Lateness that never shrinks.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Delay {
    pub(crate) points: Vec<Point>,
}

impl Delay {
    /// The lateness of accesses at the times of `own` that wait for the times of `ready`, token by token.
    pub(crate) fn of_waiting(own: &[Run], ready: &[Run]) -> Self {
        let mut delay = Self::default();
        let mut most = 0.0;
        for (count, own, ready) in pair(own, ready) {
            let gap = ready.first - own.first;
            let slope = ready.step - own.step;
            let end = gap + slope * (count - 1.0);
            let stop = own.first + own.step * (count - 1.0);
            if gap <= most && end <= most {
                continue;
            }
            if end <= gap || count <= 1.0 {
                delay.points.push(Point { at: own.first, by: gap, is_ramp: false });
                most = gap;
                continue;
            }
            // The ramp begins where it passes what is there.
            let from = if gap >= most { 0.0 } else { (most - gap) / slope };
            let by = gap + slope * from;
            delay.points.push(Point { at: own.first + own.step * from, by, is_ramp: true });
            delay.points.push(Point { at: stop, by: end, is_ramp: false });
            most = end;
        }
        delay
    }

    /// The lateness at the end.
    pub(crate) fn last(&self) -> f64 {
        self.points.last().map_or(0.0, |point| point.by)
    }

    /// The lateness at a time; `next` is the number of the first point after it.
    fn value(&self, at: f64, next: usize) -> f64 {
        let Some(point) = next.checked_sub(1).and_then(|before| self.points.get(before)) else {
            return 0.0;
        };
        match self.points.get(next) {
            Some(end) if point.is_ramp && end.at > point.at => {
                point.by + (end.by - point.by) * (at - point.at) / (end.at - point.at)
            }
            _ => point.by,
        }
    }

    /// The greater of two.
    pub(crate) fn join(&self, other: &Self) -> Self {
        if self.points.is_empty() {
            return other.clone();
        }
        if other.points.is_empty() {
            return self.clone();
        }
        let mut times: Vec<f64> =
            self.points.iter().chain(&other.points).map(|point| point.at).collect();
        // Two sorted lists: a stable sort merges them.
        times.sort_by(f64::total_cmp);
        times.dedup();
        let mut joined = Self::default();
        let (mut left, mut right) = (0, 0);
        let mut most = 0.0;
        for at in times {
            while self.points.get(left).is_some_and(|point| point.at <= at) {
                left += 1;
            }
            while other.points.get(right).is_some_and(|point| point.at <= at) {
                right += 1;
            }
            let by = self.value(at, left).max(other.value(at, right)).max(most);
            let ramp = |delay: &Self, next: usize| {
                next.checked_sub(1).is_some_and(|before| delay.points[before].is_ramp)
            };
            let is_ramp = ramp(self, left) || ramp(other, right);
            joined.points.push(Point { at, by, is_ramp });
            most = by;
        }
        joined.thin()
    }

    /// Fewer points where they are too many; between those that stay the lateness grows evenly.
    fn thin(self) -> Self {
        let each = self.points.len().div_ceil(MOST / 4);
        if self.points.len() <= MOST {
            return self;
        }
        let last = self.points.last().copied();
        let kept = self.points.into_iter().step_by(each);
        let points = kept.map(|point| Point { is_ramp: true, ..point }).chain(last);
        Self { points: points.collect() }
    }

    /// Runs with this lateness.
    pub(crate) fn apply(&self, runs: &[Run]) -> Vec<Run> {
        let mut late = Vec::new();
        let mut next = 0;
        for run in runs {
            let mut done = 0.0;
            while done < run.count {
                let at = run.first + run.step * done;
                while self.points.get(next).is_some_and(|point| point.at <= at) {
                    next += 1;
                }
                while next > 0 && self.points[next - 1].at > at {
                    next -= 1;
                }
                // Tokens before the next point.
                let left = run.count - done;
                let count = match self.points.get(next) {
                    Some(point) if run.step > 0.0 => {
                        // A run of half a token is one that may not come at all.
                        ((point.at - at) / run.step).ceil().max(1.0).min(left)
                    }
                    _ => left,
                };
                let first = at + self.value(at, next);
                let last = at + run.step * (count - 1.0).max(0.0);
                let end = last + self.value(last, next);
                let step = if count > 1.0 { (end - first) / (count - 1.0) } else { 0.0 };
                push(&mut late, Run { count, first, step });
                done += count;
            }
        }
        coarsen(late)
    }
}

/// Adds a run, to the one before it if they are one.
pub(crate) fn push(runs: &mut Vec<Run>, run: Run) {
    if let Some(last) = runs.last_mut() {
        let gap = run.first - (last.first + last.step * (last.count - 1.0));
        let step = if last.count > 1.0 { last.step } else { gap };
        let same = run.count <= 1.0 || (run.step - step).abs() < 1e-9;
        if same && (gap - step).abs() < 1e-9 {
            *last = Run { count: last.count + run.count, first: last.first, step };
            return;
        }
    }
    runs.push(run);
}

/// Fewer runs where they are too many: neighbours become one, whose tokens are spread evenly between its first and its last.
pub(crate) fn coarsen(runs: Vec<Run>) -> Vec<Run> {
    if runs.len() <= MOST {
        return runs;
    }
    let joined = runs.chunks(runs.len().div_ceil(MOST / 4)).filter_map(|some| {
        let (from, to) = (some.first()?, some.last()?);
        let count: f64 = some.iter().map(|run| run.count).sum();
        let end = to.first + to.step * (to.count - 1.0).max(0.0);
        Some(Run { count, first: from.first, step: (end - from.first) / (count - 1.0).max(1.0) })
    });
    joined.collect()
}

/// Cuts two lists of runs so that their parts have equal numbers of tokens.
fn pair(left: &[Run], right: &[Run]) -> Vec<(f64, Run, Run)> {
    let mut pairs = Vec::new();
    let (mut a, mut b) = (left.iter().copied(), right.iter().copied());
    let (mut one, mut two) = (a.next(), b.next());
    while let (Some(own), Some(ready)) = (one, two) {
        let count = own.count.min(ready.count);
        pairs.push((count, own, ready));
        let rest = |run: Run| {
            let first = run.first + run.step * count;
            (run.count - count > 0.5).then_some(Run { count: run.count - count, first, ..run })
        };
        one = rest(own).or_else(|| a.next());
        two = rest(ready).or_else(|| b.next());
    }
    pairs
}

/// Runs without the first tokens.
pub(crate) fn skip(runs: &[Run], count: f64) -> Vec<Run> {
    let mut left = count;
    let mut kept = Vec::new();
    for run in runs {
        let cut = left.min(run.count);
        left -= cut;
        if run.count - cut > 0.5 {
            let first = run.first + run.step * cut;
            kept.push(Run { count: run.count - cut, first, ..*run });
        }
    }
    kept
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "cycles are whole numbers")]
mod tests {
    use super::{Delay, Run, coarsen};

    fn run(count: f64, first: f64, step: f64) -> Run {
        Run { count, first, step }
    }

    #[test]
    fn a_reader_is_as_late_as_its_last_word() {
        let delay = Delay::of_waiting(&[run(10.0, 0.0, 1.0)], &[run(10.0, 5.0, 3.0)]);
        assert_eq!(delay.last(), 5.0 + 9.0 * 3.0 - 9.0);
        let late = delay.apply(&[run(10.0, 0.0, 1.0)]);
        assert_eq!(late, vec![run(10.0, 5.0, 3.0)]);
    }

    #[test]
    fn a_reader_that_is_slower_waits_for_the_first_word_only() {
        let delay = Delay::of_waiting(&[run(10.0, 0.0, 3.0)], &[run(10.0, 5.0, 1.0)]);
        assert_eq!(delay.last(), 5.0);
    }

    /// A word that comes in half of all cases.
    #[test]
    fn a_part_of_a_word_may_be_late() {
        let delay = Delay::of_waiting(&[run(4.0, 0.0, 1.0)], &[run(4.0, 2.0, 3.0)]);
        let late = delay.apply(&[run(0.5, 1.0, 1.0)]);
        assert!(late.iter().map(|one| one.count).sum::<f64>() > 0.0, "{late:?}");
    }

    /// Tokens that come in pairs: no two runs are one.
    #[test]
    fn many_runs_become_few_with_their_ends() {
        let pairs = |number: u32| -> Vec<Run> {
            (0..number).map(|at| run(2.0, f64::from(at) * 7.0, 1.0)).collect()
        };
        assert_eq!(coarsen(pairs(4096)), pairs(4096));
        let few = coarsen(pairs(40_960));
        assert_eq!(few.len(), 1024);
        assert_eq!(few.iter().map(|one| one.count).sum::<f64>(), 81_920.0);
        let last = few.last().unwrap();
        let end = last.first + last.step * (last.count - 1.0);
        assert!((end - (40_959.0 * 7.0 + 1.0)).abs() < 1e-6, "{end}");
        // As late at the end as with all of them.
        let ready: Vec<Run> =
            pairs(40_960).iter().map(|one| run(2.0, one.first * 1.5, 1.0)).collect();
        let delay = Delay::of_waiting(&pairs(40_960), &ready);
        let thin = delay.join(&Delay::of_waiting(&[run(1.0, 0.0, 0.0)], &[run(1.0, 1.0, 0.0)]));
        assert!(thin.points.len() < delay.points.len() / 10);
        assert!((thin.last() - delay.last()).abs() < 1e-6);
        // In between it differs by no more than the lateness grows from one pair to the next.
        for at in [500.0, 71_234.0, 143_360.0, 280_001.0] {
            let late = |delay: &Delay| delay.apply(&[run(1.0, at, 0.0)])[0].first;
            assert!(
                (late(&thin) - late(&delay)).abs() <= 3.5,
                "{at}: {}",
                late(&thin) - late(&delay)
            );
        }
    }

    #[test]
    fn the_later_of_two_words_counts() {
        let one = Delay::of_waiting(&[run(10.0, 0.0, 1.0)], &[run(10.0, 5.0, 1.0)]);
        let two = Delay::of_waiting(&[run(10.0, 0.0, 1.0)], &[run(10.0, 0.0, 2.0)]);
        let both = one.join(&two);
        assert_eq!(both.last(), 9.0);
        assert_eq!(both.apply(&[run(1.0, 0.0, 0.0)])[0].first, 5.0);
    }
}
