//! The same inference under many combinations of assumptions, in parallel, without per-kernel detail.

mod axis;
mod error;
mod point;
mod result;

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

pub use axis::Axis;
pub(crate) use axis::{AxisKey, AxisValue};
pub use error::SweepError;
pub use result::{Note, Sweep, SweepPoint};

use crate::Analysis;
use crate::hold::is_held;
use crate::pass_memo::{NumberedFormats, PassMemo};
use crate::scenario::Assumptions;
use derate_units::axes::{check_axes, count_all, count_combinations, split_index};
use derate_workload::{Part, PartCache};
use point::Base;

/// How many combinations the axes have; the error says that there are too many.
pub fn combinations(axes: &[Axis]) -> Result<u64, SweepError> {
    count_combinations(&axis_lengths(axes)).map_err(SweepError::Axes)
}

fn axis_lengths(axes: &[Axis]) -> Vec<usize> {
    axes.iter().map(|axis| axis.values.len()).collect()
}

/// Varies `scenario` along `axes` on `threads` threads and counts finished points in `done`.
pub fn sweep(
    analysis: &Analysis,
    scenario: &Assumptions,
    axes: &[Axis],
    threads: usize,
    done: &AtomicU64,
) -> Result<Vec<SweepPoint>, SweepError> {
    sweep_range(analysis, scenario, axes, 0..combinations(axes)?, threads, done)
}

/// How many combinations the axes have where they are computed in parts.
///
/// # Errors
///
/// Axes that vary the same, or that have more combinations than can be numbered.
pub fn count_points(axes: &[Axis]) -> Result<u64, SweepError> {
    check_axes(axes.iter().map(|axis| (axis.name(), axis.key)))?;
    count_all(&axis_lengths(axes)).map_err(SweepError::Axes)
}

/// The combinations of `range` alone, in their order.
///
/// # Errors
///
/// As [`sweep`].
pub fn sweep_range(
    analysis: &Analysis,
    scenario: &Assumptions,
    axes: &[Axis],
    range: Range<u64>,
    threads: usize,
    done: &AtomicU64,
) -> Result<Vec<SweepPoint>, SweepError> {
    let (first, total) = (range.start, range.end.saturating_sub(range.start));
    let base = Base::new(analysis, scenario, axes)?;
    let threads = threads.clamp(1, 256) as u64;
    let share = total.div_ceil(threads).max(1);
    let at = |t: u64| first + (t * share).min(total);
    let ranges = (0..threads).map(|t| at(t)..at(t + 1));
    let results: Vec<Result<Vec<SweepPoint>, SweepError>> = std::thread::scope(|scope| {
        let workers: Vec<_> = ranges
            .map(|range| scope.spawn(|| run_range(analysis, &base, axes, range, done)))
            .collect();
        workers.into_iter().map(|w| w.join().unwrap_or(Err(SweepError::Worker))).collect()
    });
    let mut points = Vec::with_capacity(usize::try_from(total).unwrap_or(0));
    for result in results {
        points.extend(result?);
    }
    Ok(points)
}

/// The scenario with one value of each axis.
pub(crate) fn sweep_once(
    analysis: &Analysis,
    scenario: &Assumptions,
    axes: &[Axis],
) -> Result<SweepPoint, SweepError> {
    let base = Base::new(analysis, scenario, axes)?;
    let point = run_range(analysis, &base, axes, 0..1, &AtomicU64::new(0))?.pop();
    point.ok_or(SweepError::NoValue)
}

/// The combinations of `range`, in their order.
fn run_range(
    analysis: &Analysis,
    base: &Base,
    axes: &[Axis],
    range: Range<u64>,
    done: &AtomicU64,
) -> Result<Vec<SweepPoint>, SweepError> {
    let mut points =
        Vec::with_capacity(usize::try_from(range.end.saturating_sub(range.start)).unwrap_or(0));
    let held = |part: &Part| base.is_design() && is_held(analysis, part);
    let (mut built, mut memo) = (PartCache::default(), PassMemo::default());
    let (lengths, whole) = (axis_lengths(axes), analysis.workload.is_whole());
    let mut index = range.start;
    while index < range.end {
        let at = split_index(&lengths, index);
        let point = base.point(axes, &at);
        if base.capacity(&point) < 0.0 {
            points.push(SweepPoint::new(at, None, whole, base.note(&point)));
            done.fetch_add(1, Ordering::Relaxed);
            index += 1;
            continue;
        }
        let parts = analysis.workload.cached_parts(&point.parameters, &mut built);
        let formats =
            NumberedFormats { index: point.formats, formats: &base.formats[point.formats] };
        let plan = memo.plan(&parts, formats, &held, &base.setting(&point))?;
        // Combinations that differ in rates alone share the parts.
        let mut next = Some((point, at));
        while let Some((point, at)) = next {
            let pass = memo.run(&plan, &parts, &base.setting(&point));
            points.push(SweepPoint::new(at, Some(&pass), whole, base.note(&point)));
            done.fetch_add(1, Ordering::Relaxed);
            index += 1;
            next = (index < range.end)
                .then(|| split_index(&lengths, index))
                .map(|at| (base.point(axes, &at), at))
                .filter(|(next, _)| next.has_same_plan(&point));
        }
    }
    Ok(points)
}
