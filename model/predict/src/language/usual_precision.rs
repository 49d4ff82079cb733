//! The precision of a model where nobody names one.

use super::Decoder;
use derate_machine::Target;
use derate_units::Precision;

/// What tensors are taken in where no precision is given, and why.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct UsualPrecision {
    /// Of all tensors.
    pub precision: Precision,
    /// Why, in a sentence.
    pub sentence: String,
}

impl UsualPrecision {
    /// The type that the model is stored in; where the target does not compute in it, the first floating-point type of its
    /// file that is as wide at least.
    pub fn choose(model: &Decoder, target: &Target) -> Self {
        let stored = model.dtype.unwrap_or(Precision::FP16);
        let stored_as = match model.dtype {
            Some(_) => format!("{} is stored in {}", model.name, stored.key()),
            None => {
                format!("the file of {} names no type, and {} is usual", model.name, stored.key())
            }
        };
        let wide = |p: &Precision| p.is_float() && p.bits() >= stored.bits();
        let other = target.why_absent(stored).and_then(|reason| {
            let own = target.arithmetics().into_iter().find(wide)?;
            Some((own, reason))
        });
        match other {
            Some((own, reason)) => Self {
                precision: own,
                sentence: format!(
                    "No --precision is given: {stored_as}, but {reason}; all tensors are taken in {}, the first type of {} that is as wide.",
                    own.key(),
                    target.name()
                ),
            },
            None => Self {
                precision: stored,
                sentence: format!("No --precision is given: {stored_as}."),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(model: &str, platform: &str) -> UsualPrecision {
        let (model, target) = (Decoder::named(model), Target::named(platform));
        UsualPrecision::choose(&model.unwrap(), &target.unwrap())
    }

    #[test]
    fn a_type_that_the_chip_lacks_gives_way_to_the_first_that_it_has() {
        let chosen = choose("mistral-7b", "t4");
        assert_eq!(chosen.precision, Precision::FP16);
        assert!(chosen.sentence.contains("Turing"), "{}", chosen.sentence);
        assert_eq!(choose("mistral-7b", "a100-80").precision, Precision::BF16);
    }

    #[test]
    fn a_peak_that_nobody_published_is_not_a_type_that_the_chip_lacks() {
        assert_eq!(choose("mistral-7b", "gb10").precision, Precision::BF16);
    }
}
