//! One roof of one arithmetic: a peak in TOP/s and a bandwidth in GB/s.

use derate_render::Formula;

use super::cell::or_unknown;
use super::roofs::{Times, write_attainable};

/// A peak and a bandwidth.
pub(crate) struct Roof {
    pub(crate) peak: Formula,
    pub(crate) bandwidth: Formula,
}

impl Roof {
    /// Where the roofs meet, in OP/B.
    pub(crate) fn write_ridge(&self) -> Formula {
        or_unknown(self.peak.clone() * 1e3 / self.bandwidth.clone())
    }

    /// Times of so many operations and bytes.
    pub(crate) fn write_times(&self, flops: Formula, bytes: Formula) -> Times {
        Times::new(flops, bytes, self.peak.clone(), self.bandwidth.clone())
    }

    /// GOP/s at that intensity.
    pub(crate) fn write_attainable(&self, oi: Formula) -> Formula {
        write_attainable(oi, self.peak.clone(), self.bandwidth.clone())
    }
}
