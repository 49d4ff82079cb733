//! Errors and their distribution.
#![allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]

/// Errors in percent of the truth.
#[derive(Clone, Debug, Default)]
pub(crate) struct Errors {
    sorted: Vec<f64>,
}

impl Errors {
    /// Of pairs of truth and prediction. A truth of zero counts as one.
    pub(crate) fn of_pairs(pairs: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let error = |(truth, own): (f64, f64)| 100.0 * (own - truth).abs() / truth.abs().max(1.0);
        Self::of_values(pairs.into_iter().map(error).collect())
    }

    pub(crate) fn of_values(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        Self { sorted: values }
    }

    pub(crate) fn count(&self) -> usize {
        self.sorted.len()
    }

    /// The value below which a share of them lies.
    pub(crate) fn quantile(&self, share: f64) -> f64 {
        let at = (self.sorted.len().saturating_sub(1) as f64 * share).round() as usize;
        self.sorted.get(at).copied().unwrap_or(f64::NAN)
    }

    pub(crate) fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    pub(crate) fn mean(&self) -> f64 {
        self.sorted.iter().sum::<f64>() / self.sorted.len() as f64
    }

    /// The share without an error, in percent.
    pub(crate) fn exact(&self) -> f64 {
        percent(self.sorted.iter().filter(|error| **error < 1e-9).count(), self.sorted.len())
    }
}

/// `part` of `whole` in percent.
pub(crate) fn percent(part: usize, whole: usize) -> f64 {
    if whole == 0 { f64::NAN } else { 100.0 * part as f64 / whole as f64 }
}

/// Spearman's rank correlation.
pub(crate) fn rank_correlation(pairs: &[(f64, f64)]) -> f64 {
    let (left, right): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    let (left, right) = (ranks(&left), ranks(&right));
    let mean = f64::midpoint(pairs.len() as f64, 1.0);
    let covariance = |a: &[f64], b: &[f64]| -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - mean) * (b - mean)).sum()
    };
    covariance(&left, &right) / (covariance(&left, &left) * covariance(&right, &right)).sqrt()
}

/// Ranks from one; equal values share their mean rank.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    for group in order.chunk_by(|a, b| values[*a].total_cmp(&values[*b]).is_eq()) {
        let first = order.partition_point(|at| values[*at].total_cmp(&values[group[0]]).is_lt());
        let rank = first as f64 + f64::midpoint(group.len() as f64, 1.0);
        for at in group {
            ranks[*at] = rank;
        }
    }
    ranks
}
