use serde::{Serialize, Serializer};

use super::{DspCost, MacCost, Platform};
use derate_units::RateFigure;
use derate_units::figures::{grouped, quantity};
use derate_units::{ElementFormat, Figure, Hertz, OpsPerSecond, Precision, Provenance};

/// A peak that a vendor prints for a card, kept so that it is recognised when quoted for another.
#[derive(Clone, Debug, PartialEq)]
pub struct QuotedPeak {
    /// For which arithmetic.
    pub precision: Precision,
    /// The printed rate.
    pub rate: OpsPerSecond,
    /// Where it is printed and how it is derived.
    pub source: String,
}

/// A peak rate and the multiply-add behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct Peak {
    /// The arithmetic.
    pub precision: Precision,
    /// Which way to build the multiply-add.
    pub variant: String,
    /// The rate.
    pub rate: Figure<OpsPerSecond>,
}

impl Serialize for Peak {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct PeakJson<'a> {
            precision: Precision,
            variant: &'a str,
            rate: RateFigure<'a>,
        }
        let rate = RateFigure::of(&self.rate, self.precision);
        PeakJson { precision: self.precision, variant: &self.variant, rate }.serialize(serializer)
    }
}

impl Platform {
    /// `2 x floor(multiply-adds that the DSP budget is enough for) x clock`.
    pub fn peak_of(
        &self,
        precision: Precision,
        variant: &str,
        cost: &Figure<DspCost>,
        clock: &Figure<Hertz>,
    ) -> Peak {
        let budget = self.dsp_budget();
        let macs = cost.value.macs(budget.value);
        let whole = self.shells.first().is_none_or(|shell| shell.dsp.is_none());
        let whose = match self.whole_chip().strip_prefix("all") {
            Some(reason) if whole => reason,
            _ => "",
        };
        Peak {
            precision,
            variant: variant.to_owned(),
            rate: Figure::new(
                OpsPerSecond(2.0 * macs * clock.value.0),
                // A formula over an assumed operator cost gives an assumed figure.
                if cost.provenance == Provenance::Assumed {
                    Provenance::Assumed
                } else {
                    Provenance::Derived
                },
                format!(
                    "2 x {} MAC x {} ({}); {} DSP{whose}, {variant} ({})",
                    grouped(macs),
                    quantity(clock.value),
                    clock.source,
                    grouped(budget.value),
                    cost.source
                ),
            ),
        }
    }

    /// A peak for every way to build that precision's multiply-add, the default first; empty where none is known.
    pub fn peaks(&self, precision: Precision, clock: &Figure<Hertz>) -> Vec<Peak> {
        let peak = |mac: &MacCost| {
            let own = mac.precision.format() == precision.format();
            let variant =
                if own { mac.name.clone() } else { format!("as {}: {}", mac.precision, mac.name) };
            self.peak_of(precision, &variant, &mac.cost(), clock)
        };
        self.costs(precision).into_iter().map(peak).collect()
    }

    /// The operator costs of that arithmetic, the default first; how memory pads the element does not matter. An integer
    /// or fixed-point width that the file does not name is built with the operators of the narrowest integer that holds
    /// it, so that fewer bits never cost more.
    pub fn costs(&self, precision: Precision) -> Vec<&MacCost> {
        let of = |wanted: ElementFormat| {
            self.macs.iter().filter(|mac| mac.precision.format() == wanted).collect::<Vec<_>>()
        };
        let own = of(precision.format());
        let Some(bits) = signed_bits(precision.format()).filter(|_| own.is_empty()) else {
            return own;
        };
        let known = self.macs.iter().map(|mac| mac.precision.format());
        let holding = known.filter(|&format| multiplier_bits(format).is_some_and(|m| m >= bits));
        holding.min_by_key(|&format| multiplier_bits(format)).map_or_else(Vec::new, of)
    }

    /// The default peak of a precision, if the platform knows how to build it.
    pub fn peak(&self, precision: Precision, clock: &Figure<Hertz>) -> Option<Peak> {
        self.peaks(precision, clock).into_iter().next()
    }
}

/// The bits that an integer or fixed-point factor takes in two's complement: one more where it has no sign.
fn signed_bits(format: ElementFormat) -> Option<u32> {
    match format {
        ElementFormat::Integer { bits, signed } | ElementFormat::Fixed { bits, signed, .. } => {
            Some(bits.saturating_add(u32::from(!signed)))
        }
        ElementFormat::Float { .. } => None,
    }
}

/// The two's-complement factors that an integer operator takes. One for INT16 is the slice's own multiplier, 27 x 18 bit
/// (UG579).
fn multiplier_bits(format: ElementFormat) -> Option<u32> {
    match format {
        ElementFormat::Integer { bits: 16, signed: true } => Some(18),
        ElementFormat::Integer { .. } => signed_bits(format),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::DspType;
    use derate_units::BytesPerSecond;

    fn at_300_mhz() -> Figure<Hertz> {
        Figure::new(Hertz(300e6), Provenance::Assumed, "test")
    }

    fn u280() -> Platform {
        Platform::named("u280").unwrap()
    }

    fn rate(name: &str) -> Option<f64> {
        let precision = Precision::parse(name).unwrap();
        u280().peak(precision, &at_300_mhz()).map(|peak| peak.rate.value.0)
    }

    #[test]
    fn fp32_peaks_at_1_08_tflops() {
        let peak = u280().peak(Precision::FP32, &at_300_mhz()).unwrap();
        assert_eq!(peak.rate.value, OpsPerSecond(1.0824e12));
        let ridge = peak.rate.value / BytesPerSecond(300e9);
        assert_eq!(format!("{:.1}", ridge.0), "3.6");
    }

    #[test]
    fn int8_is_shown_at_1_75_and_1_and_2_macs_per_dsp() {
        let rates: Vec<f64> = u280()
            .peaks(Precision::INT8, &at_300_mhz())
            .iter()
            .map(|p| p.rate.value.0 / 1e12)
            .collect();
        assert_eq!(rates, [9.471, 5.412, 10.824]);
    }

    #[test]
    fn bf16_costs_what_fp32_costs() {
        let peak = |p| u280().peak(p, &at_300_mhz()).unwrap().rate.value;
        assert_eq!(peak(Precision::BF16), peak(Precision::FP32));
    }

    #[test]
    fn every_card_has_peaks_that_follow_from_its_dsp() {
        for platform in Platform::catalogue() {
            let peak = platform.peak(Precision::INT8, &at_300_mhz()).unwrap();
            let budget = platform.dsp_budget().value;
            // WP487, UG479 and AM004: INT8 products that a slice starts per cycle.
            let macs = match platform.dsp_type.as_ref().unwrap().value {
                DspType::Dsp48e1 => 1.0,
                DspType::Dsp48e2 => 1.75,
                DspType::Dsp58 => 3.0,
            };
            assert_eq!(peak.rate.value, OpsPerSecond(2.0 * (budget * macs).floor() * 300e6));
            let whole = peak.rate.source.contains("of the chip");
            let known = platform.shells.first().is_some_and(|shell| shell.dsp.is_some());
            assert_eq!(whole, !known, "{}", platform.name);
        }
    }

    #[test]
    fn an_unknown_precision_has_no_peak() {
        assert!(u280().peak(Precision::FP64, &at_300_mhz()).is_none());
    }

    #[test]
    fn a_multiplier_takes_18_bits_with_a_sign_and_17_without() {
        for fits in ["ap_fixed<16,6>", "ap_fixed<18,8>", "ap_int<18>", "ap_uint<17>", "uint16"] {
            assert_eq!(rate(fits), Some(5.412e12), "{fits}");
        }
        for wider in ["ap_fixed<19,8>", "ap_uint<18>", "ap_ufixed<18,8>"] {
            assert_eq!(rate(wider), None, "{wider}");
        }
    }

    #[test]
    fn a_width_between_is_built_with_the_next_wider_operators_and_says_so() {
        let peak = |name: &str| {
            u280().peak(Precision::parse(name).unwrap(), &at_300_mhz()).unwrap().variant
        };
        assert_eq!(peak("int6"), "as INT8: 1.75 MAC per DSP");
        assert_eq!(peak("ap_ufixed<7,0>"), "as INT8: 1.75 MAC per DSP");
        // Eight bits without a sign are nine with one.
        assert_eq!(peak("uint8"), "as INT16: 1 MAC per DSP");
        assert_eq!(peak("int3"), "as INT4: 2 MAC per DSP");
        assert_eq!(peak("int8"), "1.75 MAC per DSP");
    }

    proptest! {
        #[test]
        fn fewer_bits_never_have_a_lower_peak(
            wide in 1u32..20, fewer in 0u32..20, integer in 0i32..8, point in any::<bool>(),
        ) {
            let narrow = wide.saturating_sub(fewer).max(1);
            let named = |bits: u32| {
                let name = if point { format!("ap_fixed<{bits},{integer}>") } else { format!("ap_int<{bits}>") };
                Precision::parse(&name).unwrap()
            };
            for platform in Platform::catalogue() {
                let rate = |bits| platform.peak(named(bits), &at_300_mhz()).map(|p| p.rate.value.0);
                prop_assert!(rate(narrow) >= rate(wide), "{}: {narrow} and {wide} bits", platform.name);
            }
        }
    }
}
