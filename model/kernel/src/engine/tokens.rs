//! Tokens of a stream in order: as a sum over loops, and as runs at equal distances.

use crate::graph::Linear;

/// Tokens of one stream in order: `first + sum of index * stride`, the outermost loop first.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Traffic {
    pub(crate) storage: usize,
    /// Which stream of an array of streams.
    pub(crate) element: Vec<Linear>,
    pub(crate) is_write: bool,
    pub(crate) first: f64,
    /// The cycle of the access within its first iteration, whether it happens there or not.
    pub(crate) stage: f64,
    pub(crate) dims: Vec<(f64, f64)>,
}

/// Tokens at equal distances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Run {
    pub(crate) count: f64,
    pub(crate) first: f64,
    pub(crate) step: f64,
}

/// With more runs than this the tokens are spread evenly.
const RUNS: f64 = 20_000.0;

impl Traffic {
    pub(crate) fn shifted(mut self, by: f64) -> Self {
        self.first += by;
        self.stage += by;
        self
    }

    /// The traffic of a loop whose iterations are `stride` apart.
    pub(crate) fn repeated(mut self, count: f64, stride: f64) -> Self {
        self.dims.insert(0, (count, stride));
        self
    }

    pub(crate) fn count(&self) -> f64 {
        self.dims.iter().map(|dim| dim.0).product()
    }

    /// The tokens as runs.
    pub(crate) fn runs(&self) -> Vec<Run> {
        let mut dims: Vec<(f64, f64)> = Vec::new();
        for dim in self.dims.iter().filter(|dim| dim.0 > 1.0).rev() {
            match dims.last_mut() {
                Some(inner) if (inner.0 * inner.1 - dim.1).abs() < 1e-6 => inner.0 *= dim.0,
                _ => dims.push(*dim),
            }
        }
        let outer: f64 = dims.iter().skip(1).map(|dim| dim.0).product();
        if outer > RUNS {
            let last: f64 = dims.iter().map(|dim| (dim.0 - 1.0) * dim.1).sum();
            let count = self.count();
            return vec![Run { count, first: self.first, step: last / (count - 1.0).max(1.0) }];
        }
        let (count, step) = dims.first().copied().unwrap_or((1.0, 0.0));
        let mut runs = vec![Run { count, first: self.first, step }];
        for (count, stride) in dims.iter().skip(1) {
            let inner = std::mem::take(&mut runs);
            let mut at = 0.0;
            while at < *count {
                runs.extend(inner.iter().map(|run| Run { first: run.first + at * stride, ..*run }));
                at += 1.0;
            }
        }
        runs
    }
}
