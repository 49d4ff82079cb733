//! The expected time of several operations.

use serde::Serialize;

use super::OperationRow;
use derate_units::Seconds;

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
