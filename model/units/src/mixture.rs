//! Which encoding each part of a computation is stored in.

use std::fmt;

use serde::Serialize;

use crate::{Encoding, Precision};

/// The encodings of weights, of activations and of the keys and values that a decoder keeps, and what sums are kept in.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Ord, PartialOrd, Hash, Serialize)]
pub struct Mixture {
    /// Weights.
    pub weights: Encoding,
    /// Activations: inputs and outputs.
    pub activations: Encoding,
    /// Keys and values that are kept.
    pub kv: Encoding,
    /// What products are summed in.
    pub accumulate: Precision,
}

/// Why a text is not a [`Mixture`].
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum MixtureError {
    /// No encoding has this name.
    #[error("{}", Encoding::describe_unknown(.0))]
    UnknownEncoding(String),
    /// No precision has this name.
    #[error("`{0}` is not a known precision for sums")]
    UnknownSum(String),
    /// A part is not written as a key and an encoding.
    #[error(
        "`{part}` of `{text}` is not understood: write one precision, or w=, a=, kv= and acc= with commas between, such as w=nf4,a=bf16,kv=fp8,acc=fp32"
    )]
    Form {
        /// The whole.
        text: String,
        /// The part.
        part: String,
    },
    /// A key is given twice.
    #[error("`{text}` names `{key}` twice: name it once")]
    Repeated {
        /// The whole.
        text: String,
        /// The key.
        key: String,
    },
    /// Nothing says how weights are stored.
    #[error("`{0}` does not name the weights: add `w=`, such as w=nf4")]
    NoWeights(String),
    /// Neither operand of a product holds the other.
    #[error(
        "`{text}` has {what} in {} and activations in {}, and nothing multiplies {float} by {integer}, nor does {float} hold every {integer}: name formats that are multiplied as they are, or that one expands to the other",
        operands[0], operands[1]
    )]
    NoProduct {
        /// The whole.
        text: String,
        /// `weights`, or `keys and values`.
        what: &'static str,
        /// How they are stored, and how activations are.
        operands: Box<[Encoding; 2]>,
        /// The float of the two.
        float: Precision,
        /// The integer of the two.
        integer: Precision,
    },
}

/// What sums of that arithmetic are kept in where nothing else is said.
fn usual_sum(arithmetic: Precision) -> Precision {
    match arithmetic {
        Precision::FP64 => Precision::FP64,
        arithmetic if arithmetic.is_float() => Precision::FP32,
        _ => Precision::INT32,
    }
}

impl Mixture {
    /// Everything in one encoding; where that is for storage only (NF4, grouped INT4), activations, keys and values are
    /// in what it is expanded to. Sums are in FP32, of integers in INT32.
    pub fn of(encoding: Encoding) -> Self {
        let own = if encoding.is_storage_only() { encoding.arithmetic().into() } else { encoding };
        let accumulate = usual_sum(encoding.arithmetic());
        Self { weights: encoding, activations: own, kv: own, accumulate }
    }

    /// `bf16`, or parts: `w=nf4,a=bf16,kv=fp8,acc=fp32`. Weights must be named; activations are else as [`Mixture::of`]
    /// the weights has them, keys and values as activations, sums as their arithmetic has them.
    pub fn parse(text: &str) -> Result<Self, MixtureError> {
        if !text.contains('=') {
            return parse_encoding(text.trim()).map(Self::of);
        }
        let (mut weights, mut activations, mut kv, mut accumulate) = (None, None, None, None);
        for part in text.split(',') {
            let form = || MixtureError::Form { text: text.to_owned(), part: part.to_owned() };
            let (key, name) = part.split_once('=').ok_or_else(form)?;
            let (key, name) = (key.trim(), name.trim());
            let encoding = || parse_encoding(name);
            let given_before = match key {
                "w" | "weights" => weights.replace(encoding()?).is_some(),
                "a" | "activations" => activations.replace(encoding()?).is_some(),
                "kv" => kv.replace(encoding()?).is_some(),
                "acc" | "accumulate" => {
                    let sum = Precision::parse(name)
                        .ok_or_else(|| MixtureError::UnknownSum(name.to_owned()))?;
                    accumulate.replace(sum).is_some()
                }
                _ => return Err(form()),
            };
            if given_before {
                let (text, key) = (text.to_owned(), key.to_owned());
                return Err(MixtureError::Repeated { text, key });
            }
        }
        let weights = weights.ok_or_else(|| MixtureError::NoWeights(text.to_owned()))?;
        let activations = activations.unwrap_or(Self::of(weights).activations);
        let mixture =
            Self { weights, activations, kv: kv.unwrap_or(activations), ..Self::of(weights) };
        for (stored, what) in [(weights, "weights"), (mixture.kv, "keys and values")] {
            if let Some((float, integer)) = Self::find_mismatch(stored, activations) {
                let (text, operands) = (text.to_owned(), Box::new([stored, activations]));
                return Err(MixtureError::NoProduct { text, what, operands, float, integer });
            }
        }
        let accumulate = accumulate.unwrap_or(usual_sum(mixture.arithmetic()));
        Ok(Self { accumulate, ..mixture })
    }

    /// The arithmetic that weights and activations are multiplied in: the common one; that of integer activations where
    /// weights are integer codes no wider, as W4A8 runs in INT8; else the wider of the two, to which the other is expanded, a
    /// float where the other is an integer; the activations' where both are as wide.
    pub fn arithmetic(&self) -> Precision {
        Self::product_arithmetic(self.weights, self.activations)
    }

    /// The arithmetic that activations are multiplied with the kept keys and values in, by the same rule.
    pub fn attention_arithmetic(&self) -> Precision {
        Self::product_arithmetic(self.kv, self.activations)
    }

    /// A float and an integer that meet in a product although neither holds the other.
    fn find_mismatch(stored: Encoding, activations: Encoding) -> Option<(Precision, Precision)> {
        let product = Self::product_arithmetic(stored, activations);
        let other = [stored.arithmetic(), activations.arithmetic()];
        let other = other.into_iter().find(|other| !other.is_float())?;
        (product.is_float() && !product.can_hold(other)).then_some((product, other))
    }

    fn product_arithmetic(stored: Encoding, activations: Encoding) -> Precision {
        let (codes, integers) = (stored.element(), activations.arithmetic());
        if stored.has_integer_codes()
            && !integers.is_float()
            && codes.number_bits() <= integers.number_bits()
        {
            return integers;
        }
        let (stored, own) = (stored.arithmetic(), activations.arithmetic());
        let rank = |p: Precision| (p.is_float(), p.number_bits());
        if rank(stored) > rank(own) { stored } else { own }
    }
}

fn parse_encoding(name: &str) -> Result<Encoding, MixtureError> {
    Encoding::parse(name).ok_or_else(|| MixtureError::UnknownEncoding(name.to_owned()))
}

impl fmt::Display for Mixture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::of(self.weights) {
            return self.weights.fmt(f);
        }
        let Self { weights, activations, kv, accumulate } = self;
        f.pad(&format!("w={weights},a={activations},kv={kv},acc={}", accumulate.key()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parsed(text: &str) -> Mixture {
        Mixture::parse(text).unwrap()
    }

    #[test]
    fn parts_are_read_by_name() {
        let mixture = parsed("w=nf4, a=bf16, kv=fp8, acc=fp32");
        assert_eq!(mixture.weights, Encoding::NF4);
        assert_eq!(mixture.kv, Precision::FP8_E4M3.into());
        assert_eq!(mixture.arithmetic(), Precision::BF16);
        assert_eq!(mixture.attention_arithmetic(), Precision::BF16);
        assert_eq!(mixture.to_string(), "w=nf4,a=bf16,kv=fp8_e4m3,acc=fp32");
    }

    #[test]
    fn one_name_is_for_all_unless_it_only_stores() {
        assert_eq!(parsed("fp16").kv, Precision::FP16.into());
        assert_eq!(parsed("nf4").activations, Precision::BF16.into());
        assert_eq!(parsed("int8").accumulate, Precision::INT32);
        assert_eq!(parsed("nf4").to_string(), "nf4");
    }

    #[test]
    fn the_wider_operand_decides_and_a_float_before_an_integer() {
        assert_eq!(parsed("w=int8-row,a=bf16").arithmetic(), Precision::BF16);
        assert_eq!(parsed("w=int8-row,a=bf16").accumulate, Precision::FP32);
        assert_eq!(parsed("w=nvfp4,a=fp8").arithmetic(), Precision::FP8_E4M3);
        assert_eq!(parsed("w=int8-row,a=int8").arithmetic(), Precision::INT8);
    }

    /// W4A8: codes of four bits in groups are multiplied with INT8 activations as INT8. NF4's are not integers.
    #[test]
    fn integer_codes_and_integer_activations_make_an_integer_product() {
        for text in ["w=int4-g128,a=int8", "w=int4,a=int8", "w=int8-row,a=int8", "w=mxint8,a=int8"]
        {
            assert_eq!(parsed(text).arithmetic(), Precision::INT8, "{text}");
            assert_eq!(parsed(text).accumulate, Precision::INT32, "{text}");
        }
        assert_eq!(parsed("w=nf4,a=int8").arithmetic(), Precision::BF16);
        assert_eq!(parsed("w=int4-g128,a=fp16").arithmetic(), Precision::FP16);
        assert_eq!(parsed("w=fp16,a=fp16,kv=int4-g32").attention_arithmetic(), Precision::FP16);
    }

    /// A float that does not have the other's integers is not arithmetic for both.
    #[test]
    fn what_nothing_multiplies_is_refused() {
        for text in ["w=fp8,a=int32", "w=int8-row,a=fp8", "w=fp16,a=int16", "w=nvfp4,a=int4"] {
            let error = Mixture::parse(text).unwrap_err().to_string();
            assert!(error.contains("and nothing multiplies FP"), "{error}");
        }
        let error = Mixture::parse("w=bf16,a=fp8,kv=int8").unwrap_err().to_string();
        assert!(error.contains("has keys and values in int8"), "{error}");
        assert!(Mixture::parse("w=bf16,a=int8").is_ok() && Mixture::parse("w=fp8,a=int4").is_ok());
    }

    #[test]
    fn what_is_not_understood_is_refused_with_the_form() {
        for (text, part) in [
            ("q4_k", "`q4_k` is not a known encoding"),
            ("a=bf16", "does not name the weights"),
            ("w=nf4,x=bf16", "`x=bf16` of `w=nf4,x=bf16` is not understood"),
            ("w=nf4,", "`` of `w=nf4,` is not understood"),
            ("w=nf4,w=fp8", "names `w` twice"),
            ("w=nf4,acc=nf4", "`nf4` is not a known precision for sums"),
        ] {
            let error = Mixture::parse(text).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    proptest! {
        #[test]
        fn what_is_shown_is_read_back(
            w in proptest::sample::select(Encoding::catalogue()),
            a in proptest::sample::select(Encoding::catalogue()),
            kv in proptest::sample::select(Encoding::catalogue()),
        ) {
            let mixture = Mixture { weights: w, activations: a, kv, accumulate: Precision::FP16 };
            prop_assume!(Mixture::find_mismatch(w, a).is_none() && Mixture::find_mismatch(kv, a).is_none());
            prop_assert_eq!(Mixture::parse(&mixture.to_string()), Ok(mixture));
        }

        #[test]
        fn no_text_is_too_odd(text in "([wakvcnfpg4=,. -]|nf4|int4-g|mxfp|\\PC){0,24}") {
            if let Ok(mixture) = Mixture::parse(&text) {
                prop_assert_eq!(Mixture::parse(&mixture.to_string()), Ok(mixture));
            }
        }
    }
}
