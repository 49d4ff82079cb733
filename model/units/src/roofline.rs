//! The roofline: what rate a kernel can attain, and which roof holds it down.

use serde::Serialize;

use crate::units::{BytesPerSecond, OpsPerByte, OpsPerSecond};

/// Which roof is the lower one.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Ord, PartialOrd, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Bound {
    /// Operational intensity is at or above the ridge point.
    Compute,
    /// It is below.
    Memory,
}

impl Bound {
    /// `compute` or `memory`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Compute => "compute",
            Self::Memory => "memory",
        }
    }
}

/// A peak and a bandwidth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Roofline {
    /// The flat roof.
    pub peak: OpsPerSecond,
    /// The slope of the other.
    pub bandwidth: BytesPerSecond,
}

impl Roofline {
    /// Where the roofs meet: `peak / bandwidth`.
    pub fn ridge(&self) -> OpsPerByte {
        self.peak / self.bandwidth
    }

    /// `min(peak, bandwidth x OI)` (Williams, Waterman, Patterson 2009).
    pub fn attainable(&self, intensity: OpsPerByte) -> OpsPerSecond {
        let memory = self.bandwidth * intensity;
        if memory.0 < self.peak.0 { memory } else { self.peak }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_ridges_of_the_critique() {
        let ridge = |peak, gbs| {
            Roofline { peak: OpsPerSecond(peak), bandwidth: BytesPerSecond(gbs * 1e9) }.ridge().0
        };
        assert_eq!(format!("{:.2}", ridge(5.41e12, 460.0)), "11.76");
        assert_eq!(format!("{:.2}", ridge(5.41e12, 300.0)), "18.03");
        assert_eq!(format!("{:.2}", ridge(9024.0 * 2.0 * 300e6, 460.0)), "11.77");
        assert_eq!(format!("{:.2}", ridge(9024.0 * 2.0 * 300e6, 300.0)), "18.05");
        assert_eq!(format!("{:.1}", ridge(1.0824e12, 300.0)), "3.6");
    }

    proptest! {
        #[test]
        fn attainable_is_never_above_a_roof(peak in 1.0..1e15f64, bw in 1.0..1e13f64, oi in 1e-3..1e4f64) {
            let roof = Roofline { peak: OpsPerSecond(peak), bandwidth: BytesPerSecond(bw) };
            let rate = roof.attainable(OpsPerByte(oi));
            prop_assert!(rate.0 <= peak && rate.0 <= bw * oi);
        }
    }
}
