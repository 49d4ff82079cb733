//! Beside the roofline's lower bound, the time that published timings lead to expect of products.

use serde::Serialize;

use super::OperationRow;
use crate::gemm_time::{Band, GemmEstimate, Region};
use crate::units::Seconds;

/// The expected time of an operation, with how far such times were from timings that the fit had not seen; else why it is
/// unknown.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Expected {
    /// One run.
    pub seconds: Option<Seconds>,
    /// What most of it is.
    pub region: Option<Region>,
    /// Errors of such times, as shares of the timing.
    pub band: Option<Band>,
    /// Why there is none.
    pub unknown: Option<String>,
}

impl Expected {
    /// Of attention, and of what multiplies nothing.
    const NO_PRODUCT: &str = "the timings are of products with weights";

    /// Why a product with weights has no expected time; `None` where it has one, and of all else.
    pub fn why_not(&self) -> Option<&str> {
        self.unknown.as_deref().filter(|why| *why != Self::NO_PRODUCT)
    }

    /// Of what is no product with weights.
    pub(super) fn no_product() -> Self {
        Self::unknown(Self::NO_PRODUCT.to_owned())
    }

    pub(super) fn of(estimate: &GemmEstimate) -> Self {
        let GemmEstimate { total, region, band, .. } = *estimate;
        Self { seconds: Some(total), region: Some(region), band: Some(band), unknown: None }
    }

    pub(super) fn unknown(why: String) -> Self {
        Self { seconds: None, region: None, band: None, unknown: Some(why) }
    }
}

/// The expected times of the products of a phase that have one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExpectedSum {
    /// One after another.
    pub seconds: Seconds,
    /// About how far the sum is off if every product is off the same way, by what nine in ten keep to; a share.
    pub nine_tenths: f64,
    /// The same products at the roofline.
    pub roofline_seconds: Seconds,
    /// Operations without an expected time.
    pub without: Vec<&'static str>,
}

impl ExpectedSum {
    /// Of these operations; `None` where none has an expected time.
    pub(super) fn of(rows: &[OperationRow]) -> Option<Self> {
        let (mut seconds, mut off, mut roofline) = (0.0, 0.0, 0.0);
        let mut without = Vec::new();
        for row in rows {
            let runs = row.runs as f64;
            match (row.expected.seconds, row.expected.band) {
                (Some(own), Some(band)) => {
                    seconds += own.0 * runs;
                    off += own.0 * runs * band.nine_tenths;
                    roofline += row.seconds.0 * runs;
                }
                _ => without.push(row.name),
            }
        }
        (seconds > 0.0).then(|| Self {
            seconds: Seconds(seconds),
            nine_tenths: off / seconds,
            roofline_seconds: Seconds(roofline),
            without,
        })
    }
}
