use derate_hls::ScalarType;
use derate_units::{ElementFormat, Precision};

/// What an element of an HLS type costs in external memory, and how its bits are read; `None` where no number format is like
/// it.
pub fn scalar_precision(scalar: &ScalarType) -> Option<Precision> {
    let format = match *scalar {
        ScalarType::Float => Precision::FP32.format(),
        ScalarType::Double => Precision::FP64.format(),
        ScalarType::Half => Precision::FP16.format(),
        ScalarType::BFloat16 => Precision::BF16.format(),
        ScalarType::Bool => Precision::BOOL.format(),
        ScalarType::Int { bits, signed } | ScalarType::FreeInt { bits, signed, .. } => {
            ElementFormat::Integer { bits, signed }
        }
        ScalarType::Fixed { width, integer, signed, .. } => {
            ElementFormat::Fixed { bits: width, integer, signed }
        }
        ScalarType::ApFloat { width, exponent, .. } => ElementFormat::Float {
            exponent,
            mantissa: width.checked_sub(exponent.checked_add(1)?)?,
        },
        _ => return None,
    };
    Some(Precision::stored(format, scalar.bytes_in_memory().checked_mul(8)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use derate_hls::NumberLibrary;

    /// A template that is named in a file takes the same bits as the type in the code.
    #[test]
    fn a_named_template_and_its_type_are_one_format() {
        for (name, scalar) in [
            ("ap_int<4>", ScalarType::ap_int(4, true)),
            ("ap_uint<192>", ScalarType::ap_int(192, false)),
            ("ap_fixed<18, 8>", ScalarType::ap_fixed(18, 8, true)),
            (
                "ap_float<16, 8>",
                ScalarType::ApFloat { library: NumberLibrary::Ap, width: 16, exponent: 8 },
            ),
            (
                "ap_float<18, 5>",
                ScalarType::ApFloat { library: NumberLibrary::Ap, width: 18, exponent: 5 },
            ),
            (
                "ap_float<100, 15>",
                ScalarType::ApFloat { library: NumberLibrary::Ap, width: 100, exponent: 15 },
            ),
            ("bf16", ScalarType::BFloat16),
        ] {
            assert_eq!(Precision::parse(name), scalar_precision(&scalar), "{name}");
            assert!(scalar_precision(&scalar).is_some(), "{name}");
        }
    }

    #[test]
    fn ap_float_16_8_is_bf16() {
        let scalar = ScalarType::ApFloat { library: NumberLibrary::Ap, width: 16, exponent: 8 };
        assert_eq!(scalar_precision(&scalar).map(|p| p.to_string()).as_deref(), Some("BF16"));
    }

    #[test]
    fn memory_pads_what_the_chip_packs() {
        let scalar = ScalarType::ap_fixed(18, 8, true);
        assert_eq!(scalar_precision(&scalar).map(Precision::bits), Some(32));
    }
}
