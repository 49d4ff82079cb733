//! What a multiply-add costs, by `[design]` or by the platform.

use super::Analysis;
use derate_machine::DspCost;
use derate_units::{ElementFormat, Figure, Precision, Provenance};

/// What a multiply-add costs by `[design]`, and the arithmetic that it names; one that it does not name is built with the
/// operators of another that it names.
pub(crate) fn design_mac(
    analysis: &Analysis,
    precision: Precision,
) -> Option<(Precision, Figure<DspCost>)> {
    let costs = &analysis.project.design.dsp_per_mac;
    let find = |wanted: Precision| costs.iter().find(|(p, _)| p.format() == wanted.format());
    // The operators that the platform builds it with, where the design says what those cost.
    let built_with = || Some(analysis.platform.costs(precision).first()?.precision);
    let (named, cost) = find(precision)
        .or_else(|| find(operators_of(precision)?))
        .or_else(|| find(built_with()?))?;
    let source = if named.format() == precision.format() {
        "[design] dsp_per_mac in derate.toml".to_owned()
    } else {
        format!("[design] dsp_per_mac of {} in derate.toml, as {named}", named.toml_key())
    };
    Some((*named, Figure::new(DspCost::PerMac(cost.value), Provenance::Assumed, source)))
}

/// What a multiply-add of the default peak costs, and the arithmetic whose operators these are.
pub fn default_mac(
    analysis: &Analysis,
    precision: Precision,
) -> Option<(Precision, Figure<DspCost>)> {
    design_mac(analysis, precision).or_else(|| {
        let mac = *analysis.platform.costs(precision).first()?;
        Some((mac.precision, mac.cost()))
    })
}

/// The arithmetic whose operators this one is built with unless the design says otherwise: FP32 for the 16-bit floats,
/// the integer of the same width for fixed point, whose multiplier does not know where the point is.
pub fn operators_of(precision: Precision) -> Option<Precision> {
    match precision.format() {
        ElementFormat::Float { exponent, mantissa } if exponent + mantissa == 15 => {
            Some(Precision::FP32)
        }
        ElementFormat::Fixed { bits, signed, .. } => Some(Precision::integer(bits, signed)),
        _ => None,
    }
}
