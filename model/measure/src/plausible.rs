//! Whether a run can have happened as it is written.

use super::{KernelKind, Measurement, Run, VerdictReason, arithmetic, launch, wall};
use derate_machine::Platform;
use derate_units::figures::{grouped, quantity};
use derate_units::{Bytes, BytesPerSecond, Figure, Precision, Seconds};

/// A repetition is timed to about a microsecond; a hundred of them leave a percent.
const LEAST_WORK: Seconds = Seconds(100e-6);

/// With fewer nobody sees how far they lie apart.
const LEAST_REPETITIONS: usize = 3;

/// Bytes of the widest port that rows are padded for, and of a partial sum.
const WORD: f64 = 64.0;
const SUM: f64 = 8.0;

/// Bytes that a kernel that only reads may write, and the other way round: its results.
fn allowed_results(size: Bytes) -> f64 {
    (size.0 / 100.0).max(4096.0)
}

/// Why the bytes of a run are not those that its kind moves.
fn check_bytes(kind: KernelKind, run: &Run) -> Option<String> {
    let (read, written) = (run.bytes_read?, run.bytes_written?);
    let wrong = match kind {
        KernelKind::Memcpy => {
            let size = run.size.unwrap_or(read);
            read != size || written != size
        }
        KernelKind::Read => {
            let size = run.size.unwrap_or(read);
            read != size || written.0 > allowed_results(size)
        }
        KernelKind::Write => {
            let size = run.size.unwrap_or(written);
            written != size || read.0 > allowed_results(size)
        }
        // No file says how often their operands are read again.
        KernelKind::Attention | KernelKind::Mlp => return None,
        KernelKind::Gemm | KernelKind::Gemv => {
            let gemm = run.gemm.as_ref()?;
            let element = f64::from(Precision::parse(&gemm.precision)?.bits()) / 8.0;
            let (m, n, k) = (gemm.m as f64, gemm.n as f64, gemm.k as f64);
            // What each of several products of this shape moves.
            let each = |bytes: Bytes| bytes.0 / gemm.count as f64;
            let fewer = each(read) < (m * k + k * n) * element || each(written) < m * n * element;
            // Both factors of every multiply-add, and its partial sum, each row padded to a word of a port.
            let padded = |row: f64, bytes: f64| (row * bytes / WORD).ceil() * WORD;
            let most_read = 2.0 * m * n * padded(k, element) + k * m * padded(n, SUM);
            let more = each(read) > most_read || each(written) > k * m * padded(n, SUM);
            return (fewer || more).then(|| {
                format!(
                    "It reads {} B and writes {} B, {} of {} have.",
                    grouped(read.0),
                    grouped(written.0),
                    if fewer {
                        "fewer than the operands and the result"
                    } else {
                        "more than all multiply-adds"
                    },
                    gemm.title()
                )
            });
        }
    };
    let implied = match kind {
        KernelKind::Memcpy => "reads all and writes all",
        KernelKind::Read => "reads all and writes next to nothing",
        _ => "writes all and reads next to nothing",
    };
    wrong.then(|| {
        let size =
            run.size.map_or_else(|| "its data".to_owned(), |size| format!("{} B", grouped(size.0)));
        format!(
            "It reads {} B and writes {} B, and a {kind} of {size} {implied}.",
            grouped(read.0),
            grouped(written.0)
        )
    })
}

/// What cannot have happened: wrong results, other bytes than the kind moves, more kernel calls than there was time for, times
/// that the host's clock had no room for, more arithmetic than the card has, a repetition above the physical peak.
pub(super) fn check_plausible(
    measurement: &Measurement,
    platform: Option<&Platform>,
    peak: Option<&Figure<BytesPerSecond>>,
) -> Vec<VerdictReason> {
    let mut reasons = Vec::new();
    let several = measurement.runs.len() > 1;
    for (at, run) in measurement.runs.iter().enumerate() {
        let lead = if several { format!("runs[{at}]: ") } else { String::new() };
        if let Some(check) = run.check.as_ref().filter(|check| !check.passed) {
            reasons.push(VerdictReason::new(
                "wrong-results",
                format!(
                    "{lead}The results were wrong ({}), so the work was not done.",
                    check.method
                ),
            ));
        }
        if let Some((worst, bound)) =
            run.check.as_ref().and_then(|check| check.worst_error.zip(check.bound))
            && worst > bound
        {
            reasons.push(VerdictReason::new(
                "wrong-results",
                format!("{lead}The worst error, {worst}, is above its bound, {bound}: the results were wrong."),
            ));
        }
        if let Some(sentence) = check_bytes(measurement.kernel, run) {
            reasons.push(VerdictReason::new("bytes", format!("{lead}{sentence}")));
        }
        let rate = platform.and_then(|card| arithmetic::check_arithmetic(measurement, run, card));
        reasons.extend(
            rate.map(|said| VerdictReason::new("above-arithmetic", format!("{lead}{said}"))),
        );
        let calls = launch::check_launches(run).map(|said| ("launches", said));
        let clock = wall::check_wall_clock(run).map(|said| ("wall-seconds", said));
        for (code, said) in calls.into_iter().chain(clock) {
            reasons.push(VerdictReason::new(code, format!("{lead}{said}")));
        }
        if let (Some(best), Some(peak)) = (run.best_bandwidth(), peak)
            && best > peak.value
        {
            let which = if run.seconds.len() > 1 { "The fastest repetition has " } else { "" };
            reasons.push(VerdictReason::new(
                "above-peak",
                format!(
                    "{lead}{which}{}, and more than {} cannot be: {}.",
                    quantity(best),
                    quantity(peak.value),
                    peak.source
                ),
            ));
        }
    }
    reasons
}

/// Why a run is too little to be timed. What counts is its bytes at the physical peak, not the time that it took: less
/// time for the same bytes is not a reason to doubt it here. Where no peak is known it is the time.
pub(super) fn check_amount(run: &Run, peak: Option<&Figure<BytesPerSecond>>) -> Vec<VerdictReason> {
    let mut reasons = Vec::new();
    let repetitions = run.seconds.len();
    if repetitions > 0 && repetitions < LEAST_REPETITIONS {
        reasons.push(VerdictReason::new(
            "few-repetitions",
            format!("It has {repetitions} of the {LEAST_REPETITIONS} repetitions that show how far they lie apart."),
        ));
    }
    reasons.extend(check_duration(run, peak).map(|said| VerdictReason::new("too-short", said)));
    reasons
}

fn check_duration(run: &Run, peak: Option<&Figure<BytesPerSecond>>) -> Option<String> {
    let Some(peak) = peak else {
        let median = run.median().filter(|&median| median < LEAST_WORK)?;
        return Some(format!(
            "A repetition takes {}: too little to be timed. Move so many bytes that it takes {}.",
            quantity(median),
            quantity(LEAST_WORK)
        ));
    };
    let enough = peak.value * LEAST_WORK;
    let bytes = run.bytes().filter(|&bytes| bytes < enough)?;
    Some(format!(
        "A repetition moves {}, at the physical peak the work of {}: too little to be timed. Move at least {}.",
        quantity(bytes),
        quantity(bytes / peak.value),
        quantity(enough)
    ))
}
