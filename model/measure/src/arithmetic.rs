use super::{Measurement, Run};
use derate_machine::Platform;
use derate_units::figures::{quantity, rate, significant};
use derate_units::{Figure, Precision};

/// Times the DSP peak that no design of a card reaches, whatever it builds of look-up tables beside the slices and however
/// it saves multiplications; `None` where so few bits are multiplied that look-up tables have room for too many.
fn peak_factor(precision: Precision) -> Option<f64> {
    match precision {
        Precision::FP32 | Precision::INT8 => Some(3.0),
        // Nobody knows what such a multiply-add costs at least.
        other => (other.bits() >= 8).then_some(20.0),
    }
}

/// A matrix product that is faster than the card's arithmetic: `2 m n k` over its fastest repetition, against the best known
/// way to build its multiply-add of DSP slices.
pub(super) fn check_arithmetic(
    measurement: &Measurement,
    run: &Run,
    platform: &Platform,
) -> Option<String> {
    let gemm = run.gemm.as_ref()?;
    let precision = Precision::parse(&gemm.precision)?;
    let room = peak_factor(precision)?;
    let clock = measurement.kernel_clock.map_or_else(
        || platform.clock_bound(),
        |clock| Figure::new(clock, measurement.provenance, "kernel_clock of the measurement"),
    );
    let peaks = platform.peaks(precision, &clock);
    let best = peaks.iter().max_by(|a, b| a.rate.value.0.total_cmp(&b.rate.value.0))?;
    let reached = gemm.ops() / run.extremes()?.0;
    let times = reached.0 / best.rate.value.0;
    (times > room).then(|| {
        format!(
            "It computes {} at {}, {} times the {} that the DSP slices of {} give at best ({}): look-up tables do not add so \
             much.",
            rate(reached, precision),
            quantity(clock.value),
            significant(times, 2),
            rate(best.rate.value, precision),
            platform.title,
            best.rate.source
        )
    })
}
