//! What a search would make of the model: designs that do not fit, and the fastest that do.

use crate::row::Row;
use crate::statistics::percent;
use std::collections::BTreeMap;

/// The share of DSP, LUT and FF of the part that a design may take.
const SHARE: f64 = 0.75;
/// DSP, LUT and FF in the resources of a row.
const LIMITED: [usize; 3] = [0, 2, 3];
/// So many designs of a ranking are synthesised.
const FIRST: usize = 3;
/// A design is as good as the best if it takes no more than this times its cycles.
const NEAR: f64 = 1.1;
/// A kernel with fewer designs is not a search.
const FEWEST: usize = 10;

/// Designs that do not fit, as found.
#[derive(Clone, Copy, Default)]
struct Refusals {
    right: usize,
    missed: usize,
    wrong: usize,
}

impl Refusals {
    fn of_rows(rows: &[&Row]) -> Self {
        let mut found = Self::default();
        for row in rows {
            match (fits(row, true), fits(row, false)) {
                (Some(false), Some(false)) => found.right += 1,
                (Some(false), Some(true)) => found.missed += 1,
                (Some(true), Some(false)) => found.wrong += 1,
                _ => {}
            }
        }
        found
    }

    fn recall(self) -> f64 {
        percent(self.right, self.right + self.missed)
    }

    /// Of those that are refused; none where nothing is.
    fn precision(self) -> f64 {
        if self.right == 0 { 0.0 } else { percent(self.right, self.right + self.wrong) }
    }
}

/// Whether a design fits, by the report or by the model.
fn fits(row: &Row, by_report: bool) -> Option<bool> {
    let mut fits = true;
    for at in LIMITED {
        let (truth, own) = row.synthesis[at];
        fits &= if by_report { truth? } else { own } <= SHARE * row.capacity[at];
    }
    Some(fits)
}

/// How much longer the best of the first designs of the ranking takes than the best that fits.
fn ranking_loss(rows: &[&Row]) -> Option<f64> {
    let known = rows.iter().filter_map(|row| Some((*row, row.truth?, row.reported?)));
    let known: Vec<_> = known.collect();
    let valid = |row: &Row| fits(row, true) == Some(true);
    let best = known.iter().filter(|one| valid(one.0)).map(|one| one.1).min_by(f64::total_cmp)?;
    let mut ranked: Vec<_> = known.iter().filter(|one| fits(one.0, false) == Some(true)).collect();
    ranked.sort_by(|a, b| {
        a.2.total_cmp(&b.2).then(a.0.synthesis[0].1.total_cmp(&b.0.synthesis[0].1))
    });
    let taken = ranked.iter().take(FIRST).filter(|one| valid(one.0)).map(|one| one.1);
    Some(taken.min_by(f64::total_cmp).unwrap_or(f64::INFINITY) / best)
}

/// What is found over rows, and in the mean over the kernels that have such designs; then the ranking. A line each.
pub(crate) fn describe_search(kernels: &BTreeMap<&str, Vec<&Row>>) -> Vec<String> {
    let all: Vec<&Row> = kernels.values().flatten().copied().collect();
    let rows = Refusals::of_rows(&all);
    if rows.right + rows.missed == 0 {
        return Vec::new();
    }
    let by_kernel: Vec<Refusals> = kernels.values().map(|rows| Refusals::of_rows(rows)).collect();
    let with = by_kernel.iter().filter(|one| one.right + one.missed > 0);
    #[allow(clippy::cast_precision_loss)]
    let mean = |pick: fn(Refusals) -> f64| {
        with.clone().map(|one| pick(*one)).sum::<f64>() / with.clone().count() as f64
    };
    let refused = format!(
        "above {:.0} % of the part's DSP, LUT or FF: {} of {} rows; recall {:.0} precision {:.0} % over rows, {:.0} and {:.0} % in the mean of {} kernels",
        100.0 * SHARE,
        rows.right + rows.missed,
        all.len(),
        rows.recall(),
        rows.precision(),
        mean(Refusals::recall),
        mean(Refusals::precision),
        with.clone().count(),
    );
    let losses = kernels.iter().filter(|(_, rows)| rows.len() >= FEWEST);
    let losses: Vec<(&str, f64)> =
        losses.filter_map(|(name, rows)| Some((*name, ranking_loss(rows)?))).collect();
    let far: Vec<&str> = losses.iter().filter(|one| one.1 > NEAR).map(|one| one.0).collect();
    let ranking = format!(
        "best of the first {FIRST} of the ranking within 10 % of the best that fits: {} of {} kernels; not: {}",
        losses.len() - far.len(),
        losses.len(),
        if far.is_empty() { "none".to_owned() } else { far.join(", ") },
    );
    vec![refused, ranking]
}
