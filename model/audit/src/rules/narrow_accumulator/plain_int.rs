//! Products of elements of `int`, added up in no more bits than one of them has.

use crate::AuditInput;
use derate_hls::{Function, HlsType, Resolver, ScalarType, Update};
use derate_units::figures::grouped;
use serde_json::json;

use crate::{Finding, Level};
use derate_project::addend::{ValueRange, find_addend};
use derate_project::partial_sum::is_plain_sum;
use derate_project::terms::count_terms;

/// A sum of fewer terms is rather a place in an array than a dot product.
const FEWEST: u64 = 16;

/// An element of an array of `int` or `int32_t`.
fn read_element(text: &str, scalar: &ScalarType) -> Option<ValueRange> {
    match scalar {
        ScalarType::Int { bits: 17..=32, signed: true } if text.contains('[') => {
            ValueRange::of_type(scalar)
        }
        _ => None,
    }
}

pub(super) fn report_sum(
    input: &AuditInput<'_>,
    resolver: &Resolver<'_>,
    function: &Function,
    update: &Update,
) -> Option<Finding> {
    if !is_plain_sum(update) {
        return None;
    }
    let resolution = resolver.variable(function, update.span, &update.name);
    let HlsType::Scalar(scalar) = resolution.known()? else { return None };
    let held = ValueRange::of_type(scalar).filter(|held| held.least < 0 && held.fraction == 0)?;
    let (_, factors) = find_addend(resolver, input.sources, function, update, &read_element)?;
    let terms = count_terms(resolver, input.sources, function, update).least;
    if held.bits > 32 || factors != 2 || terms < FEWEST {
        return None;
    }
    let (name, target, within) = (&function.name, &update.target, function.qualified());
    let limit = largest_factor(held.greatest, terms);
    let sum = format!("{} products of `int`", grouped(terms as f64));
    Some(
        Finding::new("kernel/narrow-accumulator", Level::Note, format!("{within}::{target}"))
            .in_group(within.clone())
            .with_message(format!(
                "`{target}` of `{name}` has {} bits, and one product of `int` may have 63",
                held.bits
            ))
            .with_label(
                update.span,
                format!("{sum} fit while no element is beyond {}", grouped(limit as f64)),
            )
            .with_note("nothing in the types says how large the elements are")
            .with_help(
                "give the elements the type of their values (`int8_t`, `ap_int<12>`), or the \
                 accumulator 64 bits",
            )
            .with_evidence(json!({
                "function": within,
                "target": target,
                "underlying": scalar.to_string(),
                "line": input.sources.position(update.span).line,
                "terms": terms,
                "has": held.bits,
                "largest_factor": limit,
            })),
    )
}

/// The greatest whole number whose square, so many times, is at most `greatest`.
fn largest_factor(greatest: i128, terms: u64) -> i128 {
    (greatest / i128::from(terms.max(1))).isqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_is_as_large_as_its_square_allows() {
        // 768 * 1,672^2 = 2,146,996,.. is below 2^31, 768 * 1,673^2 is not.
        let greatest = i128::from(i32::MAX);
        let limit = largest_factor(greatest, 768);
        assert!(768 * limit * limit <= greatest && 768 * (limit + 1) * (limit + 1) > greatest);
        assert_eq!(largest_factor(127, 16), 2);
    }
}
