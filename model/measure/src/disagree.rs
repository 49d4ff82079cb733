//! Runs of one setup at practically one size: none is passed over for another.

use super::main_run::main_run;
use super::{BAR, BandwidthClaim, Measurement, Run, Verdict, VerdictReason};
use derate_units::figures::{quantity, significant};
use derate_units::{BytesPerSecond, Seconds};

/// Sizes that differ by less are practically one.
const ALIKE: f64 = 0.1;

/// Whether two runs do practically the same work.
fn is_alike(a: &Run, b: &Run) -> bool {
    fn near(a: Option<f64>, b: Option<f64>) -> bool {
        match (a, b) {
            (Some(a), Some(b)) => (a - b).abs() <= ALIKE * a.max(b),
            (None, None) => true,
            _ => false,
        }
    }
    let bytes = |run: &Run| run.bytes().or(run.size).map(|bytes| bytes.0);
    let ops = |run: &Run| run.gemm.as_ref().map(|gemm| gemm.ops().0);
    near(bytes(a), bytes(b)) && near(ops(a), ops(b))
}

/// The rates of the other runs of a file that do what `run` does, each with its place.
fn similar_runs<'a>(
    measurement: &'a Measurement,
    run: &'a Run,
) -> impl Iterator<Item = (usize, BytesPerSecond)> + 'a {
    let runs = measurement.runs.iter().enumerate();
    let same = runs.filter(|(_, other)| !std::ptr::eq(*other, run) && is_alike(other, run));
    same.filter_map(|(at, other)| Some((at, other.bandwidth()?)))
}

/// A run that takes so long at the rate that is asked that no start-up shows: a kernel call is some 30 us.
const SETTLED: Seconds = Seconds(1e-3);

/// The rates of other runs, of other sizes, whose start-up does not show, each with its place.
fn settled_runs<'a>(
    measurement: &'a Measurement,
    run: &'a Run,
    claim: &'a BandwidthClaim,
) -> impl Iterator<Item = (usize, BytesPerSecond)> + 'a {
    // A smaller one may lie in a processor's cache, and a smaller product computes less for its bytes.
    let alike_at_any_size =
        !measurement.device.kind.is_machine() && measurement.kernel.operator().is_none();
    let runs = measurement.runs.iter().enumerate().filter(move |_| alike_at_any_size);
    let others = runs.filter(|(_, other)| !std::ptr::eq(*other, run) && !is_alike(other, run));
    let long = move |other: &Run| {
        let calls = other.launches.map_or(1.0, |calls| calls.max(1) as f64);
        other.bytes().is_some_and(|bytes| bytes / claim.value > SETTLED * calls)
    };
    others.filter_map(move |(at, other)| Some((at, other.bandwidth().filter(|_| long(other))?)))
}

/// Another run of the file that says the opposite of the claim.
pub(super) fn compare_runs(
    measurement: &Measurement,
    run: &Run,
    claim: &BandwidthClaim,
) -> Option<VerdictReason> {
    let this = run.bandwidth()?;
    let holds = |rate: BytesPerSecond| rate.0 >= BAR * claim.value.0;
    let opposed = |(_, rate): &(usize, BytesPerSecond)| holds(*rate) != holds(this);
    if let Some((at, other)) = settled_runs(measurement, run, claim).find(opposed) {
        return Some(VerdictReason::new(
            "runs-disagree",
            format!(
                "Its runs disagree: the largest gives {}, and runs[{at}], too large for its start-up to show, {}; {} are required. \
                 Find out what differed, and measure again.",
                quantity(this),
                quantity(other),
                quantity(claim.value * BAR)
            ),
        ));
    }
    let (at, other) = similar_runs(measurement, run).find(opposed)?;
    Some(VerdictReason::new(
        "runs-disagree",
        format!(
            "Its runs disagree: one gives {}, and runs[{at}], of practically the same size, {}; {} are required. Find out \
             what differed, and measure again.",
            quantity(this),
            quantity(other),
            quantity(claim.value * BAR)
        ),
    ))
}

/// Of how many repetitions, one may deny the verdict of their median.
const DENY: usize = 3;

/// Repetitions of one run that fall on both sides of what is asked: the median alone hides those that deny its verdict.
pub(super) fn compare_repetitions(run: &Run, claim: &BandwidthClaim) -> Option<VerdictReason> {
    let (this, bytes) = (run.bandwidth()?, run.bytes()?);
    let asked = claim.value * BAR;
    let holds = |rate: BytesPerSecond| rate >= asked;
    let denying = run.seconds.iter().filter(|&&time| holds(bytes / time) != holds(this)).count();
    let (fastest, slowest) = run.extremes()?;
    (denying * DENY > run.seconds.len()).then(|| {
        VerdictReason::new(
            "repetitions-disagree",
            format!(
                "{denying} of its {} repetitions say the opposite of their median, {}: they go from {} to {}, and {} are required. \
                 Find out what slows some of them, and measure again.",
                run.seconds.len(),
                quantity(this),
                quantity(bytes / slowest),
                quantity(bytes / fastest),
                quantity(asked)
            ),
        )
    })
}

/// Runs of practically one size that lie apart, and say the same of the claim.
pub(super) fn note_spread(measurement: &Measurement, run: &Run) -> Option<String> {
    let this = run.bandwidth()?;
    let apart = |rate: &BytesPerSecond| (rate.0 / this.0 - 1.0).abs();
    let (at, other) =
        similar_runs(measurement, run).max_by(|(_, a), (_, b)| apart(a).total_cmp(&apart(b)))?;
    (apart(&other) > 1.0 - BAR).then(|| {
        format!(
            "runs[{at}], of practically the same size, has {}, {} % of it.",
            quantity(other),
            significant(100.0 * (other / this), 3)
        )
    })
}

/// Whether two files are of one kernel in one setup.
fn same_setup(a: &Measurement, b: &Measurement) -> bool {
    let built = |of: &Measurement| (of.versions.xclbin.clone(), of.versions.shell.clone());
    a.kernel == b.kernel
        && a.device == b.device
        && a.compute_units == b.compute_units
        && a.ports == b.ports
        && a.kernel_clock == b.kernel_clock
        && a.memory_clock == b.memory_clock
        && built(a) == built(b)
}

/// What another file, of the same setup and size, does to the verdict of this one: one of them supports the claim, and one
/// refutes it.
pub(super) fn compare_files(
    (this, verdict): (&Measurement, Verdict),
    (other, its): (&Measurement, Verdict),
    file: &str,
) -> Option<VerdictReason> {
    let opposed = matches!(
        (verdict, its),
        (Verdict::Supported, Verdict::Refuted) | (Verdict::Refuted, Verdict::Supported)
    );
    if !opposed || !same_setup(this, other) {
        return None;
    }
    let (run, beside) = (main_run(this)?, main_run(other)?);
    is_alike(run, beside).then(|| {
        VerdictReason::new(
            "runs-disagree",
            format!(
                "{file} is of the same setup and practically the same size, and gives {}, not {}: one supports the claim, and \
                 one refutes it. Find out what differed, and measure again.",
                beside.bandwidth().map(quantity).unwrap_or_default(),
                run.bandwidth().map(quantity).unwrap_or_default()
            ),
        )
    })
}
