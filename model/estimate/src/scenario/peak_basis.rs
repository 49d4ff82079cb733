//! Where peak rates are taken from.

use crate::analysis::{design_mac, operators_of};
use crate::{Analysis, Array};
use derate_machine::Peak;
use derate_units::{Figure, OpsPerSecond, Precision, Provenance};

/// A peak that is claimed for that very arithmetic.
pub const AS_CLAIMED: &str = "as claimed";

/// Where peak rates are taken from.
#[derive(Clone, Debug, PartialEq)]
pub enum PeakBasis {
    /// `[claims] peak`.
    Claimed,
    /// DSP budget, operator cost and clock of the platform.
    Derived,
    /// The derived one, or the claim where that is lower: a correction raises nothing.
    Lower,
    /// One rate for every arithmetic, given on the command line.
    Given(OpsPerSecond),
    /// The array of `[design]`, whatever it computes.
    Array(Box<Array>),
}

impl PeakBasis {
    /// `claimed`, `derived` or `given`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Claimed => "claimed",
            Self::Derived | Self::Lower => "derived",
            Self::Given(_) => "given",
            Self::Array(_) => "design",
        }
    }

    /// The peak of one arithmetic, or why there is none.
    pub fn peak(&self, analysis: &Analysis, precision: Precision) -> Result<Peak, String> {
        match self {
            Self::Claimed => claimed_peak(analysis, precision),
            Self::Derived => derived_peak(analysis, precision),
            Self::Lower => {
                let derived = derived_peak(analysis, precision)?;
                // Another arithmetic's claim that stands in is no claim to keep.
                Ok(match claimed_peak(analysis, precision) {
                    Ok(claimed)
                        if claimed.rate.value < derived.rate.value
                            && claimed.variant == AS_CLAIMED =>
                    {
                        claimed
                    }
                    _ => derived,
                })
            }
            Self::Given(rate) => Ok(Peak {
                precision,
                variant: "given".to_owned(),
                rate: Figure::new(*rate, Provenance::Assumed, "--peak on the command line"),
            }),
            Self::Array(array) => Ok(Peak {
                precision,
                variant: format!(
                    "array of {} x {} x {}",
                    array.rows.value, array.columns.value, array.unroll.value
                ),
                rate: array.peak(),
            }),
        }
    }
}

/// The arithmetic whose claim stands for this one: its own, else that of the arithmetic whose operators it is built with.
pub fn claim_for(analysis: &Analysis, precision: Precision) -> Option<Precision> {
    let claims = &analysis.project.claims.peak;
    let find = |p: Precision| claims.keys().find(|claimed| claimed.format() == p.format()).copied();
    find(precision).or_else(|| find(operators_of(precision)?))
}

/// The claim for that arithmetic; one that has none of its own stands on that of the arithmetic whose operators it is
/// built with, and says so.
fn claimed_peak(analysis: &Analysis, precision: Precision) -> Result<Peak, String> {
    let claimed = claim_for(analysis, precision);
    let (claimed, claim) = claimed
        .and_then(|claimed| Some((claimed, analysis.project.claims.peak.get(&claimed)?)))
        .ok_or_else(|| format!("derate.toml claims no {precision} peak"))?;
    let stands_in = claimed.format() != precision.format();
    let source = if stands_in {
        format!(
            "[claims] peak of {claimed}: none is claimed for {precision}, and the same operators are taken"
        )
    } else {
        "[claims] peak in derate.toml".to_owned()
    };
    Ok(Peak {
        precision,
        variant: if stands_in { format!("the {claimed} claim") } else { AS_CLAIMED.to_owned() },
        rate: Figure::new(claim.value, Provenance::Assumed, source),
    })
}

fn derived_peak(analysis: &Analysis, precision: Precision) -> Result<Peak, String> {
    derived_peaks(analysis, precision).into_iter().next().ok_or_else(|| {
        format!(
            "the platform file of {} does not say what one {precision} multiply-add costs: give it as `dsp_per_mac = {{ {} = ... }}` under [design]",
            analysis.platform.name,
            precision.toml_key()
        )
    })
}

/// Every way to build that arithmetic, the default first. What `[design]` says is the design's; an arithmetic that it
/// does not name is built with the operators that it names for another.
pub fn derived_peaks(analysis: &Analysis, precision: Precision) -> Vec<Peak> {
    let clock = analysis.clock();
    match design_mac(analysis, precision) {
        Some((named, cost)) => {
            let variant = if named.format() == precision.format() {
                cost.value.to_string()
            } else {
                format!("as {named}: {}", cost.value)
            };
            vec![analysis.platform.peak_of(precision, &variant, &cost, &clock)]
        }
        None => analysis.platform.peaks(precision, &clock),
    }
}
