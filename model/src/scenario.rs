//! A set of assumptions to estimate under, and the ladder from what is claimed to what holds.

use crate::classes::classes;
use crate::figures::quantity;
use crate::hold::held_bytes;
use crate::units::{BytesPerSecond, OpsPerSecond};
use crate::{
    Analysis, Array, ClaimedPrecision, DspCost, Figure, Format, Peak, Precision, Provenance,
    Schedule, Storage,
};

/// A peak that is claimed for that very arithmetic.
pub(crate) const AS_CLAIMED: &str = "as claimed";

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

/// The claim for that arithmetic; one that has none of its own stands on that of the arithmetic whose operators it is
/// built with, and says so.
fn claimed_peak(analysis: &Analysis, precision: Precision) -> Result<Peak, String> {
    let claims = &analysis.project.claims.peak;
    let find = |p: Precision| claims.iter().find(|(claimed, _)| claimed.format() == p.format());
    let (claimed, claim) = find(precision)
        .or_else(|| find(operators_of(precision)?))
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
            "the platform file of {} does not say what a {precision} multiply-add costs: give it as `dsp_per_mac = {{ {} = ... }}` under [design]",
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
        Some(cost) => {
            vec![analysis.platform.peak_of(precision, &cost.value.to_string(), &cost, &clock)]
        }
        None => analysis.platform.peaks(precision, &clock),
    }
}

/// What `[design]` says of that arithmetic; one that it does not name is built with the operators that it names for
/// another.
fn design_mac(analysis: &Analysis, precision: Precision) -> Option<Figure<DspCost>> {
    let costs = &analysis.project.design.dsp_per_mac;
    let of = |wanted: Precision| {
        costs.iter().find(|(p, _)| p.format() == wanted.format()).map(|(_, cost)| cost)
    };
    // The operators that the platform builds it with, where the design says what those cost.
    let stands_in = || Some(analysis.platform.costs(precision).first()?.precision);
    let cost =
        of(precision).or_else(|| of(operators_of(precision)?)).or_else(|| of(stands_in()?))?;
    let source = "[design] dsp_per_mac in derate.toml";
    Some(Figure::new(DspCost::PerMac(cost.value), Provenance::Assumed, source))
}

/// What the default peak of that arithmetic stands on.
pub(crate) fn default_mac(analysis: &Analysis, precision: Precision) -> Option<Figure<DspCost>> {
    design_mac(analysis, precision)
        .or_else(|| analysis.platform.costs(precision).first().map(|mac| mac.cost()))
}

/// The arithmetic whose operators this one is built with unless the design says otherwise: FP32 for the 16-bit floats,
/// the integer of the same width for fixed point, whose multiplier does not know where the point is.
fn operators_of(precision: Precision) -> Option<Precision> {
    match precision.format() {
        Format::Float { exponent, mantissa } if exponent + mantissa == 15 => Some(Precision::FP32),
        Format::Fixed { bits, signed, .. } => Some(Precision::integer(bits, signed)),
        _ => None,
    }
}

/// Assumptions to estimate under.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Short name: `claimed`, `as-built`, `derated`...
    pub name: String,
    /// What it corrects against the one before, in a word.
    pub change: String,
    /// Number formats in memory.
    pub storage: Storage,
    /// Tokens that the layers see.
    pub tokens: Figure<f64>,
    /// External bandwidth.
    pub bandwidth: Figure<BytesPerSecond>,
    /// Peak rates.
    pub peaks: PeakBasis,
    /// What is fused.
    pub schedule: Schedule,
    /// The arguments of `derate estimate` that give it again.
    pub arguments: String,
}

impl Scenario {
    /// The token count.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "made from a count; the cast saturates"
    )]
    pub fn token_count(&self) -> u64 {
        self.tokens.value as u64
    }
}

/// The storage that the analysis claims; the dump's where it claims none.
pub fn claimed_storage(analysis: &Analysis) -> Storage {
    let claim =
        analysis.project.claims.precision.as_ref().map_or(ClaimedPrecision::AsStored, |c| c.value);
    Storage::claimed(claim, &analysis.shape)
}

/// The bandwidth that the analysis claims; the physical peak where it claims none.
pub fn claimed_bandwidth(analysis: &Analysis) -> Figure<BytesPerSecond> {
    match &analysis.project.claims.bandwidth {
        Some(claim) => {
            Figure::new(claim.value, Provenance::Assumed, "[claims] bandwidth in derate.toml")
        }
        None => analysis.platform.memory.physical_peak(),
    }
}

/// `[derate] bandwidth`; where there is none, the lower of the claim and what the memory gives streams.
pub fn derated_bandwidth(analysis: &Analysis) -> Figure<BytesPerSecond> {
    let memory = &analysis.platform.memory;
    let achievable = memory.achievable();
    if let Some(claim) = &analysis.project.derated_bandwidth {
        // What the memory does not give corrects nothing.
        if memory.is_beyond(claim.value) {
            let source = format!(
                "[derate] claims {}, but {}; {}",
                quantity(claim.value),
                memory.achievable_in_words(),
                achievable.source
            );
            return Figure::new(achievable.value, Provenance::Derived, source);
        }
        return Figure::new(claim.value, Provenance::Assumed, "[derate] bandwidth in derate.toml");
    }
    lower(claimed_bandwidth(analysis), achievable)
}

/// A correction raises no figure.
fn lower(
    claimed: Figure<BytesPerSecond>,
    corrected: Figure<BytesPerSecond>,
) -> Figure<BytesPerSecond> {
    if claimed.value < corrected.value { claimed } else { corrected }
}

/// The token count that the analysis claims; else the workload's own; else one row.
pub fn claimed_tokens(analysis: &Analysis) -> Figure<f64> {
    match &analysis.project.claims.sequence_length {
        Some(claim) => Figure::new(
            claim.value as f64,
            Provenance::Assumed,
            "[claims] sequence_length in derate.toml",
        ),
        None => analysis.workload.tokens().into_iter().next().map_or_else(
            || {
                Figure::new(
                    1.0,
                    Provenance::Assumed,
                    "one token: neither [claims] sequence_length nor the workload says how many",
                )
            },
            |tokens| tokens.figure,
        ),
    }
}

/// Everything as `derate.toml` claims it.
pub fn claimed(analysis: &Analysis) -> Scenario {
    Scenario {
        name: "claimed".to_owned(),
        change: "nothing".to_owned(),
        storage: claimed_storage(analysis),
        tokens: claimed_tokens(analysis),
        bandwidth: claimed_bandwidth(analysis),
        peaks: PeakBasis::Claimed,
        schedule: Schedule::Unfused,
        arguments: "--scenario claimed".to_owned(),
    }
}

/// From the claim to what holds, one correction at a time: precision as built, bandwidth derated, peak derived; then the
/// design that `[design]` has in mind. A step that cannot be taken is left out, with the reason.
pub fn ladder(analysis: &Analysis) -> (Vec<Scenario>, Vec<(String, String)>) {
    let mut skipped = Vec::new();
    let mut current = claimed(analysis);
    let mut steps = vec![current.clone()];
    let mut step = |name: &str, change: String, current: &Scenario| {
        steps.push(Scenario { name: name.to_owned(), change, ..current.clone() });
    };
    match as_built(analysis, &current) {
        Ok(storage) => {
            current.storage = storage;
            step("as-built", "bytes".to_owned(), &current);
        }
        Err(reason) => skipped.push(("as-built".to_owned(), reason)),
    }
    current.bandwidth = lower(current.bandwidth, derated_bandwidth(analysis));
    step("derated", "bandwidth".to_owned(), &current);
    current.peaks = PeakBasis::Lower;
    step("derived-peak", "peak".to_owned(), &current);
    match design(analysis, &current) {
        Some(Ok(design)) => steps.push(design),
        Some(Err(reason)) => skipped.push(("design".to_owned(), reason)),
        None => {}
    }
    for scenario in &mut steps {
        scenario.arguments = format!("--scenario {}", scenario.name);
    }
    (steps, skipped)
}

/// The bytes that the code stores; the error says which tensor's are not known.
fn as_built(analysis: &Analysis, scenario: &Scenario) -> Result<Storage, String> {
    if !analysis.code.declares_tensors() {
        return Err("no array of the code stands for a tensor of the dump".to_owned());
    }
    let storage = Storage::as_built(&analysis.code);
    let parameters = analysis.workload.parameters(scenario.token_count(), analysis.batch());
    let mut parts = analysis.workload.as_claimed(&parameters);
    parts.extend(analysis.workload.inference(&parameters));
    classes(&parts, &storage.formats(&analysis.shape), &|_| false)?;
    Ok(storage)
}

/// The design of `[design]` on the corrected roofs, with its own precision, schedule and ports; `None` where it gives no
/// array, an error where that cannot be built or its ports reach no memory.
fn design(analysis: &Analysis, corrected: &Scenario) -> Option<Result<Scenario, String>> {
    let design = &analysis.project.design;
    let storage = match &design.precision {
        Some(claim) => Storage::claimed(claim.value, &analysis.shape),
        None => claimed_storage(analysis),
    };
    let precision = storage.array_precision();
    let array = Array::of(analysis, precision)?;
    let bandwidth = match crate::bandwidth::of_project(analysis) {
        Some(Ok(explained)) => explained.figure,
        // No other memory's figure stands in for that of the design's own ports.
        Some(Err(reason)) => return Some(Err(reason)),
        None => corrected.bandwidth.clone(),
    };
    let scenario = |array: Array| Scenario {
        name: "design".to_owned(),
        change: format!(
            "array of {} x {}, {}",
            array.rows.value,
            array.columns.value,
            storage.name()
        ),
        storage: storage.clone(),
        bandwidth,
        peaks: PeakBasis::Array(Box::new(array)),
        schedule: design.schedule(),
        ..corrected.clone()
    };
    let parameters = analysis.workload.parameters(corrected.token_count(), analysis.batch());
    let held = held_bytes(analysis, &storage, &parameters);
    Some(held.and(array).map(scenario))
}

/// The precisions that the seed analyses compare.
const PRECISIONS: [Precision; 4] =
    [Precision::FP32, Precision::BF16, Precision::INT8, Precision::INT4];

/// Those, and the claimed one where it is none of them, after the formats that are as wide.
fn precisions(analysis: &Analysis) -> Vec<Precision> {
    let mut precisions = PRECISIONS.to_vec();
    if let Some(ClaimedPrecision::Uniform(claimed)) =
        analysis.project.claims.precision.as_ref().map(|claim| claim.value)
        && !precisions.contains(&claimed)
    {
        let at = precisions.partition_point(|known| known.bits() >= claimed.bits());
        precisions.insert(at, claimed);
    }
    precisions
}

/// The claimed token count, then those that an inference has, each once.
fn token_counts(analysis: &Analysis) -> Vec<Figure<f64>> {
    let mut counts = vec![claimed_tokens(analysis)];
    for candidate in analysis.workload.tokens() {
        if counts.iter().all(|t| t.value.to_bits() != candidate.figure.value.to_bits()) {
            counts.push(candidate.figure);
        }
    }
    counts
}

/// Each precision at the claimed and the true tokens, under the claimed roofs and under the corrected ones.
pub fn by_precision(analysis: &Analysis) -> Vec<Scenario> {
    let roofs = [
        (claimed_bandwidth(analysis), PeakBasis::Claimed),
        (lower(claimed_bandwidth(analysis), derated_bandwidth(analysis)), PeakBasis::Derived),
    ];
    let mut tokens = token_counts(analysis);
    tokens.truncate(2);
    let mut scenarios = Vec::new();
    for tokens in &tokens {
        for precision in precisions(analysis) {
            for (bandwidth, peaks) in roofs.clone() {
                scenarios.push(single(
                    Storage::Uniform(precision),
                    tokens.clone(),
                    bandwidth,
                    peaks,
                ));
            }
        }
    }
    scenarios
}

/// Every combination of the precisions, the token counts, both bandwidths and both kinds of peak.
pub fn grid(analysis: &Analysis) -> Vec<Scenario> {
    let mut bandwidths = vec![claimed_bandwidth(analysis)];
    let derated = derated_bandwidth(analysis);
    if derated.value != bandwidths[0].value {
        bandwidths.push(derated);
    }
    let mut scenarios = Vec::new();
    for precision in precisions(analysis) {
        for tokens in token_counts(analysis) {
            for bandwidth in &bandwidths {
                for peaks in [PeakBasis::Claimed, PeakBasis::Derived] {
                    scenarios.push(single(
                        Storage::Uniform(precision),
                        tokens.clone(),
                        bandwidth.clone(),
                        peaks,
                    ));
                }
            }
        }
    }
    scenarios
}

/// A scenario outside the ladder, named by what it assumes.
pub fn single(
    storage: Storage,
    tokens: Figure<f64>,
    bandwidth: Figure<BytesPerSecond>,
    peaks: PeakBasis,
) -> Scenario {
    let gbs = format!("{} GB/s", bandwidth.value.0 / 1e9);
    let peak = match &peaks {
        PeakBasis::Given(rate) => format!("{} TFLOP/s", rate.0 / 1e12),
        basis => basis.name().to_owned(),
    };
    Scenario {
        name: format!("{}, {} tokens, {gbs}, {peak} peak", storage.name(), tokens.value),
        change: "as the options say".to_owned(),
        arguments: format!(
            "--precision {} --tokens {} --bandwidth \"{gbs}\" --peak \"{peak}\"",
            storage.argument(),
            tokens.value
        ),
        storage,
        tokens,
        bandwidth,
        peaks,
        schedule: Schedule::Unfused,
    }
}
