/// How far a model is from published numbers; shares of the published ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Errors {
    /// Numbers.
    pub(crate) count: usize,
    /// How many are met exactly; `None` where measurements never are.
    pub(crate) exact: Option<usize>,
    pub(crate) mean: f64,
    pub(crate) p95: f64,
    pub(crate) max: f64,
}

impl Errors {
    /// Of modelled and published pairs, which are not empty.
    pub(crate) fn of(pairs: &[(f64, f64)]) -> Self {
        let mut errors: Vec<f64> =
            pairs.iter().map(|(model, published)| (model / published - 1.0).abs()).collect();
        errors.sort_by(f64::total_cmp);
        let count = errors.len();
        // The nearest rank.
        let rank = (count * 95).div_ceil(100);
        Self {
            count,
            exact: Some(
                pairs.iter().filter(|(model, published)| (model - published).abs() < 0.5).count(),
            ),
            mean: errors.iter().sum::<f64>() / count as f64,
            p95: errors[rank - 1],
            max: errors[count - 1],
        }
    }

    /// Of measurements, which no model meets exactly.
    pub(crate) fn of_measurements(pairs: &[(f64, f64)]) -> Self {
        Self { exact: None, ..Self::of(pairs) }
    }

    pub(crate) fn exact_share(&self) -> f64 {
        self.exact.unwrap_or_default() as f64 / self.count as f64
    }
}
