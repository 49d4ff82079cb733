use serde::{Deserialize, Serialize};

use super::{GemmTimeError, GemmTiming};
use derate_units::Ops;
use derate_workload::Matmul;

/// Which products were timed: beyond them nothing says how far a modelled time is off.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TimedRange {
    /// The fewest and the most rows of the left operand.
    pub m: [u64; 2],
    /// The fewest and the most columns of the right operand.
    pub n: [u64; 2],
    /// The least and the greatest contracted dimension.
    pub k: [u64; 2],
    /// The most operations of one of them.
    pub most: f64,
}

impl TimedRange {
    /// Of these timings; `None` where there are none.
    pub fn of<'a>(timings: impl IntoIterator<Item = &'a GemmTiming>) -> Option<Self> {
        let one = |Matmul { m, n, k, .. }: Matmul| [m, n, k].map(|extent| [extent, extent]);
        timings.into_iter().fold(None, |known: Option<Self>, timing| {
            let ([m, n, k], most) = (one(timing.product), timing.product.flops().0);
            let wider = |a: [u64; 2], b: [u64; 2]| [a[0].min(b[0]), a[1].max(b[1])];
            let all = known.map_or(Self { m, n, k, most }, |known| Self {
                m: wider(known.m, m),
                n: wider(known.n, n),
                k: wider(known.k, k),
                most: known.most.max(most),
            });
            Some(all)
        })
    }

    /// Nothing where the product is no smaller and no larger than those.
    pub fn check_covers(&self, product: Matmul) -> Result<(), GemmTimeError> {
        let Matmul { m, n, k, .. } = product;
        for (name, extent, [least, most]) in [("M", m, self.m), ("N", n, self.n), ("K", k, self.k)]
        {
            if !(least..=most).contains(&extent) {
                return Err(GemmTimeError::Extent { name, extent, least, most });
            }
        }
        if product.flops().0 > self.most {
            return Err(GemmTimeError::TooLarge { own: product.flops(), most: Ops(self.most) });
        }
        Ok(())
    }
}
