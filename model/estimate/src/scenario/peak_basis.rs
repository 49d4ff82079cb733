//! Where peak rates are taken from.

use serde::Serialize;

use crate::analysis::{design_mac, operators_of};
use crate::{Analysis, Array, EstimateError};
use derate_machine::Peak;
use derate_units::{Figure, OpsPerSecond, Precision, Provenance};

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

/// Who says what a peak is.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PeakSource {
    /// `[claims]`.
    Claimed,
    /// The platform, by budget, cost and clock.
    Derived,
    /// The command line.
    Given,
    /// `[design]`.
    Design,
}

impl PeakSource {
    /// Its name in outputs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Claimed => "claimed",
            Self::Derived => "derived",
            Self::Given => "given",
            Self::Design => "design",
        }
    }
}

impl PeakBasis {
    /// Who says what these peaks are.
    pub fn source(&self) -> PeakSource {
        match self {
            Self::Claimed => PeakSource::Claimed,
            Self::Derived | Self::Lower => PeakSource::Derived,
            Self::Given(_) => PeakSource::Given,
            Self::Array(_) => PeakSource::Design,
        }
    }

    /// The peak of one arithmetic, or why there is none.
    pub fn peak(&self, analysis: &Analysis, precision: Precision) -> Result<Peak, EstimateError> {
        match self {
            Self::Claimed => claimed_peak(analysis, precision),
            Self::Derived => derived_peak(analysis, precision),
            Self::Lower => {
                let derived = derived_peak(analysis, precision)?;
                Ok(lower_claim(analysis, precision, &derived).unwrap_or(derived))
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

    /// Whether the peak of an arithmetic is what is claimed for that very arithmetic.
    pub fn is_own_claim(&self, analysis: &Analysis, precision: Precision) -> bool {
        match self {
            Self::Claimed => has_own_claim(analysis, precision),
            Self::Lower => derived_peak(analysis, precision)
                .is_ok_and(|derived| lower_claim(analysis, precision, &derived).is_some()),
            Self::Derived | Self::Given(_) | Self::Array(_) => false,
        }
    }
}

/// The arithmetic whose claim is taken for this one: its own, else that of the arithmetic whose operators it is built
/// with.
pub fn claim_for(analysis: &Analysis, precision: Precision) -> Option<Precision> {
    let claims = &analysis.project.claims.peak;
    let find = |p: Precision| claims.keys().find(|claimed| claimed.format() == p.format()).copied();
    find(precision).or_else(|| find(operators_of(precision)?))
}

/// Whether a peak is claimed for that very arithmetic.
pub fn has_own_claim(analysis: &Analysis, precision: Precision) -> bool {
    claim_for(analysis, precision).is_some_and(|claimed| claimed.format() == precision.format())
}

/// The claim where it is lower than the peak that can be built; another arithmetic's claim is not a claim to keep.
fn lower_claim(analysis: &Analysis, precision: Precision, derived: &Peak) -> Option<Peak> {
    let claimed = claimed_peak(analysis, precision).ok()?;
    let is_lower = claimed.rate.value < derived.rate.value;
    (is_lower && has_own_claim(analysis, precision)).then_some(claimed)
}

/// The claim for that arithmetic, else for the arithmetic whose operators it is built with, which the peak then says.
fn claimed_peak(analysis: &Analysis, precision: Precision) -> Result<Peak, EstimateError> {
    let (claimed, claim) = claim_for(analysis, precision)
        .and_then(|claimed| Some((claimed, analysis.project.claims.peak.get(&claimed)?)))
        .ok_or(EstimateError::NoClaimedPeak(precision))?;
    let (variant, source) = if claimed.format() == precision.format() {
        ("as claimed".to_owned(), "[claims] peak in derate.toml".to_owned())
    } else {
        (
            format!("the {claimed} claim"),
            format!(
                "[claims] peak of {claimed}: none is claimed for {precision}, and the same operators are taken"
            ),
        )
    };
    let rate = Figure::new(claim.value, Provenance::Assumed, source);
    Ok(Peak { precision, variant, rate })
}

fn derived_peak(analysis: &Analysis, precision: Precision) -> Result<Peak, EstimateError> {
    derived_peaks(analysis, precision).into_iter().next().ok_or_else(|| {
        EstimateError::NoOperatorCost { platform: analysis.platform.name.clone(), precision }
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
