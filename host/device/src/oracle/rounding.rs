use super::Element;

/// What becomes of a sum of products: how far the result may be off follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rounding {
    /// Integers, as they are.
    Exact,
    /// Sums in single precision, as they are.
    Sums,
    /// The same, rounded to so many significant bits; below its normal numbers a format errs by `least`.
    Stored {
        /// The hidden one counts.
        bits: i32,
        /// Half of the least subnormal number.
        least: f64,
    },
    /// Integers divided by `2^shift`, rounded to the nearest (halves up) and held within 8 bits.
    Requantised {
        /// Bits that are dropped.
        shift: u32,
    },
}

impl From<Element> for Rounding {
    fn from(element: Element) -> Self {
        match element {
            Element::Fp32 => Self::Sums,
            Element::Bf16 => Self::Stored { bits: 8, least: 0.0 },
            Element::Int8 => Self::Exact,
        }
    }
}
