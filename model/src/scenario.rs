//! A set of assumptions to estimate under, and the ladder from what is claimed to what holds.

use crate::units::{BytesPerSecond, Hertz, OpsPerSecond};
use crate::{Analysis, ClaimedPrecision, Figure, Peak, Precision, Provenance, Storage};

/// Where peak rates are taken from.
#[derive(Clone, Debug, PartialEq)]
pub enum PeakBasis {
    /// `[claims] peak`.
    Claimed,
    /// DSP budget, operator cost and clock of the platform.
    Derived,
    /// One rate for every arithmetic, given on the command line.
    Given(OpsPerSecond),
}

impl PeakBasis {
    /// `claimed`, `derived` or `given`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Claimed => "claimed",
            Self::Derived => "derived",
            Self::Given(_) => "given",
        }
    }

    /// The peak of one arithmetic, or why there is none.
    pub fn peak(&self, analysis: &Analysis, precision: Precision) -> Result<Peak, String> {
        match self {
            Self::Claimed => claimed_peak(analysis, precision),
            Self::Derived => derived_peaks(analysis, precision).into_iter().next().ok_or_else(|| {
                format!("the platform file of {} does not say what a {precision} multiply-add costs: give it under [design] dsp_per_mac", analysis.platform.name)
            }),
            Self::Given(rate) => Ok(Peak {
                precision,
                variant: "given".to_owned(),
                rate: Figure::new(*rate, Provenance::Assumed, "--peak on the command line"),
            }),
        }
    }
}

/// The claim for that arithmetic; a 16-bit float without one of its own stands on the FP32 claim, and says so.
fn claimed_peak(analysis: &Analysis, precision: Precision) -> Result<Peak, String> {
    let claims = &analysis.project.claims.peak;
    let find = |p: Precision| claims.iter().find(|(claimed, _)| claimed.format() == p.format());
    let narrow_float = precision.is_float() && precision.bits() < 32;
    let (claimed, claim) = find(precision)
        .or_else(|| if narrow_float { find(Precision::FP32) } else { None })
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
        variant: if stands_in { format!("the {claimed} claim") } else { "as claimed".to_owned() },
        rate: Figure::new(claim.value, Provenance::Assumed, source),
    })
}

/// Every way to build that arithmetic, the default first; what `[design]` says comes before the platform.
pub fn derived_peaks(analysis: &Analysis, precision: Precision) -> Vec<Peak> {
    let clock = analysis.clock();
    let budget = analysis.platform.dsp_budget();
    let design = analysis.project.dsp_per_mac.iter().find(|(p, _)| p.format() == precision.format()).map(|(_, cost)| {
        let macs = (budget.value / cost.value).floor();
        Peak {
            precision,
            variant: format!("{} DSP per MAC, [design]", cost.value),
            rate: Figure::new(
                OpsPerSecond(2.0 * macs * clock.value.0),
                Provenance::Assumed,
                format!("2 x {macs:.0} MAC x {:.0} MHz; {} DSP, [design] dsp_per_mac in derate.toml", clock.value.0 / 1e6, budget.value),
            ),
        }
    });
    design.into_iter().chain(analysis.platform.peaks(precision, clock.value)).collect()
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

/// `[derate] bandwidth`; what sequential streams were seen to reach where there is none.
pub fn derated_bandwidth(analysis: &Analysis) -> Figure<BytesPerSecond> {
    match &analysis.project.derated_bandwidth {
        Some(claim) => {
            Figure::new(claim.value, Provenance::Assumed, "[derate] bandwidth in derate.toml")
        }
        None => analysis.platform.memory.achievable(),
    }
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

/// From the claim to what holds, one correction at a time: precision as built, bandwidth derated, peak derived, tokens
/// as the model really has them. A step that cannot be taken is left out, with the reason.
pub fn ladder(analysis: &Analysis) -> (Vec<Scenario>, Vec<(String, String)>) {
    let mut skipped = Vec::new();
    let mut current = Scenario {
        name: "claimed".to_owned(),
        change: "nothing".to_owned(),
        storage: claimed_storage(analysis),
        tokens: claimed_tokens(analysis),
        bandwidth: claimed_bandwidth(analysis),
        peaks: PeakBasis::Claimed,
        arguments: String::new(),
    };
    let mut steps = vec![current.clone()];
    let mut step = |name: &str, change: String, current: &Scenario| {
        steps.push(Scenario { name: name.to_owned(), change, ..current.clone() });
    };
    if analysis.code.declares_tensors() {
        current.storage = Storage::as_built(&analysis.code);
        step("as-built", "bytes".to_owned(), &current);
    } else {
        skipped.push((
            "as-built".to_owned(),
            "no array of the code stands for a tensor of the dump".to_owned(),
        ));
    }
    current.bandwidth = derated_bandwidth(analysis);
    step("derated", "bandwidth".to_owned(), &current);
    current.peaks = PeakBasis::Derived;
    step("derived-peak", "peak".to_owned(), &current);
    match analysis.workload.tokens().into_iter().next() {
        Some(tokens) => {
            current.tokens = tokens.figure;
            step("true-tokens", format!("tokens: {}", tokens.name), &current);
        }
        None => skipped.push((
            "true-tokens".to_owned(),
            "the workload does not say how many tokens its layers see".to_owned(),
        )),
    }
    for scenario in &mut steps {
        scenario.arguments = format!("--scenario {}", scenario.name);
    }
    (steps, skipped)
}

/// Every combination of four precisions, the token counts, both bandwidths and both kinds of peak.
pub fn grid(analysis: &Analysis) -> Vec<Scenario> {
    const PRECISIONS: [Precision; 4] =
        [Precision::FP32, Precision::BF16, Precision::INT8, Precision::INT4];
    let claimed = claimed_tokens(analysis);
    let mut tokens = vec![claimed.clone()];
    for candidate in analysis.workload.tokens() {
        if tokens.iter().all(|t| t.value.to_bits() != candidate.figure.value.to_bits()) {
            tokens.push(candidate.figure);
        }
    }
    let mut bandwidths = vec![claimed_bandwidth(analysis)];
    let derated = derated_bandwidth(analysis);
    if derated.value != bandwidths[0].value {
        bandwidths.push(derated);
    }
    let mut scenarios = Vec::new();
    for precision in PRECISIONS {
        for tokens in &tokens {
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
            storage.name(),
            tokens.value
        ),
        storage,
        tokens,
        bandwidth,
        peaks,
    }
}

/// The claimed clock, else the platform's.
impl Analysis {
    /// The kernel clock that peaks are derived at.
    pub fn clock(&self) -> Figure<Hertz> {
        match &self.project.claims.clock {
            Some(claim) => {
                Figure::new(claim.value, Provenance::Assumed, "[claims] clock in derate.toml")
            }
            None => self.platform.clock.clone(),
        }
    }

    /// Inferences at a time: the claim, else 1.
    pub fn batch(&self) -> u64 {
        self.project.claims.batch.as_ref().map_or(1, |claim| claim.value)
    }
}
