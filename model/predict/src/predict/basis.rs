//! What expected times rest on, as JSON has it.

use serde::Serialize;

use crate::gemm_time::{ErrorBand, Fitted, GemmModel, GemmTimeError};
use derate_units::Precision;
use derate_workload::operator::StoredAs;

/// What expected times of one kind of product rest on; else why they are unknown.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BasisRow {
    /// With what activations are multiplied.
    pub products: StoredAs,
    /// The arithmetic of the products.
    pub arithmetic: Precision,
    /// What the times rest on, in a sentence.
    pub basis: Option<String>,
    /// Timings of the device itself; `null` where constants are borrowed.
    pub timings: Option<TimingsRow>,
    /// The sets of timings that constants are borrowed from.
    pub borrowed_from: &'static [String],
    /// How far such times were from timings that the fit had not seen, whatever most of a time is.
    pub band: Option<ErrorBand>,
    /// Why there are none.
    pub unknown: Option<String>,
}

/// Published timings that constants were fitted to.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
pub struct TimingsRow {
    /// Name of the device in the catalogue.
    pub device: &'static str,
    /// Key of what was timed.
    pub arithmetic: &'static str,
    /// How many.
    pub rows: usize,
    /// What ran the products.
    pub framework: &'static str,
    /// Who published them.
    pub source: &'static str,
}

impl BasisRow {
    pub(super) fn new(
        products: StoredAs,
        arithmetic: Precision,
        model: &Result<GemmModel, GemmTimeError>,
    ) -> Self {
        let known = model.as_ref().ok();
        let row = |fitted: &'static Fitted| TimingsRow {
            device: &fitted.device,
            arithmetic: &fitted.arithmetic,
            rows: fitted.rows,
            framework: &fitted.framework,
            source: &fitted.source,
        };
        Self {
            products,
            arithmetic,
            basis: known.map(|model| model.basis().to_owned()),
            timings: known.and_then(GemmModel::fitted).map(row),
            borrowed_from: known.map_or(&[], GemmModel::borrowed_from),
            band: known.map(GemmModel::band),
            unknown: model.as_ref().err().map(ToString::to_string),
        }
    }
}
