use super::main_run::{main_run, read_share};
use super::setup::Setup;
use super::{
    BAR, BandwidthClaim, Judgement, KernelKind, Measurement, Run, Verdict, VerdictReason,
    above_all, disagree, evidence, fits, gap, launch, named_card, other_seconds, plausible,
    undecided, warm_up,
};
use derate_units::figures::{quantity, significant};
use derate_units::{BytesPerSecond, Figure, Precision, figures};

/// What a measurement says of a claim.
///
/// The verdict is of the run that moves most bytes: a bandwidth is a claim about streams, and small sizes measure the
/// launch. The order of the questions: is it evidence at all, can it have happened, is all there that a verdict needs and
/// free of contradiction, do equal runs agree, and is `bandwidth >= 0.93 x claim`.
pub fn judge_measurement(measurement: &Measurement, claim: &BandwidthClaim) -> Judgement {
    let Some(run) = main_run(measurement) else {
        return Judgement::new(measurement.kernel.to_string());
    };
    let mut judgement = Judgement::new(name_run(measurement.kernel, run));
    // A processor or a GPU has no ports, channels and clocks that anybody recorded: it is held against its own time alone.
    let machine = measurement.device.kind.is_machine();
    let setup = if machine { None } else { Setup::of(measurement, claim.platform.as_ref()) };
    let read_share = read_share(run);
    judgement.bandwidth = run
        .bandwidth()
        .map(|value| Figure::new(value, measurement.provenance, measurement.source.clone()));
    judgement.times = run.times();
    judgement.peak = setup.as_ref().map(|setup| setup.physical_peak(read_share));
    let expected = setup.as_ref().and_then(|setup| setup.modelled_bandwidth(read_share));
    judgement.model = expected.as_ref().map(|expected| expected.most.clone());
    judgement.model_least =
        expected.as_ref().filter(|e| e.least < e.most.value).map(|expected| expected.least);

    let reasons = evidence::check_evidence(measurement, setup.as_ref(), claim);
    if !reasons.is_empty() {
        return judgement.with_verdict(Verdict::NotEvidence, reasons);
    }
    let reasons = plausible::check_plausible(
        measurement,
        setup.as_ref().map(|setup| &setup.platform),
        judgement.peak.as_ref(),
    );
    if !reasons.is_empty() {
        return judgement.with_verdict(Verdict::Implausible, reasons);
    }
    let reasons =
        undecided::check_fields(measurement, run, setup.as_ref(), judgement.peak.as_ref());
    let (Some(bandwidth), true) = (run.bandwidth(), reasons.is_empty()) else {
        return judgement.with_verdict(Verdict::Inconclusive, reasons);
    };
    let unsettled =
        [disagree::compare_runs(measurement, run, claim), warm_up::check_warm_up(run, claim)];
    let mut reasons: Vec<VerdictReason> = unsettled.into_iter().flatten().collect();
    if reasons.is_empty() {
        reasons.extend(disagree::compare_repetitions(run, claim));
    }
    if let (Some(expected), Some(peak), true) =
        (&expected, &judgement.peak, run.stated_bandwidth.is_none())
        && let Some(slipped) =
            other_seconds::check_time_unit(bandwidth, claim, expected.least, peak.value)
    {
        reasons.insert(0, slipped);
    }
    if !reasons.is_empty() {
        return judgement.with_verdict(Verdict::Inconclusive, reasons);
    }
    judgement.notes = collect_notes(measurement, run, claim);
    let shared =
        setup.as_ref().and_then(|setup| fits::note_shared_ports(&measurement.ports, &setup.memory));
    judgement.notes.extend(shared);
    let platform = setup.as_ref().map(|setup| &setup.platform);
    judgement.notes.extend(platform.and_then(|platform| launch::note_call_time(run, platform)));
    judgement.notes.extend(expected.as_ref().and_then(|e| above_all::note_high_rate(bandwidth, e)));
    judgement.notes.extend(named_card::note_card_name(measurement));
    let share = Some(bandwidth / claim.value);
    let reached = VerdictReason::new("share", describe_share(bandwidth, claim));
    if bandwidth.0 >= BAR * claim.value.0 {
        judgement.share = share;
        return judgement.with_verdict(Verdict::Supported, vec![reached]);
    }
    if measurement.kernel.operator().is_some() {
        let reason = VerdictReason::new(
            "gemm",
            "A matrix product is bound by its arithmetic: that it moves less than the claim says nothing of the memory. \
             Measure with read, write or memcpy.",
        );
        return judgement.with_verdict(Verdict::Inconclusive, vec![reason]);
    }
    judgement.share = share;
    if let (Some(setup), Some(expected)) = (&setup, &expected) {
        judgement.gaps = gap::explain_gap(&gap::Shortfall {
            measurement,
            run,
            setup,
            expected,
            claim,
            bandwidth,
            read_share,
        });
    }
    judgement.with_verdict(Verdict::Refuted, vec![reached])
}

fn name_run(kernel: KernelKind, run: &Run) -> String {
    match (&run.gemm, run.size) {
        (Some(gemm), _) => format!("gemm of {}", gemm.title()),
        (None, Some(size)) => format!("{kernel} of {}", quantity(size)),
        (None, None) => kernel.to_string(),
    }
}

/// `254 GB/s is 84.7 % of the 300 GB/s that [derate] bandwidth, derate.toml:24 claims; ...`.
fn describe_share(bandwidth: BytesPerSecond, claim: &BandwidthClaim) -> String {
    format!(
        "{} is {} % of the claimed {} ({}); {} % of it, {}, is required.",
        quantity(bandwidth),
        significant(100.0 * (bandwidth / claim.value), 4),
        quantity(claim.value),
        claim.source,
        significant(100.0 * BAR, 2),
        quantity(claim.value * BAR)
    )
}

/// What a verdict on a processor leaves open.
fn unknown_of_a_processor(run: &Run) -> String {
    let data =
        run.size.map_or_else(|| "the data".to_owned(), |size| format!("the {}", quantity(size)));
    format!(
        "It is held against the times alone: what this processor's memory could carry is not known, so that a figure above \
         that would not be found. Nor does anything say whether {data} lay in a cache: then it is the cache's figure. \
         Measure with several times the last cache's size."
    )
}

/// What to know beside a verdict.
fn collect_notes(measurement: &Measurement, run: &Run, claim: &BandwidthClaim) -> Vec<String> {
    let mut notes = Vec::new();
    if let (Some(rate), Some(gemm)) = (run.ops_per_second(), &run.gemm)
        && let Some(precision) = Precision::parse(&gemm.precision)
    {
        notes.push(format!("It computes {}.", figures::rate(rate, precision)));
    }
    if run.stated_bandwidth.is_some() {
        notes.push(
            "It was published as a rate: bytes, times and results cannot be checked here."
                .to_owned(),
        );
    }
    let slowest = run.extremes().and_then(|(_, most)| Some(run.bytes()? / most));
    if let (Some(slowest), Some(middle)) = (slowest, run.bandwidth())
        && slowest.0 < BAR * claim.value.0
        && middle.0 >= BAR * claim.value.0
    {
        notes.push(format!(
            "The slowest repetition, {}, is below what is required; the verdict is of the median.",
            quantity(slowest)
        ));
    }
    notes.extend(warm_up::note_warm_up(run));
    notes.extend(disagree::note_spread(measurement, run));
    if measurement.device.kind.is_machine() {
        notes.push(unknown_of_a_processor(run));
    }
    if measurement.runs.len() > 1 {
        notes.push("The verdict is of the run that moves most bytes.".to_owned());
    }
    notes
}
