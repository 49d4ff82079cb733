use serde::{Deserialize, Serialize};

/// What a fit finds: how much of its sheet a GPU reaches in GEMMs, and what each costs besides.
///
/// Shares lie between 0 and 1; the others are positive.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Constants {
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
    /// Share of the last-level cache in which operands survive until the next call.
    pub cache_share: f64,
    /// Share of the last-level cache in which results are overwritten before they leave it.
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

/// Of each constant: its domain and what is expected before any timing is seen.
const EXPECTED: [(Domain, f64); 14] = [
    (Share, 0.8),
    (Share, 0.85),
    (Share, 0.8),
    (Positive, 3.0),
    (Positive, 4.0),
    (Positive, 0.5),
    (Positive, 0.1),
    (Positive, 3.0),
    (Positive, 1.5),
    (Positive, 1.5),
    (Share, 0.4),
    (Positive, 0.3),
    (Positive, 0.9),
    (Positive, 0.25),
];

/// How many of the constants are fitted where operands are not quantised in the call.
const UNQUANTISED: usize = 12;

impl Constants {
    fn to_array(self) -> [f64; 14] {
        [
            self.compute,
            self.read,
            self.write,
            self.launch,
            self.cache_rate,
            self.cache_share,
            self.result_share,
            self.edge,
            self.step,
            self.split,
            self.tail,
            self.tile,
            self.quantise_row,
            self.quantise_element,
        ]
    }

    fn from_array(values: [f64; 14]) -> Self {
        let [
            compute,
            read,
            write,
            launch,
            cache_rate,
            cache_share,
            result_share,
            edge,
            step,
            split,
            tail,
            tile,
            quantise_row,
            quantise_element,
        ] = values;
        Self {
            compute,
            read,
            write,
            launch,
            cache_rate,
            cache_share,
            result_share,
            edge,
            step,
            split,
            tail,
            tile,
            quantise_row,
            quantise_element,
            least_rows: 16,
            least_columns: 32,
        }
    }

    /// What is expected before any timing is seen.
    pub(super) fn expected(quantised: bool) -> Self {
        let mut values = EXPECTED.map(|(_, value)| value);
        if !quantised {
            values[UNQUANTISED..].fill(0.0);
        }
        Self::from_array(values)
    }

    /// As a point of a space without bounds: shares by their log odds, the others by their logarithms.
    pub(super) fn to_point(self, quantised: bool) -> Vec<f64> {
        let free = if quantised { EXPECTED.len() } else { UNQUANTISED };
        let values = self.to_array().into_iter().zip(EXPECTED).take(free);
        let unbound = |(value, (domain, _)): (f64, (Domain, f64))| match domain {
            Share => (value / (1.0 - value)).ln(),
            Positive => value.ln(),
        };
        values.map(unbound).collect()
    }

    /// Back from that space.
    pub(super) fn from_point(point: &[f64]) -> Self {
        let mut values = [0.0; 14];
        for ((value, (domain, _)), &x) in values.iter_mut().zip(EXPECTED).zip(point) {
            *value = match domain {
                Share => 1.0 / (1.0 + (-x).exp()),
                Positive => x.exp(),
            };
        }
        Self::from_array(values)
    }

    /// To four digits, as they are recorded.
    #[must_use]
    pub fn rounded(self) -> Self {
        let Self { least_rows, least_columns, .. } = self;
        Self { least_rows, least_columns, ..Self::from_array(self.to_array().map(four_digits)) }
    }
}

/// The nearest number of four significant digits.
pub(super) fn four_digits(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}
