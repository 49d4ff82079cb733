use super::expected::FEW;
use super::main_run::read_share;
use super::setup::Setup;
use super::{
    KernelKind, Measurement, Run, VerdictReason, capacity, counted, directions, launch, named_card,
    own_kernels, plausible, same_times, timed_by, wall,
};
use derate_machine::bandwidth::Direction;
use derate_units::figures::{quantity, significant};
use derate_units::{BytesPerSecond, Figure, Provenance};

/// Why no verdict can be had: a field that it needs is missing or wrong, fields contradict one another, there is too little
/// work, or there is only one bank, which nobody may scale to all.
pub(super) fn check_fields(
    measurement: &Measurement,
    run: &Run,
    setup: Option<&Setup>,
    peak: Option<&Figure<BytesPerSecond>>,
) -> Vec<VerdictReason> {
    let machine = measurement.device.kind.is_machine();
    let mut missing = Vec::new();
    let mut reasons = Vec::new();
    if run.stated_bandwidth.is_none() {
        for (key, known) in [
            ("bytes_read", run.bytes_read.is_some()),
            ("bytes_written", run.bytes_written.is_some()),
        ] {
            if !known {
                missing.push(key.to_owned());
            }
        }
        if measurement.kernel.operator().is_some() && run.shape(measurement.kernel).is_none() {
            let key = match measurement.kernel {
                KernelKind::Gemv => "gemm",
                kernel => kernel.as_str(),
            };
            missing.push(key.to_owned());
        }
        // Who publishes figures seldom says how the results were checked.
        if run.check.is_none() && measurement.provenance == Provenance::Measured {
            missing.push("check".to_owned());
        }
    }
    match setup {
        Some(setup) => {
            missing.extend(setup.missing.iter().cloned());
            reasons.extend(setup.wrong.iter().cloned());
        }
        None if machine => {}
        None => {
            missing.push("device.platform, a card of the catalogue (`derate platform`)".to_owned());
        }
    }
    if !missing.is_empty() {
        let keys: Vec<String> = missing.iter().map(|key| format!("`{key}`")).collect();
        reasons.insert(
            0,
            VerdictReason::new(
                "missing-field",
                format!("A verdict needs what is not there: {}.", keys.join(", ")),
            ),
        );
    }
    reasons.extend(counted::check_formulas(run));
    reasons.extend(find_contradictions(measurement, run));
    if let (Some(setup), true) = (setup, reasons.is_empty()) {
        reasons.extend(check_directions(setup, run));
        reasons.extend(capacity::check_capacity(measurement.kernel, run, setup));
    }
    if let (Some(setup), true) = (setup, reasons.is_empty())
        && setup.channels == 1
        && !setup.uses_all_channels()
    {
        reasons.push(explain_one_bank(setup, run.bandwidth()));
    }
    if reasons.is_empty() && (machine || peak.is_some()) {
        reasons.extend(plausible::check_amount(run, peak));
    }
    reasons
}

/// What the file says here and denies there.
fn find_contradictions(measurement: &Measurement, run: &Run) -> Vec<VerdictReason> {
    let give_reason =
        |code, sentence: Option<String>| sentence.map(|said| VerdictReason::new(code, said));
    if run.moves_nothing() {
        let sentence =
            "`bytes_read` and `bytes_written` are 0: what moves nothing has no bandwidth.";
        return vec![VerdictReason::new("bytes", sentence)];
    }
    let found = [
        timed_by::check_source(measurement),
        timed_by::check_method(run),
        named_card::check_card_name(measurement),
        counted::check_counted(measurement, run),
        directions::find_idle_ports(measurement, run),
        own_kernels::check_own_ports(measurement),
        give_reason("wall-seconds", wall::check_pairs(run)),
        give_reason("same-times", same_times::check_equal_times(run)),
        give_reason("launches", launch::check_call_time(measurement, run)),
    ];
    found.into_iter().flatten().collect()
}

/// Bytes that go a way that none of the ports goes.
fn check_directions(setup: &Setup, run: &Run) -> Option<VerdictReason> {
    let read = read_share(run)?;
    let ways = [(Direction::Read, read, "reads"), (Direction::Write, 1.0 - read, "writes")];
    let missed =
        ways.into_iter().find(|(way, share, _)| *share > FEW && setup.one_way(*way).is_empty());
    missed.map(|(_, _, verb)| {
        VerdictReason::new(
            "ports",
            format!("It {verb}, and none of its ports does: give the ports of that direction too."),
        )
    })
}

fn explain_one_bank(setup: &Setup, bandwidth: Option<BytesPerSecond>) -> VerdictReason {
    let peak = setup.physical_peak(None);
    let reached = bandwidth.map_or_else(String::new, |bandwidth| {
        format!(
            " {} is {} % of what that one could carry ({}).",
            quantity(bandwidth),
            significant(100.0 * (bandwidth / peak.value), 3),
            quantity(peak.value)
        )
    });
    VerdictReason::new(
        "one-bank",
        format!(
            "One bank of {} was used.{reached} What the others would add is not measured, and one bank's figure is not \
             multiplied: run on all of them.",
            setup.memory.title
        ),
    )
}
