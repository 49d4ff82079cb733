//! What the figures come to, in sentences.

use crate::Bound;
use crate::estimate::{Estimate, PartEstimate, ScenarioEstimate};
use crate::present::figures::{count, quantity, rate, significant};
use crate::units::{OpsPerByte, Seconds};

/// Nearer to the ridge than this is what people call close to the memory wall.
const CLOSE: f64 = 2.0;

impl Estimate {
    /// The scenario of that name in the ladder.
    pub fn scenario(&self, name: &str) -> Option<&ScenarioEstimate> {
        self.scenarios.iter().find(|s| s.name == name)
    }
}

impl ScenarioEstimate {
    /// The part that the sentences speak of: the first that runs.
    pub fn main_part(&self) -> Option<&PartEstimate> {
        self.parts.iter().find(|part| part.runs)
    }

    /// The ridge point of the main part's arithmetic.
    pub fn main_ridge(&self) -> Option<OpsPerByte> {
        self.main_part()?.kernels.first()?.ridge
    }

    /// Roofline time of all parts that an inference runs.
    pub fn running_time(&self) -> Option<Seconds> {
        self.parts.iter().filter(|part| part.runs).map(|part| part.totals.throughput_seconds).sum()
    }
}

/// The main findings in at most five sentences.
pub(crate) fn sentences(estimate: &Estimate, errors: usize, warnings: usize) -> Vec<String> {
    let mut lines = vec![match (errors, warnings) {
        (0, 0) => "Every claim that was checked holds.".to_owned(),
        (0, w) => format!("Every claim that was checked holds; {} to read.", count(w, "warning")),
        (e, w) => format!(
            "{} not hold against the code and the card; {} beside.",
            if e == 1 { "1 claim does".to_owned() } else { format!("{e} claims do") },
            count(w, "warning")
        ),
    }];
    lines.extend(conclusions(estimate));
    lines
}

/// What the scenarios of an estimate say beside each other.
pub(crate) fn conclusions(estimate: &Estimate) -> Vec<String> {
    [intensity(estimate), memory_wall(estimate), time(estimate)].into_iter().flatten().collect()
}

/// What the bytes as built do to operational intensity.
fn intensity(estimate: &Estimate) -> Option<String> {
    let claimed = estimate.scenario("claimed")?;
    let built = estimate.scenario("as-built")?;
    let (before, after) = (claimed.main_part()?.totals.oi, built.main_part()?.totals.oi);
    if (after / before - 1.0).abs() < 0.005 {
        return None;
    }
    Some(format!(
        "With the bytes that the code stores, the operational intensity of the {} is {} FLOP/B, not {}.",
        built.main_part()?.name,
        significant(after.0, 3),
        significant(before.0, 3)
    ))
}

/// Whether nearness to the memory wall survives a peak that can be built.
fn memory_wall(estimate: &Estimate) -> Option<String> {
    let (derated, derived) = (estimate.scenario("derated")?, estimate.scenario("derived-peak")?);
    let (part, oi) = (derated.main_part()?, derated.main_part()?.totals.oi);
    let (claimed_ridge, ridge) = (derated.main_ridge()?, derived.main_ridge()?);
    let (before, after) = (oi / claimed_ridge, oi / ridge);
    let peak = derived.ceilings.first()?;
    let place = format!(
        "At {} and the claimed peak, the {} (OI {} FLOP/B) stand at {} times the ridge point of {} FLOP/B",
        quantity(derated.bandwidth.value),
        part.name,
        significant(oi.0, 3),
        significant(before, 2),
        significant(claimed_ridge.0, 3)
    );
    let reason = format!("one {} multiply-add: {}", peak.peak.precision, peak.peak.variant);
    let now = format!(
        "the peak that can be built is {} ({reason}), the ridge point {} FLOP/B, and the layers stand at {} times it",
        rate(peak.peak.rate.value, peak.peak.precision),
        significant(ridge.0, 3),
        significant(after, 2)
    );
    let conclusion = match (before < CLOSE, after < CLOSE, after < 1.0) {
        (true, false, _) => {
            return Some(format!(
                "{place}: \"close to the memory wall\". That conclusion reverses: {now}, deep in compute bound."
            ));
        }
        (_, _, true) => "memory bound",
        (_, true, false) => "compute bound, and close to the memory wall",
        (false, false, false) => "compute bound",
    };
    Some(format!("{place}; {now}: {conclusion}."))
}

/// What a pass takes at least, claimed and corrected.
fn time(estimate: &Estimate) -> Option<String> {
    let (first, last) = (estimate.scenarios.first()?, estimate.scenarios.last()?);
    let (before, after) = (first.running_time()?, last.running_time()?);
    let bound = match last.main_part()?.totals.bound? {
        Bound::Compute => "compute",
        Bound::Memory => "memory",
    };
    Some(format!(
        "One pass through the parts that run takes at least {} as claimed and {} when all corrections are made ({} tokens, {bound} bound). Latency is unknown: no pipeline depth, fill or launch cost has been given.",
        quantity(before),
        quantity(after),
        last.tokens.value
    ))
}
