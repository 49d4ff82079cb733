//! Beside the roofline's lower bound, the time that published timings lead to expect of products.

use serde::Serialize;

use super::OperationRow;
use crate::gemm_time::{DominantPart, ErrorBand, GemmEstimate};
use derate_units::Seconds;

/// The expected time of an operation, with how far such times were from timings that the fit had not seen; else why it is
/// unknown.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExpectedTime {
    /// One run.
    pub seconds: Option<Seconds>,
    /// What most of it is.
    pub region: Option<DominantPart>,
    /// Errors of such times, as shares of the timing.
    pub band: Option<ErrorBand>,
    /// The operations that this is the time of: several that read the same activations, where one product makes them all.
    pub products: Vec<&'static str>,
    /// Why there is none.
    pub unknown: Option<String>,
}

impl ExpectedTime {
    /// Of attention, and of what multiplies nothing.
    const NO_PRODUCT: &str = "the timings are of products with weights";

    /// Why a product with weights has no expected time; `None` where it has one, alone or with others, and of all else.
    pub fn why_not(&self) -> Option<&str> {
        let unknown = self.unknown.as_deref().filter(|why| *why != Self::NO_PRODUCT);
        unknown.filter(|_| self.products.is_empty())
    }

    /// Of an operation whose product is part of one with `products`, their time is at the first of them.
    pub(super) fn part_of(products: &[&'static str]) -> Self {
        let first = products.first().copied().unwrap_or_default();
        let products = products.to_vec();
        Self { products, ..Self::unknown(format!("it is in the time of {first}")) }
    }

    /// Of what is no product with weights.
    pub(super) fn no_product() -> Self {
        Self::unknown(Self::NO_PRODUCT.to_owned())
    }

    /// Of one product that makes the results of `products`.
    pub(super) fn of(estimate: &GemmEstimate, products: &[&'static str]) -> Self {
        let GemmEstimate { total, region, band, .. } = *estimate;
        Self {
            seconds: Some(total),
            region: Some(region),
            band: Some(band),
            products: products.to_vec(),
            unknown: None,
        }
    }

    pub(super) fn unknown(why: String) -> Self {
        Self { seconds: None, region: None, band: None, products: Vec::new(), unknown: Some(why) }
    }
}

/// The expected times of the products of a phase.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExpectedSum {
    /// All of them, one after another; `null` where a product has none.
    pub seconds: Option<Seconds>,
    /// Those of the products that have one.
    pub known_seconds: Seconds,
    /// About how far that is off if every product is off the same way, by what nine in ten keep to; a share.
    pub nine_tenths: f64,
    /// The same products at the roofline.
    pub roofline_seconds: Seconds,
    /// Operations without an expected time.
    pub without: Vec<&'static str>,
    /// Which products have none, where one has none.
    pub unknown: Option<String>,
}

impl ExpectedSum {
    /// Of these operations; `None` where none has an expected time.
    pub(super) fn of(rows: &[OperationRow]) -> Option<Self> {
        let (mut seconds, mut off, mut roofline) = (0.0, 0.0, 0.0);
        let (mut without, mut lacking) = (Vec::new(), Vec::new());
        for row in rows {
            let runs = row.runs as f64;
            if let (Some(own), Some(band)) = (row.expected.seconds, row.expected.band) {
                seconds += own.0 * runs;
                off += own.0 * runs * band.nine_tenths;
            }
            if row.expected.products.is_empty() {
                without.push(row.name);
                lacking.extend(row.expected.why_not().map(|_| row.name));
            } else {
                roofline += row.at_least_seconds.0 * runs;
            }
        }
        let unknown = (!lacking.is_empty())
            .then(|| format!("there is no expected time of {}", lacking.join(", ")));
        (seconds > 0.0).then(|| Self {
            seconds: unknown.is_none().then_some(Seconds(seconds)),
            known_seconds: Seconds(seconds),
            nine_tenths: off / seconds,
            roofline_seconds: Seconds(roofline),
            without,
            unknown,
        })
    }
}
