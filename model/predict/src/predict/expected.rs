//! Beside the roofline's lower bound, the time that published timings lead to expect of products.

use serde::Serialize;

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

    /// Of what is not a product with weights.
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
