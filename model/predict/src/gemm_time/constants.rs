use serde::{Deserialize, Serialize};

/// What a fit finds: how much of its sheet a GPU reaches in GEMMs, and what each costs besides.
///
/// What is called a share of peak, bandwidth or units lies between 0 and 1, where the fit holds it; the others are positive. The two
/// shares of the last-level cache are factors of its size: nothing holds them below 1, and where the timings do not tell how
/// much the cache keeps, they are far above it and mean that everything stays.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct GemmConstants {
    /// Share of the peak that a unit reaches inside an endless tile.
    pub compute: f64,
    /// Share of the memory's bandwidth that reads reach.
    pub read: f64,
    /// Share of the memory's bandwidth that writes reach.
    pub write: f64,
    /// Microseconds before and after any call.
    pub launch: f64,
    /// Bandwidth of the last-level cache, over the memory's.
    pub cache_rate: f64,
    /// Bytes of operands that survive until the next call, over the size of the last-level cache; may exceed 1.
    pub cache_share: f64,
    /// Bytes of results that are overwritten before they leave the last-level cache, over its size; may exceed 1.
    pub result_share: f64,
    /// A tile of `a x b` reaches `1 / (1 + edge x (1/a + 1/b))` of an endless one; elements.
    pub edge: f64,
    /// Least microseconds that a tile takes for 1,024 of the contracted dimension.
    pub step: f64,
    /// Microseconds that a contraction shared out among units takes to be summed.
    pub split: f64,
    /// Share of the last wave's idle units that is idle in fact.
    pub tail: f64,
    /// Microseconds by which a tile of 128 x 128 is longer than its products: its start and its results.
    pub tile: f64,
    /// Microseconds that a unit takes to begin a row to be quantised; 0 where none is.
    pub quantise_row: f64,
    /// Nanoseconds that a unit takes to quantise an element of it; 0 where none is.
    pub quantise_element: f64,
    /// No tile has fewer rows, unless the product has fewer.
    pub least_rows: u32,
    /// No tile has fewer columns, unless the product has fewer.
    pub least_columns: u32,
}

/// Which values a constant may have.
#[derive(Clone, Copy)]
enum Domain {
    Share,
    Positive,
}
use Domain::{Positive, Share};

/// A constant that is fitted: its field, its domain and what is expected of it before any timing is seen.
type Free = (fn(&mut GemmConstants) -> &mut f64, Domain, f64);

/// All of them, those of quantisation last.
const FREE: [Free; 14] = [
    (|c| &mut c.compute, Share, 0.8),
    (|c| &mut c.read, Share, 0.85),
    (|c| &mut c.write, Share, 0.8),
    (|c| &mut c.launch, Positive, 3.0),
    (|c| &mut c.cache_rate, Positive, 4.0),
    (|c| &mut c.cache_share, Positive, 0.5),
    (|c| &mut c.result_share, Positive, 0.1),
    (|c| &mut c.edge, Positive, 3.0),
    (|c| &mut c.step, Positive, 1.5),
    (|c| &mut c.split, Positive, 1.5),
    (|c| &mut c.tail, Share, 0.4),
    (|c| &mut c.tile, Positive, 0.3),
    (|c| &mut c.quantise_row, Positive, 0.9),
    (|c| &mut c.quantise_element, Positive, 0.25),
];

/// How many of the constants are fitted where operands are not quantised in the call.
const UNQUANTISED: usize = 12;

impl GemmConstants {
    /// What is expected before any timing is seen.
    pub(super) fn expected(quantised: bool) -> Self {
        let mut constants = Self { least_rows: 16, least_columns: 32, ..Self::default() };
        for (of, _, value) in free_constants(quantised) {
            *of(&mut constants) = *value;
        }
        constants
    }

    /// As a point of a space without bounds: shares by their log odds, the others by their logarithms.
    pub(super) fn to_point(mut self, quantised: bool) -> Vec<f64> {
        let unbound = |(of, domain, _): &Free| match (domain, *of(&mut self)) {
            (Share, value) => (value / (1.0 - value)).ln(),
            (Positive, value) => value.ln(),
        };
        free_constants(quantised).iter().map(unbound).collect()
    }

    /// Back from that space.
    pub(super) fn from_point(point: &[f64]) -> Self {
        let mut constants = Self { least_rows: 16, least_columns: 32, ..Self::default() };
        for ((of, domain, _), x) in FREE.iter().zip(point) {
            *of(&mut constants) = match domain {
                Share => 1.0 / (1.0 + (-x).exp()),
                Positive => x.exp(),
            };
        }
        constants
    }

    /// To four digits, as they are recorded.
    #[must_use]
    pub fn rounded(mut self) -> Self {
        for (of, ..) in FREE {
            let value = of(&mut self);
            *value = four_digits(*value);
        }
        self
    }
}

/// The constants that are fitted.
fn free_constants(quantised: bool) -> &'static [Free] {
    if quantised { &FREE } else { &FREE[..UNQUANTISED] }
}

/// The nearest number of four significant digits.
pub(super) fn four_digits(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}
