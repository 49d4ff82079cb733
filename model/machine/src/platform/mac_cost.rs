use std::fmt;

use derate_units::figures::significant;
use derate_units::{Figure, Precision};

/// What multiply-adds cost in DSP slices, kept in the form that was given: converting back and forth would print odd
/// numbers and add a slice to a whole array.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DspCost {
    /// So many slices for each multiply-add.
    PerMac(f64),
    /// So many multiply-adds that each slice starts per cycle.
    PerDsp(f64),
}

impl DspCost {
    /// Slices that so many multiply-adds take: a whole number.
    pub fn slices(self, macs: f64) -> f64 {
        match self {
            Self::PerMac(slices) => macs * slices,
            Self::PerDsp(rate) => macs / rate,
        }
        .ceil()
    }

    /// Multiply-adds that so many slices are enough for: a whole number.
    pub fn macs(self, slices: f64) -> f64 {
        match self {
            Self::PerMac(cost) => slices / cost,
            Self::PerDsp(rate) => slices * rate,
        }
        .floor()
    }
}

/// `5 DSP per MAC`, `1.75 MAC per DSP`.
impl fmt::Display for DspCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::PerMac(slices) => write!(f, "{} DSP per MAC", significant(slices, 6)),
            Self::PerDsp(rate) => write!(f, "{} MAC per DSP", significant(rate, 6)),
        }
    }
}

/// One way to build a multiply-add.
#[derive(Clone, Debug, PartialEq)]
pub struct MacCost {
    /// The arithmetic that it does.
    pub precision: Precision,
    /// What people call it, such as `1.75 MAC per DSP`.
    pub name: String,
    /// Multiply-adds that one DSP slice starts per cycle; 0.2 where one takes five.
    pub macs_per_dsp: Figure<f64>,
}

impl MacCost {
    /// What it costs.
    pub fn cost(&self) -> Figure<DspCost> {
        self.macs_per_dsp.clone().map(DspCost::PerDsp)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_cost_is_printed_as_it_was_said() {
        assert_eq!(DspCost::PerDsp(1.75).to_string(), "1.75 MAC per DSP");
        assert_eq!(DspCost::PerMac(5.0).to_string(), "5 DSP per MAC");
        assert_eq!(DspCost::PerDsp(1.75).slices(256.0).to_bits(), 147.0_f64.to_bits());
    }

    proptest! {
        #[test]
        fn a_whole_cost_of_whole_multiply_adds_rounds_nothing(cost in 1u32..200, macs in 1u32..100_000) {
            let (cost, macs) = (f64::from(cost), f64::from(macs));
            let slices = cost * macs;
            prop_assert_eq!(DspCost::PerMac(cost).slices(macs).to_bits(), slices.to_bits());
            prop_assert_eq!(DspCost::PerMac(cost).macs(slices).to_bits(), macs.to_bits());
        }

        #[test]
        fn what_so_many_slices_are_enough_for_takes_no_more(slices in 1u32..20_000) {
            for rate in [0.2, 1.0, 1.75, 2.0, 4.0].map(DspCost::PerDsp) {
                prop_assert!(rate.slices(rate.macs(f64::from(slices))) <= f64::from(slices));
            }
        }
    }
}
